"""What a server sent for one turn, in order and within limits."""

import asyncio
from collections import deque
from typing import Generic, TypeVar

_Event = TypeVar("_Event")
OPEN_MAX = 256  # events: 15 s of speech; then the server waits
KEPT_MAX = 1500  # of a turn that was not begun yet: 90 s; then the rest is lost


class Inbox(Generic[_Event]):
    """One reader; `put` waits while the reader is behind, unless the inbox is closed.

    An inbox that is not `open` has no reader yet, so that it keeps what comes and never waits.
    """

    def __init__(self, *, is_open: bool) -> None:
        self.is_open = is_open
        self.closed = False
        self.lost = 0  # events there was no room for
        self._events: deque[_Event] = deque()
        self._changed = asyncio.Event()

    async def put(self, event: _Event) -> None:
        while self.is_open and not self.closed and len(self._events) >= OPEN_MAX:
            self._changed.clear()
            await self._changed.wait()
        if self.closed:
            return
        if len(self._events) >= KEPT_MAX:
            self.lost += 1
            return
        self._events.append(event)
        self._changed.set()

    async def get(self, limit_s: float | None) -> _Event | None:
        """The next event; None when none came for `limit_s`."""
        try:
            async with asyncio.timeout(limit_s):
                while not self._events:
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            return None
        event = self._events.popleft()
        self._changed.set()
        return event

    def __len__(self) -> int:
        return len(self._events)

    def close(self) -> list[_Event]:
        """Nothing more is read: what waits is given back, whoever puts goes on."""
        rest = list(self._events)
        self.closed = True
        self._events.clear()
        self._changed.set()
        return rest
