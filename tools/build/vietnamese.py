"""Stacks Vietnamese marks on a bitmap font's own letters, which most such fonts leave out."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from tools.build.pcf_font import Bitmap

HORN, DOT = "\u031b", "\u0323"
_SHAPES = ("\u0302", "\u0306")  # circumflex, breve: they change the vowel
_TONES = ("\u0301", "\u0300", "\u0309", "\u0303")  # acute, grave, hook above, tilde
_TILDE = _TONES[3]


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How marks look and sit in one cell size; a row is text, `#` is ink."""

    marks: Mapping[str, tuple[str, ...]]
    bottom: int  # last row a mark above a small letter may use
    cap_top: int  # first row of a capital
    baseline: int  # last row of a letter without descender
    gap: int  # empty rows between a mark and a capital


STYLES = {
    (6, 12): Style(
        marks={
            "\u0302": (".#.", "#.#"),
            "\u0306": ("#.#", ".#."),
            "\u0301": (".#", "#."),
            "\u0300": ("#.", ".#"),
            "\u0309": ("##", ".#", "#."),
            "\u0303": (".#.#", "#.#."),
            DOT: ("#",),
        },
        bottom=3,
        cap_top=2,
        baseline=9,
        gap=0,
    ),
    (8, 16): Style(
        marks={
            "\u0302": (".##.", "#..#"),
            "\u0306": ("#..#", ".##."),
            "\u0301": (".#", "#."),
            "\u0300": ("#.", ".#"),
            "\u0309": ("##", ".#", "#."),
            "\u0303": (".##..#", "#..##."),
            DOT: ("##",),
        },
        bottom=3,
        cap_top=2,
        baseline=11,
        gap=1,
    ),
}


def letters() -> list[int]:
    """Code points of the Vietnamese letters beyond Latin Extended-A."""
    return [0x1A0, 0x1A1, 0x1AF, 0x1B0, *range(0x1EA0, 0x1EFA)]


def compose(code: int, font: Mapping[int, Bitmap], cell: tuple[int, int]) -> Bitmap | None:
    """The letter `code` from its plain letter in `font`, or None when it is no such letter."""
    base, *marks = list(unicodedata.normalize("NFD", chr(code)))
    if ord(base) not in font or not marks or not set(marks) <= {*_SHAPES, *_TONES, HORN, DOT}:
        return None
    style = STYLES[cell]
    picture = [row[:] for row in font[0x131 if base == "i" else ord(base)]]
    above = _above([mark for mark in marks if mark in _SHAPES + _TONES], style, base.isupper())
    bottom = style.bottom
    if above and base.isupper():
        need = max(0, len(above) + style.gap - style.cap_top)
        picture = _squeeze(picture, style.cap_top, need)
        bottom = len(above) - 1
    if HORN in marks:
        _put_horn(picture)
    if above:
        _stamp(picture, above, bottom - len(above) + 1)
    if DOT in marks:
        _put_dot(picture, style)
    return picture


def _above(marks: list[str], style: Style, capital: bool) -> tuple[str, ...]:
    """One picture of the marks over a letter: beside each other, a tilde on top."""
    pictures = [style.marks[mark] for mark in sorted(marks, key=(_SHAPES + _TONES).index)]
    if len(pictures) < 2:
        return pictures[0] if pictures else ()
    shape, tone = pictures
    if _TILDE in marks:
        # Under a tilde of two rows and a shape of two a capital would be as low as its letter.
        return (*tone, *_centred(shape[capital:], len(tone[0])))
    # The tone is one row higher: side by side at one height the two look like a tilde.
    height = max(len(shape) + 1, len(tone))
    shape = ("." * len(shape[0]),) * (height - len(shape)) + shape
    tone = tone + ("." * len(tone[0]),) * (height - len(tone))
    between = "." if len(shape[0]) > 3 else ""
    return tuple(left + between + right for left, right in zip(shape, tone, strict=True))


def _centred(picture: tuple[str, ...], width: int) -> tuple[str, ...]:
    left = (width - len(picture[0])) // 2
    return tuple(("." * left + row).ljust(width, ".") for row in picture)


def _squeeze(picture: Bitmap, top: int, rows: int) -> Bitmap:
    """Make the letter that starts at `top` lower by `rows`, by repeated rows where it has them."""
    for _ in range(rows):
        same = [y for y in range(top + 1, len(picture)) if picture[y] == picture[y - 1]]
        inked = [y for y in same if any(picture[y])]
        drop = inked[len(inked) // 2]
        picture = [[0] * len(picture[0]), *picture[:drop], *picture[drop + 1 :]]
        top += 1
    return picture


def _put_horn(picture: Bitmap) -> None:
    """Put the horn at the upper right corner of the letter."""
    top = next(y for y, row in enumerate(picture) if any(row))
    picture[top - 1][-1] = picture[top][-1] = 1


def _put_dot(picture: Bitmap, style: Style) -> None:
    """Put the dot below the letter, or beside a tail that would cover it."""
    row = style.baseline + 2
    before = picture[row][:]
    _stamp(picture, style.marks[DOT], row)
    if picture[row] == before:
        picture[row][-1] = 1


def _stamp(picture: Bitmap, mark: tuple[str, ...], top: int) -> None:
    """Put `mark` in the middle of the letter's own columns."""
    width = len(picture[0])
    columns = width - 1 if width == 6 else width
    left = max(0, (columns - len(mark[0]) + (width == 6)) // 2)
    for y, row in enumerate(mark):
        for x, ink in enumerate(row):
            if ink == "#" and left + x < width:
                picture[top + y][left + x] = 1
