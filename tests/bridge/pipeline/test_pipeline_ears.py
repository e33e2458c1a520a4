"""What of the microphone's audio is speech: from before its first word to its end."""

import asyncio

import pytest
from fakes import speech
from voxcard.assistants.offline.speech.endpoint import CHUNK_BYTES, HELD, Endpoint, EndpointLimits
from voxcard.assistants.offline.threads import Workers
from voxcard.assistants.pipeline.speech.ears import Ears


class KeepingDetector(speech.LoudDetector):
    """A loud chunk is speech; keeps every chunk it is given."""

    def __init__(self):
        self.seen = b""

    def probability(self, chunk):
        assert len(chunk) == CHUNK_BYTES
        self.seen += chunk
        return super().probability(chunk)


def heard(pcm, *, frame=1280, limits=None):
    """(speech, ears, what the detector saw) of `pcm` in frames of so many bytes."""

    async def listen():
        workers, detector = Workers(), KeepingDetector()
        ears = Ears(detector, Endpoint(limits), workers)
        try:
            pieces = [each async for each in ears.speech(speech.microphone(pcm, frame))]
        finally:
            await workers.stop()
        assert all(pieces)
        return b"".join(pieces), ears, detector.seen

    return asyncio.run(listen())


SAID = speech.audio((speech.QUIET, 960), (speech.LOUD, 640))


@pytest.mark.parametrize("frame", [320, 1024, 1280, 1918, 100_000])
def test_speech_is_given_whole_with_its_lead_however_the_audio_is_cut(frame):
    pcm = SAID + speech.audio((speech.QUIET, 1600))
    given, ears, seen = heard(pcm, frame=frame)
    assert ears.ending == "ended" and (ears.speech_ms, ears.end_ms) == (640, 1600)
    assert given == pcm[704 * 32 : 704 * 32 + len(given)]  # 256 ms before the first word
    assert len(given) >= (256 + 640 + 576) * 32
    assert seen == pcm[: len(seen)]  # every chunk once, in its place


def test_letting_go_of_the_button_ends_the_sentence_to_its_last_sample():
    pcm = SAID + speech.audio((speech.QUIET, 2016)) + speech.LOUD + b"\1\2" * 100
    given, ears, _ = heard(pcm, limits=HELD)
    assert ears.ending == "ended" and given == pcm[704 * 32 :]


def test_silence_gives_nothing_and_endless_noise_is_too_long():
    given, ears, _ = heard(speech.audio((speech.QUIET, 9000)))
    assert (given, ears.ending, ears.end_ms) == (b"", "nothing", None)
    given, ears, _ = heard(
        speech.audio((speech.LOUD, 3000)), limits=EndpointLimits(longest_ms=2000)
    )
    assert ears.ending == "too_long"
    assert heard(b"")[1].ending == "nothing"
