"""Turns that the assistant begins by itself, one device's: each when the device is free."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from typing import Any

from voxcard.assistants import Begun, Conversation
from voxcard.errors import VoxcardError
from voxcard.link.devices import DeviceLog
from voxcard.session.turn.queue import TurnQueue
from voxcard.session.turn.turn import Turn
from voxcard.session.turn_order import TurnOrder, make_way

WAITING_MAX = 8  # then the assistant waits with the next one
AGAIN_S = 30.0  # until an assistant whose begun() failed is asked once more


class BegunTurns:
    """Listens to `conversation.begun()` from `listen` to `stop`; what fails ends itself alone.

    `start(begun)` begins the turn. One that is not urgent takes its place in `order`; an urgent
    one ends the running turn, but not another urgent one.
    """

    def __init__(
        self,
        conversation: Conversation,
        queue: TurnQueue,
        order: TurnOrder,
        *,
        start: Callable[[Begun], Turn],
        spawn: Callable[[Coroutine[Any, Any, None], str], "asyncio.Task[None]"],
        log: Callable[[], DeviceLog],
    ) -> None:
        self._conversation = conversation
        self._queue = queue
        self._order = order
        self._start = start
        self._spawn = spawn
        self._log = log
        self._listener: asyncio.Task[None] | None = None
        self._waiting: set[asyncio.Task[None]] = set()
        self._urgent = asyncio.Lock()

    def listen(self, device_id: str) -> None:
        """The device is there; harmless when it was there already."""
        if self._listener is None or self._listener.done():
            room = asyncio.Semaphore(WAITING_MAX)
            self._listener = self._spawn(self._listen(device_id, room), f"begun {device_id}")

    def stop(self) -> None:
        """The device is gone: what waits for it is dropped."""
        if self._listener is not None:
            self._listener.cancel()
            self._listener = None
        if self._waiting:
            self._log().info("%d turns of the assistant's own are dropped", len(self._waiting))
        for task in self._waiting:
            task.cancel()
        self._waiting = set()

    async def _listen(self, device_id: str, room: asyncio.Semaphore) -> None:
        while True:
            begun_turns = self._conversation.begun()
            try:
                async for begun in begun_turns:
                    await room.acquire()
                    task = self._spawn(self._run(begun, room), f"begun turn {device_id}")
                    self._waiting.add(task)
                    task.add_done_callback(self._waiting.discard)
                return
            except Exception:
                self._log().exception("the assistant begins no turns any more")
            finally:
                if isinstance(begun_turns, AsyncGenerator):
                    await begun_turns.aclose()
            await asyncio.sleep(AGAIN_S)

    async def _run(self, begun: Begun, room: asyncio.Semaphore) -> None:
        try:
            if begun.urgent:
                async with self._urgent:
                    await make_way(self._queue)
                    await self._queue.outcome(self._start(begun))
            else:
                async with self._order.place(wait_s=None):
                    await self._queue.outcome(self._start(begun))
        except VoxcardError as error:
            self._log().warning("a turn of the assistant's own: %s", error)
        except Exception:
            self._log().exception("a turn of the assistant's own failed")
        finally:
            room.release()
