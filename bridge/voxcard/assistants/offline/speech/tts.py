"""Sentences as audio: the voice in its thread, with the common sentences kept."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterable, Iterator

from voxcard.assistants import Speech
from voxcard.assistants.offline.speech.voices import Voice
from voxcard.assistants.offline.threads import Workers
from voxcard.assistants.spoken.speech_text import clauses
from voxcard.assistants.spoken.verbalise import spoken

_KEPT_BYTES = 8_000_000  # about three minutes; the least recently said goes first


class Speaker:
    """Speaks one sentence after the other; what was prepared is there at once."""

    def __init__(
        self,
        voice: Voice,
        workers: Workers,
        *,
        locale: str = "en",
        kept_bytes: int = _KEPT_BYTES,
    ) -> None:
        self._voice = voice
        self._locale = locale
        self._workers = workers
        self._kept_bytes = kept_bytes
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0
        self._preparing: dict[str, asyncio.Task[None]] = {}

    async def speak(self, sentence: str) -> AsyncIterator[Speech]:
        """The audio of `sentence`; starts before a long one is synthesised whole."""
        waiting = self._preparing.get(sentence)
        if waiting is not None:
            await asyncio.wait([waiting])
        if sentence in self._kept:
            self._kept.move_to_end(sentence)
            yield self._speech(self._kept[sentence])
            return
        audio = bytearray()
        for clause in clauses(sentence):
            async for pcm in self._workers.stream("speak", self._voiced, clause):
                audio += pcm
                yield self._speech(pcm)
        self._keep(sentence, bytes(audio))

    def prepare(self, sentence: str) -> None:
        """Begin to synthesise what will probably be said. Returns at once; cannot fail."""
        if sentence and sentence not in self._kept and sentence not in self._preparing:
            task = asyncio.create_task(self._prepare(sentence), name="offline prepare")
            self._preparing[sentence] = task
            task.add_done_callback(lambda done: self._prepared(sentence, done))

    async def prepare_all(self, sentences: Iterable[str]) -> None:
        """Synthesise each in turn, in the gaps that real answers leave."""
        for sentence in sentences:
            if sentence not in self._kept:
                await self._prepare(sentence)

    async def stop(self) -> None:
        """Drop what is being prepared."""
        tasks = list(self._preparing.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _prepare(self, sentence: str) -> None:
        audio = bytearray()
        for clause in clauses(sentence):
            async for pcm in self._workers.stream("speak", self._voiced, clause):
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
