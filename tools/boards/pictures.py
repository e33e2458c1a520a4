"""Wiring pictures as SVG: the board in the middle, its parts on both sides, straight wires.

Pins are in the order of the wires, not where they are on the board: the names count.
"""

from collections.abc import Iterator
from html import escape

from tools.boards.chips import CHIPS
from tools.boards.files import Board
from tools.boards.wiring import Part, parts

ROW = 22  # px from wire to wire
HEAD = 42  # of a part's box
GAP = 18  # between boxes
PART_WIDTH = 230
WIRE = 130
BOARD_WIDTH = 250
MARGIN = 16
TOP = 64
_COLOURS = {"3V3": "#c62828", "5V": "#c62828", "GND": "#222222"}
_SIGNALS = ("#1565c0", "#2e7d32", "#e65100", "#6a1b9a", "#00838f", "#ad1457", "#5d4037")
_PAPER, _INK, _FAINT = "#ffffff", "#1c1c1c", "#5f6368"
_BOARD, _PART, _OWN = "#e8f0e4", "#eef2fb", "#f4f4f4"


def picture(board: Board, title: str) -> str:
    """The picture of what is wired by hand, or of everything where nothing is."""
    listed = parts(board)
    by_hand = [part for part in listed if part.by_hand]
    shown = by_hand or listed
    sides = [[part for part in shown if part.side == side] for side in ("left", "right")]
    heights = [sum(_height(part) + GAP for part in side) - GAP for side in sides]
    inner = max(*heights, HEAD + 2 * ROW)
    width = 2 * MARGIN + BOARD_WIDTH + (PART_WIDTH + WIRE) * (2 if sides[1] else 1)
    lines = list(_frame(width, TOP + inner + MARGIN, title, _caption(bool(by_hand))))
    board_x = MARGIN + PART_WIDTH + WIRE
    name = CHIPS[board["chip"]].name
    lines.append(_box(board_x, TOP, BOARD_WIDTH, inner, _BOARD, "#4f6f43", 8))
    lines.append(_text(board_x + BOARD_WIDTH // 2, TOP + 22, name, anchor="middle", weight="bold"))
    for side, x in zip(sides, (MARGIN, width - MARGIN - PART_WIDTH), strict=True):
        y = TOP
        for part in side:
            lines += _part(part, x, y, board_x, shown.index(part))
            y += _height(part) + GAP
    return "\n".join([*lines, "</svg>"]) + "\n"


def _frame(width: int, height: int, title: str, caption: str) -> Iterator[str]:
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif" font-size="13">'
    )
    yield _box(0, 0, width, height, _PAPER, "none", 0)
    yield _text(MARGIN, 26, title, size=17, weight="bold")
    yield _text(MARGIN, 46, caption, colour=_FAINT)


def _caption(by_hand: bool) -> str:
    if by_hand:
        return "Red: supply. Black: ground. Pins are found by their names, not by their places."
    return "Nothing to be soldered: this is how the parts are connected inside."


def _height(part: Part) -> int:
    return HEAD + ROW * len(part.wires) + 6


def _part(part: Part, x: int, y: int, board_x: int, number: int) -> Iterator[str]:
    fill = _PART if part.by_hand else _OWN
    yield _box(x, y, PART_WIDTH, _height(part), fill, "#5b6b8c", 6)
    yield _text(x + 10, y + 20, part.title, weight="bold")
    if part.note:
        yield _text(x + 10, y + 35, part.note, colour=_FAINT, size=11)
    left = x < board_x
    for index, wire in enumerate(part.wires):
        middle = y + HEAD + ROW * index + ROW // 2
        colour = _COLOURS.get(wire.to, _SIGNALS[(number + index) % len(_SIGNALS)])
        ends = (x + PART_WIDTH, board_x) if left else (board_x + BOARD_WIDTH, x)
        inside = (ends[0] - 8, ends[1] + 8) if left else (ends[1] + 8, ends[0] - 8)
        anchors = ("end", "start") if left else ("start", "end")
        yield _line(*ends, middle, colour)
        yield _text(inside[0], middle + 4, wire.pin, anchor=anchors[0])
        yield _text(inside[1], middle + 4, wire.to, anchor=anchors[1])


def _line(x1: int, x2: int, y: int, colour: str) -> str:
    dots = "".join(f'<circle cx="{x}" cy="{y}" r="3.5" fill="{colour}"/>' for x in (x1, x2))
    return f'<path d="M{x1} {y}H{x2}" stroke="{colour}" stroke-width="2.5"/>{dots}'


def _box(x: int, y: int, width: int, height: int, fill: str, edge: str, radius: int) -> str:
    return (
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}" '
        f'fill="{fill}" stroke="{edge}"/>'
    )


def _text(
    x: int,
    y: int,
    text: str,
    *,
    anchor: str = "start",
    size: int = 13,
    weight: str = "normal",
    colour: str = _INK,
) -> str:
    return (
        f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-size="{size}" '
        f'font-weight="{weight}" fill="{colour}">{escape(text)}</text>'
    )
