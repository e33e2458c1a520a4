"""Order of what the bridge starts on a device: announcements, questions, choices on cards."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from voxcard.errors import VoxcardError
from voxcard.session.turn.queue import TurnQueue

WAIT_S = 60.0  # how long a caller waits for its turn in the order


class TurnOrder:
    """First come, first served, each after the turn that runs in `queue`; a person who speaks
    waits for nobody."""

    def __init__(self, device_id: str, queue: TurnQueue, is_online: Callable[[], bool]) -> None:
        self._device_id = device_id
        self._queue = queue
        self._is_online = is_online
        self._lock = asyncio.Lock()

    @asynccontextmanager
    async def place(self, wait_s: float | None = WAIT_S) -> AsyncIterator[None]:
        """Hold the caller's position; VoxcardError when it does not come in time (None: without a
        limit), or the device is away."""
        try:
            async with asyncio.timeout(wait_s):
                await self._lock.acquire()
                try:
                    await self._queue.free()
                except BaseException:
                    self._lock.release()
                    raise
        except TimeoutError as late:
            busy = f"{self._device_id} is in a turn."
            raise VoxcardError(busy, "Try again when it is idle.") from late
        try:
            if not self._is_online():
                away = f"{self._device_id} is not online."
                raise VoxcardError(away, "Switch it on, then try again.")
            yield
        finally:
            self._lock.release()
