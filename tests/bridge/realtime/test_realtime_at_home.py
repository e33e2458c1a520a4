"""The Realtime back end in the bridge: configured, behind a device whose tools it calls."""

import asyncio

import pytest
from fakes.bridge import FakeDevice, FakeHub
from fakes.realtime_home import QUESTION, TOOLS, Home, until
from fakes.realtime_server import Answer, RealtimeServer
from voxcard import config
from voxcard.assistants.realtime.assistant import Realtime
from voxcard.components import configured_assistants
from voxcard.errors import VoxcardError
from voxcard.toolhub.model import ToolOutcome
from voxwire import audio as wire_audio

LIMIT_S = 20
FULL_DUPLEX = {"formats": ["pcm16"], "frame_ms": 40, "buffer_ms": 200, "duplex": "full"}
KEY = "sk-secret-0123456789"


def run(conversation):
    async def limited():
        async with asyncio.timeout(LIMIT_S):
            await conversation()

    asyncio.run(limited())


class LightHub(FakeHub):
    def specs(self, device_id, scope="ai"):
        return list(TOOLS)


async def ask_aloud(device, turn_id="t1"):
    """Say the question into the device's microphone and let the turn end."""
    device.greet()
    device.say("listen", id=turn_id, state="start", seq=0)
    for seq, pcm in enumerate(QUESTION):
        device.relay.mic(wire_audio.encode(wire_audio.AudioFrame(0, seq, 0, pcm)))
        await asyncio.sleep(0)
    return await device.done()


def test_a_device_asks_aloud_its_tool_runs_its_card_is_shown_and_it_hears_the_answer():
    async def light(arguments, on_progress):
        card = {"content": [{"type": "text", "text": "# Light\n\n- Kitchen: on\n- Hall: off"}]}
        return ToolOutcome(text=f"light on={arguments['on']}", result=card)

    async def conversation():
        replies = (
            Answer(text="One moment.", calls=(("home_light", '{"on": true}', "c1"),)),
            Answer(text="It is on now.", ms=800),
        )
        async with RealtimeServer(*replies) as server, Home(server.url, key=KEY) as home:
            device = FakeDevice(home.assistant, LightHub(**{"home.light": light}))
            record = await ask_aloud(device)
            await device.relay.close()
            assert (record.transcript, record.error) == ("switch the light on", "")
            assert record.reply == "One moment. It is on now."
            (call,) = record.tools
            assert (call.name, call.arguments) == ("home.light", {"on": True})
            # 1,200 ms of speech in frames of 40 ms, each sentence filled up to whole ones.
            assert 30 <= record.frames_down <= 34
            assert {"to_response_created", "to_first_sound"} <= set(record.stages_ms)
            assert any(line.startswith("stt") for line in device.told())
            (output,) = [
                event["item"]
                for event in server.sent("conversation.item.create")
                if event["item"]["type"] == "function_call_output"
            ]
            assert output["call_id"] == "c1" and output["output"].startswith("light on=True")
            assert KEY not in str(device.told())

    run(conversation)


def test_a_button_on_the_device_cuts_the_answer_off_and_the_server_learns_what_was_played():
    async def conversation():
        story = Answer(text="A long story.", ms=4000, gate=asyncio.Event())
        async with RealtimeServer(story) as server, Home(server.url) as home:
            device = FakeDevice(home.assistant, LightHub())
            talk = asyncio.create_task(ask_aloud(device))
            start = await device.until("tts start")
            await device.frame_count(10)
            device.say("abort", id="t1", reason="button", seq=(start["seq"] + 9) & 0xFFFF)
            record = await talk
            assert record.interrupted and not record.error
            await until(lambda: server.peers[0].truncated)
            ((_, played_ms),) = server.peers[0].truncated
            assert played_ms == 400  # ten frames of 40 ms
            assert "response.cancel" in server.kinds()
            await device.relay.close()

    run(conversation)


def test_speech_into_an_answer_of_an_open_microphone_silences_the_device():
    async def conversation():
        story = Answer(text="A long story.", ms=8000, gate=asyncio.Event())
        replies = story, Answer(text="As you like.")
        async with RealtimeServer(*replies) as server, Home(server.url) as home:
            device = FakeDevice(home.assistant, LightHub())
            device.greet(sound=FULL_DUPLEX)
            device.say("listen", id="t1", state="start", seq=0, mode="realtime")
            speak(device, 0)
            await device.until("tts start")
            await device.frame_count(5)
            speak(device, len(QUESTION))
            await until(lambda: server.peers[0].truncated)
            await until(lambda: any("As you like." in line for line in device.told()))
            ((_, played_ms),) = server.peers[0].truncated
            assert 0 <= played_ms < 4000  # what came of the story was not all played
            assert server.replies == []
            await device.relay.close()

    def speak(device, first):
        for seq, pcm in enumerate(QUESTION, first):
            device.relay.mic(wire_audio.encode(wire_audio.AudioFrame(0, seq, 0, pcm)))

    run(conversation)


def section(**values):
    data = {"assistants": {"live": {"kind": "realtime", **values}}}
    return config.parse(data, environ={"OPENAI_API_KEY": KEY}).assistants["live"]


def test_the_section_has_defaults_for_openai_and_keys_for_the_rest():
    settings = section(key_env="OPENAI_API_KEY")
    assert settings.server.url == "wss://api.openai.com/v1"
    assert (settings.server.model, settings.server.key.value) == ("gpt-realtime-2", KEY)
    assert KEY not in repr(settings)
    assert (settings.turn_detection, settings.noise_reduction) == ("server_vad", "far_field")
    assert (settings.idle_timeout_ms, settings.end_of_speech_ms, settings.limit_s) == (0, 600, 20)
    settings = section(url="http://127.0.0.1:8080/v1/realtime", model="m", voice="v")
    assert settings.server.url == "ws://127.0.0.1:8080/v1" and settings.voice == "v"
    assert isinstance(configured_assistants._made("live", settings), Realtime)


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"url": "ftp://a"}, "url is no address of a Realtime server"),
        ({"url": "wss://user:word@a/v1"}, "url is no address"),
        ({"model": ""}, "has no model"),
        ({"idle_timeout_ms": 100}, "idle_timeout_ms is too short"),
        (
            {"idle_timeout_ms": 6000, "turn_detection": "semantic_vad"},
            "idle_timeout_ms works with server_vad only",
        ),
        ({"turn_detection": "none"}, "turn_detection must be one of server_vad, semantic_vad"),
        ({"chat_url": "http://a/v1"}, "is of kind realtime, which has no key `chat_url`"),
        ({"key_env": KEY}, "key_env must be the name of an environment"),
    ],
)
def test_a_section_that_cannot_work_is_refused(values, problem):
    with pytest.raises(VoxcardError) as caught:
        section(**values)
    assert problem in caught.value.problem and KEY not in str(caught.value)


def test_a_key_that_is_not_set_is_said_before_anything_starts():
    with pytest.raises(VoxcardError, match="key_env names a variable that is not set"):
        Realtime("live", section(key_env="NO_SUCH_VARIABLE")).check()
