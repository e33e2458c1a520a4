"""A Home Assistant in the bridge: configured, ranked, behind a device."""

import asyncio
from importlib import import_module
from importlib.util import find_spec

import pytest
from fakes import bridge, speech
from fakes.bridge import FakeAssistant, FakeDevice
from fakes.home_assistant.run import answers
from fakes.home_assistant.server import TOKEN, HomeServer
from fakes.home_assistant.sound import wav
from fakes.home_assistant.talk import QUESTION, Talk, settings
from voxcard import config
from voxcard.assistants import Done, EndOfSpeech, Sentence, Speech, Transcript
from voxcard.assistants.home_assistant.assistant import HomeAssistant
from voxcard.assistants.ranked import Ranked
from voxcard.components import configured_assistants
from voxcard.errors import VoxcardError
from voxwire import audio as wire_audio

LIMIT_S = 20
MEDIA = ("media.reader", "media.fetch", "fetching.addresses")
needs_media = pytest.mark.skipif(
    find_spec("voxcard.media") is None, reason="the relay of this checkout plays no sound by URL"
)
SECTION = {"kind": "home_assistant", "url": "http://house.local:8123", "key_env": "HOUSE_TOKEN"}


def run(conversation):
    async def limited():
        async with asyncio.timeout(LIMIT_S):
            await conversation()

    asyncio.run(limited())


async def ask_aloud(device, count=1):
    """Say the question into the device's microphone and let the turn end."""
    device.greet()
    device.say("listen", id=f"t{count}", state="start", seq=0)
    for seq, at in enumerate(range(0, len(QUESTION), 1280)):
        frame = wire_audio.AudioFrame(0, seq, 0, QUESTION[at : at + 1280].ljust(1280, b"\0"))
        device.relay.mic(wire_audio.encode(frame))
        await asyncio.sleep(0)
    return await device.done(count)


def listening_device(talk, monkeypatch):
    """A device whose relay plays sound by URL, as that of the bridge does."""
    reader, fetch, addresses = (import_module(f"voxcard.{name}") for name in MEDIA)
    read = reader.MediaReader(fetch.MediaFetcher(addresses.Resolver())).read
    plain = bridge.Services
    monkeypatch.setattr(bridge, "Services", lambda **own: plain(**{**own, "read_media": read}))
    return FakeDevice(talk.assistant)


def heard(device):
    """The samples that came."""
    return b"".join(bytes(wire_audio.decode(frame).payload) for frame in device.frames)


def test_a_device_asks_aloud_and_its_room_is_answered():
    async def conversation():
        async with HomeServer(answers("It is on now.")) as server, Talk(server) as talk:
            device = FakeDevice(talk.assistant)
            record = await ask_aloud(device)
            assert record.transcript == "switch the light on"
            assert record.reply == "It is on now."
            (asked,) = server.runs
            assert asked.request["device_id"] == "d1"  # its entry names voxcard_kitchen
            assert bytes(asked.audio[: 32 * 960]) == QUESTION[: 32 * 960]
            assert "stt switch the light on" in device.told()

    run(conversation)


def test_a_streamed_answer_is_shown_whole():
    deltas = (
        {"role": "assistant"},
        "Let me see what the weather is going to be like, one moment.",
    )
    last = ({"role": "assistant"}, "It rains. Take an umbrella.")
    more = {"deltas": (*deltas, *last)}

    async def script(run):
        await run.start()
        await run.listen("weather")
        await run.intend("It rains. Take an umbrella.", *more["deltas"], stream=True)
        await run.speak("It rains. Take an umbrella.")

    async def conversation():
        async with HomeServer(script) as server, Talk(server) as talk:
            record = await ask_aloud(FakeDevice(talk.assistant))
            assert record.reply == f"{deltas[1]} It rains. Take an umbrella."
            assert "to_first_token" in record.stages_ms

    run(conversation)


@needs_media
def test_the_answer_is_heard(monkeypatch):
    """Its sound is fetched from where the run says it is, and played as it is."""

    async def script(run):
        server.sounds[run.url] = wav(speech.LOUD * 20)
        await answers("It is on now.")(run)

    server = HomeServer(script)

    async def conversation():
        async with server, Talk(server) as talk:
            device = listening_device(talk, monkeypatch)
            record = await ask_aloud(device)
            assert (record.reply, record.error) == ("It is on now.", "")
            assert heard(device)[: 20 * 1024] == speech.LOUD * 20

    run(conversation)


@needs_media
def test_a_streamed_answer_is_heard_before_it_is_whole(monkeypatch):
    """core#177464, as far as the speaker: the end of it is made when its beginning was played."""
    playing = asyncio.Event()

    async def sound():
        yield wav(speech.LOUD * 60)
        await playing.wait()
        yield speech.LOUD * 20

    async def script(run):
        server.sounds[run.url] = sound
        await run.start()
        await run.listen("weather")
        await run.event("intent-start")
        await run.event("intent-progress", {"chat_log_delta": {"role": "assistant"}})
        await run.event("intent-progress", {"chat_log_delta": {"content": "It is going to "}})
        await run.event("intent-progress", {"tts_start_streaming": True})
        await playing.wait()
        await run.event("intent-progress", {"chat_log_delta": {"content": "rain."}})
        await run.event("intent-end", {"intent_output": {"response": {}}})
        await run.speak("It is going to rain.")

    server = HomeServer(script)

    async def conversation():
        async with server, Talk(server) as talk:
            device = listening_device(talk, monkeypatch)
            asking = asyncio.create_task(ask_aloud(device))
            await device.frame_count(5)
            playing.set()
            record = await asking
            assert (record.reply, record.error) == ("It is going to rain.", "")
            assert heard(device)[: 80 * 1024] == speech.LOUD * 80

    run(conversation)


def test_a_failure_is_spoken_in_the_houses_own_voice():
    async def script(run):
        await run.start()
        await run.event("intent-start")
        await run.fail("intent-failed")

    async def conversation():
        async with HomeServer(script) as server, Talk(server) as talk:
            device = FakeDevice(talk.assistant)
            device.greet()
            device.say("listen", id="t1", state="start", seq=0)
            device.say("listen", id="t1", state="stop", seq=0)
            record = await device.done()
            sentence = "The conversation agent of Home Assistant failed. See its log."
            assert record.error == sentence
            assert [wish["message"] for wish in server.wishes] == [sentence]
            assert record.frames_down > 0

    run(conversation)


async def _offline(heard):
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


@pytest.mark.parametrize("why", ["away", "deaf"])
def test_the_next_assistant_hears_the_question_from_its_beginning(why):
    async def fails(run):
        await run.start()
        await run.event("stt-start", {})
        await run.heard(32 * 500)
        await run.fail("stt-stream-failed")

    async def conversation():
        async with HomeServer(fails) as server:
            url = server if why == "deaf" else "http://127.0.0.1:1"
            async with Talk(url) as talk:
                spare = FakeAssistant(_offline)
                device = FakeDevice(Ranked([("house", talk.assistant), ("spare", spare)]))
                record = await ask_aloud(device)
                assert (record.reply, record.error) == ("I answer instead.", "")
                assert record.transcript == "heard it all"
                assert talk.assistant.health() != ""

    run(conversation)


def test_what_its_agent_may_have_done_nobody_does_again():
    async def script(run):
        await run.start()
        await run.listen("open the gate")
        await run.event("intent-start")
        await run.fail("intent-failed")

    async def conversation():
        async with HomeServer(script) as server, Talk(server) as talk:
            spare = FakeAssistant()
            device = FakeDevice(Ranked([("house", talk.assistant), ("spare", spare)]))
            record = await ask_aloud(device)
            assert "conversation agent of Home Assistant failed" in record.error
            assert spare.heard == []

    run(conversation)


def parse(section, environ=None):
    values = {"assistant": {"ranking": ["house"]}, "assistants": {"house": section}}
    environ = {"HOUSE_TOKEN": TOKEN} if environ is None else environ
    return config.parse(values, environ=environ).assistants["house"]


def test_it_is_built_from_its_section():
    section = {**SECTION, "pipeline": "House", "devices": {"kitchen": "a1b2"}, "limit_s": 30}
    chosen = parse(section)
    assert chosen == settings(
        "http://house.local:8123", pipeline="House", devices={"kitchen": "a1b2"}, limit_s=30
    )
    built = configured_assistants._made("house", chosen)
    assert isinstance(built, HomeAssistant)
    built.check()


def test_a_token_that_is_not_set_is_said_before_anything_starts():
    chosen = parse(SECTION, environ={})
    with pytest.raises(VoxcardError) as caught:
        HomeAssistant("house", chosen).check()
    assert caught.value.problem == ("[assistants.house] key_env names a variable that is not set.")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"url": ""}, "url is no address of a Home Assistant. Write http://host:8123"),
        ({"url": "house.local:8123"}, "url is no address of a Home Assistant."),
        ({"url": "ws://house.local:8123/api/websocket"}, "url is no address of a Home"),
        ({"url": "http://me:pass@house.local"}, "url is no address of a Home Assistant."),
        ({"url": "http://house.local/lovelace"}, "url is no address of a Home Assistant."),
        ({"key_env": ""}, "has no key_env and no key_file. Make one"),
        ({"key_env": TOKEN}, "key_env must be the name of an environment variable."),
        ({"key_file": "x"}, "has a key_env and a key_file. Keep one of them."),
        ({"devices": {"kitchen": ""}}, "devices: 'kitchen' has no device id of Home Assistant."),
        ({"devices": {"kitchen": "a b"}}, "devices: 'kitchen' has no device id of Home"),
        ({"chat_url": "http://x/v1"}, "is of kind home_assistant, which has no key `chat_url`."),
        ({"limit_s": 0}, "limit_s must be from 1 to 55"),
    ],
)
def test_a_section_that_cannot_work_is_refused_without_the_token(change, problem):
    with pytest.raises(VoxcardError) as caught:
        parse({**SECTION, **change})
    assert problem in str(caught.value) and TOKEN not in str(caught.value)


def test_the_token_may_be_in_a_file(tmp_path):
    (tmp_path / "token").write_text(f"{TOKEN}\n")
    file = tmp_path / "voxcard.toml"
    section = {key: value for key, value in SECTION.items() if key != "key_env"}
    lines = [f'{key} = "{value}"' for key, value in section.items()]
    file.write_text("\n".join(["[assistants.house]", *lines, 'key_file = "token"']))
    chosen = config.load(file, environ={}).assistants["house"]
    assert chosen.server.key.value == TOKEN and TOKEN not in repr(chosen)


def test_an_assistant_that_does_not_run_says_so():
    async def conversation():
        assistant = HomeAssistant("house", settings("http://127.0.0.1:1"))
        assert assistant.health() == "It is not running."
        with pytest.raises(VoxcardError, match="The assistant house is not running"):
            [part async for part in assistant.say("x", "en")]
        await assistant.stop()

    run(conversation)
