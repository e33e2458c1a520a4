"""A measured process tells what it used: one JSON line for every line on its standard input."""

import asyncio
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

PROBE_S = 0.01


def resident_mb() -> float:
    """Memory of this process that is in RAM, in MB (2^20 bytes)."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise OSError("/proc/self/status has no VmRSS: measure on Linux")


def waited_s() -> float:
    """For how long the loop's thread could have run and was not let, since it began."""
    return int(Path("/proc/self/schedstat").read_text(encoding="ascii").split()[1]) / 1e9


def quantile(values: list[float], share: float) -> float:
    """The value below which `share` of sorted `values` lie; 0.0 of none."""
    return values[min(len(values) - 1, int(share * len(values)))] if values else 0.0


async def report(frames: Callable[[], int]) -> None:
    """Print `ready`, then at every line read the use since the line before; ends with the input.

    cpu_s, wall_s, waited_s (for a core), frames (of `frames()`, a running count), resident_mb, and
    how late the loop runs a timer (late_p50_ms, late_p99_ms, late_max_ms).
    """
    loop = asyncio.get_running_loop()
    late_ms: list[float] = []
    probe = asyncio.create_task(lateness(late_ms), name="lateness")
    print("ready", flush=True)
    before = (time.process_time(), time.perf_counter(), frames(), waited_s())
    while await loop.run_in_executor(None, sys.stdin.readline):
        now = (time.process_time(), time.perf_counter(), frames(), waited_s())
        use = {
            "cpu_s": round(now[0] - before[0], 4),
            "wall_s": round(now[1] - before[1], 3),
            "frames": now[2] - before[2],
            "waited_s": round(now[3] - before[3], 4),
            "resident_mb": round(resident_mb(), 1),
            **_lateness_spread(late_ms),
        }
        before = now
        late_ms.clear()
        print(json.dumps(use), flush=True)
    probe.cancel()


def _lateness_spread(late_ms: list[float]) -> dict[str, float]:
    late = sorted(late_ms)
    return {
        "late_p50_ms": round(quantile(late, 0.5), 2),
        "late_p99_ms": round(quantile(late, 0.99), 2),
        "late_max_ms": round(late[-1], 1) if late else 0.0,
    }


async def lateness(late_ms: list[float]) -> None:
    """Add how late the loop runs a timer, in ms, a hundred times a second until cancelled."""
    while True:
        before = time.perf_counter()
        await asyncio.sleep(PROBE_S)
        late_ms.append((time.perf_counter() - before - PROBE_S) * 1000)
