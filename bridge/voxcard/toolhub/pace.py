"""So many things at a time, and none keeps its place for ever."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Pace:
    """At most `count` begin within `limit_s`: each gives its place up at its end, or then."""

    def __init__(self, count: int, limit_s: float) -> None:
        self._places = asyncio.Semaphore(count)
        self._limit_s = limit_s

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Wait for a place, and have it while the block runs."""
        await self._places.acquire()
        given_up = False

        def give_up() -> None:
            nonlocal given_up
            if not given_up:
                self._places.release()
            given_up = True

        timer = asyncio.get_running_loop().call_later(self._limit_s, give_up)
        try:
            yield
        finally:
            timer.cancel()
            give_up()
