"""What was done to a home, how often, and whether it lived."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

LIMIT_S = 60.0  # of one thing done to a home, recovery included


@dataclass
class Row:
    """One kind of harm: `recovered_s` is the longest until the home was whole again."""

    broker: str
    kind: str
    tried: int = 0
    recovered_s: float = 0.0
    problems: list[str] = field(default_factory=list)


class Record:
    """The rows of a run that starts nothing new after `limit_s`."""

    def __init__(self, limit_s: float) -> None:
        self.rows: dict[tuple[str, str], Row] = {}
        self.left_out: list[str] = []
        self._end_s = time.monotonic() + limit_s

    async def harm(self, broker: str, kind: str, harm: Callable[[], Awaitable[None]]) -> None:
        """Do `harm`, which returns when the home is whole again."""
        if time.monotonic() > self._end_s:
            self.left_out.append(f"{broker}: {kind}")
            return
        row = self.rows.setdefault((broker, kind), Row(broker, kind))
        row.tried += 1
        began_s = time.monotonic()
        try:
            async with asyncio.timeout(LIMIT_S):
                await harm()
        except Exception as error:
            row.problems.append(f"{type(error).__name__}: {str(error)[:200]}")
        row.recovered_s = max(row.recovered_s, time.monotonic() - began_s)
