"""Which of the firmware's modules a board carries: not the simulator's, not others' drivers."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tools.build.firmware import FIRMWARE

DRIVERS = "hal/drivers/"
SIMULATED = ("hal/simulator.py", "hal/simulated_audio.py")


def drivers(board: dict[str, Any]) -> set[str]:
    """The drivers of the board file `board`, paths under firmware/; those they are built on too.

    A chip without a driver has none: the firmware says so when it starts.
    """
    audio = board["audio"]
    chips = [stream.get("codec", {}).get("chip") for stream in (audio["in"], audio["out"])]
    chips.append((board.get("display") or {}).get("driver"))
    found: set[str] = set()
    waiting = [f"{DRIVERS}{chip.lower()}.py" for chip in chips if chip]
    while waiting:
        path = waiting.pop()
        if path not in found and (FIRMWARE / path).exists():
            found.add(path)
            waiting += _drivers_imported(FIRMWARE / path)
    return found


def _drivers_imported(source: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("hal.drivers."):
            yield f"{str(node.module).replace('.', '/')}.py"


def left_out(board: dict[str, Any]) -> set[str]:
    """Modules under firmware/ that this board has no use for."""
    every = {f"{DRIVERS}{path.name}" for path in (FIRMWARE / DRIVERS).glob("*.py")}
    return (every - drivers(board)) | set(SIMULATED)
