"""Listens for wake words to one device, while its gate is open.

What was said before a word is forgotten as it goes by; nothing of it is kept, logged or passed on.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Protocol

from voxcard.wake.detector import Detector
from voxcard.wake.word_end import RATE_HZ, end_of_word, level_db
from voxcard.wake.words import WORDS

log = logging.getLogger(__name__)

BYTES_S = 2 * RATE_HZ
WORD_BYTES = BYTES_S * 5 // 4  # a word, and how long the model takes over it
KEPT_BYTES = 10 * BYTES_S  # of what follows a word, until the device begins its turn
LAPSE_S = 3.0  # for the device to begin it


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """`word` was heard; `pcm` (16 kHz) is every sample after its end that has come so far."""

    word: str
    pcm: bytes


class Home(Protocol):
    """What the ears of all devices share."""

    async def detector(self, words: tuple[str, ...]) -> Detector:
        """A detector of a device's own."""

    async def feed(self, detector: Detector, pcm: bytes) -> tuple[str, int] | None:
        """Detector.feed, in the thread of all."""

    async def answers(self, device: str, word: str, level_db: float) -> bool:
        """Whether this device is the one that answers the call."""

    def opened(self, device: str, is_open: bool) -> None:
        """The device lets sound out now, or no more."""


class Ear:
    """`call(stream_id, word)` tells the device that it was called; its turn comes by `take`."""

    def __init__(
        self,
        device: str,
        words: tuple[str, ...],
        home: Home,
        *,
        call: Callable[[str, str], object],
        spawn: Callable[[Coroutine[Any, Any, None], str], "asyncio.Task[None]"],
    ) -> None:
        self._device, self._words, self._home = device, words, home
        self._call, self._spawn = call, spawn
        self._detector: Detector | None = None
        self._task: asyncio.Task[None] | None = None
        self._more = asyncio.Event()
        self._sound = bytearray()
        self._looked_at = 0  # bytes of it
        self._stream, self._called = "", ""

    def open(self, stream_id: str) -> None:
        """The device's gate has opened; what it lets out comes by `feed`."""
        self.close()
        self._stream = stream_id
        self._home.opened(self._device, True)
        self._task = self._spawn(self._listen(), f"wake word {self._device}")

    def close(self) -> None:
        """The gate has closed, or another sound begins: forget everything. Safe to call twice."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
            self._home.opened(self._device, False)
        self._stream = self._called = ""
        self._sound.clear()
        self._looked_at = 0

    def feed(self, pcm: bytes) -> None:
        """What the device let out; dropped while the gate is closed."""
        if self._task is None:
            return
        if len(self._sound) + len(pcm) <= KEPT_BYTES:
            self._sound += pcm
        self._more.set()

    def take(self, stream_id: str) -> Call | None:
        """The call in that stream, which ends with it; None when there was none."""
        call = None
        if self._called and stream_id == self._stream:
            call = Call(word=self._called, pcm=bytes(self._sound))
        self.close()
        return call

    async def _listen(self) -> None:
        if self._detector is None:
            self._detector = await self._home.detector(self._words)
        while True:
            self._detector.reset()
            word = await self._next_word(self._detector)
            loudness = level_db(self._cut_word(word))
            if await self._home.answers(self._device, word, loudness):
                log.info("%s: wake word %s", self._device, word)
                self._called = word
                self._call(self._stream, word)
                await asyncio.sleep(LAPSE_S)
                log.info("%s: did not begin a turn", self._device)
                self._called = ""
            else:
                log.info("%s: wake word %s, another device answers", self._device, word)
            self._sound.clear()
            self._looked_at = 0

    async def _next_word(self, detector: Detector) -> str:
        """The next word; `_looked_at` is where the model was sure of it."""
        while True:
            pcm = bytes(self._sound[self._looked_at :])
            if not pcm:
                self._more.clear()
                await self._more.wait()
                continue
            found = await self._home.feed(detector, pcm)
            if found is not None:
                self._looked_at += found[1]
                return found[0]
            self._looked_at += len(pcm)
            gone = max(0, self._looked_at - WORD_BYTES)
            del self._sound[:gone]
            self._looked_at -= gone

    def _cut_word(self, word: str) -> bytes:
        """The sound up to the word's end, which is kept no longer."""
        heard = bytes(self._sound[: self._looked_at])
        end = end_of_word(heard, WORDS[word].lag_ms)
        del self._sound[:end]
        self._looked_at = 0
        return heard[:end]
