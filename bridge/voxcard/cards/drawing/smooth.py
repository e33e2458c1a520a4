"""Text that a device's faces lack, drawn for panels with faces: as glyphs, and as whole lines.

Letters are smoothed and stand as high as those of the face they are beside. Lines are for shaped
and right-to-left scripts; what else a face lacks goes to the device as glyphs, and a line shows
it as the device does. Drawing belongs in a worker thread.
"""

import logging
import struct
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache, partial
from typing import NamedTuple

import numpy as np
from voxwire.type.scale import cap_px

from voxcard.cards.drawing import ink as inks
from voxcard.cards.drawing.device_glyphs import device_glyphs
from voxcard.cards.drawing.faces import NOTO, face_of, folder
from voxcard.cards.drawing.font_ink import FontInk
from voxcard.cards.drawing.ink import Ink
from voxcard.cards.drawing.lines import Fonts
from voxcard.cards.drawing.runs import Run, runs
from voxcard.cards.text.cells import cut, width, wrap
from voxcard.errors import MissingExtra

_LOG = logging.getLogger(__name__)


class SmoothLine(NamedTuple):
    """A drawn line, as high as its ink: maybe more than a line of the face is.

    `baseline` are the rows above the baseline; `rows` are of GS2_HMSB.
    """

    width: int
    height: int
    baseline: int
    rows: bytes


class SmoothDrawer:
    """Draws beside a face of voxwire.type.scale; raises MissingExtra without the fonts."""

    def __init__(self) -> None:
        self._fonts = Fonts()
        if folder(NOTO) is None:
            raise MissingExtra("The fonts for other scripts", "fonts")
        self._font_ink = FontInk(self._fonts)
        self._letter = lru_cache(maxsize=4096)(self._letter_ink)
        self._width = lru_cache(maxsize=16_384)(self._line_width)

    def lacks(self, code_point: int) -> bool:
        """Whether no font holds a character; logged once for each."""
        return self._fonts.lacks(code_point)

    def glyph(self, face: str, code_point: int) -> bytes | None:
        """The record of a character, as in a face's file; None when no font has it."""
        own = device_glyphs(face).get(code_point)
        if own is None and not self.lacks(code_point):
            return inks.record(self._letter(face, code_point))
        return own

    def advance(self, face: str, code_point: int) -> int:
        """px of a character's glyph; what no font has takes about a capital."""
        return self._letter(face, code_point).advance

    def width(self, face: str, text: str, rtl: bool = False) -> int:
        """px of a line; of one that is not shaped, what its glyphs take."""
        return self._width(face, text, rtl)

    def line(self, face: str, text: str, width_max: int, rtl: bool = False) -> SmoothLine:
        """`text` shaped and in visual order, at most `width_max` px wide, with an ellipsis for
        what has no room; `rtl` is its paragraph's direction."""
        text = cut(text, width_max, partial(self.width, face, rtl=rtl))
        ink = inks.joined(self._inks(face, runs(text, rtl, device_glyphs(face))))
        left, right = min(0, ink.left), max(ink.advance, ink.right)
        rows, columns = ink.levels.shape
        levels = np.zeros((max(1, rows), max(1, right - left)), np.uint8)
        levels[:rows, ink.left - left :][:, :columns] = ink.levels
        levels = levels[:, -width_max:] if rtl else levels[:, :width_max]
        return SmoothLine(levels.shape[1], levels.shape[0], ink.top, inks.packed(levels))

    def paragraph(
        self, face: str, text: str, width_max: int, lines_max: int, *, rtl: bool, hang: int = 0
    ) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """`text` (one paragraph) as at most `lines_max` lines of at most `width_max` px, and how
        wide they are; a letter that is wider has its own. `hang` as in
        voxcard.cards.text.cells.wrap."""
        measure = partial(self.width, face, rtl=rtl)
        room = width_max
        while True:
            lines = wrap(text, room, lines_max, measure, hang)
            widths = tuple(map(measure, lines))
            over = max(widths, default=0) - width_max
            # Words may be a little wider together than by themselves; a letter may have no room.
            room -= over
            if over <= 0 or room < width_max - cap_px(face) // 2:
                return tuple(lines), widths

    def _line_width(self, face: str, text: str, rtl: bool) -> int:
        line = runs(text, rtl, device_glyphs(face))
        total = sum(self._run_width(face, run) for run in line)
        if any(run.font for run in line):
            total += self._overhang(face, line)
        return total

    def _run_width(self, face: str, run: Run) -> int:
        if run.font:
            return self._font_ink.width(face, run.font, run.text, run.rtl)
        return sum(self.advance(face, ord(letter)) for letter in run.letters)

    def _overhang(self, face: str, line: Sequence[Run]) -> int:
        """px by which the letters at the ends of a line reach out of it."""
        first, last = line[0], line[-1]
        before = 0 if first.font else -self._letter(face, ord(first.letters[0])).left
        end = None if last.font else self._letter(face, ord(last.letters[-1]))
        return max(0, before) + (max(0, end.right - end.advance) if end else 0)

    def _inks(self, face: str, line: Sequence[Run]) -> Iterator[Ink]:
        for run in line:
            if run.font:
                yield self._font_ink.text(face, run.font, run.text, run.rtl)
            else:
                yield from (self._letter(face, ord(letter)) for letter in run.letters)

    def _letter_ink(self, face: str, code_point: int) -> Ink:
        own = device_glyphs(face).get(code_point)
        if own is not None:
            return inks.read(own)
        letter, font = chr(code_point), face_of(code_point)
        if font:
            return self._font_ink.letter(face, font, letter)
        return inks.box(cap_px(face)) if width(letter) else inks.blank(0)


@cache
def smooth_drawer() -> SmoothDrawer | None:
    """The one drawer for panels with faces; None, told once, when the fonts are not installed."""
    try:
        return SmoothDrawer()
    except MissingExtra as error:
        _LOG.warning("Characters a device lacks are drawn as boxes. %s", error)
        return None


def smooth_blob(lines: Iterable[SmoothLine]) -> bytes:
    """Lines as one blob, as firmware/screen/type/paint.py finds them in it."""
    pictures = [struct.pack(">HH", line.width, line.height) + line.rows for line in lines]
    return struct.pack(">H", len(pictures)) + b"".join(pictures)


def type_batch(records: Iterable[tuple[int, int, bytes]]) -> bytes:
    """(code point, index of the face, record) as one blob (firmware/screen/type/faces.py)."""
    return b"".join(struct.pack(">IB", code, face) + record for code, face, record in records)
