"""One sentence heard: recognition on trial in every pause, kept when the pause was the end."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Literal

from voxcard.assistants.offline.intents.interpretation import Trial
from voxcard.assistants.offline.speech.endpoint import CHUNK_BYTES, Endpoint, Wait
from voxcard.assistants.offline.speech.near_voice import NearVoice
from voxcard.assistants.offline.speech.vad import Detector, level_db
from voxcard.assistants.offline.threads import Workers

_BYTES_PER_MS = 32
_LEAD_MS = 256  # kept before the detected start: soft first sounds
_TAIL_MS = 224  # kept after the detected end
# The same where somebody else talks: what is kept there are their words.
_LEAD_BESIDE_MS = 96
_TAIL_BESIDE_MS = 0
Ending = Literal["ended", "nothing", "too_long"]


class Utterance:
    """The ears of one turn.

    `recognise` turns pcm16 into a `Trial`, and is told whether somebody else was heard beside the
    speaker; it may be cancelled.
    """

    def __init__(
        self,
        detector: Detector,
        endpoint: Endpoint,
        workers: Workers,
        recognise: Callable[[bytes, bool], Awaitable[Trial]],
    ) -> None:
        self._detector = detector
        self._endpoint = endpoint
        self._workers = workers
        self._recognise = recognise
        self._near = NearVoice()
        self._pcm = bytearray()
        self._judged = 0  # bytes of it that the detector has seen
        self._trial: asyncio.Task[Trial] | None = None

    @property
    def speech_ms(self) -> int:
        return self._endpoint.speech_ms

    @property
    def end_ms(self) -> int | None:
        """Where in the audio the speech ended; None without any."""
        return self._endpoint.speech_end_ms if self._endpoint.started else None

    async def until_end(self, audio: AsyncIterator[bytes]) -> Ending:
        """Listen until the sentence is over, or `audio` is: then it was as long as it is."""
        async for data in audio:
            self._pcm += data
            ending = await self._judge()
            if ending is not None:
                return ending
        return "ended" if self._endpoint.started else "nothing"

    async def trial(self) -> Trial:
        """What was said; call it once, after `until_end` gave "ended"."""
        if self._trial is None:
            self._try()
        assert self._trial is not None
        return await self._trial

    async def stop(self) -> None:
        """Give up what is still being recognised."""
        task, self._trial = self._trial, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _judge(self) -> Ending | None:
        whole = len(self._pcm) // CHUNK_BYTES * CHUNK_BYTES
        chunks = [
            bytes(self._pcm[at : at + CHUNK_BYTES])
            for at in range(self._judged, whole, CHUNK_BYTES)
        ]
        if not chunks:
            return None
        for probability, level in await self._workers.run("listen", self._judged_by, chunks):
            self._judged += CHUNK_BYTES
            near = self._near.push(probability, level)
            event = self._endpoint.push(near, wait=self._wait())
            if self._near.begins:
                self._endpoint.begin_again()
                await self.stop()
            if event == "paused":
                self._try()
            elif event == "resumed":
                await self.stop()
            elif event == "ended" or event == "nothing" or event == "too_long":
                return event
        return None

    def _judged_by(self, chunks: list[bytes]) -> list[tuple[float, float]]:
        """How likely each is speech, and its level in dB."""
        return [(self._detector.probability(chunk), level_db(chunk)) for chunk in chunks]

    def _wait(self) -> Wait:
        """How long the pause must be; while that is not known yet, nothing is lost by waiting."""
        task = self._trial
        if task is None or (task.done() and task.exception() is not None):
            return "normal"
        return task.result().wait if task.done() else "long"

    def _try(self) -> None:
        beside = self._near.beside
        lead_ms, tail_ms = (_LEAD_BESIDE_MS, _TAIL_BESIDE_MS) if beside else (_LEAD_MS, _TAIL_MS)
        start = max(0, self._endpoint.speech_start_ms - lead_ms) * _BYTES_PER_MS
        end = (self._endpoint.speech_end_ms + tail_ms) * _BYTES_PER_MS
        recognised = self._tried(bytes(self._pcm[start:end]), beside)
        self._trial = asyncio.create_task(recognised, name="offline recognise")

    async def _tried(self, pcm: bytes, beside: bool) -> Trial:
        return await self._recognise(pcm, beside)
