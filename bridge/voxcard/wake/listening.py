"""What the ears of all devices share: the thread of the models, and who answers a call."""

import asyncio
from collections.abc import Callable, Collection, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from voxcard.wake import detector as wake_detector
from voxcard.wake.arbitration import Arbitration
from voxcard.wake.detector import Detector, MicroWakeWordDetector
from voxcard.wake.ear import Ear

Result = TypeVar("Result")
MakeDetector = Callable[[tuple[str, ...]], Detector]


class WakeListening:
    """`words` are all that some device waits for; without any nothing is loaded."""

    def __init__(self, words: Iterable[str], make: MakeDetector | None = None) -> None:
        self._words = tuple(dict.fromkeys(words))
        self._make: MakeDetector = make or MicroWakeWordDetector
        self._is_ours = make is not None
        self._arbitration = Arbitration()
        self._open: set[str] = set()
        self._pool: ThreadPoolExecutor | None = None

    def check(self) -> None:
        """Look for the models; VoxcardError names what is missing."""
        if self._words and not self._is_ours:
            wake_detector.check(self._words)

    async def stop(self) -> None:
        """Wait for the work at hand and end the thread; safe to call twice."""
        pool, self._pool = self._pool, None
        if pool is not None:
            await asyncio.to_thread(pool.shutdown, cancel_futures=True)

    def ear(
        self,
        device: str,
        words: Collection[str],
        *,
        call: Callable[[str, str], object],
        spawn: Callable[[Coroutine[Any, Any, None], str], "asyncio.Task[None]"],
    ) -> Ear | None:
        """The ear for a device; None for one that waits for no word."""
        if not words:
            return None
        return Ear(device, tuple(words), self, call=call, spawn=spawn)

    async def detector(self, words: tuple[str, ...]) -> Detector:
        """A detector of a device's own."""
        return await self._run(self._make, words)

    async def feed(self, detector: Detector, pcm: bytes) -> tuple[str, int] | None:
        """Detector.feed, in the thread of all."""
        return await self._run(detector.feed, pcm)

    async def answers(self, device: str, word: str, level_db: float) -> bool:
        """Whether this device is the one that answers the call."""
        alone = self._open <= {device}
        return await self._arbitration.wins(device, word, level_db, alone=alone)

    def opened(self, device: str, is_open: bool) -> None:
        """The device lets sound out now, or no more."""
        (self._open.add if is_open else self._open.discard)(device)

    async def _run(self, work: Callable[..., Result], *arguments: object) -> Result:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="wake word")
        return await asyncio.get_running_loop().run_in_executor(self._pool, work, *arguments)
