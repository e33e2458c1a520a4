"""Lines that need shaping or right-to-left order, drawn to 1-bit rows by HarfBuzz and FriBidi.

A line is drawn at the largest of its faces' sizes at which its ink, marks included, is within one
row of text. Where even a small one is too high, lines are further apart than rows of text: `block`
draws them one under the other, to be cut into rows.
"""

import logging
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

from voxcard.cards.drawing.bidi_order import levels, visual_order
from voxcard.cards.drawing.faces import LATIN, Face, Size, face_of, folder
from voxcard.cards.text.cells import cut, is_joined, wrap
from voxcard.errors import MissingExtra

_LOG = logging.getLogger(__name__)
_EM_OF_ROW_MIN = 0.6  # smaller letters would be out of proportion to the row
_ROWS_OF_TWO = 3  # rows that two lines have whose marks are too high for one row
EM_MIN = 7  # px; nothing is legible below
_BASELINE = 0.78  # of the row's height from its top, where the device's own font has it


class Piece(NamedTuple):
    text: str
    level: int  # embedding level, odd = right to left
    face: Face


class Writing(NamedTuple):
    """How the lines of a paragraph are written: em size in px, and how far their ink reaches over
    (negative) and under the baseline."""

    em: float
    top: int
    bottom: int

    @property
    def height(self) -> int:
        return self.bottom - self.top


class Strip(NamedTuple):
    """Rows of ceil(width / 8) bytes, first px in the top bit, 1 = ink."""

    width: int
    rows: bytes


class Paragraph(NamedTuple):
    """A text broken into lines and their widths in px, how they are written, and the px from one
    line to the next."""

    lines: tuple[str, ...]
    widths: tuple[int, ...]
    writing: Writing
    pitch: int


class Fonts:
    """Font files opened at sizes; raises MissingExtra without Pillow, fontTools or python-bidi."""

    def __init__(self) -> None:
        try:
            import bidi.algorithm  # noqa: F401 - what orders lines
            import fontTools.ttLib  # noqa: F401
            from PIL import Image, ImageDraw, ImageFont, features
        except ImportError as error:
            raise MissingExtra(
                "What draws text in every script (Pillow, fontTools, python-bidi)", "fonts"
            ) from error
        self.image, self._draw, self._font = Image, ImageDraw, ImageFont
        self._raqm = bool(features.check("raqm"))
        self._open: dict[tuple[str, Size], Any] = {}
        self._logged: set[int] = set()

    def open(self, face: Face, size: Size) -> Any:
        """The Pillow font of a face at a size."""
        key = (face.file, size)
        if key not in self._open:
            place = folder(face.package)
            if place is None:
                raise MissingExtra(f"The font {face.file}", "fonts")
            font = self._font.truetype(str(place / face.file), size.em)
            if size.weight != 400:
                font.set_variation_by_axes([size.weight])
            self._open[key] = font
        return self._open[key]

    def lacks(self, code_point: int) -> bool:
        """Whether no font holds a character; logged once for each."""
        lacking = face_of(code_point) is None
        if lacking and code_point not in self._logged:
            self._logged.add(code_point)
            _LOG.warning("no font holds U+%04X; the device shows a box", code_point)
        return lacking

    def canvas(self, width: int, height: int, mode: str = "1") -> tuple[Any, Any]:
        """An empty image, of 1 bit a pixel or of coverage ("L"), and what draws on it."""
        image = self.image.new(mode, (width, height), 0)
        draw = self._draw.Draw(image)
        draw.fontmode = mode
        return image, draw

    def advance(self, piece: Piece, size: Size) -> int:
        """px from the start of a piece to what follows it."""
        font = self.open(piece.face, size)
        return int(font.getlength(piece.text, "1", **self.direction(piece.level & 1)) + 0.999)

    def reach(self, piece: Piece, size: Size) -> tuple[int, int]:
        """Where the ink of a piece begins and ends, in px from the baseline downwards."""
        font = self.open(piece.face, size)
        box = font.getbbox(piece.text, "1", anchor="ls", **self.direction(piece.level & 1))
        return round(box[1]), round(box[3])

    def write(self, draw: Any, place: tuple[int, int], piece: Piece, size: Size) -> None:
        """Draw a piece from the left end of its baseline; a box where FreeType gives up."""
        font = self.open(piece.face, size)
        try:
            draw.text(
                place, piece.text, 1, font=font, anchor="ls", **self.direction(piece.level & 1)
            )
        except OSError:  # "raster overflow": a very wide ligature at some sizes
            x, y = place
            draw.rectangle((x + 1, y - round(size.em * 0.7), x + size.em * 0.5, y), outline=1)

    def direction(self, rtl: bool | int) -> dict[str, Any]:
        """What tells Pillow the direction of a text, where it can be told."""
        return {"direction": "rtl" if rtl else "ltr"} if self._raqm else {}


class LineDrawer:
    """Measures, breaks and draws lines for rows of text of one height in px."""

    def __init__(self, fonts: Fonts, row: int) -> None:
        self._fonts = fonts
        self._row = row
        self._floor = row * _EM_OF_ROW_MIN
        self.pieces = lru_cache(maxsize=1024)(self._pieces)
        self.advance = lru_cache(maxsize=16_384)(self._advance)

    def paragraph(
        self, text: str, room: int, lines_max: int, *, rtl: bool, hang: int = 0
    ) -> Paragraph:
        """`text` (one paragraph) on lines of at most `room` px, at most `lines_max` of them."""
        writing = (
            self._writing(text, rtl, self._floor, self._row)
            or self._writing(text, rtl, self._floor, (_ROWS_OF_TWO * self._row - 1) // 2)
            or self._written(self.pieces(text, rtl), self._row)
        )
        pitch = self._row if writing.height <= self._row else writing.height + 1
        measure = partial(self.advance, em=writing.em, rtl=rtl)
        lines = wrap(text, room, lines_max, measure, hang)
        widths = tuple(self.advance(line, writing.em, rtl) for line in lines)
        return Paragraph(tuple(lines), widths, writing, pitch)

    def fits(self, text: str, room: int, rtl: bool) -> bool:
        """Whether one row of `room` px holds all of `text`, its letters told apart."""
        writing = self._writing(text, rtl, EM_MIN, self._row)
        return writing is not None and self.advance(text, writing.em, rtl) <= room

    def strip(self, text: str, room: int, rtl: bool) -> Strip:
        """`text` in one row of at most `room` px; an ellipsis stands for what has no room."""
        writing = self._writing(text, rtl, EM_MIN, self._row) or self._squeezed(text, rtl)
        text = cut(text, room, lambda part: self.advance(part, writing.em, rtl))
        return self.block((text,), Paragraph((text,), (), writing, self._row), room, rtl)

    def block(self, lines: Sequence[str], how: Paragraph, room: int, rtl: bool) -> Strip:
        """Some lines of a paragraph, one under the other, in whole rows of text; as wide as the
        longest, flush with the side where they begin."""
        widths = [self.advance(line, how.writing.em, rtl) for line in lines]
        width = max(1, min(room, max(widths, default=1)))
        rows = -(-((len(lines) - 1) * how.pitch + max(how.writing.height, 1)) // self._row)
        image, draw = self._fonts.canvas(width, rows * self._row)
        y = self._baseline(how)
        for line, length in zip(lines, widths, strict=True):
            self._line(draw, line, (width - length if rtl else 0, y), rtl, how.writing.em)
            y += how.pitch
        return Strip(width, image.tobytes())

    def _baseline(self, how: Paragraph) -> int:
        """Where letters stand in a row, moved where marks above or below need the room."""
        writing = how.writing
        if how.pitch > self._row:
            return -writing.top
        return min(max(round(self._row * _BASELINE), -writing.top), self._row - writing.bottom)

    def _line(self, draw: Any, text: str, at: tuple[int, int], rtl: bool, em: float) -> None:
        pieces, (x, y) = self.pieces(text, rtl), at
        for index in visual_order([piece.level for piece in pieces]):
            piece = pieces[index]
            size = size_of(piece.face, em)
            self._fonts.write(draw, (x, y), piece, size)
            x += self._fonts.advance(piece, size)

    def _advance(self, text: str, em: float, rtl: bool) -> int:
        pieces = self.pieces(text, rtl)
        return sum(self._fonts.advance(piece, size_of(piece.face, em)) for piece in pieces)

    def _writing(self, text: str, rtl: bool, floor: float, height: int) -> Writing | None:
        """The largest writing, of faces' own sizes of at least `floor` px, of that height."""
        pieces = self.pieces(text, rtl)
        least = max((piece.face.sizes[-1].em for piece in pieces), default=0)
        for size in self._sizes(pieces):
            if size.em >= max(floor, least):
                writing = self._written(pieces, size.em)
                if writing.height <= height:
                    return writing
        return None

    def _squeezed(self, text: str, rtl: bool) -> Writing:
        """Smaller than the faces' own sizes: letters may be alike, but marks are not cut off."""
        em, pieces = float(self._row), self.pieces(text, rtl)
        while True:
            writing = self._written(pieces, em)
            if writing.height <= self._row or em <= EM_MIN:
                return writing
            em -= 0.5

    def _written(self, pieces: Sequence[Piece], em: float) -> Writing:
        reaches = [self._fonts.reach(piece, size_of(piece.face, em)) for piece in pieces]
        top = min((reach[0] for reach in reaches), default=0)
        bottom = max((reach[1] for reach in reaches), default=0)
        return Writing(em, top, bottom)

    def _sizes(self, pieces: Sequence[Piece]) -> list[Size]:
        """The sizes of the faces of a line that a row has room for, the largest first."""
        sizes = {size for piece in pieces for size in piece.face.sizes if size.em <= self._row}
        return sorted(sizes, reverse=True)

    def _pieces(self, text: str, rtl: bool) -> tuple[Piece, ...]:
        """Maximal stretches of one direction that one face can write, in logical order."""
        pieces: list[Piece] = []
        for character, level in levels(text, rtl):
            face = None if is_joined(character) else face_of(ord(character)) or LATIN
            last = pieces[-1] if pieces else None
            if last and last.level == level and face in (None, last.face):
                pieces[-1] = last._replace(text=last.text + character)
            else:
                pieces.append(Piece(character, level, face or (last.face if last else LATIN)))
        return tuple(pieces)


def size_of(face: Face, em: float) -> Size:
    """The largest of a face's sizes of at most `em` px; `em` itself where all are larger."""
    return next((size for size in face.sizes if size.em <= em), Size(em))
