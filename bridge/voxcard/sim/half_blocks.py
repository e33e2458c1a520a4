"""A picture in colours as lines of a terminal: half blocks, two pixels a character."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import Any

import numpy
from numpy.typing import NDArray

from voxcard.sim.pixels import Pixels

_GAMMA = 2.2  # of a terminal: thin lines stay bright when light is added, not numbers


class Colours(Enum):
    """How many a terminal has; NONE is also for what is no terminal."""

    NONE = 0
    PALETTE = 256
    TRUE = 1 << 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Canvas:
    """A terminal: how many characters a line has, and its colours."""

    columns: int
    colours: Colours


def canvas(environment: Mapping[str, str], is_terminal: bool, columns: int) -> Canvas:
    """What the environment says of it: NO_COLOR (no-color.org), TERM, COLORTERM."""
    if not is_terminal or environment.get("NO_COLOR") or environment.get("TERM") == "dumb":
        colours = Colours.NONE
    elif environment.get("COLORTERM") in ("truecolor", "24bit"):
        colours = Colours.TRUE
    else:
        colours = Colours.PALETTE
    return Canvas(columns=columns, colours=colours)


def lines(pixels: Pixels, on: Canvas) -> str:
    """The picture, over a line that says so where several pixels became one to fit."""
    width = pixels.shape[1]
    factor = -(-width // max(on.columns, 1))
    upper, lower = _pairs(_reduced(pixels, factor))
    codes = _true if on.colours is Colours.TRUE else _palette
    rows = [_row(*row) for row in zip(codes(upper), codes(lower), strict=True)]
    if factor > 1:
        rows.insert(0, f"At 1/{factor}: {width} pixels do not fit into {on.columns} columns.")
    return "\n".join(rows)


def _reduced(pixels: Pixels, factor: int) -> Pixels:
    """The mean light of each square of `factor` pixels; what is missing at an edge repeats it."""
    height, width, _ = pixels.shape
    more = ((0, -height % factor), (0, -width % factor), (0, 0))
    light = (numpy.pad(pixels, more, "edge") / 255) ** _GAMMA
    squares = light.reshape(-(-height // factor), factor, -(-width // factor), factor, 3)
    levels = squares.mean(axis=(1, 3)) ** (1 / _GAMMA) * 255
    reduced: Pixels = levels.round().astype(numpy.uint8)
    return reduced


def _pairs(pixels: Pixels) -> tuple[Pixels, Pixels]:
    """Upper and lower halves of the characters; a last row alone has black below."""
    even = numpy.pad(pixels, ((0, len(pixels) % 2), (0, 0), (0, 0)))
    return even[::2], even[1::2]


def _true(pixels: Pixels) -> list[list[str]]:
    return [[f"2;{red};{green};{blue}" for red, green, blue in row] for row in pixels.tolist()]


_CUBE = numpy.array((0, 95, 135, 175, 215, 255))  # xterm's colours 16 to 231
_GREYS = numpy.arange(8, 248, 10)  # and 232 to 255


def _palette(pixels: Pixels) -> list[list[str]]:
    """The nearest of xterm's 256 colours, the first sixteen apart: those are the person's own."""
    rgb = pixels.astype(int)
    place = _nearest(rgb, _CUBE)
    grey = _nearest(rgb.mean(-1), _GREYS)
    of_cube = ((rgb - _CUBE[place]) ** 2).sum(-1)
    of_greys = ((rgb - _GREYS[grey][..., None]) ** 2).sum(-1)
    number = numpy.where(of_greys < of_cube, 232 + grey, 16 + place @ (36, 6, 1))
    return [[f"5;{each}" for each in row] for row in number.tolist()]


def _nearest(values: NDArray[Any], levels: NDArray[Any]) -> NDArray[Any]:
    places: NDArray[Any] = numpy.abs(values[..., None] - levels).argmin(-1)
    return places


def _row(upper: list[str], lower: list[str]) -> str:
    """One line; a colour is named where it changes."""
    pairs = list(zip(upper, lower, strict=True))
    text = ""
    for (above, below), (above_now, below_now) in pairwise([("", ""), *pairs]):
        text += f"\x1b[38;{above_now}m" * (above_now != above)
        text += f"\x1b[48;{below_now}m" * (below_now != below) + "▀"
    return text + "\x1b[0m"
