"""Icons of cards as smoothed glyphs for the device's fonts, and a sheet of them to look at.

    python -m tools.build.icon_glyphs SHEET.png   draws every icon at 20, 28 and 64 px

The pictures are Material Design Icons' (Apache-2.0), from fonticon-materialdesignicons7.
"""

import argparse
import sys
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from voxcard.cards.drawing.faces import folder
from voxcard.cards.icons.table import ICONS

PACKAGE = "fonticon_mdi7"
FILE = "fonts/materialdesignicons-webfont.ttf"
LEVELS = 4  # of coverage, in two bits a pixel
SHEET_SIZES = (20, 28, 64)
_ASCENT = 448 / 512  # of the em, above the line the font's pictures stand on
_COLUMNS = 12


class IconBitmap(NamedTuple):
    """`rows`: `width` px square, rows of whole bytes as framebuf.GS2_HMSB has them: 4 px in a
    byte, the first in the lowest two bits. 0 is paper, 3 is ink."""

    code: int
    width: int
    rows: bytes


def icon_bitmaps(px: int) -> list[IconBitmap]:
    """Every icon as a square of `px` px, in the order of their codes."""
    return [IconBitmap(icon.code, px, packed(levels(icon.glyph, px))) for icon in ICONS.values()]


def font_file() -> Path:
    """The icon font; FileNotFoundError, with the command that brings it, where it is not."""
    place = folder(PACKAGE)
    if place is None:
        raise FileNotFoundError("The icon font is not installed: pip install -e '.[dev]'")
    return place / FILE


def levels(glyph: int, px: int, room: int = 0) -> Any:
    """The coverage of each pixel of a glyph of the icon font, 0 to 3, as rows of an array; with
    `room` px more on each side."""
    image = Image.new("L", (px + 2 * room, px + 2 * room))
    place = (room, room + round(px * _ASCENT))
    ImageDraw.Draw(image).text(place, chr(glyph), 255, font=_font(px), anchor="ls")
    return (np.asarray(image, np.uint16) * (LEVELS - 1) + 127) // 255


def packed(rows: Any) -> bytes:
    """Rows of levels as GS2_HMSB."""
    quads = np.pad(rows, ((0, 0), (0, -rows.shape[1] % 4))).reshape(rows.shape[0], -1, 4)
    return bytes((quads << np.array((0, 2, 4, 6))).sum(axis=2).astype(np.uint8))


def unpacked(bitmap: IconBitmap) -> Any:
    """The levels of a bitmap's pixels."""
    stride = -(-bitmap.width // 4)
    quads = np.frombuffer(bitmap.rows, np.uint8).reshape(-1, stride, 1)
    return (quads >> np.array((0, 2, 4, 6)) & 3).reshape(-1, 4 * stride)[:, : bitmap.width]


@cache
def _font(px: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(font_file(), px)


def sheet(zoom: int = 1) -> Image.Image:
    """Every icon as a device shows it, at each of SHEET_SIZES, with its name below."""
    cell = (sum(SHEET_SIZES) + 14, max(SHEET_SIZES) + 18)
    rows = -(-len(ICONS) // _COLUMNS)
    page = Image.new("L", (cell[0] * _COLUMNS, cell[1] * rows))
    draw = ImageDraw.Draw(page)
    left = 2
    for px in SHEET_SIZES:
        for index, bitmap in enumerate(icon_bitmaps(px)):
            x, y = index % _COLUMNS * cell[0], index // _COLUMNS * cell[1]
            picture = Image.fromarray((unpacked(bitmap) * 85).astype(np.uint8))
            page.paste(picture, (x + left, y + 2))
        left += px + 4
    for index, name in enumerate(ICONS):
        place = (index % _COLUMNS * cell[0] + 2, index // _COLUMNS * cell[1] + cell[1] - 14)
        draw.text(place, name, 160)
    return page.resize((page.width * zoom, page.height * zoom), Image.Resampling.NEAREST)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sheet", type=Path, help="the picture to write")
    parser.add_argument("--zoom", type=int, default=1)
    options = parser.parse_args()
    sheet(options.zoom).save(options.sheet)
    return 0


if __name__ == "__main__":
    sys.exit(main())
