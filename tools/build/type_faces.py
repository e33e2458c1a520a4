"""Makes the smoothed, proportional faces of colour panels, or checks the ones that are there.

    python -m tools.build.type_faces            writes firmware/faces/{t,b,d}<height>.font
    python -m tools.build.type_faces --check    exit 1 when they are not what the package makes

Inter (package fontpkg-inter, OFL) and icons (tools.build.icon_glyphs) at the sizes of
voxwire.type.scale, in 4 levels a pixel. firmware/screen/type/face.py describes the file.
"""

import argparse
import struct
import sys
from functools import cache
from importlib.util import find_spec
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple

from fontTools.ttLib import TTFont
from PIL import Image, ImageDraw, ImageFont
from voxwire.type import scale as typography

from tools.build.icon_glyphs import icon_bitmaps
from tools.build.make_font import WANTED

TARGET = Path(__file__).parents[2] / "firmware" / "faces"
PACKAGE = "fontpkg_inter"
_SPEC = find_spec(PACKAGE)
assert _SPEC and _SPEC.origin, f"{PACKAGE} is not installed; make setup installs it"
SOURCE = Path(_SPEC.origin).parent / "files" / "Inter[opsz,wght].ttf"
WEIGHTS = {"t": 420, "b": 640, "d": 600}
HEIGHTS = {
    "t": typography.TEXT,
    "b": typography.BOLD,
    "d": typography.FIGURES,
    "i": typography.ICONS,
}
# What large figures stand with; tabular, so that a clock does not shake.
FIGURES = (
    "0123456789 .,:;'+-–−±/%‰°€$£¥₩()<>×½µΩ²³…?!&"
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)
BITS = 2
_OPTICAL = (14, 32)  # the range of Inter's optical size
_LESS = 0.125  # px of an em, at a time


class Glyph(NamedTuple):
    """px; `left` and `top` (upwards) are where the rows begin, seen from the baseline's start."""

    advance: int
    left: int
    top: int
    width: int
    height: int
    rows: bytes

    @property
    def record(self) -> bytes:
        """The glyph as the file has it."""
        return struct.pack(">BbbBB", *self[:5]) + self.rows


class Maker:
    """Draws the glyphs of one face."""

    def __init__(self, name: str) -> None:
        self.cap = typography.cap_px(name)
        with TTFont(SOURCE, lazy=True) as font:
            self._codes = set(font.getBestCmap())
            units, line = font["head"].unitsPerEm, font["hhea"]
            em = self.cap * units / font["OS/2"].sCapHeight + 2 * _LESS
        self._weight, self._tabular = WEIGHTS[name[0]], name[0] == "d"
        self._font = self._sized(em)
        # Hinting, which makes strokes crisp, rounds what letters are high.
        while self._height() > self.cap:
            em -= _LESS
            self._font = self._sized(em)
        self.ascent, self.descent = (
            ceil(line.ascent * em / units),
            ceil(-line.descent * em / units),
        )

    def _sized(self, em: float) -> ImageFont.FreeTypeFont:
        font = ImageFont.truetype(str(SOURCE), em, layout_engine=_LAYOUT)
        font.set_variation_by_axes([min(max(em, _OPTICAL[0]), _OPTICAL[1]), self._weight])
        return font

    def _height(self) -> int:
        return self.glyph(ord("H")).height

    def codes(self, wanted: set[int]) -> list[int]:
        """Those of the code points that the font has."""
        return sorted(wanted & self._codes)

    def glyph(self, code: int) -> Glyph:
        """One character."""
        text = chr(code)
        advance = round(self._font.getlength(text))
        left, top, right, bottom = map(round, self._font.getbbox(text, anchor="ls"))
        if self._tabular and text.isdigit():
            advance, shift = self._figure, (self._figure - advance) // 2
        else:
            shift = 0
        if right <= left or bottom <= top:
            return Glyph(advance, 0, 0, 0, 0, b"")
        image = Image.new("L", (right - left, bottom - top))
        ImageDraw.Draw(image).text((-left, -top), text, 255, font=self._font, anchor="ls")
        box = image.getbbox() or (0, 0, 0, 0)
        image = image.crop(box)
        return Glyph(advance, left + box[0] + shift, -top - box[1], *image.size, packed(image))

    @property
    def _figure(self) -> int:
        return max(round(self._font.getlength(figure)) for figure in "0123456789")


_LAYOUT = ImageFont.Layout.BASIC


def packed(image: Any) -> bytes:
    """An image of coverage (mode L) as rows of GS2_HMSB: 4 px a byte, the first in low bits."""
    width, height = image.size
    levels = image.point([round(value / 85) for value in range(256)]).tobytes()
    rows = bytearray()
    for y in range(height):
        row = levels[y * width : (y + 1) * width].ljust(-(-width // 4) * 4, b"\0")
        for x in range(0, len(row), 4):
            rows.append(row[x] | row[x + 1] << 2 | row[x + 2] << 4 | row[x + 3] << 6)
    return bytes(rows)


def encode(cap: int, ascent: int, descent: int, glyphs: dict[int, Glyph]) -> bytes:
    """The bytes of the file of a face."""
    codes = sorted(glyphs)
    spans: list[list[int]] = []
    for index, code in enumerate(codes):
        if spans and code == spans[-1][1] + 1:
            spans[-1][1] = code
        else:
            spans.append([code, code, index])
    records = [glyphs[code].record for code in codes]
    head = struct.pack(">4s4BH", b"VXF2", cap, ascent, descent, BITS, len(spans))
    table = b"".join(struct.pack(">HHH", *span) for span in spans)
    at = len(head) + len(table) + 4 * (len(records) + 1)
    offsets = [at]
    for record in records:
        offsets.append(offsets[-1] + len(record))
    return head + table + struct.pack(f">{len(offsets)}I", *offsets) + b"".join(records)


@cache
def names() -> tuple[str, ...]:
    """Every face."""
    return tuple(f"{kind}{height}" for kind, heights in HEIGHTS.items() for height in heights)


def made(name: str) -> bytes:
    """The file of a face."""
    side = typography.cap_px(name)
    if name[0] == "i":
        icons = icon_bitmaps(side)
        return encode(side, side, 0, {each.code: _icon(side, each.rows) for each in icons})
    maker = Maker(name)
    if name[0] == "d":
        wanted = set(map(ord, FIGURES))
    else:
        wanted = {code for first, last in WANTED for code in range(first, last + 1)}
    glyphs = {code: maker.glyph(code) for code in maker.codes(wanted)}
    return encode(maker.cap, maker.ascent, maker.descent, glyphs)


def _icon(side: int, rows: bytes) -> Glyph:
    return Glyph(side, 0, side, side, side, rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    options = parser.parse_args()
    wrong = []
    for name in names():
        path, data = TARGET / f"{name}.font", made(name)
        if not options.check:
            path.write_bytes(data)
        elif not path.exists() or path.read_bytes() != data:
            wrong.append(f"{path.name}: is not what the package makes; run tools.build.type_faces")
    print("\n".join(wrong) or "faces ok")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
