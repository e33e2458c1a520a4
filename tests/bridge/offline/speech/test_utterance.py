"""A turn's ears over somebody else's talk, with scripted parts: what is recognised, and when."""

import array
import asyncio

from voxcard.assistants.offline.intents.interpretation import Trial
from voxcard.assistants.offline.intents.meanings import NOTHING
from voxcard.assistants.offline.speech.endpoint import HELD, Endpoint
from voxcard.assistants.offline.speech.utterance import Utterance
from voxcard.assistants.offline.threads import Workers

SPEAKER, TELEVISION, QUIET = 10000, 1500, 1  # TELEVISION: 16 dB below


class Silero:
    """What is not quiet is speech."""

    def probability(self, chunk):
        return 1.0 if max(array.array("h", chunk)) > QUIET else 0.0


def sound(*stretches):
    """pcm16 of (amplitude, ms)."""
    return b"".join(
        array.array("h", [level, -level] * 256).tobytes() * (ms // 32) for level, ms in stretches
    )


def heard(pcm, endpoint=None):
    """How it ended, the ms of sound until then, and (first ms, ms, whether beside) of trials."""
    trials = []

    async def recognise(piece, beside):
        trials.append((pcm.index(piece) // 32, len(piece) // 32, beside))
        return Trial(text="take a photo", reading=NOTHING)

    async def run():
        workers = Workers()
        ears = Utterance(Silero(), endpoint or Endpoint(), workers, recognise)
        read_ms = 0

        async def microphone():
            nonlocal read_ms
            for at in range(0, len(pcm), 1024):
                read_ms += 32
                yield pcm[at : at + 1024]

        try:
            ending = await ears.until_end(microphone())
            if ending == "ended":
                await ears.trial()
        finally:
            await ears.stop()
            await workers.stop()
        return ending, read_ms

    return *asyncio.run(run()), trials


def test_a_sentence_and_a_pause_are_taken_although_a_television_goes_on():
    told = sound((TELEVISION, 960), (SPEAKER, 960), (TELEVISION, 6400))
    ending, ended_ms, trials = heard(told)
    assert ending == "ended"
    assert 1920 + 600 < ended_ms < 1920 + 1600
    begins_ms, long_ms, beside = trials[-1]
    assert beside
    assert 960 - 200 <= begins_ms <= 960  # without what the television said before
    assert begins_ms + long_ms <= 1920 + 400


def test_without_a_television_the_soft_rest_of_a_sentence_is_heard():
    told = sound((QUIET, 320), (SPEAKER, 640), (TELEVISION, 1280), (QUIET, 1600))
    ending, ended_ms, trials = heard(told)
    assert ending == "ended" and ended_ms > 320 + 640 + 1280 + 600
    assert trials[-1][0] + trials[-1][1] >= 320 + 640 + 1280
    assert not trials[-1][2]


def test_a_television_alone_is_heard_as_a_speaker():
    ending, _, trials = heard(sound((TELEVISION, 960), (QUIET, 1600)))
    assert ending == "ended" and not trials[-1][2]


def test_who_holds_the_button_is_heard_until_it_is_let_go():
    told = sound((TELEVISION, 960), (SPEAKER, 640), (TELEVISION, 1600), (SPEAKER, 640))
    ending, ended_ms, trials = heard(told, Endpoint(HELD))
    assert (ending, ended_ms) == ("ended", 960 + 640 + 1600 + 640)
    begins_ms, long_ms, beside = trials[-1]
    assert beside and begins_ms <= 960 and begins_ms + long_ms == ended_ms
