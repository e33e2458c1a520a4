"""Order of what the bridge starts on a device: announcements, questions, choices on cards."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from voxcard.errors import VoxcardError
from voxcard.session.turn.events import Ended
from voxcard.session.turn.queue import HANDOVER_S, TurnQueue

WAIT_S = 60.0  # how long a caller waits for its turn in the order
HUSH_S = 1.5  # for a speech that is cut to fall silent, and for its device to say what was heard
URGENT = "Something urgent came first."


async def make_way(queue: TurnQueue) -> None:
    """End the running turn: it falls silent, and its assistant learns what was heard of it.

    A turn that has not spoken is over at once.
    """
    turn = queue.turn
    if turn is None:
        return
    try:
        async with asyncio.timeout(HUSH_S):
            heard = await turn.hush()
    except TimeoutError:
        heard = None  # the device, or the turn, is about to go
    if queue.turn is turn:
        queue.feed(Ended(reason=URGENT, tell=True))
    try:
        async with asyncio.timeout(HANDOVER_S):
            await queue.free()
    except TimeoutError:
        pass  # the next turn waits no longer either
    if heard is not None and heard.played_ms:
        turn.interrupted(heard)


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
