"""Waiting as long as something moves: a slow or busy computer is no failure."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from voxcard.errors import VoxcardError

LOOK_S = 0.5  # between two looks at the progress

Value = TypeVar("Value")


class StalledError(VoxcardError):
    """What was waited for did not come; the text names it and where to read why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How long to wait: `still_s` without any progress, `whole_s` at all; told every `tell_s`."""

    still_s: float = 120
    whole_s: float = 1800
    tell_s: float = 10


class Patience:
    """Decides, of progress and time alone, whether to go on waiting."""

    def __init__(self, now_s: float, limits: Limits) -> None:
        self._limits = limits
        self._begun_s = self._moved_s = self._told_s = now_s
        self._progress: object = None

    def look(self, now_s: float, progress: object) -> str:
        """`wait`, `tell` (that it still waits) or `end`; any change of `progress` is progress."""
        if progress != self._progress:
            self._progress, self._moved_s = progress, now_s
        limits = self._limits
        if now_s - self._moved_s >= limits.still_s or now_s - self._begun_s >= limits.whole_s:
            return "end"
        if now_s - self._told_s >= limits.tell_s:
            self._told_s = now_s
            return "tell"
        return "wait"


async def patiently(
    what: str,
    awaited: Awaitable[Value],
    *,
    progress: Callable[[], object],
    tell: Callable[[str], None],
    log: Path | None = None,
    limits: Limits | None = None,
) -> Value:
    """The value of `awaited`, which is cancelled when it is waited for no longer.

    `what` is a noun phrase, for people; StalledError names it and `log`, where to read why.
    """
    loop = asyncio.get_running_loop()
    begun_s = loop.time()
    patience = Patience(begun_s, limits or Limits())
    task = asyncio.ensure_future(awaited)
    try:
        while not (await asyncio.wait({task}, timeout=LOOK_S))[0]:
            waited_s = loop.time() - begun_s
            verdict = patience.look(loop.time(), progress())
            if verdict == "tell":
                tell(f"… still waiting for {what} ({waited_s:.0f} s)")
            elif verdict == "end":
                remedy = f"See {log}." if log else ""
                raise StalledError(f"{what} did not come in {waited_s:.0f} s.", remedy)
        return task.result()
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def cpu_s(pid: int | None) -> int:
    """Whole seconds of processor time that a process has used; 0 where that cannot be known."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return (int(fields[11]) + int(fields[12])) // os.sysconf("SC_CLK_TCK")
