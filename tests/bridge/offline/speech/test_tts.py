"""Sentences as audio: what was prepared is there at once, whole or as an opening."""

import array
import asyncio

import numpy
import soxr
from voxcard.assistants.offline.assistant import common_phrases, openings
from voxcard.assistants.offline.intents.sentences import sentence_files
from voxcard.assistants.offline.speech.asr import WhisperRecogniser
from voxcard.assistants.offline.speech.tts import Speaker, without_end
from voxcard.assistants.offline.speech.voices import PiperVoice
from voxcard.assistants.offline.threads import Workers

OPENING = "The volume is now"


class LetterVoice:
    """Says a text as its letters, one a sample, and remembers what it was given."""

    rate_hz = 8000

    def __init__(self):
        self.given = []

    def speak(self, text):
        self.given.append(text)
        yield array.array("h", map(ord, text)).tobytes()


def said(speeches):
    return ["".join(map(chr, array.array("h", each.pcm))) for each in speeches]


def spoken(*sentences, prepared=(OPENING,), **rest):
    """The pieces of each sentence, and what the voice was given after what was prepared."""
    voice, pieces = LetterVoice(), []

    async def run():
        workers = Workers()
        speaker = Speaker(voice, workers, **rest)
        await speaker.prepare_all(prepared)
        voice.given.clear()
        for sentence in sentences:
            pieces.append(said([each async for each in speaker.speak(sentence)]))
        await speaker.stop()
        await workers.stop()

    asyncio.run(run())
    return pieces, voice.given


def test_a_sentence_with_a_prepared_opening_begins_with_it():
    sentence = f"{OPENING} 60 percent."
    pieces, given = spoken(sentence, sentence, openings=(OPENING,))
    assert pieces == [[OPENING, "sixty percent."], [f"{OPENING}sixty percent."]]
    assert given == ["sixty percent."]


def test_the_longest_opening_is_taken_and_only_of_whole_words():
    both = ("The volume is", OPENING)
    assert spoken(f"{OPENING} 5.", openings=both, prepared=both)[0] == [[OPENING, "five."]]
    pieces, _ = spoken("The volume is nowhere.", openings=both, prepared=both)
    assert pieces == [["The volume is", "nowhere."]]


def test_an_opening_that_is_not_ready_costs_nothing():
    pieces, given = spoken(f"{OPENING} 60 percent.", openings=(OPENING,), prepared=())
    assert pieces == [[f"{OPENING} sixty percent."]] and len(given) == 1


def test_a_sentence_that_is_being_prepared_begins_with_its_opening():
    sentence, voice, pieces = f"{OPENING} 60 percent.", LetterVoice(), []

    async def run():
        workers = Workers()
        speaker = Speaker(voice, workers, openings=(OPENING,))
        await speaker.prepare_all((OPENING,))
        speaker.prepare(sentence)
        for _ in range(2):
            pieces.append(said([each async for each in speaker.speak(sentence)]))
        await speaker.stop()
        await workers.stop()

    asyncio.run(run())
    assert pieces == [[OPENING, "sixty percent."], [f"{OPENING}sixty percent."]]
    assert voice.given == [OPENING, "sixty percent."]


def test_replies_that_are_always_the_same_are_prepared():
    found = common_phrases(sentence_files.language("en"))
    assert {"I took a photo.", "You are welcome.", "The volume is now"} <= set(found)
    assert len(found) == len(set(found)) and not any("{" in each for each in found)


def test_a_sentence_that_was_prepared_is_said_whole():
    sentence = f"{OPENING} 60 percent."
    pieces, given = spoken(sentence, openings=(OPENING,), prepared=(OPENING, sentence))
    assert pieces == [[f"{OPENING} sixty percent."]] and given == []


def test_the_silence_after_an_opening_is_not_said():
    samples = array.array("h", [0, 900, -30000, 400, 200, -100, 0])
    assert without_end(samples.tobytes()) == samples[:4].tobytes()
    assert without_end(b"") == b""
    assert without_end(bytes(8)) == bytes(8)


def test_openings_are_of_replies_and_long_enough_to_cover_the_rest():
    found = openings(sentence_files.language("en"))
    assert "The volume is now" in found and "The brightness is now" in found
    assert all(len(each.split()) >= 3 and "{" not in each for each in found)


def test_a_joined_sentence_is_understood_as_the_whole_one():
    voice, whisper = PiperVoice(steady=True), WhisperRecogniser("tiny.en")
    voice.load()
    whisper.load()
    for opening, rest, words in (
        ("The volume is now", "seventeen percent.", "The volume is now 17"),
        ("The brightness is now", "thirty five percent.", "The brightness is now 35"),
    ):
        first, last = (b"".join(voice.speak(text)) for text in (opening, rest))
        joined = numpy.frombuffer(without_end(first) + last, "<i2").astype(numpy.float32)
        heard = soxr.resample(joined, voice.rate_hz, 16000).clip(-32768, 32767)
        assert whisper.transcribe(heard.astype("<i2").tobytes(), "")[0].text.startswith(words)
