"""One sentence heard: the audio from its first word on, to where it is over."""

from collections.abc import AsyncGenerator, AsyncIterator
from typing import Literal

from voxcard.assistants.offline.speech.endpoint import CHUNK_BYTES, Endpoint
from voxcard.assistants.offline.speech.vad import Detector, rms
from voxcard.assistants.offline.threads import Workers
from voxcard.assistants.pipeline.speech.patience import NearVoice

_BYTES_PER_MS = 32
_LEAD_MS = 256  # kept before the detected start: soft first sounds
Ending = Literal["", "ended", "nothing", "too_long"]


class Ears:
    """The ears of one turn. `ending` is "" while the sentence goes on.

    `near` says whose voice counts; None: every voice does.
    """

    def __init__(
        self,
        detector: Detector,
        endpoint: Endpoint,
        workers: Workers,
        near: NearVoice | None = None,
    ) -> None:
        self.ending: Ending = ""
        self.closed = False  # no more audio comes
        self._near = near
        self._paused = False
        self._murmur = False  # a weaker voice was heard in the pause
        self._detector = detector
        self._endpoint = endpoint
        self._workers = workers
        self._pcm = bytearray()  # what is not given away yet
        self._at = 0  # bytes of audio before it
        self._judged = 0  # bytes of audio the detector has seen

    @property
    def speech_ms(self) -> int:
        return self._endpoint.speech_ms

    @property
    def end_ms(self) -> int | None:
        """Where in the audio the speech ended; None without any."""
        return self._endpoint.speech_end_ms if self._endpoint.started else None

    @property
    def pausing(self) -> bool:
        """Nobody at all has spoken for a while: what was given may be the whole sentence."""
        return self._paused and not self._murmur

    async def speech(self, audio: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
        """The speech in `audio` as it comes; then `ending` says how it ended."""
        async for data in audio:
            self._pcm += data
            await self._judge()
            speech = self._taken()
            if speech:
                yield speech
            if self.ending:
                return
        self.closed = True
        self.ending = "ended" if self._endpoint.started else "nothing"
        if self._endpoint.started and self._pcm:
            yield bytes(self._pcm)

    async def goes_on(self, audio: AsyncIterator[bytes], limit_ms: int) -> bool:
        """Hear on after "ended", up to `limit_ms`; whether the speaker goes on: then call `speech`
        again, which gives what came since the end, too."""
        until_ms = self._endpoint.heard_ms + limit_ms
        async for data in audio:
            self._pcm += data
            for _, voice in await self._judged_voices():
                self._judged += CHUNK_BYTES
                if self._endpoint.reopens(voice):
                    self.ending, self._paused, self._murmur = "", False, False
                    return True
            if self._endpoint.heard_ms >= until_ms:
                break
        return False

    async def _judge(self) -> None:
        for any_voice, voice in await self._judged_voices():
            self._judged += CHUNK_BYTES
            event = self._endpoint.push(voice)
            self._murmur = self._murmur or any_voice > self._endpoint.limits.start_probability
            if event == "paused" or event == "resumed":
                self._paused, self._murmur = event == "paused", False
            elif event == "ended" or event == "nothing" or event == "too_long":
                self.ending = event
                return

    async def _judged_voices(self) -> list[tuple[float, float]]:
        """What `_probabilities` says of the whole chunks that are new."""
        start = self._judged - self._at
        whole = start + (len(self._pcm) - start) // CHUNK_BYTES * CHUNK_BYTES
        chunks = [
            bytes(self._pcm[at : at + CHUNK_BYTES]) for at in range(start, whole, CHUNK_BYTES)
        ]
        if not chunks:
            return []
        return await self._workers.run("listen", self._probabilities, chunks)

    def _probabilities(self, chunks: list[bytes]) -> list[tuple[float, float]]:
        """How likely each holds a voice, and one that counts."""
        found: list[tuple[float, float]] = []
        for chunk in chunks:
            voice = self._detector.probability(chunk)
            near = self._near.probability(voice, rms(chunk)) if self._near else voice
            found.append((voice, near))
        return found

    def _taken(self) -> bytes:
        """What can be given away: nothing before the speech starts but its lead."""
        lead = _LEAD_MS * _BYTES_PER_MS
        if not self._endpoint.started:
            # The start is told 96 ms late; that much and the lead are kept.
            self._drop(self._judged - 2 * lead)
            return b""
        self._drop(self._endpoint.speech_start_ms * _BYTES_PER_MS - lead)
        count = self._judged - self._at
        speech = bytes(self._pcm[:count])
        del self._pcm[:count]
        self._at = self._judged
        return speech

    def _drop(self, before: int) -> None:
        """Forget the audio before the byte `before`."""
        count = max(0, min(before - self._at, len(self._pcm))) & ~1
        del self._pcm[:count]
        self._at += count
