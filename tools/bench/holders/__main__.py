"""What lies in the heap of an idle board without PSRAM: its modules and its objects, by size.

    python -m tools.bench.holders --board ID [--least BYTES]

Bytes of a true 32-bit interpreter: what each import left, without what it imported itself, and
what each object holds with all below it. Objects are estimates by the sizes of MicroPython's
structures, and closures and coroutines cannot be looked into; `tools.bench.heap_device` measures.
"""

import argparse
import ast
import asyncio
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from voxcard.cable.board_parts import left_out

from tools.bench.conversation import Board, at_home
from tools.boards import files
from tools.build.firmware import FIRMWARE
from tools.build.interpreters import RESERVE, frozen32

PROBE = Path(__file__).with_name("probe.py")
HEAP_BYTES = 1 << 20  # the counting itself needs room
LEAST_BYTES = 256
# What a board imports without being told by `app`: it depends on its parts.
PARTS = ("hal.esp32", "hal.drivers.*", "hal.parts.*", "hal.sound.*", "screen.view")


def _imports(nodes: Iterable[ast.stmt]) -> Iterator[str]:
    """Names that statements outside of functions and classes import."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{each.name}" for each in node.names)
        elif isinstance(node, ast.Try | ast.If):
            yield from _imports([*node.body, *node.orelse])


def in_order(names: Iterable[str], folder: Path = FIRMWARE) -> list[str]:
    """Modules of `folder`, and what they import at their top: each after those it imports."""
    order: list[str] = []
    seen: set[str] = set()

    def visit(name: str) -> None:
        path = folder / name.replace(".", "/")
        sources = [p for p in (path.with_suffix(".py"), path / "__init__.py") if p.exists()]
        if name in seen or not sources:
            return
        seen.add(name)
        if "." in name:
            visit(name.rpartition(".")[0])
        for each in _imports(ast.parse(sources[0].read_text("utf-8")).body):
            visit(each)
        order.append(name)

    for name in names:
        visit(name)
    return order


def modules_of(board: Board) -> list[str]:
    """The modules of a board that are imported one by one."""
    absent = left_out(board, FIRMWARE)
    names = ["app"]
    for part in PARTS:
        paths = sorted(FIRMWARE.glob(part.replace(".", "/") + ".py"))
        relative = [path.relative_to(FIRMWARE) for path in paths]
        names += [
            ".".join(p.with_suffix("").parts) for p in relative if p.as_posix() not in absent
        ]
    if not board.get("display"):
        names.remove("screen.view")
    return in_order(names)


async def holders(folder: Path, board: Board) -> dict[str, Any]:
    """What the probe reports of a board that has greeted its bridge and listed its tools."""
    program = f"MODULES = {modules_of(board)!r}\n{PROBE.read_text('utf-8')}"
    options: dict[str, Any] = {"heap": str(HEAP_BYTES), "interpreter": frozen32(RESERVE)}
    async with at_home(folder, board, main=program, **options) as (_, device, _):
        (folder / "flash" / "look").touch()
        return await device.wait("holders")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--board", required=True, metavar="ID", choices=files.every())
    parser.add_argument("--least", type=int, default=LEAST_BYTES, metavar="BYTES")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(holders(Path(folder), files.every()[options.board]))
    for title in ("modules", "objects"):
        print(f"{title}, in bytes:")
        for size, name in found[title]:
            if size >= options.least:
                print(f"{size:7} {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
