"""Who speaks on before anything was done or said is heard to the end; afterwards nothing is
done twice."""

import asyncio
import threading
from datetime import datetime

import pytest
from fakes import home, speech
from fakes.offline.offline_talk import asks, calls, parts, spoken
from fakes.speech import LOUD, QUIET
from voxcard.assistants import CallTool, EndOfSpeech, Heard, Sentence, ToolReply, Transcript
from voxcard.assistants.offline.assistant import Offline
from voxcard.assistants.offline.first_reply import FirstReply
from voxcard.assistants.offline.intents.catalogue import Catalogue
from voxcard.assistants.offline.intents.interpretation import Trial
from voxcard.assistants.offline.intents.meanings import Several
from voxcard.assistants.offline.intents.sentences import sentence_files
from voxcard.assistants.offline.options import OfflineSettings
from voxcard.assistants.offline.prepared_reply import PreparedReply

VOLUME = "self.audio_speaker.set_volume"
HALF_MS = 640


class HalfOrWhole(speech.ScriptedRecogniser):
    """Hears `half` in what is as short as one, else `whole`, however many trials there are."""

    def __init__(self, half, whole):
        super().__init__("")
        self.half, self.whole = half, whole

    def transcribe(self, pcm, prompt):
        self._texts = [self.whole if len(pcm) >= 2 * HALF_MS * 32 else self.half]
        return super().transcribe(pcm, prompt)


def assistant(half, whole="", voice=None):
    """An assistant that hears `half` in the first half of a sentence."""
    return Offline(
        OfflineSettings(),
        recogniser=HalfOrWhole(half, whole),
        voice=voice or speech.LetterVoice(),
        detector=speech.LoudDetector,
        now=lambda: datetime(2026, 5, 4, 9, 41),
    )


def turn(offline, microphone, *outcomes, tools=home.TOOLS):
    """The parts of one turn over `microphone`, of which no task is left."""

    async def run():
        await offline.start()
        conversation = offline.conversation(home.place, lambda: tools)
        turn_parts = await parts(conversation, Heard(audio=microphone), *outcomes)
        left = {task.get_name() for task in asyncio.all_tasks()}
        await offline.stop()
        return turn_parts, left

    turn_parts, left = asyncio.run(run())
    assert not left & {"offline reply", "offline microphone", "offline recognise"}
    return turn_parts


def halves(pause_ms):
    return speech.audio((LOUD, HALF_MS), (QUIET, pause_ms), (LOUD, HALF_MS), (QUIET, 1920))


def transcripts(turn_parts):
    return [part.text for part in turn_parts if isinstance(part, Transcript)]


@pytest.mark.parametrize(
    ("half", "pause_ms"),
    [
        ("Could we perhaps have some.", 1120),  # not understood: the excuse waits
        ("Cancel my order 1042.", 704),  # asked about first: the question waits
        ("Set the volume to three hundred.", 416),  # out of range: said once it is synthesised
    ],
)
def test_words_that_come_before_the_reply_belong_to_the_sentence(half, pause_ms):
    whole = "Set the volume to sixty."
    microphone = speech.microphone(halves(pause_ms))
    turn_parts = turn(assistant(half, whole), microphone, ToolReply(text="ok"))
    assert turn_parts[0] == EndOfSpeech(
        speech_ms=2 * HALF_MS + pause_ms, end_ms=2 * HALF_MS + pause_ms
    )
    assert transcripts(turn_parts) == [whole]
    assert calls(turn_parts) == [(VOLUME, {"volume": 60})]
    assert spoken(turn_parts) == "The volume is now 60 percent."
    assert not asks(turn_parts)


ROOM = {"type": "string", "enum": ["kitchen", "hall"]}
LIGHTS = (
    home.tool("house.lights_off", "turn off the light", "lights out", source="house"),
    home.tool("house.light_off", "turn off the light in the {room}", source="house", room=ROOM),
)


@pytest.mark.parametrize("pause_ms", [512, 704, 1024, 1216])
def test_a_command_that_a_longer_sentence_begins_with_waits_for_its_rest(pause_ms):
    words = "Turn off the light.", "Turn off the light in the kitchen."
    microphone = speech.microphone(halves(pause_ms))
    turn_parts = turn(assistant(*words), microphone, ToolReply(text="ok"), tools=LIGHTS)
    assert calls(turn_parts) == [("house.light_off", {"room": "kitchen"})]
    assert transcripts(turn_parts) == [words[1]]


@pytest.mark.parametrize(
    ("words", "tools", "silence_ms"),
    [
        ("turn off the light", LIGHTS, 1300),  # "… in the kitchen"
        ("turn off the light in the kitchen", LIGHTS, 0),
        ("lights out", LIGHTS, 0),  # nothing follows
        ("take a photo and turn off the light", (*LIGHTS, home.PHOTO), 1300),
        ("turn the volume up", home.TOOLS, 0),  # "… by twenty": no room is dark for it
        ("what can you do", home.TOOLS, 0),  # "… for me": it does nothing
    ],
)
def test_how_long_a_command_waits_for_what_may_follow(words, tools, silence_ms):
    reading = Catalogue(sentence_files.language("en"), (), tools).understand(words)
    trial, first = Trial(text=words, reading=reading), FirstReply(lambda: False)
    said = first.to(trial, "ended", Heard(audio=speech.microphone(b"")), {})
    assert isinstance(said, Several)
    prepared = PreparedReply(trial=trial, first_reply=first, said=said)
    prepared.hold_back(600)
    assert prepared.silence_ms == silence_ms


class HeldVoice(speech.LetterVoice):
    """Takes until `release` to speak a sentence that begins with `words`."""

    def __init__(self, words):
        super().__init__()
        self.words, self.began, self.release = words, threading.Event(), threading.Event()

    def speak(self, text):
        if text.startswith(self.words):
            self.began.set()
            assert self.release.wait(10)
        yield from super().speak(text)


def test_who_speaks_on_while_the_reply_is_synthesised_is_heard_to_the_end():
    voice = HeldVoice("It is nine")
    pcm = halves(320)

    async def microphone():
        at = (HALF_MS + 320) * 32
        yield pcm[:at]
        assert await asyncio.to_thread(voice.began.wait, 10)
        yield pcm[at : at + 4096]
        voice.release.set()
        yield pcm[at + 4096 :]

    words = ("What time is it?", "What time is it? Never mind.")
    turn_parts = turn(assistant(*words, voice=voice), microphone())
    assert transcripts(turn_parts) == [words[1]]
    assert "9:41" not in spoken(turn_parts)


def test_words_after_a_tool_was_called_do_nothing_and_what_was_done_is_done_once():
    called = asyncio.Event()

    async def microphone():
        yield speech.audio((LOUD, HALF_MS))
        async with asyncio.timeout(20):
            while not called.is_set():
                yield QUIET
        yield speech.audio((LOUD, HALF_MS), (QUIET, 1920))

    async def run():
        offline = assistant("Set the volume to sixty.", "Set the volume to sixty five.")
        await offline.start()
        conversation = offline.conversation(home.place, lambda: home.TOOLS)
        turn_parts, outcome = [], None
        taken = conversation.turn(Heard(audio=microphone()))
        while True:
            try:
                turn_parts.append(await taken.asend(outcome))
            except StopAsyncIteration:
                break
            outcome = None
            if isinstance(turn_parts[-1], CallTool):
                called.set()
                outcome = ToolReply(text="ok")
        await offline.stop()
        return turn_parts

    turn_parts = asyncio.run(run())
    assert transcripts(turn_parts) == ["Set the volume to sixty."]
    assert calls(turn_parts) == [(VOLUME, {"volume": 60})]
    assert len([part for part in turn_parts if isinstance(part, EndOfSpeech)]) == 1


def test_a_click_after_the_sentence_does_not_reopen_it():
    # After the longest silence that ends a sentence, before the excuse may begin.
    pcm = speech.audio((LOUD, HALF_MS), (QUIET, 1312), (LOUD, 64), (QUIET, 1920))
    offline = assistant("Could we perhaps have some.", "Set the volume to sixty.")
    turn_parts = turn(offline, speech.microphone(pcm))
    assert transcripts(turn_parts) == ["Could we perhaps have some."]
    assert turn_parts[0] == EndOfSpeech(speech_ms=HALF_MS, end_ms=HALF_MS)
    assert calls(turn_parts) == []


def test_an_excuse_that_was_dropped_was_not_made():
    offline = assistant("Could we perhaps.", "Set the volume to sixty.")

    async def run():
        await offline.start()
        conversation = offline.conversation(home.place, lambda: home.TOOLS)
        reopened = Heard(audio=speech.microphone(halves(1120)))
        await parts(conversation, reopened, ToolReply(text="ok"))
        pcm = speech.audio((LOUD, HALF_MS), (QUIET, 1920))
        unknown = await parts(conversation, Heard(audio=speech.microphone(pcm)))
        await offline.stop()
        return unknown

    (excuse, *_) = [part for part in asyncio.run(run()) if isinstance(part, Sentence)]
    assert excuse.text == "Sorry, I did not understand." and excuse.excuse


def test_a_turn_that_is_given_up_while_it_hears_on_leaves_nothing_behind():
    voice = HeldVoice("It is nine")

    async def microphone():
        yield speech.audio((LOUD, HALF_MS), (QUIET, 320))
        await asyncio.Event().wait()

    async def run():
        offline = assistant("What time is it?", voice=voice)
        await offline.start()
        conversation = offline.conversation(home.place, lambda: home.TOOLS)
        taken = conversation.turn(Heard(audio=microphone()))
        first = asyncio.create_task(anext(taken))
        assert await asyncio.to_thread(voice.began.wait, 10)
        first.cancel()
        (ended,) = await asyncio.gather(first, return_exceptions=True)
        assert isinstance(ended, asyncio.CancelledError)
        voice.release.set()
        await taken.aclose()
        left = {task.get_name() for task in asyncio.all_tasks()}
        assert not left & {"offline reply", "offline microphone", "offline recognise"}
        await offline.stop()

    asyncio.run(run())
