"""Sentences as audio: the voice in its thread, with the common sentences kept."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from voxcard.assistants import Speech
from voxcard.assistants.offline.speech.voices import Voice
from voxcard.assistants.offline.threads import Workers
from voxcard.assistants.spoken.speech_text import clauses
from voxcard.assistants.spoken.verbalise import spoken

_KEPT_BYTES = 8_000_000  # about three minutes; the least recently said goes first
_SILENT_SHARE = 0.01  # of the loudest sample: softer is silence

_Parts = tuple[bytes, str]  # what of a sentence is there already, and its other words


@dataclass(frozen=True, slots=True)
class _Begun:
    """A sentence that is being synthesised."""

    task: "asyncio.Task[None]"
    parts: _Parts


class Speaker:
    """Speaks one sentence after the other; what was prepared is there at once."""

    def __init__(
        self,
        voice: Voice,
        workers: Workers,
        *,
        locale: str = "en",
        openings: Sequence[str] = (),
        kept_bytes: int = _KEPT_BYTES,
    ) -> None:
        """`openings` begin many sentences ("The volume is now"): one is there at once."""
        self._voice = voice
        self._locale = locale
        self._workers = workers
        self._openings = sorted(openings, key=len, reverse=True)
        self._kept_bytes = kept_bytes
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0
        self._preparing: dict[str, _Begun] = {}

    async def speak(self, sentence: str) -> AsyncGenerator[Speech]:
        """The audio of `sentence`; starts before a long one is synthesised whole."""
        begun = self._preparing.get(sentence)
        opening, rest = self._opened(sentence) if begun is None else begun.parts
        said = b""  # so far
        if opening and sentence not in self._kept:
            said = opening
            yield self._speech(opening)
        if begun is not None:
            await asyncio.wait([begun.task])
        if sentence in self._kept:
            self._kept.move_to_end(sentence)
            yield self._speech(self._kept[sentence][len(said) :])
            return
        audio = bytearray(opening)
        async for pcm in self._synthesised(rest):
            audio += pcm
            yield self._speech(pcm)
        self._keep(sentence, bytes(audio))

    async def _synthesised(self, text: str) -> AsyncGenerator[bytes]:
        for clause in clauses(text):
            async for pcm in self._workers.stream("speak", self._voiced, clause):
                yield pcm

    def _opened(self, sentence: str) -> _Parts:
        """What of `sentence` is there already, and the rest of it."""
        for opening in self._openings:
            if sentence.startswith(f"{opening} ") and opening in self._kept:
                self._kept.move_to_end(opening)
                return without_end(self._kept[opening]), sentence[len(opening) + 1 :]
        return b"", sentence

    def prepare(self, sentence: str) -> None:
        """Begin to synthesise what will probably be said. Returns at once; cannot fail."""
        if sentence and sentence not in self._kept and sentence not in self._preparing:
            parts = self._opened(sentence)
            task = asyncio.create_task(self._prepare(sentence, parts), name="offline prepare")
            self._preparing[sentence] = _Begun(task, parts)
            task.add_done_callback(lambda done: self._prepared(sentence, done))

    async def prepare_all(self, sentences: Iterable[str]) -> None:
        """Synthesise each in turn, in the gaps that real answers leave."""
        for sentence in sentences:
            if sentence not in self._kept:
                await self._prepare(sentence, (b"", sentence))

    async def stop(self) -> None:
        """Drop what is being prepared."""
        tasks = [begun.task for begun in self._preparing.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _prepare(self, sentence: str, parts: _Parts) -> None:
        opening, rest = parts
        audio = bytearray(opening)
        async for pcm in self._synthesised(rest):
            audio += pcm
        self._keep(sentence, bytes(audio))

    def _prepared(self, sentence: str, task: "asyncio.Task[None]") -> None:
        self._preparing.pop(sentence, None)
        if not task.cancelled():
            task.exception()  # heard again, and reported, when the sentence is really spoken

    def _keep(self, sentence: str, pcm: bytes) -> None:
        self._size += len(pcm) - len(self._kept.pop(sentence, b""))
        self._kept[sentence] = pcm
        while self._size > self._kept_bytes and self._kept:
            self._size -= len(self._kept.popitem(last=False)[1])

    def _voiced(self, text: str) -> Iterator[bytes]:
        return self._voice.speak(spoken(text, self._locale))

    def _speech(self, pcm: bytes) -> Speech:
        return Speech(pcm=pcm, rate_hz=self._voice.rate_hz)


def without_end(pcm: bytes) -> bytes:
    """pcm16 without the silence that a voice puts after a sentence."""
    samples = np.abs(np.frombuffer(pcm[: len(pcm) & ~1], "<i2").astype(np.int32))
    loud = np.flatnonzero(samples > _SILENT_SHARE * samples.max(initial=0))
    silent = len(samples) - 1 - int(loud[-1]) if len(loud) else 0
    return pcm[: -2 * silent] if silent else pcm
