"""The firmware under MicroPython: heap of messages, audio frames, screens, the whole device."""

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from voxcard.link.embedded_broker import EmbeddedBroker

from tools.bench import heap_device
from tools.bench.heap_device import (
    BOARD_FILES_KB,
    FILES_KB,
    FILES_PHOTO_KB,
    IDLE_KB,
    PHOTO_BYTES,
    PHOTO_KB,
    TALK_KB,
)
from tools.bench.rows import Row
from tools.build.interpreters import Interpreter, MissingToolError, frozen32, host, plain32

ROOT = Path(__file__).parents[2]
PART_HEAP = "150k"  # for a part of the firmware, compiled where it runs
HOST_HEAP = "2M"
MESSAGE_BYTES = 256
STILL = {
    "imported": "the modules",
    "board": "the simulated board",
    "objects": "the objects",
}
MESSAGE_HEAP = {
    "publish_bytes": "heap of a frame published",
    "publish_qos1_bytes": "heap of a QoS 1 publish",
    "receive_bytes": "heap of a frame received",
}
BAND_BYTES = 12 * 1024
# Of each class the one that needs most, and of the first one with a camera: its photo is taken.
BOARDS = {
    "diy-s3-lcd": ("class 1", BOARD_FILES_KB),
    "freenove-s3-wroom-cam": ("class 1", BOARD_FILES_KB),
    "m5-atoms3-echo-base": ("class 2", TALK_KB),
}
# us per 320 samples, measured when the routines were chosen; the budget is within twice of them.
AUDIO_US = {"encode": 3.14, "decode": 2.66, "gain": 0.94, "level": 0.88}
LIMIT_S = 90.0


def program(name: str, *arguments: str, interpreter: Interpreter, heap: str) -> dict[str, Any]:
    """What a program of tools/bench prints under MicroPython."""
    path = ROOT / "tools" / "bench" / name
    return printed(
        f"tools/bench/{name}",
        *(str(interpreter.path), "-X", f"heapsize={heap}", str(path), *arguments),
        MICROPYPATH=f"{ROOT / 'firmware'}:{ROOT / 'bridge/voxcard/cards/preview'}:.frozen",
    )


def printed(name: str, *command: str, **environ: str) -> dict[str, Any]:
    """The JSON a command prints."""
    figures: dict[str, Any] = json.loads(output(name, *command, **environ))
    return figures


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
    """Heap of the MQTT client against a broker.

    On this computer's interpreter, where an object is twice as wide as on a board. A 32-bit unix
    port would mislead: asyncio keeps streams by id(), and an address is a big integer there, which
    those of the boards (below 2**30) are not.
    """
    figures = asyncio.run(_heap_mqtt())
    rows = [
        Row(name=name, value=figures[key], unit="B", limit=MESSAGE_BYTES)
        for key, name in MESSAGE_HEAP.items()
    ]
    per_second = figures["idle_bytes"] * 1000 / figures["idle_ms"]
    return [*rows, Row(name="idle churn of the link", value=per_second, unit="B/s", limit=0)]


async def _heap_mqtt() -> dict[str, Any]:
    broker = EmbeddedBroker(port=0)
    await broker.start()
    try:
        port = str(broker.port)
        return await asyncio.to_thread(
            program, "heap_mqtt.py", "127.0.0.1", port, interpreter=host(), heap=HOST_HEAP
        )
    finally:
        await broker.stop()


def sound() -> list[Row]:
    """Audio routines and the tasks around them: their speed here, their heap on 32 bit."""
    speed = program("device_audio.py", interpreter=host(), heap=HOST_HEAP)
    memory = program("device_audio.py", interpreter=plain32(), heap=PART_HEAP)
    rows = []
    for name, before_us in AUDIO_US.items():
        us, heap = speed[f"{name}_us"], memory[f"{name}_heap_bytes"]
        rows.append(Row(name=f"{name}, 20 ms", value=us, unit="us", limit=2 * before_us))
        rows.append(Row(name=f"{name}, heap", value=heap, unit="B", limit=0))
    # Of the task's own waiting, as asyncio has it; the sound itself is in buffers made once.
    for part in ("capture", "playback"):
        heap = memory[f"{part}_heap_bytes_per_frame"]
        rows.append(Row(name=f"{part} task, heap a 40 ms frame", value=heap, unit="B"))
        rows.append(Row(name=f"{part}, buffers", value=memory[f"{part}_bytes"], unit="B"))
    return rows


def screen() -> list[Row]:
    """Whole screens drawn by the firmware's own code."""
    rows = []
    screens = program("device_screen.py", interpreter=host(), heap=HOST_HEAP)
    for panel, figures in screens.items():
        for what in ("text", "code", "state"):
            rows.append(Row(name=f"{panel} {what}", value=figures[f"{what}_ms"], unit="ms"))
        write_bytes, step_ms = figures["write_bytes"], figures["step_ms"]
        name = f"{panel} bytes of one write"
        rows.append(Row(name=name, value=write_bytes, unit="B", limit=BAND_BYTES))
        rows.append(Row(name=f"{panel} longest step", value=step_ms, unit="ms", limit=5))
    return rows


def size() -> list[Row]:
    """The firmware as boards carry it."""
    words = output("tools/checks/firmware.py", sys.executable, "tools/checks/firmware.py")
    said = r"^(\w+): (\d+) bytes of \.mpy on .*: (\d+) to spare$"
    sizes = re.findall(said, words, re.MULTILINE)
    if not sizes:
        raise RuntimeError(f"tools/checks/firmware.py gave no sizes but: {words[-200:]}")
    return [
        Row(
            name=f".mpy for {architecture}, on its tightest board",
            value=int(total),
            unit="B",
            limit=int(total) + int(spare),
        )
        for architecture, total, spare in sizes
    ]


def whole() -> list[Row]:
    """The whole device on 32 bit: frozen into the image, and read from files."""
    return [
        *_device(
            "frozen",
            frozen32,
            [("a conversation", TALK_KB, 0), ("with a photo", PHOTO_KB, PHOTO_BYTES)],
        ),
        *_device(
            "files",
            plain32,
            [("a conversation", FILES_KB, 0), ("with a photo", FILES_PHOTO_KB, PHOTO_BYTES)],
        ),
        *_boards(),
    ]


def _boards() -> list[Row]:
    """Boards from their own files, on stand-ins for their chips."""
    rows: list[Row] = []
    for board, (kind, heap_kb) in BOARDS.items():
        try:
            figures = heap_device.measured_board(board)
        except MissingToolError as error:
            return [*rows, Row(name=f"{kind}: {board}", value=None, unit="", note=str(error))]
        idle_limit = IDLE_KB * 1024 if kind == "class 2" else None
        names = (
            ("used_idle", "in use when idle", "B", idle_limit),
            ("smallest_heap_kb", "smallest heap of a conversation", "KB", heap_kb),
        )
        for key, what, unit, limit in names:
            name, value = f"{kind}: {board}, {what}", figures.get(key)
            note = "" if figures else f"it does not talk in {heap_kb} KB"
            rows.append(Row(name=name, value=value, unit=unit, limit=limit, note=note))
    return rows


def _device(
    name: str, get: Callable[[], Interpreter], conversations: list[tuple[str, int, int]]
) -> list[Row]:
    """Rows of one build; `conversations` are (what, heap in KB, bytes of the photo)."""
    try:
        interpreter = get()
    except MissingToolError as error:
        return [Row(name=f"{name}: the whole device", value=None, unit="", note=str(error))]
    sizes = heap_device.still(interpreter)
    rows = [
        Row(name=f"{name}: heap of {what}", value=sizes[key], unit="B")
        for key, what in STILL.items()
    ]
    for what, heap_kb, photo_bytes in conversations:
        figures = heap_device.survives(interpreter, heap_kb, photo_bytes)
        played = 100 * figures["played"] / figures["frames"] if figures else 0
        label = f"{name}: {what} in {heap_kb} KB, reply played"
        rows.append(Row(name=label, value=played, unit="%", limit=100, at_least=True))
        if figures:
            limit = IDLE_KB * 1024 if interpreter.files else None
            used, left = figures["used_idle"], figures["free_after_turn"]
            rows.append(Row(name=f"{name}: in use when idle", value=used, unit="B", limit=limit))
            rows.append(Row(name=f"{name}: free after it, of {heap_kb} KB", value=left, unit="B"))
    return rows
