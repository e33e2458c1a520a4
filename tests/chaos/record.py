"""What was done to a home, how often, and whether it lived."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

QUIET_S = 45.0  # without any news a home does not become whole any more
LIMIT_S = 240.0  # of one thing done to a home, recovery included, however busy the machine is
LOOK_S = 1.0


@dataclass
class Row:
    """One kind of harm: `recovered_s` is the longest until the home was whole again, `lost` how
    many attempts to use it failed until then."""

    broker: str
    kind: str
    tried: int = 0
    lost: int = 0
    recovered_s: float = 0.0
    problems: list[str] = field(default_factory=list)


class Record:
    """The rows of a run that starts nothing new after `limit_s`."""

    def __init__(self, limit_s: float) -> None:
        self.rows: dict[tuple[str, str], Row] = {}
        self.left_out: list[str] = []
        self._end_s = time.monotonic() + limit_s

    async def harm(
        self,
        broker: str,
        kind: str,
        harm: Callable[[], Awaitable[int]],
        news: Callable[[], int],
        *,
        lost_max: int | None = None,
    ) -> None:
        """Do `harm`, which returns when the home is whole again, with the number of attempts that
        failed until then; `news` is another number whenever anything happened in the home."""
        if time.monotonic() > self._end_s:
            self.left_out.append(f"{broker}: {kind}")
            return
        row = self.rows.setdefault((broker, kind), Row(broker, kind))
        row.tried += 1
        began_s = time.monotonic()
        try:
            lost = await _limited(harm, news)
            row.lost += lost
            if lost_max is not None and lost > lost_max:
                row.problems.append(f"{lost} attempts were lost, where none should be")
        except Exception as error:
            row.problems.append(f"{type(error).__name__}: {str(error)[:200]}")
        row.recovered_s = max(row.recovered_s, time.monotonic() - began_s)


async def _limited(harm: Callable[[], Awaitable[int]], news: Callable[[], int]) -> int:
    """What `harm` returns; TimeoutError when nothing goes on any more."""
    task = asyncio.ensure_future(harm())
    began_s = heard_s = time.monotonic()
    last = news()
    try:
        while not (await asyncio.wait((task,), timeout=LOOK_S))[0]:
            now_s = time.monotonic()
            if (current := news()) != last:
                last, heard_s = current, now_s
            if now_s - heard_s > QUIET_S or now_s - began_s > LIMIT_S:
                raise TimeoutError(f"not whole, quiet for {now_s - heard_s:.0f} s")
        return task.result()
    finally:
        task.cancel()
