"""Concurrency limit whose slots expire, so that nothing that hangs can block it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Slots:
    """`count` slots; each is free again at the end of its block, or after `limit_s`."""

    def __init__(self, count: int, limit_s: float) -> None:
        self._free = asyncio.Semaphore(count)
        self._limit_s = limit_s

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Wait for a slot and hold it while the block runs."""
        await self._free.acquire()
        released = False

        def release() -> None:
            nonlocal released
            if not released:
                self._free.release()
            released = True

        timer = asyncio.get_running_loop().call_later(self._limit_s, release)
        try:
            yield
        finally:
            timer.cancel()
            release()
