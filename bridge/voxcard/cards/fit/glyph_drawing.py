"""Text a device cannot write by itself, drawn to 1-bit rows: single glyphs and whole lines.

A glyph is one cell wide, or two for wide characters, and one cell high. A strip is a line that
needs shaping or right-to-left order (HarfBuzz and FriBidi through Pillow's raqm). Rows are padded
to whole bytes, first pixel in the top bit, 1 = ink. Drawing is slow enough (about 0.1 ms a glyph)
to belong in a worker thread.
"""

import importlib.util
import logging
import unicodedata
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from voxcard.errors import MissingExtra

_LOG = logging.getLogger(__name__)


class Face(NamedTuple):
    """One font file: the package it comes in, and the code points it is asked for."""

    package: str
    file: str
    ranges: tuple[tuple[int, int], ...]


_NOTO = "manimgx_fonts"
_CJK = "noto_cjk_sans_otc"

# Asked in this order; a face that lacks the character is passed over.
FACES = (
    Face(_NOTO, "NotoSansHebrew[wght].ttf", ((0x590, 0x5FF), (0xFB1D, 0xFB4F))),
    Face(
        _NOTO,
        "NotoSansArabic[wght].ttf",
        ((0x600, 0x6FF), (0x750, 0x77F), (0x8A0, 0x8FF), (0xFB50, 0xFDFF), (0xFE70, 0xFEFF)),
    ),
    Face(_NOTO, "NotoSansDevanagari[wght].ttf", ((0x900, 0x97F), (0xA8E0, 0xA8FF))),
    Face(_NOTO, "NotoSansBengali[wght].ttf", ((0x980, 0x9FF),)),
    Face(_NOTO, "NotoSansGurmukhi[wght].ttf", ((0xA00, 0xA7F),)),
    Face(_NOTO, "NotoSansGujarati[wght].ttf", ((0xA80, 0xAFF),)),
    Face(_NOTO, "NotoSansOriya[wght].ttf", ((0xB00, 0xB7F),)),
    Face(_NOTO, "NotoSansTamil[wght].ttf", ((0xB80, 0xBFF),)),
    Face(_NOTO, "NotoSansTelugu[wght].ttf", ((0xC00, 0xC7F),)),
    Face(_NOTO, "NotoSansKannada[wght].ttf", ((0xC80, 0xCFF),)),
    Face(_NOTO, "NotoSansMalayalam[wght].ttf", ((0xD00, 0xD7F),)),
    Face(_NOTO, "NotoSansSinhala[wght].ttf", ((0xD80, 0xDFF),)),
    Face(_NOTO, "NotoSansThai[wght].ttf", ((0xE00, 0xE7F),)),
    Face(_NOTO, "NotoSansLao[wght].ttf", ((0xE80, 0xEFF),)),
    Face(_NOTO, "NotoSansMyanmar[wght].ttf", ((0x1000, 0x109F), (0xA9E0, 0xA9FF))),
    Face(_NOTO, "NotoSansGeorgian[wght].ttf", ((0x10A0, 0x10FF), (0x1C90, 0x1CBF))),
    Face(_NOTO, "NotoSansArmenian[wght].ttf", ((0x530, 0x58F),)),
    Face(_NOTO, "NotoSansEthiopic[wght].ttf", ((0x1200, 0x139F), (0x2D80, 0x2DDF))),
    Face(_NOTO, "NotoSansKhmer[wght].ttf", ((0x1780, 0x17FF), (0x19E0, 0x19FF))),
    Face(_NOTO, "NotoEmoji[wght].ttf", ((0x2600, 0x27BF), (0x2B00, 0x2BFF), (0x1F000, 0x1FAFF))),
    Face(
        _CJK,
        "NotoSansCJK-Regular.ttc",
        ((0x1100, 0x11FF), (0x2E80, 0xA4CF), (0xA960, 0xD7FF), (0xF900, 0xFAFF),
         (0xFE30, 0xFE4F), (0xFF00, 0xFFEF), (0x20000, 0x3FFFF)),
    ),
    Face(_NOTO, "NotoSans[wght].ttf", ((0, 0x10FFFF),)),
    Face(_NOTO, "NotoSansSymbols[wght].ttf", ((0, 0x10FFFF),)),
    Face(_NOTO, "NotoEmoji[wght].ttf", ((0, 0x10FFFF),)),
)  # fmt: skip

# Share of the cell height that becomes the em size; the rest holds accents and descenders.
_EM_OF_CELL = 0.82
_SIZE_MIN = 7  # px; nothing is legible below
_BASELINE = 0.78  # of the cell height from its top, where the device's own font has it
_BASELINE_CJK = 0.83  # its characters fill a square that reaches below the line letters stand on


class Glyph(NamedTuple):
    width: int  # px
    rows: bytes


class Strip(NamedTuple):
    width: int  # px
    rows: bytes


class Piece(NamedTuple):
    text: str
    level: int  # embedding level, odd = right to left
    face: Face


_CONTROLS = frozenset(("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"))


def _folder(package: str) -> Path | None:
    found = importlib.util.find_spec(package)
    return Path(found.origin).parent if found and found.origin else None


class Drawer:
    """Draws for one text cell (width, height in px); raises MissingExtra without the fonts."""

    def __init__(self, cell: tuple[int, int]) -> None:
        try:
            import bidi.algorithm  # noqa: F401 - asked for here, used below
            import fontTools.ttLib  # noqa: F401
            from PIL import Image, ImageDraw, ImageFont, features
        except ImportError as error:
            raise MissingExtra(
                "What draws text in every script (Pillow, fontTools, python-bidi)", "fonts"
            ) from error
        if _folder(_NOTO) is None:
            raise MissingExtra("The fonts for other scripts", "fonts")
        self._image, self._draw, self._font = Image, ImageDraw, ImageFont
        self._raqm = bool(features.check("raqm"))
        self.cell = cell
        self._faces: dict[tuple[str, int], Any] = {}
        self._coverage: dict[str, frozenset[int]] = {}
        self._told: set[int] = set()
        self.glyph = lru_cache(maxsize=2048)(self._glyph)

    def _glyph(self, code_point: int) -> Glyph | None:
        """The bitmap of one character, or None (logged once) when no font here holds it."""
        character = chr(code_point)
        wide = unicodedata.east_asian_width(character) in "WF"
        face = self._face_for(code_point)
        if face is None:
            if code_point not in self._told:
                self._told.add(code_point)
                _LOG.warning("no font holds U+%04X; the device shows a box", code_point)
            return None
        width = self.cell[0] * (2 if wide else 1)
        return Glyph(width, self._drawn(character, face, wide, width))

    def strip(self, text: str, width_max: int, rtl: bool = False) -> Strip:
        """`text` shaped and in visual order, at most `width_max` px wide, as wide as its ink."""
        pieces, top, bottom = self._measured(self._pieces(text, rtl))
        lengths = [
            int(font.getlength(piece.text, **self._direction(piece.level)) + 0.999)
            for piece, font in pieces
        ]
        image = self._image.new("1", (max(1, min(width_max, sum(lengths))), self.cell[1]), 0)
        draw = self._draw.Draw(image)
        draw.fontmode = "1"
        # What does not fit is lost at the end of the line: left in a right-to-left one.
        x = min(0, width_max - sum(lengths)) if rtl else 0
        # One baseline for all faces of a line, moved where marks above or below need the room.
        y = min(max(round(self.cell[1] * _BASELINE), -top), self.cell[1] - bottom)
        for index in visual_order([piece.level for piece, _ in pieces]):
            piece, font = pieces[index]
            direction = self._direction(piece.level)
            draw.text((x, y), piece.text, 1, font=font, anchor="ls", **direction)
            x += lengths[index]
        return Strip(image.width, image.tobytes())

    def _measured(self, pieces: list[Piece]) -> tuple[list[tuple[Piece, Any]], int, int]:
        """Pieces with their fonts, and how far their ink reaches over (negative) and under the
        baseline: at the usual size, or smaller where marks would be cut off."""
        size = self._size(False)
        while True:
            opened = [(piece, self._open(piece.face, size)) for piece in pieces]
            boxes = [
                font.getbbox(piece.text, "1", anchor="ls", **self._direction(piece.level))
                for piece, font in opened
            ]
            top = min((round(box[1]) for box in boxes), default=0)
            bottom = max((round(box[3]) for box in boxes), default=0)
            if bottom - top <= self.cell[1] or size <= _SIZE_MIN:
                return opened, top, bottom
            size -= 1

    def _pieces(self, text: str, rtl: bool) -> list[Piece]:
        """Maximal stretches of one direction that one face can write, in logical order."""
        pieces: list[Piece] = []
        for character, level in levels(text, rtl):
            face = None if _joins(character) else self._face_for(ord(character))
            last = pieces[-1] if pieces else None
            if last and last.level == level and face in (None, last.face):
                pieces[-1] = last._replace(text=last.text + character)
            else:
                pieces.append(Piece(character, level, face or (last.face if last else FACES[-3])))
        return pieces

    def _direction(self, level: int) -> dict[str, Any]:
        return {"direction": "rtl" if level & 1 else "ltr"} if self._raqm else {}

    def _drawn(self, character: str, face: Face, wide: bool, width: int) -> bytes:
        image = self._image.new("1", (width, self.cell[1]), 0)
        draw = self._draw.Draw(image)
        draw.fontmode = "1"
        size = self._size(wide)
        while True:
            font = self._open(face, size)
            left, top, right, bottom = draw.textbbox((0, 0), character, font=font, anchor="ls")
            # Emoji and symbols are often broader or taller than their cell.
            fits = right - left <= width and bottom - top <= self.cell[1]
            if fits or size <= _SIZE_MIN:
                break
            size -= 1
        x = (width - (right - left)) // 2 - left
        stands = round(self.cell[1] * (_BASELINE_CJK if face.package == _CJK else _BASELINE))
        y = min(max(stands, -top), self.cell[1] - bottom)
        draw.text((x, y), character, 1, font=font, anchor="ls")
        return image.tobytes()

    def _face_for(self, code_point: int) -> Face | None:
        for face in FACES:
            if any(first <= code_point <= last for first, last in face.ranges) and (
                code_point in self._covered(face)
            ):
                return face
        return None

    def _covered(self, face: Face) -> frozenset[int]:
        if face.file not in self._coverage:
            self._coverage[face.file] = _code_points(face)
        return self._coverage[face.file]

    def _open(self, face: Face, size: int) -> Any:
        key = (face.file, size)
        if key not in self._faces:
            folder = _folder(face.package)
            if folder is None:
                raise MissingExtra(f"The font {face.file}", "fonts")
            self._faces[key] = self._font.truetype(str(folder / face.file), size)
        return self._faces[key]

    def _size(self, wide: bool) -> int:
        """Em size in px for the cell; wide characters fill it but for a px between the lines."""
        if wide:
            return min(2 * self.cell[0], self.cell[1]) - 1
        return max(_SIZE_MIN, round(self.cell[1] * _EM_OF_CELL))


def _joins(character: str) -> bool:
    """Marks, joiners and spaces stay with the run they stand in."""
    return unicodedata.category(character) in ("Mn", "Mc", "Me", "Cf", "Zs")


@lru_cache(maxsize=64)
def _code_points(face: Face) -> frozenset[int]:
    """What a font file holds, read from its character map."""
    folder = _folder(face.package)
    if folder is None or not (folder / face.file).exists():
        _LOG.warning("the font %s is not installed; its characters become boxes", face.file)
        return frozenset()
    from fontTools.ttLib import TTFont

    with TTFont(folder / face.file, fontNumber=0, lazy=True) as font:
        return frozenset(font.getBestCmap())


def levels(text: str, rtl: bool) -> list[tuple[str, int]]:
    """(character, embedding level) in logical order by UAX 9; direction controls are left out."""
    import bidi.algorithm as bidi

    kept = [c for c in text if unicodedata.bidirectional(c) not in _CONTROLS]
    storage = bidi.get_empty_storage()
    storage["base_level"], storage["base_dir"] = (1, "R") if rtl else (0, "L")
    # What has no class yet (characters newer than these tables) goes with letters.
    known = (c if unicodedata.bidirectional(c) else "x" for c in kept)
    bidi.get_embedding_levels("".join(known), storage)
    bidi.explicit_embed_and_overrides(storage)
    bidi.resolve_weak_types(storage)
    bidi.resolve_neutral_types(storage, False)
    bidi.resolve_implicit_levels(storage, False)
    resolved = iter(storage["chars"])
    found, level = [], int(rtl)
    for character in kept:
        # The algorithm drops joiners (rule X9); shaping needs them, at their neighbour's level.
        if unicodedata.bidirectional(character) != "BN":
            level = next(resolved)["level"]
        found.append((character, level))
    return found


def visual_order(piece_levels: list[int]) -> list[int]:
    """Indices of pieces from left to right (UAX 9 rule L2)."""
    order = list(range(len(piece_levels)))
    for level in range(max(piece_levels, default=0), 0, -1):
        at = 0
        while at < len(order):
            end = at
            while end < len(order) and piece_levels[order[end]] >= level:
                end += 1
            order[at:end] = reversed(order[at:end])
            at = end + 1
    return order


@cache
def drawer(cell: tuple[int, int]) -> Drawer | None:
    """The one drawer for a text cell; None, told once, when the fonts are not installed."""
    try:
        return Drawer(cell)
    except MissingExtra as error:
        _LOG.warning("Characters a device lacks are drawn as boxes. %s", error)
        return None
