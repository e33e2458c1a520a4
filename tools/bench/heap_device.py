"""What the whole device needs of heap: its modules, its objects, and the least it can talk in.

    python -m tools.bench.heap_device              the firmware frozen into a 32-bit MicroPython
    python -m tools.bench.heap_device --files      the firmware in .mpy files, 32 bit
    python -m tools.bench.heap_device --heap 100   one conversation in 100 KB; exit 1 if it fails
    python -m tools.bench.heap_device --board ID   a board of boards/, as its class runs it

Prints one JSON object, sizes in bytes. Heaps are in one piece and in KB of 1024 bytes. Everything
is measured on a true 32-bit interpreter (tools.build.interpreters): a 64-bit one with twice the
heap does not show what a board needs, because bytecode, texts and buffers do not double.
"""

import argparse
import asyncio
import itertools
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tools.bench.conversation import Board, at_home, converse
from tools.boards import files
from tools.build.firmware import built
from tools.build.interpreters import RESERVE, Interpreter, frozen32, plain32
from tools.sim.simulated_device import DeviceEndedError

# Of design section 10, in KB.
IDLE_KB = 84  # frozen: in use
TALK_KB = 100  # frozen: a conversation with a card and its code
PHOTO_KB = 116  # frozen: the same with a photo of PHOTO_BYTES
FILES_KB = 256  # from files: a conversation with a card; these boards have megabytes
FILES_PHOTO_KB = 272  # from files: the same with a photo
BOARD_FILES_KB = 320  # all of it on a board with a large colour screen
PHOTO_BYTES = 60_000
SMALLEST_KB = (64, 352)  # between these the smallest heap is looked for
FROZEN_HEAPS_KB = range(TALK_KB, 84, -2)  # of a board's conversation
FILES_HEAPS_KB = range(BOARD_FILES_KB, 224, -8)

PROGRAM = """
import gc, json

def used():
    gc.collect()
    gc.collect()
    return gc.mem_alloc()

start = used()
import app
imported = used()
from hal import this_board
board = this_board()
with_board = used()
device = app.App(board)
print(json.dumps({"imported": imported - start, "board": with_board - imported,
                  "objects": used() - with_board}))
"""


def still(interpreter: Interpreter) -> dict[str, int]:
    """Bytes of imports, board and objects of a device that has not started."""
    with tempfile.TemporaryDirectory() as folder:
        config = {"id": "heap", "host": "127.0.0.1", "root": folder, "speaker": f"{folder}/s.wav"}
        done = subprocess.run(
            [interpreter.path, "-X", "heapsize=2M", "-c", PROGRAM],
            capture_output=True,
            text=True,
            check=True,
            cwd=interpreter.files or built(arch=interpreter.arch),
            env={
                **os.environ,
                "MICROPYPATH": ".frozen",
                "VOXCARD_SIMULATOR": json.dumps(config),
            },
        )
    sizes: dict[str, int] = json.loads(done.stdout)
    return sizes


async def leaf_through(folder: Path, heap: str, cards: int, pages: int) -> dict[str, int]:
    """`cards` cards of `pages` pages on a device of that heap, every page of the first and of
    the last turned: bytes free after the fifth and after the last."""
    async with at_home(folder, heap=heap) as (talk, device, bridge):
        free = {}
        for number in range(cards):
            lines = [f"Card {number} · Привет", "On its way to you"]
            shown = [{"k": "t", "t": f"Page {page}", "l": lines} for page in range(pages)]
            card_id = f"leaf-{number}"
            bridge.say("card", op="show", card={"id": card_id, "rev": 0, "pages": shown})
            await bridge.heard(type="card", event="shown", id=card_id)
            for page in range(1, pages) if number in (0, cards - 1) else ():
                await device.press(ms=60)
                await bridge.heard(type="card", event="page", id=card_id, page=page)
            if number in (4, cards - 1):
                free[number] = (await talk.memory(100 + number))["free_bytes"]
    return {"early": free[4], "late": free[cards - 1]}


def survives(interpreter: Interpreter, heap_kb: int, photo_bytes: int = 0) -> dict[str, int]:
    """What `converse` returns; empty when the device could not talk in that heap."""
    return asyncio.run(_survives(interpreter, heap_kb, photo_bytes, None))


async def _survives(
    interpreter: Interpreter, heap_kb: int, photo_bytes: int, board: Board | None
) -> dict[str, int]:
    with tempfile.TemporaryDirectory() as folder:
        try:
            return await converse(Path(folder), interpreter, heap_kb, photo_bytes, board)
        except (DeviceEndedError, TimeoutError, KeyError, ExceptionGroup):
            return {}


def of_board(
    interpreter: Interpreter, board: Board, heaps_kb: range, photo_bytes: int = 0
) -> dict[str, int]:
    """What `converse` returns for a board in the first of these heaps, and the smallest one.

    They are tried beside each other. Empty when even the first is too small.
    """

    async def tried() -> list[tuple[int, dict[str, int]]]:
        found = [_survives(interpreter, heap, photo_bytes, board) for heap in heaps_kb]
        return list(zip(heaps_kb, await asyncio.gather(*found), strict=True))

    outcomes = asyncio.run(tried())
    figures = outcomes[0][1]
    if figures:
        # Whatever is below a heap that fails counts for nothing.
        passed = itertools.takewhile(lambda outcome: outcome[1], outcomes)
        figures["smallest_heap_kb"] = min(heap for heap, _ in passed)
    return figures


def smallest_kb(interpreter: Interpreter, photo_bytes: int = 0) -> int:
    """The least heap, to 2 KB, in which the conversation goes well."""
    low, high = SMALLEST_KB
    while high - low > 2:
        middle = (low + high) // 2
        low, high = (low, middle) if survives(interpreter, middle, photo_bytes) else (middle, high)
    return high


def measured(interpreter: Interpreter) -> dict[str, Any]:
    """Bytes of code, board and objects, bytes free before and after a turn, the smallest heaps."""
    return {
        **still(interpreter),
        **survives(interpreter, SMALLEST_KB[1], PHOTO_BYTES),
        "smallest_heap_kb": smallest_kb(interpreter),
        "smallest_heap_with_photo_kb": smallest_kb(interpreter, PHOTO_BYTES),
    }


def measured_board(board_id: str) -> dict[str, int]:
    """A board's bytes in use when idle, and the smallest heap it talks in (with a photo if it has
    a camera): frozen or from files, as its class runs it."""
    board = files.every()[board_id]
    photo_bytes = PHOTO_BYTES if board.get("camera") else 0
    if board["class"] == 2:
        return of_board(frozen32(RESERVE), board, FROZEN_HEAPS_KB, photo_bytes)
    return of_board(plain32(), board, FILES_HEAPS_KB, photo_bytes)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--files", action="store_true", help="read the firmware from .mpy files")
    parser.add_argument("--heap", type=int, metavar="KB", help="one conversation in this heap")
    parser.add_argument(
        "--photo", type=int, default=PHOTO_BYTES, metavar="BYTES", help="its photo"
    )
    parser.add_argument("--board", metavar="ID", help="of boards/, on stand-ins for its chip")
    options = parser.parse_args()
    if options.board:
        print(json.dumps(measured_board(options.board), indent=1))
        return 0
    interpreter = plain32() if options.files else frozen32()
    if options.heap is None:
        print(json.dumps(measured(interpreter), indent=1))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        conversation = converse(Path(folder), interpreter, options.heap, options.photo)
        print(json.dumps(asyncio.run(conversation)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
