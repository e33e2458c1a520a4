"""The relay under talking devices, and the bare echo under the same: latency, late frames, CPU.

Broker, load and what is measured are processes of their own, and a task that only sleeps is one
beside them: a frame is late because of the bridge where it would have been late without the times
in which that task, or the load itself, could not run. Where others keep the bridge from its core
for long, frames queue up for reasons that nothing tells apart, and nothing is judged.
"""

import asyncio
import json
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from voxcard.link.embedded_broker import EmbeddedBroker

from tools.bench.relay.stalls import Stall, joined, machine_late
from tools.bench.relay.talkers import LATE_MS
from tools.bench.rows import Row, number

ROOT = Path(__file__).parents[3]
SIZES = (1, 20, 50, 100, 200, 300)
SECONDS = 3.0
BUDGET_SIZE = 50  # where the budget of latency is set
ADDS_P50_MS, ADDS_P99_MS = 1.0, 5.0
DEVICES_A_CORE = 300
RESIDENT_MB = 150
FRAMES_S = 25  # of a device
BUSY_PERCENT = 5.0  # of the time that the bridge waits for a core: the machine is too busy
LINE_BYTES = 1 << 24  # every late frame of a load is in its line
START_S, LOAD_S = 20.0, 60.0


Comparison = dict[str, dict[str, float]]  # {"echo": figures, "relay": figures}


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A number of devices that could not be measured."""

    devices: int
    reason: str


class ToolEndedError(RuntimeError):
    """A process of the bench ended before its time; says which."""


@asynccontextmanager
async def process(*command: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """`python -m command`; killed when it does not end with its input."""
    started = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", *command),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=LINE_BYTES,
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
    words = await asyncio.wait_for(source.stdout.readline(), limit_s)
    if not words:
        raise ToolEndedError(f"{name} ended with status {await source.wait()} (its log is above)")
    return words.decode().strip()


class Measured:
    """A process that reports its use (tools.bench.relay.measured)."""

    def __init__(self, started: asyncio.subprocess.Process, name: str) -> None:
        self._process = started
        self._name = name

    async def use(self) -> Any:
        """What it reports of the time since the last call."""
        assert self._process.stdin is not None
        self._process.stdin.write(b"\n")
        return json.loads(await line(self._process, START_S, self._name))


@asynccontextmanager
async def measured(*command: str) -> AsyncIterator[Measured]:
    """A measured process that is ready."""
    async with process(*command) as started:
        await line(started, START_S, command[0])
        yield Measured(started, command[0])


async def under_load(
    target: Measured, port: int, devices: int, seconds: float, *, echo: bool
) -> dict[str, float]:
    """Latencies (tools.bench.relay.talkers), and the target's use while they were counted."""
    options = ("--echo",) if echo else ()
    command = ("tools.bench.relay.talkers", str(port), str(devices), str(seconds), *options)
    async with (
        measured("tools.bench.relay.sleeper") as sleeper,
        process(*command) as load,
    ):
        await line(load, LOAD_S, "tools.bench.relay.talkers")
        await target.use()
        await sleeper.use()
        latencies = json.loads(await line(load, LOAD_S, "tools.bench.relay.talkers"))
        slept = await sleeper.use()
    used = await target.use()
    if not latencies["returned"] or not used["frames"]:
        raise ToolEndedError(f"{command[0]}: no frame came back; what was measured logs why")
    return {
        **_late(latencies, slept),
        "load_cpu_percent": latencies["cpu_percent"],
        "cpu_percent": round(100 * used["cpu_s"] / seconds, 1),
        "waited_percent": round(100 * used["waited_s"] / used["wall_s"], 1),
        "cpu_ms_per_1000": round(1e6 * used["cpu_s"] / used["frames"], 1),
        "resident_mb": used["resident_mb"],
        "loop_late_p99_ms": used["late_p99_ms"],
        "loop_late_max_ms": used["late_max_ms"],
    }


def _late(latencies: dict[str, Any], slept: list[Stall]) -> dict[str, float]:
    """The figures of the load, with what of its late frames is whose."""
    figures = {**latencies}
    late, own = figures.pop("late_frames"), figures.pop("stalls")
    stalls = joined(tuple(each) for each in (*slept, *own))
    figures["late_machine"] = len(machine_late(late, stalls, LATE_MS))
    figures["sleeper_late_max_ms"] = round(1000 * max((b - a for a, b in slept), default=0.0), 1)
    figures["sleeper_late_s"] = round(sum(b - a for a, b in slept), 3)
    return figures


async def measure(
    sizes: Sequence[int] = SIZES, seconds: float = SECONDS
) -> list[Comparison | Failure]:
    """The figures for each number of devices, or why it has none; the others stay."""
    broker = EmbeddedBroker(port=0)
    await broker.start()
    results: list[Comparison | Failure] = []
    try:
        for devices in sizes:
            try:
                results.append(await compared(broker.port, devices, seconds))
            except ToolEndedError as error:
                results.append(Failure(devices=devices, reason=str(error)))
    finally:
        await broker.stop()
    return results


async def compared(port: int, devices: int, seconds: float) -> Comparison:
    """{"echo": figures, "relay": figures} of one number of devices, one after the other."""
    async with measured("tools.bench.relay.echo", str(port)) as echo:
        bare = await under_load(echo, port, devices, seconds, echo=True)
    with tempfile.TemporaryDirectory(prefix="voxcard-bench-") as folder:
        async with measured("tools.bench.relay.echo_bridge", str(port), folder) as bridge:
            idle = await bridge.use()
            relay = await under_load(bridge, port, devices, seconds, echo=False)
    relay["idle_resident_mb"] = idle["resident_mb"]
    return {"echo": bare, "relay": relay}


def rows(results: Sequence[Comparison | Failure]) -> list[Row]:
    """The results of `measure` with their budgets."""
    return [row for each in results for row in _rows_of(each)]


def _rows_of(result: Comparison | Failure) -> Iterator[Row]:
    if isinstance(result, Failure):
        name = f"{result.devices} talking"
        yield Row(name=name, value=None, unit="", note=result.reason)
    else:
        yield from _rows(result["echo"], result["relay"])


def _rows(echo: dict[str, float], relay: dict[str, float]) -> Iterator[Row]:
    devices = int(relay["devices"])
    name = f"{devices} talking"
    yield from _latency(name, echo, relay, judged=devices == BUDGET_SIZE)
    yield _lost(name, echo, relay)
    yield _processor(name, echo, relay)
    late_ms, most = relay["loop_late_p99_ms"], number(relay["loop_late_max_ms"])
    yield Row(name=f"{name}: loop late, p99", value=late_ms, unit="ms", note=f"{most} at most")
    if devices in (BUDGET_SIZE, DEVICES_A_CORE):
        yield _memory(name, relay)
    if devices == DEVICES_A_CORE:
        yield _capacity(echo, relay)


def _latency(
    name: str, echo: dict[str, float], relay: dict[str, float], judged: bool
) -> Iterator[Row]:
    for share, limit in (("p50_ms", ADDS_P50_MS), ("p99_ms", ADDS_P99_MS)):
        yield Row(
            name=f"{name}: the relay adds, {share.removesuffix('_ms')}",
            value=round(relay[share] - echo[share], 2),
            unit="ms",
            limit=limit if judged else None,
            note=f"there and back {number(relay[share])}, bare echo {number(echo[share])}",
        )


def _lost(name: str, echo: dict[str, float], relay: dict[str, float]) -> Row:
    waited = relay["waited_percent"]
    judged = relay["devices"] <= DEVICES_A_CORE and waited <= BUSY_PERCENT
    busy = ": too busy to judge" if waited > BUSY_PERCENT else ""
    return Row(
        name=f"{name}: late because of the bridge, or lost",
        value=relay["late"] - relay["late_machine"],
        unit=f"of {number(relay['sent'])}",
        limit=0 if judged else None,
        note=f"{number(relay['late_machine'])} more because of the machine, on which a task that "
        f"only sleeps is up to {number(relay['sleeper_late_max_ms'])} ms late; the bridge waits "
        f"{number(waited)} % of the time for a core{busy}; bare echo "
        f"{number(echo['late'] - echo['late_machine'])} and {number(echo['late_machine'])} more",
    )


def _processor(name: str, echo: dict[str, float], relay: dict[str, float]) -> Row:
    ours, bare = relay["cpu_ms_per_1000"], echo["cpu_ms_per_1000"]
    return Row(
        name=f"{name}: CPU, relay to bare echo",
        value=round(ours / max(0.1, bare), 2),
        unit="times",
        note=f"ms a 1000 frames: {number(ours)}, bare echo {number(bare)}",
    )


def _memory(name: str, relay: dict[str, float]) -> Row:
    return Row(
        name=f"{name}: bridge resident, no speech models",
        value=relay["resident_mb"],
        unit="MB",
        limit=RESIDENT_MB,
        note=f"{number(relay['idle_resident_mb'])} idle",
    )


def _capacity(echo: dict[str, float], relay: dict[str, float]) -> Row:
    ours, bare = (round(1e6 / each["cpu_ms_per_1000"] / FRAMES_S) for each in (relay, echo))
    return Row(
        name="devices whose frames one core has the time for",
        value=ours,
        unit="",
        limit=DEVICES_A_CORE,
        at_least=True,
        note=f"bare echo {number(bare)}",
    )


def main() -> None:
    sizes = [int(each) for each in sys.argv[1:]] or SIZES
    for result in asyncio.run(measure(sizes)):
        if isinstance(result, Failure):
            print(f"{result.devices} devices: {result.reason}")
        else:
            for name, figures in result.items():
                print(name, json.dumps(figures))


if __name__ == "__main__":
    main()
