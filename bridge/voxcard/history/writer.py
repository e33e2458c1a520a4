"""Runs history writes in order, off the event loop; a full queue drops them."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from voxcard.errors import VoxcardError

log = logging.getLogger(__name__)

WAITING_MAX = 200  # while a disk is slow; what comes then is not kept


class HistoryWriter:
    """`put(function, ...)` runs `function` later through `offload`, one after another.

    A full disk or a locked database is one warning; the next success ends the silence.
    """

    def __init__(self, offload: Callable[..., Awaitable[object]]) -> None:
        self._offload = offload
        self._waiting: asyncio.Queue[tuple[Callable[..., object], tuple[object, ...]]]
        self._waiting = asyncio.Queue(WAITING_MAX)
        self._writing = asyncio.Lock()
        self._failing = False

    def put(self, function: Callable[..., object], *arguments: object) -> None:
        """Queue a call of `function`; what it raises is logged."""
        try:
            self._waiting.put_nowait((function, arguments))
        except asyncio.QueueFull:
            self._fails("The history is too slow.")

    async def run(self) -> None:
        """Work until cancelled."""
        while True:
            await self._next()

    async def drain(self) -> None:
        """Do what waits; for the end of the bridge."""
        while not self._waiting.empty():
            await self._next()
        # What `run` took from the queue may still be on its way to the disk.
        async with self._writing:
            pass

    async def _next(self) -> None:
        function, arguments = await self._waiting.get()
        async with self._writing:
            try:
                await self._offload(function, *arguments)
                self._failing = False
            except VoxcardError as error:
                self._fails(str(error))

    def _fails(self, why: str) -> None:
        if not self._failing:
            log.warning("%s Turns go on without it.", why)
        self._failing = True
