"""What a simulated device has reported and logged, and waiting for more of it."""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

LOG_LINES = 200

Report = dict[str, Any]
Found = TypeVar("Found")


class DeviceEndedError(RuntimeError):
    """The device's process ended while something was expected of it; holds its last log lines."""


class Reports:
    """The reports and the last log lines of one device; `status` is its exit status, or None."""

    def __init__(self) -> None:
        self.all: list[Report] = []
        self.log: deque[str] = deque(maxlen=LOG_LINES)
        self.lines = 0  # logged so far, those forgotten too
        self.status: int | None = None
        self._ended = False
        self._next: dict[str, int] = {}
        self._changed = asyncio.Condition()

    async def add(self, report: Report) -> None:
        """Keep one and wake who waits for it."""
        async with self._changed:
            self.all.append(report)
            self._changed.notify_all()

    async def add_line(self, line: str) -> None:
        """Keep a line of the log."""
        async with self._changed:
            self.log.append(line)
            self.lines += 1
            self._changed.notify_all()

    async def end(self, status: int) -> None:
        """Nothing more comes."""
        async with self._changed:
            self.status, self._ended = status, True
            self._changed.notify_all()

    def begin(self) -> None:
        """The device starts anew."""
        self.status, self._ended = None, False

    def skip(self, event: str) -> None:
        """Let `wait` find only reports of `event` that are still to come."""
        self._next[event] = len(self.all)

    async def wait(self, event: str, limit_s: float | None, match: Mapping[str, object]) -> Report:
        """See SimulatedDevice.wait."""
        try:
            return await self._until(
                lambda: self._find(event, match), limit_s, f"reported no {event} {match}"
            )
        except TimeoutError:
            seen = [report for report in self.all if report["event"] == event][-3:]
            raise TimeoutError(
                f"no report {event} {match} in {limit_s} s; the last of its kind: {seen}"
            ) from None

    async def logged(self, text: str, limit_s: float | None) -> str:
        """See SimulatedDevice.logged."""
        try:
            return await self._until(
                lambda: next((line for line in self.log if text in line), None),
                limit_s,
                f"never logged {text!r}",
            )
        except TimeoutError:
            raise TimeoutError(
                f"no log line with {text!r} in {limit_s} s:\n{self._tail(10)}"
            ) from None

    def obituary(self, what: str) -> str:
        """That the device did not do `what` because it is gone, and its last words."""
        return f"the device {what}: its process ended with status {self.status}\n{self._tail(20)}"

    async def _until(
        self, find: Callable[[], Found | None], limit_s: float | None, what: str
    ) -> Found:
        async with asyncio.timeout(limit_s), self._changed:
            while (found := find()) is None:
                if self._ended:
                    raise DeviceEndedError(self.obituary(what))
                await self._changed.wait()
            return found

    def _find(self, event: str, match: Mapping[str, object]) -> Report | None:
        for index in range(self._next.get(event, 0), len(self.all)):
            report = self.all[index]
            if report["event"] == event and all(report.get(k) == v for k, v in match.items()):
                self._next[event] = index + 1
                return report
        return None

    def _tail(self, lines: int) -> str:
        return "\n".join(list(self.log)[-lines:])
