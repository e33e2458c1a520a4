"""A task that only sleeps, as a process: whenever it is late, the machine was busy.

python -m tools.bench.relay.sleeper   prints `ready`, then for every line on its standard input the
stalls since the line before, one JSON list of [begin, end] in seconds of the monotonic clock.
"""

import asyncio
import json
import sys
import time

PROBE_S = 0.005
LEAST_S = 0.002  # a timer that is later was kept from running


async def watch(stalls: list[tuple[float, float]]) -> None:
    """Add when this loop could not run, until cancelled."""
    while True:
        due_s = time.monotonic() + PROBE_S
        await asyncio.sleep(PROBE_S)
        now_s = time.monotonic()
        if now_s - due_s > LEAST_S:
            stalls.append((due_s, now_s))


async def report() -> None:
    stalls: list[tuple[float, float]] = []
    watching = asyncio.create_task(watch(stalls), name="sleeper")
    print("ready", flush=True)
    loop = asyncio.get_running_loop()
    while await loop.run_in_executor(None, sys.stdin.readline):
        print(json.dumps(stalls), flush=True)
        stalls.clear()
    watching.cancel()


if __name__ == "__main__":
    asyncio.run(report())
