"""Supervised tasks: an exception is logged and ends its own task alone."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from types import TracebackType
from typing import Any, Self

log = logging.getLogger(__name__)

RESTART_S = 1.0  # before a task that must always run starts again
END_S = 10.0  # for the tasks to end


class Tasks:
    """Tasks that live as long as the `async with` block; leaving it cancels them.

    An exception in a task is one log entry that names the task; so is one in a callback of the
    loop. Nothing that is raised here reaches another task or the block.
    """

    def __init__(self, *, restart_s: float = RESTART_S, end_s: float = END_S) -> None:
        self._restart_s = restart_s
        self._end_s = end_s
        self._running: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        asyncio.get_running_loop().set_exception_handler(_callback_failed)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        loop = asyncio.get_running_loop()
        end_at_s = loop.time() + self._end_s
        while self._running and loop.time() < end_at_s:
            for task in self._running:
                task.cancel()
            await asyncio.wait(self._running, timeout=end_at_s - loop.time())
        for task in self._running:
            log.error("%s does not end", task.get_name())

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> "asyncio.Task[None]":
        """Run `work` once."""
        task = self._start(_walled(work, name), name)
        # A task that is cancelled before its first step never awaits it.
        task.add_done_callback(lambda _: work.close())
        return task

    def keep(self, work: Callable[[], Awaitable[None]], name: str) -> "asyncio.Task[None]":
        """Run `work()` always: it starts again after a pause when it raises or returns."""
        return self._start(self._always(work, name), name)

    def _start(self, work: Coroutine[Any, Any, None], name: str) -> "asyncio.Task[None]":
        task = asyncio.create_task(work, name=name)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    async def _always(self, work: Callable[[], Awaitable[None]], name: str) -> None:
        while True:
            try:
                await work()
                log.warning("%s ended; it starts again", name)
            except Exception:
                log.exception("%s failed; it starts again", name)
            await asyncio.sleep(self._restart_s)


async def _walled(work: Coroutine[Any, Any, None], name: str) -> None:
    try:
        await work
    except Exception:
        log.exception("%s failed", name)


def _callback_failed(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    error = context.get("exception")
    log.error("%s", context.get("message", "a callback failed"), exc_info=error)
