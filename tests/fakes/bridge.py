"""A loop of virtual time, and small stand-ins for what surrounds a relay."""

import asyncio
import logging
import selectors
from collections.abc import Coroutine
from typing import Any

# Real seconds without any event after which a test is stuck.
STUCK_S = 10.0


class _JumpingSelector(selectors.DefaultSelector):
    """Waits no time: what the loop would have waited is added to its clock."""

    def __init__(self) -> None:
        super().__init__()
        self.now_s = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if ready or timeout == 0:
            return ready
        if timeout is None:
            ready = super().select(STUCK_S)
            if not ready:
                raise AssertionError("nothing will ever happen again in this test")
            return ready
        self.now_s += timeout
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """asyncio whose sleeps end at once and whose clock says they took their time."""

    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now_s


def run_virtual(main: Coroutine[Any, Any, Any]) -> Any:
    """asyncio.run in virtual time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main)


class LogLines(logging.Handler):
    """Lets a test wait for the next line of a logger; only inside a running loop."""

    def __init__(self, name: str, level: int = logging.DEBUG) -> None:
        super().__init__(level)
        self.lines: asyncio.Queue[tuple[str, str]] = asyncio.Queue()
        self._logger = logging.getLogger(name)

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.put_nowait((record.levelname, record.getMessage()))

    def __enter__(self) -> "LogLines":
        self._level = self._logger.level
        self._logger.setLevel(self.level)
        self._logger.addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        self._logger.removeHandler(self)
        self._logger.setLevel(self._level)
