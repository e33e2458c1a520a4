"""Transcripts begun in pauses, so that one is there when a pause was the end."""

import asyncio
from collections.abc import AsyncGenerator

from voxcard.assistants.pipeline.speech.speech_to_text import Transcriber

TRIALS_MAX = 3  # pauses of a sentence that are tried: each costs the server a transcription


class Trials:
    """What one sentence says. The transcriber hears it while it is spoken."""

    def __init__(self, transcriber: Transcriber, locale: str) -> None:
        self._transcriber = transcriber
        self._locale = locale
        self._pcm = bytearray()
        self._trial: _Trial | None = None
        self._given_up: list[_Trial] = []

    def hear(self, pcm: bytes, *, pausing: bool) -> None:
        """Take the next piece (pcm16 at RATE_HZ); `pausing`: it may have been the last one."""
        self._pcm += pcm
        if self._trial is not None and self._trial.ended:
            if pausing:
                return
            self.resume()
        if self._trial is None:
            self._trial = _Trial(self._transcriber, self._locale)
            self._trial.hear(bytes(self._pcm))
        else:
            self._trial.hear(pcm)
        if pausing and len(self._given_up) < TRIALS_MAX:
            self._trial.end()

    def resume(self) -> None:
        """The speaker goes on: what a trial has was not all of it."""
        if self._trial is not None and self._trial.ended:
            self._given_up.append(self._trial)
            self._trial.task.cancel()
            self._trial = None

    @property
    def over(self) -> bool:
        """More of the sentence changes nothing: it failed, or the server heard an end itself."""
        task = None if self._trial is None else self._trial.task
        if task is None or not task.done() or self._trial is None:
            return False
        return not self._trial.ended or task.exception() is not None

    async def text(self) -> str:
        """The transcript, once nothing more comes; "" of nothing."""
        if self._trial is None:
            return ""
        self._trial.end()
        return await self._trial.task

    async def stop(self) -> None:
        """Leave the server alone; safe to call twice."""
        trials = [*self._given_up, *([self._trial] if self._trial else [])]
        for trial in trials:
            trial.task.cancel()
        await asyncio.gather(*(trial.task for trial in trials), return_exceptions=True)


class _Trial:
    """One transcription, which takes pieces until `end`."""

    def __init__(self, transcriber: Transcriber, locale: str) -> None:
        self.ended = False
        self._pieces: asyncio.Queue[bytes] = asyncio.Queue()
        work = transcriber.transcribe(self._audio(), locale)
        self.task = asyncio.create_task(work, name="pipeline transcribe")

    def hear(self, pcm: bytes) -> None:
        self._pieces.put_nowait(pcm)

    def end(self) -> None:
        """What came was all of it."""
        if not self.ended:
            self.ended = True
            self._pieces.put_nowait(b"")

    async def _audio(self) -> AsyncGenerator[bytes, None]:
        while pcm := await self._pieces.get():
            yield pcm
