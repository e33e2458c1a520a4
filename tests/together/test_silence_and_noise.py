"""Sound without a sentence in it: nothing is done, a sentence says so, the device is ready."""

import asyncio
import base64

import numpy
import pytest
from together.home import Person, at

from tools.sim import speech
from tools.sim.speech import RATE_HZ

NOTHING = "I did not hear anything."
ENDLESS = "I could not tell where your sentence ended. Please try again in a quieter place."
UNKNOWN = "Sorry, I did not understand."


def noise(seconds: int) -> bytes:
    """White noise as loud as speech, pcm16."""
    samples = numpy.random.default_rng(7).normal(0, 3000, seconds * RATE_HZ)
    return samples.clip(-32768, 32767).astype("<i2").tobytes()


@pytest.fixture(scope="module")
def sounds(tmp_path_factory, spoken):
    """WAV files by name: silence, noise, and a sentence that never ends."""
    folder = tmp_path_factory.mktemp("sounds")
    # Words without a pause between them, as from a radio.
    words = numpy.frombuffer(speech.read(spoken("where is my order"))[0], "<i2")
    loud = numpy.flatnonzero(abs(words) > 1000)
    radio = words[loud[0] : loud[-1]].tobytes() * 20
    made = {"silence": bytes(30 * RATE_HZ * 2), "noise": noise(30), "radio": radio}
    for name, pcm in made.items():
        speech.write(folder / f"{name}.wav", pcm)
    return {name: folder / f"{name}.wav" for name in made}


# How it is heard, what, and what may be said to it; all at once, for most of it is waiting.
ROWS = [
    ("file", "silence", (NOTHING,)),
    ("file", "noise", (NOTHING, ENDLESS, UNKNOWN)),
    ("file", "radio", (ENDLESS,)),
    ("microphone", "silence", (NOTHING,)),
    ("microphone", "noise", (NOTHING, ENDLESS, UNKNOWN)),
]


def test_sound_without_a_sentence_is_answered_with_one_and_nothing_is_done(runner, home, sounds):
    def hears(how: str, sound: str, replies):
        async def conversation(person: Person):
            if how == "file":
                wav = base64.b64encode(sounds[sound].read_bytes()).decode()
                await person.bridge.request("ask", device=person.id, wav=wav)
            else:
                await person.device.hear(sounds[sound])
                await person.device.press()
            turn = await person.turn()
            assert turn["reply"] in replies and turn["tools"] == [] and turn["error"] == ""
            await person.idle()
            await person.talks()

        return at(home, conversation)

    async def all_rows():
        await asyncio.gather(*(hears(*row) for row in ROWS))

    runner.run(all_rows())


def test_a_file_that_is_no_sound_is_refused_with_a_remedy(talk):
    async def conversation(person: Person):
        wav = base64.b64encode(b"RIFF and so on").decode()
        problem = await person.tell("ask", wav=wav)
        assert "WAV" in problem
        await person.talks()

    talk(conversation)
