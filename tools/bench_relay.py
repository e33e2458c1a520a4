"""The relay under talking devices, and the bare echo under the same: latency, late frames, CPU.

Broker, load and what is measured are processes of their own.
"""

import asyncio
import json
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from voxcard.embedded import EmbeddedBroker

ROOT = Path(__file__).parent.parent
SIZES = (1, 20, 50, 100, 200, 300)
SECONDS = 3.0
START_S, LOAD_S = 20.0, 60.0


class ToolEndedError(RuntimeError):
    """A process of the bench ended before its time; says which."""


@asynccontextmanager
async def process(*command: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """`python -m command`; killed when it does not end with its input."""
    started = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", *command),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        cwd=ROOT,
    )
    try:
        yield started
    finally:
        assert started.stdin is not None
        started.stdin.close()
        try:
            await asyncio.wait_for(started.wait(), 10)
        except TimeoutError:
            started.kill()
            await started.wait()


async def line(source: asyncio.subprocess.Process, limit_s: float, name: str) -> str:
    """Its next line of output; ToolEndedError when it ends instead."""
    assert source.stdout is not None
    told = await asyncio.wait_for(source.stdout.readline(), limit_s)
    if not told:
        raise ToolEndedError(f"{name} ended with status {await source.wait()} (its log is above)")
    return told.decode().strip()


class Measured:
    """A process that tells its use (tools.measured)."""

    def __init__(self, started: asyncio.subprocess.Process, name: str) -> None:
        self._process = started
        self._name = name

    async def use(self) -> dict[str, float]:
        """Since the last call."""
        assert self._process.stdin is not None
        self._process.stdin.write(b"\n")
        told: dict[str, float] = json.loads(await line(self._process, START_S, self._name))
        return told


@asynccontextmanager
async def measured(*command: str) -> AsyncIterator[Measured]:
    """A measured process that is ready."""
    async with process(*command) as started:
        await line(started, START_S, command[0])
        yield Measured(started, command[0])


async def under_load(
    target: Measured, port: int, devices: int, seconds: float, *, echo: bool
) -> dict[str, float]:
    """Latencies (tools.load), and the target's use while they were counted."""
    options = ("--echo",) if echo else ()
    command = ("tools.load", str(port), str(devices), str(seconds), *options)
    async with process(*command) as load:
        await line(load, LOAD_S, "tools.load")
        await target.use()
        told = json.loads(await line(load, LOAD_S, "tools.load"))
    used = await target.use()
    frames = max(1.0, used["frames"])
    return {
        **told,
        "load_cpu_percent": told["cpu_percent"],
        "cpu_percent": round(100 * used["cpu_s"] / seconds, 1),
        "cpu_ms_per_1000": round(1e6 * used["cpu_s"] / frames, 1),
        "resident_mb": used["resident_mb"],
        "loop_late_p99_ms": used["late_p99_ms"],
        "loop_late_max_ms": used["late_max_ms"],
    }


async def measure(
    sizes: Sequence[int] = SIZES, seconds: float = SECONDS
) -> list[dict[str, dict[str, float]]]:
    """For each number of devices {"echo": figures, "relay": figures}."""
    found = []
    with tempfile.TemporaryDirectory(prefix="voxcard-bench-") as folder:
        broker = EmbeddedBroker(port=0)
        await broker.start()
        try:
            port = str(broker.port)
            for devices in sizes:
                async with measured("tools.echo", port) as echo:
                    bare = await under_load(echo, broker.port, devices, seconds, echo=True)
                async with measured("tools.echo_bridge", port, folder) as bridge:
                    idle = await bridge.use()
                    relay = await under_load(bridge, broker.port, devices, seconds, echo=False)
                relay["idle_resident_mb"] = idle["resident_mb"]
                found.append({"echo": bare, "relay": relay})
        finally:
            await broker.stop()
    return found


def main() -> None:
    sizes = [int(each) for each in sys.argv[1:]] or SIZES
    found: list[dict[str, Any]] = asyncio.run(measure(sizes))
    for each in found:
        for name, figures in each.items():
            print(name, json.dumps(figures))


if __name__ == "__main__":
    main()
