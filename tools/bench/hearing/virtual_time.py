"""An event loop whose clock is the sound's, and workers whose work costs what it is told to.

Waits cost nothing and depend on no load: a test of ten minutes of sound takes what its
recognitions take.
"""

import asyncio
import selectors
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from typing import Any, TypeVar

from voxcard.assistants.offline.threads import Lane, Workers

Result = TypeVar("Result")


class _Passing(selectors.SelectSelector):
    """Never waits: the time that it would have taken has passed."""

    passed_s = 0.0

    def select(self, timeout: float | None = None) -> Any:
        if timeout is None:
            raise RuntimeError("Everything waits for something that never comes.")
        self.passed_s += max(0.0, timeout)
        return super().select(0)


class VirtualLoop(asyncio.SelectorEventLoop):
    """asyncio's own, with a clock of its own."""

    def __init__(self) -> None:
        self._passing = _Passing()
        super().__init__(self._passing)

    def time(self) -> float:
        return self._passing.passed_s


def run(work: Coroutine[Any, Any, Result]) -> Result:
    """What `work` returns, in a loop of its own."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(work)


class VirtualWorkers(Workers):
    """Work is done at once and counts as `costs_ms` of its lane; measured where that has none.

    What is measured is the CPU time of the whole process, which does one thing at a time.
    """

    def __init__(self, costs_ms: Mapping[Lane, float]) -> None:
        super().__init__()
        self._costs_ms = costs_ms
        self._free_s: dict[Lane, float] = {}

    async def run(self, lane: Lane, work: Callable[..., Result], *arguments: object) -> Result:
        began_s = time.process_time()
        result = work(*arguments)
        await self._pass(lane, began_s)
        return result

    async def stream(
        self, lane: Lane, work: Callable[[str], Iterator[bytes]], text: str
    ) -> AsyncIterator[bytes]:
        began_s = time.process_time()
        for piece in work(text):
            await self._pass(lane, began_s)
            yield piece
            began_s = time.process_time()

    async def stop(self) -> None:
        """There are no threads."""

    async def _pass(self, lane: Lane, began_s: float) -> None:
        """Until the lane has done what was before, and this; cancelled work keeps it busy too."""
        took_ms = (time.process_time() - began_s) * 1000
        now_s = asyncio.get_running_loop().time()
        done_s = max(now_s, self._free_s.get(lane, 0.0)) + self._costs_ms.get(lane, took_ms) / 1000
        self._free_s[lane] = done_s
        await asyncio.sleep(done_s - now_s)
