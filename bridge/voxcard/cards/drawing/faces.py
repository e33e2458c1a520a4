"""The font files of the bridge: which characters each is asked for, and at which sizes its letters
stay apart in one bit a pixel."""

import importlib.util
import logging
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

_LOG = logging.getLogger(__name__)


class Size(NamedTuple):
    """Em size in px, and the weight of the strokes (400 is regular)."""

    em: float
    weight: int = 400


class Face(NamedTuple):
    """One font file: the package it comes in, the code points it is asked for, and its sizes.

    `sizes`: the largest first. At each of them, and not at those between, no two letters of the
    script are the same picture and none is blank; `tools/checks/glyphs.py` compares them all.
    """

    package: str
    file: str
    ranges: tuple[tuple[int, int], ...]
    sizes: tuple[Size, ...]


def _sizes(*ems: float, **heavier: tuple[float, ...]) -> tuple[Size, ...]:
    """Sizes of regular weight, and of others by name: `w550=(10.5,)`."""
    all_sizes = [Size(em) for em in ems]
    all_sizes += [Size(em, int(name[1:])) for name, each in heavier.items() for em in each]
    return tuple(sorted(all_sizes, reverse=True))


NOTO = "manimgx_fonts"
CJK = "noto_cjk_sans_otc"
_ALL = ((0, 0x10FFFF),)
_PLAIN = _sizes(13, 10, 9, 8)

# Asked in this order; a face that lacks the character is passed over.
FACES = (
    Face(NOTO, "NotoSansHebrew[wght].ttf", ((0x590, 0x5FF), (0xFB1D, 0xFB4F)),
         _sizes(13.5, 9.75, w500=(10.5,))),
    Face(NOTO, "NotoSansArabic[wght].ttf",
         ((0x600, 0x6FF), (0x750, 0x77F), (0x8A0, 0x8FF), (0xFB50, 0xFDFF), (0xFE70, 0xFEFF)),
         _sizes(13.5, 12.5, 11.75, 10.75, w500=(9.75,), w600=(9.25,))),
    Face(NOTO, "NotoSansDevanagari[wght].ttf", ((0x900, 0x97F), (0xA8E0, 0xA8FF)),
         _sizes(13, 12, 10.25, w450=(10,), w500=(9.25, 8.75))),
    Face(NOTO, "NotoSansBengali[wght].ttf", ((0x980, 0x9FF),), _sizes(13, 12, 11, 9.75, 9.25)),
    Face(NOTO, "NotoSansGurmukhi[wght].ttf", ((0xA00, 0xA7F),),
         _sizes(13, 12, 10.5, w550=(10, 9))),
    Face(NOTO, "NotoSansGujarati[wght].ttf", ((0xA80, 0xAFF),),
         _sizes(14, 12.75, 11.75, 9.5, 9)),
    Face(NOTO, "NotoSansOriya[wght].ttf", ((0xB00, 0xB7F),),
         _sizes(13, 12, w500=(10, 9.25))),
    Face(NOTO, "NotoSansTamil[wght].ttf", ((0xB80, 0xBFF),), _sizes(13, 12, 10.5, 9.5, 9, 8.5)),
    Face(NOTO, "NotoSansTelugu[wght].ttf", ((0xC00, 0xC7F),), _sizes(13, 12, 10.5, 9.5, 9, 8.5)),
    Face(NOTO, "NotoSansKannada[wght].ttf", ((0xC80, 0xCFF),), _sizes(13, 12, 10.5, 9.25, 8.5)),
    Face(NOTO, "NotoSansMalayalam[wght].ttf", ((0xD00, 0xD7F),), _sizes(13, 12, 10.5, 9.75, 9)),
    Face(NOTO, "NotoSansSinhala[wght].ttf", ((0xD80, 0xDFF),), _sizes(13, 12, 10.5, 9.75, 9)),
    Face(NOTO, "NotoSansThai[wght].ttf", ((0xE00, 0xE7F),),
         _sizes(13.5, 12, 11.25, w550=(10.5,))),
    Face(NOTO, "NotoSansLao[wght].ttf", ((0xE80, 0xEFF),), _sizes(13, 12, 10.5, 9.75)),
    Face(NOTO, "NotoSansMyanmar[wght].ttf", ((0x1000, 0x109F), (0xA9E0, 0xA9FF)),
         _sizes(11.75, 10, 8)),
    Face(NOTO, "NotoSansGeorgian[wght].ttf", ((0x10A0, 0x10FF), (0x1C90, 0x1CBF)),
         _sizes(13, 12, 10.5, 9)),
    Face(NOTO, "NotoSansArmenian[wght].ttf", ((0x530, 0x58F),), _sizes(13, 12, 10.5, 8.5)),
    Face(NOTO, "NotoSansEthiopic[wght].ttf", ((0x1200, 0x139F), (0x2D80, 0x2DDF)),
         _sizes(14, 13, 11, 10.25, 9.5)),
    Face(NOTO, "NotoSansKhmer[wght].ttf", ((0x1780, 0x17FF), (0x19E0, 0x19FF)),
         _sizes(14.75, 11.25, 11)),
    Face(NOTO, "NotoEmoji[wght].ttf", ((0x2600, 0x27BF), (0x2B00, 0x2BFF), (0x1F000, 0x1FAFF)),
         _PLAIN),
    Face(CJK, "NotoSansCJK-Regular.ttc",
         ((0x1100, 0x11FF), (0x2E80, 0xA4CF), (0xA960, 0xD7FF), (0xF900, 0xFAFF),
          (0xFE30, 0xFE4F), (0xFF00, 0xFFEF), (0x20000, 0x3FFFF)),
         _sizes(13, 11, 10, 9)),
    Face(NOTO, "NotoSans[wght].ttf", _ALL, _PLAIN),
    Face(NOTO, "NotoSansSymbols[wght].ttf", _ALL, _PLAIN),
    Face(NOTO, "NotoEmoji[wght].ttf", _ALL, _PLAIN),
)  # fmt: skip
EMOJI = tuple(face for face in FACES if face.file.startswith("NotoEmoji"))
LATIN = FACES[-3]  # writes the box of what no face holds


def folder(package: str) -> Path | None:
    """Where the files of a font package are; None when it is not installed."""
    spec = importlib.util.find_spec(package)
    return Path(spec.origin).parent if spec and spec.origin else None


@lru_cache(maxsize=64)
def code_points(face: Face) -> frozenset[int]:
    """What a font file holds, read from its character map."""
    place = folder(face.package)
    if place is None or not (place / face.file).exists():
        _LOG.warning("the font %s is not installed; its characters become boxes", face.file)
        return frozenset()
    from fontTools.ttLib import TTFont

    with TTFont(place / face.file, fontNumber=0, lazy=True) as font:
        return frozenset(font.getBestCmap())


@lru_cache(maxsize=8192)
def face_of(code_point: int) -> Face | None:
    """The face that writes a character; None when no installed font holds it."""
    for face in FACES:
        if any(first <= code_point <= last for first, last in face.ranges) and (
            code_point in code_points(face)
        ):
            return face
    return None
