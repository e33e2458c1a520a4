"""Text a device cannot write by itself, drawn to 1-bit rows: single glyphs and whole lines.

A glyph is one cell wide, or two for wide characters, and one cell high. Lines are those of
`lines`. Rows are padded to whole bytes, first pixel in the top bit, 1 = ink. Drawing is
slow enough (about 0.1 ms a glyph) to belong in a worker thread.
"""

import logging
import unicodedata
from functools import cache, lru_cache
from typing import NamedTuple

from voxcard.cards.drawing.faces import CJK, EMOJI, NOTO, Face, Size, face_of, folder
from voxcard.cards.drawing.lines import EM_MIN, Fonts, LineDrawer, Paragraph, Strip
from voxcard.errors import MissingExtra

_LOG = logging.getLogger(__name__)

# Share of the cell height that becomes the em size; the rest holds accents and descenders.
_EM_OF_CELL = 0.82
_BASELINE = 0.78  # of the cell height from its top, where the device's own font has it
_EM_OF_EMOJI = 0.8125  # the em of which the font's pictures are just as wide as the cell
# Syllables whose short stroke is lost at 12 px, where they would be another one (룰 as 를).
_STROKE_LOST = frozenset("룰뤽륌륑홈홉횹횔")
_BASELINE_CJK = 0.83  # its characters fill a square that reaches below the line letters stand on


class Glyph(NamedTuple):
    width: int  # px
    rows: bytes


class Drawer:
    """Draws for one text cell (width, height in px); raises MissingExtra without the fonts."""

    def __init__(self, cell: tuple[int, int]) -> None:
        self._fonts = Fonts()
        if folder(NOTO) is None:
            raise MissingExtra("The fonts for other scripts", "fonts")
        self.cell = cell
        self._lines = LineDrawer(self._fonts, cell[1])
        self.glyph = lru_cache(maxsize=2048)(self._glyph)

    def strip(self, text: str, width_max: int, rtl: bool = False) -> Strip:
        """`text` in one row of at most `width_max` px, shaped and in visual order, with an
        ellipsis for what has no room; `rtl` is its paragraph's direction."""
        return self._lines.strip(text, width_max, rtl)

    def fits(self, text: str, width_max: int, rtl: bool = False) -> bool:
        """Whether one row of `width_max` px holds all of `text`, its letters told apart."""
        return self._lines.fits(text, width_max, rtl)

    def paragraph(
        self, text: str, width_max: int, lines_max: int, *, rtl: bool, hang: int = 0
    ) -> Paragraph:
        """`text` (one paragraph) on lines of at most `width_max` px, at most `lines_max`;
        `hang` as in voxcard.cards.text.cells.wrap."""
        return self._lines.paragraph(text, width_max, lines_max, rtl=rtl, hang=hang)

    def block(self, lines: tuple[str, ...], how: Paragraph, width_max: int, rtl: bool) -> Strip:
        """Some lines of a paragraph, one under the other, in whole rows of text."""
        return self._lines.block(lines, how, width_max, rtl)

    def lacks(self, code_point: int) -> bool:
        """Whether no font holds a character; logged once for each."""
        return self._fonts.lacks(code_point)

    def _glyph(self, code_point: int) -> Glyph | None:
        """The bitmap of one character, or None (logged once) when no font here holds it."""
        face = face_of(code_point)
        if self.lacks(code_point) or face is None:
            return None
        wide = unicodedata.east_asian_width(chr(code_point)) in "WF"
        width = self.cell[0] * (2 if wide else 1)
        return Glyph(width, self._drawn(chr(code_point), face, wide, width))

    def _drawn(self, character: str, face: Face, wide: bool, width: int) -> bytes:
        image, draw = self._fonts.canvas(width, self.cell[1])
        size = self._size(character, face, wide)
        while True:
            font = self._fonts.open(face, size)
            left, top, right, bottom = draw.textbbox((0, 0), character, font=font, anchor="ls")
            # Symbols are often broader or taller than their cell.
            fits = right - left <= width and bottom - top <= self.cell[1]
            if fits or size.em <= EM_MIN:
                break
            size = size._replace(em=size.em - 0.5)
        x = (width - (right - left)) // 2 - left
        stands = round(self.cell[1] * (_BASELINE_CJK if face.package == CJK else _BASELINE))
        y = min(max(stands, -top), self.cell[1] - bottom)
        draw.text((x, y), character, 1, font=font, anchor="ls")
        return bytes(image.tobytes())

    def _size(self, character: str, face: Face, wide: bool) -> Size:
        """Em size in px for the cell; wide characters fill it but for a px between the lines."""
        if not wide:
            return Size(max(EM_MIN, round(self.cell[1] * _EM_OF_CELL)))
        side = min(2 * self.cell[0], self.cell[1])
        if face in EMOJI:
            return Size(side * _EM_OF_EMOJI, 700 if side <= 12 else 500)
        if side > 12:
            return Size(side - 1)
        # Strokes of 12 px need each of them: the sizes at which the fewest are lost.
        hangul = "\uac00" <= character <= "\ud7a3"
        return Size(11.5 if character in _STROKE_LOST else 12 if hangul else 11.75)


@cache
def drawer(cell: tuple[int, int]) -> Drawer | None:
    """The one drawer for a text cell; None, told once, when the fonts are not installed."""
    try:
        return Drawer(cell)
    except MissingExtra as error:
        _LOG.warning("Characters a device lacks are drawn as boxes. %s", error)
        return None
