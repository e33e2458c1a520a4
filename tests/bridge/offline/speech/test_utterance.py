"""A turn's ears over somebody else's talk, with scripted parts: what is recognised, and when."""

import array
import asyncio

from fakes import home
from voxcard.assistants.offline.intents.catalogue import Catalogue
from voxcard.assistants.offline.intents.interpretation import Trial
from voxcard.assistants.offline.intents.meanings import NOTHING
from voxcard.assistants.offline.intents.sentences import sentence_files
from voxcard.assistants.offline.speech.endpoint import HELD, Endpoint
from voxcard.assistants.offline.speech.utterance import Utterance
from voxcard.assistants.offline.threads import Workers

CATALOGUE = Catalogue(sentence_files.language("en"), (), home.TOOLS)
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


def goes_on(pcm, *, silence_ms=0, ready=True):
    """Whether the speaker goes on after the end of `pcm`'s first sentence, before a reply that is
    `ready` and waits for `silence_ms`; then the ms of the last trial."""
    trials = []

    async def recognise(piece, beside):
        trials.append(len(piece) // 32)
        return Trial(text="take a photo", reading=NOTHING)

    async def reply(audio_over):
        if not ready:
            await audio_over.wait()
        return silence_ms

    async def run():
        workers, audio_over = Workers(), asyncio.Event()
        ears = Utterance(Silero(), Endpoint(), workers, recognise)

        async def frames():
            for at in range(0, len(pcm), 1024):
                yield pcm[at : at + 1024]
            audio_over.set()

        audio = frames()
        preparing = asyncio.create_task(reply(audio_over))
        try:
            assert await ears.until_end(audio) == "ended"
            went_on = await ears.resumes(audio, preparing, lambda wait_ms: wait_ms)
            if went_on:
                assert await ears.until_end(audio) == "ended"
            await ears.trial()
        finally:
            preparing.cancel()
            await ears.stop()
            await workers.stop()
        return went_on, ears.end_ms

    return *asyncio.run(run()), trials[-1]


def test_a_sentence_goes_on_as_one_where_the_reply_has_not_begun():
    pcm = sound((SPEAKER, 640), (QUIET, 1120), (SPEAKER, 640), (QUIET, 1600))
    for waits in ({"silence_ms": 1400}, {"ready": False}):
        went_on, end_ms, tried_ms = goes_on(pcm, **waits)
        assert went_on and end_ms == 640 + 1120 + 640
        assert tried_ms >= end_ms  # from the first word on


def test_a_reply_that_waits_for_nothing_begins_after_a_second_of_silence_at_most():
    pcm = sound((SPEAKER, 640), (QUIET, 1120), (SPEAKER, 640), (QUIET, 1600))
    went_on, end_ms, _ = goes_on(pcm)
    assert (went_on, end_ms) == (False, 640)


def test_a_television_noise_or_a_click_after_a_sentence_does_not_reopen_it():
    for level, ms in ((TELEVISION, 960), (SPEAKER, 64), (QUIET, 960)):
        pcm = sound((SPEAKER, 640), (QUIET, 1056), (level, ms), (QUIET, 1600))
        for waits in ({"silence_ms": 1400}, {"ready": False}):
            went_on, end_ms, _ = goes_on(pcm, **waits)
            assert (went_on, end_ms) == (False, 640), (level, waits)


def test_a_much_louder_speaker_after_the_end_begins_the_sentence_anew():
    pcm = sound((TELEVISION, 960), (QUIET, 1120), (SPEAKER, 640), (QUIET, 1600))
    went_on, end_ms, tried_ms = goes_on(pcm, silence_ms=1400)
    assert went_on and end_ms == 960 + 1120 + 640
    assert tried_ms <= 640 + 256 + 224 + 64


def test_a_whole_sentence_that_is_known_late_ends_without_another_frame():
    understood = CATALOGUE.understand("take a photo")
    pcm = sound((QUIET, 320), (SPEAKER, 640), (QUIET, 192))

    async def run():
        workers, waits = Workers(), asyncio.Event()

        async def recognise(_piece, _beside):
            await waits.wait()
            return Trial(text="take a photo", reading=understood)

        async def microphone():
            for at in range(0, len(pcm), 1024):
                yield pcm[at : at + 1024]
            waits.set()
            await asyncio.Event().wait()  # no more comes

        ears = Utterance(Silero(), Endpoint(), workers, recognise)
        try:
            return await asyncio.wait_for(ears.until_end(microphone()), 10), ears.end_ms
        finally:
            await ears.stop()
            await workers.stop()

    assert asyncio.run(run()) == ("ended", 320 + 640)
