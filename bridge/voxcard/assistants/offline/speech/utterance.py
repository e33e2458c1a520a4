"""One sentence heard: recognition on trial in every pause, kept when the pause was the end."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Literal, TypeVar

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
# What was there already when the reply was ready is heard too, up to this much silence.
_REOPEN_MS = 1000
Ready = TypeVar("Ready")
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
        self._frame: asyncio.Task[bytes | None] | None = None  # the next one, when it is awaited
        self._closed = False  # no more audio comes
        self._ended = False  # unless it goes on
        self._louder = False  # a much louder speaker began after the end

    @property
    def speech_ms(self) -> int:
        return self._endpoint.speech_ms

    @property
    def end_ms(self) -> int | None:
        """Where in the audio the speech ended; None without any."""
        return self._endpoint.speech_end_ms if self._endpoint.started else None

    async def until_end(self, audio: AsyncIterator[bytes]) -> Ending:
        """Listen until the sentence is over, or `audio` is: then it was as long as it is.

        Once more, with the same `audio`, after `resumes` was true.
        """
        while True:
            if await self._trial_is_first(audio):
                self._ended = self._endpoint.ends(self._wait())
                ending: Ending | None = "ended" if self._ended else None
            elif (data := await self._next(audio)) is not None:
                self._pcm += data
                ending = await self._judge()
            else:
                return "ended" if self._endpoint.started else "nothing"
            if ending is not None:
                return ending

    async def trial(self) -> Trial:
        """What was said; call it after `until_end` gave "ended"."""
        if self._trial is None:
            self._try()
        assert self._trial is not None
        return await self._trial

    async def resumes(
        self,
        audio: AsyncIterator[bytes],
        ready: "asyncio.Task[Ready]",
        silence_ms: Callable[[Ready], int],
    ) -> bool:
        """Hear on after "ended"; whether the speaker went on before the reply could begin.

        It may once `ready` is done and there were `silence_ms` of its result without speech.
        """
        while not self._closed:
            frame = self._reading(audio)
            if not ready.done():
                await asyncio.wait((frame, ready), return_when=asyncio.FIRST_COMPLETED)
            elif ready.cancelled() or ready.exception() is not None:
                return False
            elif self._endpoint.silence_ms < silence_ms(ready.result()):
                await asyncio.wait((frame,))
            else:
                await asyncio.sleep(0)
                if not frame.done() or self._endpoint.silence_ms >= _REOPEN_MS:
                    return False
            if frame.done() and (data := await self._next(audio)) is not None:
                self._pcm += data
                await self._judge()
                if not self._ended:
                    return True
        await asyncio.wait((ready,))
        return False

    async def stop(self) -> None:
        """Give up what is still being recognised, and the next frame."""
        frame, self._frame = self._frame, None
        if frame is not None:
            frame.cancel()
            await asyncio.gather(frame, return_exceptions=True)
        await self._drop()

    async def _drop(self) -> None:
        task, self._trial = self._trial, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _next(self, audio: AsyncIterator[bytes]) -> bytes | None:
        frame, self._frame = self._frame, None
        data = await (anext(audio, None) if frame is None else frame)
        self._closed = data is None
        return data

    def _reading(self, audio: AsyncIterator[bytes]) -> "asyncio.Task[bytes | None]":
        """The next frame in a task: to give up a wait for it would end `audio`."""

        async def read() -> bytes | None:
            return await anext(audio, None)

        if self._frame is None:
            self._frame = asyncio.create_task(read(), name="offline microphone")
        return self._frame

    async def _trial_is_first(self, audio: AsyncIterator[bytes]) -> bool:
        """Whether what is being recognised is known before the next frame is there."""
        trial = self._trial
        if trial is None or trial.done():
            return False
        frame = self._reading(audio)
        await asyncio.wait((frame, trial), return_when=asyncio.FIRST_COMPLETED)
        return not frame.done()

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
            if self._ended:
                await self._after_end(near)
                continue
            event = self._endpoint.push(near, wait=self._wait(), soft=self._near.soft)
            if self._near.begins:
                self._endpoint.begin_again()
                await self._drop()
            if event == "paused":
                self._try()
            elif event == "resumed":
                await self._drop()
            elif event == "ended":
                self._ended = True
            elif event == "nothing" or event == "too_long":
                return event
        return "ended" if self._ended else None

    async def _after_end(self, probability: float) -> None:
        """Take a chunk after the end; speech as near as the speaker's takes the end back."""
        self._louder = self._louder or self._near.begins
        if self._endpoint.reopens(probability if self._near.speaks else 0.0):
            self._ended = False
            await self._drop()
            if self._louder:
                self._endpoint.begin_again()
                self._louder = False

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
