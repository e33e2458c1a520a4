"""Fans out events to watching clients; a slow one loses events, never delays the bridge."""

import asyncio
from collections.abc import AsyncIterator

from voxcard.control.service import Happening

QUEUE_MAX = 256  # happenings a slow watcher may be behind; later ones are lost to it


class Watchers:
    """`tell` is called as things happen; each `follow` is one watcher."""

    def __init__(self) -> None:
        self._queues: set[asyncio.Queue[Happening]] = set()

    def tell(self, happening: Happening) -> None:
        """Give it to everyone who watches now; never waits."""
        for queue in self._queues:
            if not queue.full():
                queue.put_nowait(happening)

    async def follow(self) -> AsyncIterator[Happening]:
        """Everything from now on, until the caller closes it."""
        queue: asyncio.Queue[Happening] = asyncio.Queue(QUEUE_MAX)
        self._queues.add(queue)
        try:
            while True:
                yield await queue.get()
        finally:
            self._queues.discard(queue)
