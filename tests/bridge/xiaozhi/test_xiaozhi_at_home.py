"""A xiaozhi server behind the bridge: configured, ranked, heard and spoken on a device."""

import asyncio

import pytest
from fakes.bridge import FakeAssistant, FakeDevice, FakeHub
from fakes.xiaozhi_home import QUESTION, TOOLS, Home, until
from fakes.xiaozhi_server import XiaozhiServer, opus
from voxcard import config
from voxcard.assistants import Done, EndOfSpeech, Sentence, Speech, Transcript
from voxcard.assistants.ranked import Ranked
from voxcard.assistants.xiaozhi.assistant import Xiaozhi
from voxcard.components import configured_assistants
from voxcard.errors import VoxcardError
from voxcard.toolhub.model import ToolOutcome
from voxwire import audio as wire_audio

SERVER = "ws://192.168.1.5:8000/xiaozhi/v1/"


def run(conversation):
    async def limited():
        async with asyncio.timeout(20):
            await conversation()

    asyncio.run(limited())


class HomeHub(FakeHub):
    def specs(self, device_id, scope="ai"):
        return list(TOOLS)


def ask_aloud(device, turn="t1", seq=0):
    """Say the question into the device's microphone."""
    device.say("listen", id=turn, state="start", seq=seq)
    for at in range(0, len(QUESTION), 1280):
        pcm = QUESTION[at : at + 1280].ljust(1280, b"\0")
        device.relay.mic(wire_audio.encode(wire_audio.AudioFrame(0, seq, 0, pcm)))
        seq += 1
    return seq


async def light(arguments, on_progress):
    card = {"content": [{"type": "text", "text": "light on"}], "card": "Light"}
    return ToolOutcome(text=f"on={arguments['on']}", result=card)


async def uses_the_light(session, text):
    await session.stt(text)
    await session.send("llm", emotion="thinking", text="🤔")
    reply = await session.call("home.light", {"on": True})
    await session.say(f"I did: {reply['result']['content'][0]['text']}")


def test_a_device_asks_aloud_a_tool_runs_a_card_is_shown_and_it_hears_the_answer():
    async def conversation():
        async with XiaozhiServer(uses_the_light) as server, Home(server.url) as home:
            device = FakeDevice(home.assistant, HomeHub(**{"home.light": light}))
            device.greet()
            ask_aloud(device)
            record = await device.done()
            assert (record.transcript, record.error) == ("hello there", "")
            assert record.reply.startswith("I did: ") and "card of it is on" in record.reply
            (call,) = record.tools
            assert (call.name, call.arguments, call.text) == (
                "home.light",
                {"on": True},
                "on=True",
            )
            assert len(record.cards) == 1
            assert record.frames_down > 0 and record.last_seq_played == record.last_seq_sent
            assert "first_sentence" in " ".join(record.stages_ms)
            assert "llm" in device.told()
            assert server.sessions[0].heard_ms > 900

    run(conversation)


def test_a_person_who_interrupts_stops_the_server():
    async def endless(session, text):
        await session.stt(text)
        await session.tts("start")
        await session.tts("sentence_start", text="On and on.")
        packets = opus(600)
        while not session.aborted.is_set():
            await session.audio(packets)

    async def conversation():
        async with XiaozhiServer(endless) as server, Home(server.url) as home:
            device = FakeDevice(home.assistant, HomeHub())
            device.greet()
            ask_aloud(device)
            await device.frame_count(3)
            device.say("abort", id="t1", reason="button")
            record = await device.done()
            assert record.interrupted
            await server.sessions[0].aborted.wait()

    run(conversation)


async def spare(heard):
    size = 0
    async for piece in heard.audio:
        size += len(piece)
        if size >= len(QUESTION):
            break
    yield EndOfSpeech()
    yield Transcript(text=f"heard {size >= len(QUESTION)}")
    yield Sentence(text="I answer instead.")
    yield Speech(pcm=bytes(1280 * 2), rate_hz=16000)
    yield Done()


def test_the_next_assistant_answers_while_the_server_is_away():
    async def conversation():
        async with XiaozhiServer() as server:
            port = server.port
        async with Home(server.url) as home:
            ranked = Ranked([("mine", home.assistant), ("spare", FakeAssistant(spare))])
            device = FakeDevice(ranked)
            device.greet()
            seq = ask_aloud(device)
            record = await device.done()
            assert (record.transcript, record.reply) == ("heard True", "I answer instead.")
            assert "cannot be reached" in home.assistant.health()
            home.assistant._health.worked()
            async with XiaozhiServer(port=port):
                ask_aloud(device, "t2", seq)
                assert (await device.done(2)).reply == "You said hello there."

    run(conversation)


def test_silence_into_a_held_button_is_told_as_unanswered():
    async def conversation():
        async with XiaozhiServer() as server, Home(server.url, limit_s=0.3) as home:
            device = FakeDevice(Ranked([("mine", home.assistant)]))
            device.greet()
            device.say("listen", id="t1", state="start", seq=0, mode="manual")
            device.speak(0, 10)
            device.say("listen", id="t1", state="stop", seq=10)
            record = await device.done()
            assert "answered nothing to what was said" in record.error
            assert server.sessions[0].modes == ["manual"]

    run(conversation)


def parsed(**section):
    values = {"assistants": {"mine": {"kind": "xiaozhi", **section}}}
    return config.parse(values, environ={"TOKEN": "t-123"}).assistants["mine"]


def test_it_is_built_from_its_section():
    chosen = parsed(url=SERVER, key_env="TOKEN", version=3, stay_connected=False)
    assert (chosen.server.url, chosen.server.key.value) == (SERVER, "t-123")
    assert (chosen.version, chosen.stay_connected, chosen.limit_s) == (3, False, 20)
    assert chosen.identity.name == "xiaozhi-identity"
    assert "t-123" not in repr(chosen)
    assert isinstance(configured_assistants._made("mine", chosen), Xiaozhi)


@pytest.mark.parametrize(
    ("section", "problem"),
    [
        ({}, "has no url. Write ws://host:8000/xiaozhi/v1/ or http://host:8003/xiaozhi/ota/"),
        ({"url": "mqtt://host"}, "url is no address of a xiaozhi server."),
        ({"url": "ws://user:pass@host/"}, "url is no address of a xiaozhi server."),
        ({"url": SERVER, "version": 4}, "version must be from 1 to 3, not 4."),
        ({"url": SERVER, "chat_url": "http://a/v1"}, "of kind xiaozhi, which has no key"),
        ({"url": SERVER, "key_env": "not a name"}, "must be the name of an environment"),
    ],
)
def test_a_section_that_cannot_work_is_refused(section, problem):
    with pytest.raises(VoxcardError) as caught:
        parsed(**section)
    assert problem in str(caught.value)
    assert "pass" not in str(caught.value)


def test_a_variable_that_is_not_set_is_missed_when_it_is_checked():
    chosen = parsed(url=SERVER, key_env="NOWHERE")
    with pytest.raises(VoxcardError, match="key_env names a variable that is not set"):
        Xiaozhi("mine", chosen).check()


def test_a_device_that_leaves_leaves_no_connection():
    async def conversation():
        async with XiaozhiServer() as server, Home(server.url) as home:
            device = FakeDevice(home.assistant, HomeHub())
            device.greet()
            ask_aloud(device)
            await device.done()
            await device.relay.close()
            await server.sessions[0].closed.wait()

    run(conversation)


def test_speech_that_the_server_begins_is_heard_on_a_device_that_is_free():
    async def conversation():
        async with (
            XiaozhiServer() as server,
            Home(server.url, stay_connected=True) as home,
        ):
            device = FakeDevice(home.assistant, HomeHub())
            device.greet()
            session = await server.session()
            await session.tools_ready.wait()
            await session.say("The washing is done.")
            await until(lambda: bool(device.records))
            (record,) = device.records
            assert (record.kind, record.reply, record.error) == (
                "begun",
                "The washing is done.",
                "",
            )
            assert record.frames_down > 0
            device.relay.gone("It is switched off.")
            await device.relay.close()
            await session.closed.wait()

    run(conversation)
