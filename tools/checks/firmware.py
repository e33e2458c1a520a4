"""Compile the firmware for the boards' two architectures; exit 1 if it fails or is too large.

Prints the size of the .mpy files that the largest board carries, fonts apart. In flash there is
room for ten times that; what it costs in the heap, tools.bench.heap_device measures.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))
from voxcard.cable.board_parts import left_out

from tools.build.firmware import FIRMWARE, ROOT, built

# mpy-cross's names, and the chips that have them.
ARCHITECTURES = {"xtensawin": ("esp32", "esp32s3"), "rv32imc": ("esp32c3",)}
# Two slots of it, fonts included, in half of the 2 MB that a flash of 4 MB has for files; what is
# read into the heap has a budget of its own (tests/heap32).
BYTES_MAX = 224 * 1024


def boards() -> list[dict[str, Any]]:
    """Every board file."""
    files = sorted((ROOT / "boards").glob("*.json"))
    return [json.loads(path.read_text("utf-8")) for path in files if path.name != "schema.json"]


def size_of(board: dict[str, Any], compiled: Path) -> int:
    """Bytes of .mpy that a board carries of a compiled firmware."""
    absent = {str(Path(name).with_suffix(".mpy")) for name in left_out(board, FIRMWARE)}
    return sum(
        path.stat().st_size
        for path in compiled.rglob("*.mpy")
        if path.relative_to(compiled).as_posix() not in absent
    )


def main() -> int:
    failed = False
    for architecture, chips in ARCHITECTURES.items():
        with tempfile.TemporaryDirectory() as folder:
            try:
                compiled = built(Path(folder), arch=architecture)
            except subprocess.CalledProcessError as error:
                # mpy-cross has said what is wrong, and where.
                print(f"{architecture}: {error}")
                return 1
            carried = [each for each in boards() if each["chip"] in chips]
            sizes = {board["id"]: size_of(board, compiled) for board in carried}
        largest = max(sizes, key=lambda board_id: sizes[board_id])
        print(f"{architecture}: {sizes[largest]} bytes of .mpy on {largest}, the largest")
        failed = failed or sizes[largest] > BYTES_MAX
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
