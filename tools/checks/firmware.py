"""Compile the firmware for the boards' two architectures; exit 1 if it fails or is too large.

Prints the board whose .mpy files, fonts apart, come closest to what its flash has room for: two
slots of them, each with its fonts, in half of what MicroPython's image leaves for files. Boards of
class 2 carry the firmware in their image; tests/heap32 holds its size. What either costs in the
heap, tools.bench.heap_device measures.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))
from voxcard.board_panels import faces
from voxcard.cable.board_parts import left_out

from tools.build.firmware import FIRMWARE, ROOT, built

# mpy-cross's names, and the chips that have them.
ARCHITECTURES = {"xtensawin": ("esp32", "esp32s3"), "rv32imc": ("esp32c3",)}
KB, MB = 1024, 1024 * 1024
IMAGE_BYTES = 2 * MB  # of a stock image's flash, before its files
SLOTS = 2
FONTS_BYTES = 96 * KB  # kept in each slot for fonts of cells; faces of type are counted


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


def in_files(board: dict[str, Any]) -> bool:
    """Whether a board carries its firmware in files, not in its image."""
    within: bool = board["class"] == 1
    return within


def bytes_max(board: dict[str, Any]) -> int:
    """Bytes of .mpy that a slot in the flash of a board has room for."""
    files_bytes: int = board["flash_mb"] * MB - IMAGE_BYTES
    folder = FIRMWARE / "faces"
    faces_bytes = sum((folder / f"{name}.font").stat().st_size for name in faces(board))
    return files_bytes // 2 // SLOTS - FONTS_BYTES - faces_bytes


def verdict(sizes: list[tuple[dict[str, Any], int]]) -> tuple[list[str], bool]:
    """What is to be said of boards and the bytes they carry, and whether all have room for them.

    One line of the tightest board, or one of each that carries too much.
    """
    margins = sorted(
        (bytes_max(board) - size, board["id"], size, board["flash_mb"]) for board, size in sizes
    )
    over = [each for each in margins if each[0] < 0]
    lines = []
    for margin, board_id, size, flash_mb in over or margins[:1]:
        room = f"{-margin} too many" if margin < 0 else f"the tightest: {margin} to spare"
        lines.append(f"{size} bytes of .mpy on {board_id} with {flash_mb} MB of flash, {room}")
    return lines, not over


def main() -> int:
    fits = True
    for architecture, chips in ARCHITECTURES.items():
        with tempfile.TemporaryDirectory() as folder:
            try:
                compiled = built(Path(folder), arch=architecture)
            except subprocess.CalledProcessError as error:
                # mpy-cross has said what is wrong, and where.
                print(f"{architecture}: {error}")
                return 1
            carried = [each for each in boards() if each["chip"] in chips and in_files(each)]
            lines, all_fit = verdict([(board, size_of(board, compiled)) for board in carried])
            lines = lines or ["compiled; no board carries it in files"]
        for line in lines:
            print(f"{architecture}: {line}")
        fits = fits and all_fit
    return 0 if fits else 1


if __name__ == "__main__":
    sys.exit(main())
