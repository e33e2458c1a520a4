"""A bounded queue between tasks of one asyncio loop, with one reader."""

import asyncio


class Mailbox:
    """Holds up to `capacity` items; what does not fit is refused, so nothing grows.

    One task reads. `put` is not for interrupt handlers.
    """

    def __init__(self, capacity: int) -> None:
        self._items = [None] * capacity
        self._first = 0
        self._count = 0
        self._filled = asyncio.Event()

    def __len__(self) -> int:
        return self._count

    def put(self, item) -> bool:
        """Add an item; False when the mailbox is full."""
        if self._count == len(self._items):
            return False
        self._items[(self._first + self._count) % len(self._items)] = item
        self._count += 1
        self._filled.set()
        return True

    def take(self):
        """The oldest item; IndexError when there is none."""
        if not self._count:
            raise IndexError("empty mailbox")
        item = self._items[self._first]
        self._items[self._first] = None
        self._first = (self._first + 1) % len(self._items)
        self._count -= 1
        return item

    async def get(self):
        """The oldest item; waits without a limit for one."""
        while not self._count:
            self._filled.clear()
            await self._filled.wait()
        return self.take()

    def clear(self) -> None:
        """Throw everything away."""
        while self._count:
            self.take()
