"""The firmware under MicroPython: heap of messages, audio frames, screens, the whole device."""

import asyncio
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from voxcard.link.embedded_broker import EmbeddedBroker

from tools.bench.rows import MissingToolError, Row
from tools.sim import simulated_device
from tools.sim.simulated_device import micropython

ROOT = Path(__file__).parents[2]
HEAP = "100wk"  # of the budget: 100 KB on 32 bit
MESSAGE_BYTES = 256
MPY_BYTES = 120 * 1024
BAND_BYTES = 12 * 1024
# us per 320 samples, measured when the routines were chosen; the budget is within twice of them.
AUDIO_US = {"encode": 3.14, "decode": 2.66, "gain": 0.94, "level": 0.88}
LIMIT_S = 90.0


def interpreter(program: str, *arguments: str, heap: str = HEAP) -> dict[str, Any]:
    """What a program of tools/ prints under MicroPython; MissingToolError when it is not there."""
    path = ROOT / "tools" / "bench" / program
    if not path.exists():
        raise MissingToolError(
            f"tools/bench/{program} is missing: the bench cannot measure with it"
        )
    return told(
        f"tools/bench/{program}",
        *(micropython(), "-X", f"heapsize={heap}", str(path), *arguments),
        MICROPYPATH=f"{ROOT / 'firmware'}:{ROOT / 'bridge/voxcard/cards/preview'}:.frozen",
    )


def told(name: str, *command: str, **environ: str) -> dict[str, Any]:
    """The JSON a command prints."""
    found: dict[str, Any] = json.loads(output(name, *command, **environ))
    return found


def output(name: str, *command: str, **environ: str) -> str:
    """What a command prints; RuntimeError names it with its last words when it fails."""
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=LIMIT_S,
        check=False,
        env={**os.environ, **environ},
    )
    if done.returncode:
        words = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise RuntimeError(f"{name} failed: {words[-1] if words else done.returncode}")
    return done.stdout


def mqtt() -> list[Row]:
    """Heap of the MQTT client against a broker."""
    found = asyncio.run(_heap_mqtt())
    names = {
        "publish_bytes": "heap of a frame published",
        "publish_qos1_bytes": "heap of a QoS 1 publish",
        "receive_bytes": "heap of a frame received",
    }
    rows = [
        Row(name=name, value=found[key], unit="B", limit=MESSAGE_BYTES)
        for key, name in names.items()
    ]
    per_second = found["idle_bytes"] * 1000 / found["idle_ms"]
    return [*rows, Row(name="idle churn of the link", value=per_second, unit="B/s", limit=0)]


async def _heap_mqtt() -> dict[str, Any]:
    broker = EmbeddedBroker(port=0)
    await broker.start()
    try:
        port = str(broker.port)
        return await asyncio.to_thread(interpreter, "heap_mqtt.py", "127.0.0.1", port)
    finally:
        await broker.stop()


def sound() -> list[Row]:
    """Audio routines and the tasks around them."""
    found = interpreter("bench_device_audio.py")
    rows = []
    for name, before_us in AUDIO_US.items():
        us, heap = found[f"{name}_us"], found[f"{name}_heap_bytes"]
        rows.append(Row(name=f"{name}, 20 ms", value=us, unit="us", limit=2 * before_us))
        rows.append(Row(name=f"{name}, heap", value=heap, unit="B", limit=0))
    # Of the task's own waiting, as asyncio has it; the sound itself is in buffers made once.
    for part in ("capture", "playback"):
        heap = found[f"{part}_heap_bytes_per_frame"]
        rows.append(Row(name=f"{part} task, heap a 40 ms frame", value=heap, unit="B"))
        rows.append(Row(name=f"{part}, buffers", value=found[f"{part}_bytes"], unit="B"))
    return rows


def screen() -> list[Row]:
    """Whole screens drawn by the firmware's own code."""
    rows = []
    for panel, found in interpreter("bench_screen.py", heap="2m").items():
        for what in ("text", "code", "state"):
            rows.append(Row(name=f"{panel} {what}", value=found[f"{what}_ms"], unit="ms"))
        rows.append(
            Row(
                name=f"{panel} bytes of one write",
                value=found["write_bytes"],
                unit="B",
                limit=BAND_BYTES,
            )
        )
        rows.append(Row(name=f"{panel} longest step", value=found["step_ms"], unit="ms", limit=5))
    return rows


def size() -> list[Row]:
    """The firmware as boards carry it."""
    words = output("tools/checks/firmware.py", sys.executable, "tools/checks/firmware.py")
    sizes = re.findall(r"^(\w+): (\d+) bytes", words, re.MULTILINE)
    if not sizes:
        raise RuntimeError(f"tools/checks/firmware.py gave no sizes but: {words[-200:]}")
    return [
        Row(name=f".mpy for {architecture}", value=int(total), unit="B", limit=MPY_BYTES)
        for architecture, total in sizes
    ]


def whole() -> list[Row]:
    """A device in a conversation at the heap of the budget, and at the simulated board's."""
    if not (ROOT / "tools" / "bench" / "heap_device.py").exists():
        raise MissingToolError(
            "tools/bench/heap_device.py is missing: it measures the whole device"
        )
    command = (sys.executable, "-m", "tools.bench.heap_device")
    still = told("tools.bench.heap_device", *command, "--still")
    rows = [
        Row(name=f"heap of {what}, 64 bit", value=still[key], unit="B")
        for key, what in (("imported", "the modules"), ("objects", "the objects"))
    ]
    for heap in (HEAP, simulated_device.HEAP):
        row, found = _conversation(command, heap)
        rows.append(row)
        names = {"free_idle": "idle", "free_after_turn": "after a turn"}
        rows += [
            Row(name=f"free at {heap}, {when}", value=found[key], unit="B")
            for key, when in names.items()
            if key in found
        ]
    return rows


def _conversation(command: tuple[str, ...], heap: str) -> tuple[Row, dict[str, Any]]:
    """How much of a reply a device of that heap plays, and its free bytes; 0 % when it fails."""
    played, note, found = 0.0, "", dict[str, Any]()
    try:
        found = told("tools.bench.heap_device", *command, "--heap", heap)
        played = 100 * found["played"] / found["frames"]
    except RuntimeError as error:
        note = str(error)
    limit = 100 if heap == HEAP else None
    row = Row(
        name=f"reply played at {heap}",
        value=played,
        unit="%",
        limit=limit,
        at_least=True,
        note=note,
    )
    return row, found
