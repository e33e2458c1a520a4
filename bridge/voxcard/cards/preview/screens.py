"""The screens a card can be fitted to without a device: by size, or by a board's file."""

import json
import struct
from pathlib import Path

from voxwire.capability import BLOCKS, Screen
from voxwire.type import scale as typography

from voxcard import board_panels
from voxcard.errors import VoxcardError
from voxcard.json_value import JsonObject

# width, height, depth, shape
SIZES: dict[str, tuple[int, int, int, str]] = {
    "128x64": (128, 64, 1, "rect"),
    "128x128": (128, 128, 16, "rect"),
    "240x240": (240, 240, 16, "rect"),
    "240x240-round": (240, 240, 16, "round"),
    "320x240": (320, 240, 16, "rect"),
    "240x135": (240, 135, 16, "rect"),
    "80x160": (80, 160, 16, "rect"),
}
_BOARD = "board:"


def named(name: str, boards: Path, fonts: Path) -> Screen:
    """The screen `name`: one of SIZES, or board:<id> of a file in `boards`.

    `fonts` holds the device's font files, which say what it writes by itself. VoxcardError for
    any other name.
    """
    if name.startswith(_BOARD):
        board = _board(name.removeprefix(_BOARD), boards)
        display = board.get("display")
        if not display or "width" not in display:
            raise VoxcardError(f"The board {name.removeprefix(_BOARD)} has no screen.", _OTHER)
        screen = of_display(display, fonts)
        return screen if board_panels.faces(board) else _of_cells(screen)
    if name not in SIZES:
        known = ", ".join(SIZES)
        raise VoxcardError(f"{name} is no known screen.", f"Use {known} or board:<id>.")
    width, height, depth, shape = SIZES[name]
    return _screen(width, height, depth, shape, 0, fonts)


_OTHER = "Name another board or a size, for example 240x240."


def of_display(display: JsonObject, fonts: Path) -> Screen:
    """The screen of a board file's `display`, which has a width and a height."""
    depth = board_panels.depth(display)
    shape, pitch_um = display.get("shape", "rect"), display.get("pitch_um", 0)
    return _screen(display["width"], display["height"], depth, shape, pitch_um, fonts)


def with_screens(boards: Path) -> dict[str, JsonObject]:
    """The `display` of every board in the folder that has a panel, by the board's id."""
    displays = {}
    for path in sorted(boards.glob("*.json")):
        if path.stem != "schema":
            display = json.loads(path.read_text(encoding="utf-8")).get("display")
            if display and "width" in display:
                displays[path.stem] = display
    return displays


def _of_cells(screen: Screen) -> Screen:
    """The screen of a device that has no faces of type."""
    return screen._replace(blocks=BLOCKS, faces=())


def _board(board: str, boards: Path) -> JsonObject:
    path = boards / f"{board}.json"
    if Path(board).name != board or board == "schema" or not path.exists():
        known = ", ".join(with_screens(boards)) or "none"
        raise VoxcardError(f"There is no board {board}.", f"Boards with a screen: {known}.")
    content: JsonObject = json.loads(path.read_text(encoding="utf-8"))
    return content


def _screen(width: int, height: int, depth: int, shape: str, pitch_um: int, fonts: Path) -> Screen:
    # As the firmware chooses its text cell: the small one where few columns fit.
    cell = (6, 12) if min(width, height) <= 128 else (8, 16)
    ranges = font_ranges(fonts / f"{cell[0]}x{cell[1]}.font")
    screen = Screen(width, height, depth, shape, pitch_um, cell, ranges, BLOCKS)
    if depth == 1:
        return screen
    # A board with a panel in colours has PSRAM, as a rule.
    screen = screen._replace(picture_bytes=width * height * 2)
    return screen._replace(blocks=(*BLOCKS, "drawn"), faces=typography.faces(screen))


def font_ranges(path: Path) -> tuple[tuple[int, int], ...]:
    """(first, last) code points in a device's font file (see tools/build/make_font.py)."""
    data = path.read_bytes()
    count = struct.unpack_from(">H", data, 6)[0]
    return tuple(struct.unpack_from(">HH", data, 8 + 6 * index) for index in range(count))
