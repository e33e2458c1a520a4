"""Every character of the bridge's fonts has ink, and no two of a script are the same picture.

    python -m tools.checks.glyphs            write tests/golden/glyphs.txt: those that are the same
    python -m tools.checks.glyphs --check    exit 1 when others are

A letter is compared at each size its face has (voxcard.cards.drawing.faces), a mark on a letter;
what goes to a device as a glyph is compared in both cells. Characters whose outlines are the
same, or that Unicode holds for the same, are no finding.
"""

import sys
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cache
from pathlib import Path

from screen import font
from voxcard.cards.drawing.drawer import Drawer
from voxcard.cards.drawing.faces import FACES, Face, Size, code_points, face_of
from voxcard.cards.drawing.lines import Fonts, Piece
from voxcard.cards.text.cells import is_shaped, width

ROOT = Path(__file__).parents[2]
TARGET = ROOT / "tests" / "golden" / "glyphs.txt"
FONT = ROOT / "firmware" / "fonts" / "6x12.font"
CELLS = ((6, 12), (8, 16))
_OUTLINE = Size(64)
_NO_INK = ("Zs", "Zl", "Zp", "Cf", "Cc", "Cn", "Co", "Cs")
# Why some remain, by the start of a font's name.
REASONS = {
    "NotoSansHebrew": "vowel points and accents of chant that differ in a dot beside another dot",
    "NotoSansArabic": "signs of recitation, and letters of a few languages that differ in a dot",
    "NotoSansDevanagari": "signs of Vedic chant",
    "NotoSansThai": "a letter no longer written",
    "NotoSansMyanmar": "signs of Shan, Khamti and Rumai Palaung",
    "NotoSansEthiopic": "letters of Sebatbeit",
    "NotoSansKhmer": "signs of lunar dates; two signs over a letter that differ in a hook",
    "NotoSansGeorgian": "capitals that have the shape of their small letters",
    "NotoEmoji": "hands of clock faces; signs of one cell that are drawn for two",
    "NotoSansCJK": "syllables and ideographs outside the common standards; parts of syllables",
    "NotoSans in": "letters of one shape; accents of old Greek and phonetics, two over one cell",
    "NotoSansSymbols": "letters and numbers in a ring, of which a cell shows the ring",
}
# A letter of each script to put its marks on.
_CARRIERS = "אبकকਕકକகకಕമකกກကក"

Pictures = dict[str, Hashable]


def of_lines() -> Iterator[tuple[str, Pictures, Pictures]]:
    """(name, outlines, pictures) of what is drawn in lines, for every face and size."""
    fonts = Fonts()
    for face in FACES:
        texts = [_carried(char) for char in _characters(face) if is_shaped(char)]
        outlines = {text: _drawn(fonts, face, text, _OUTLINE) for text in texts}
        for size in face.sizes if texts else ():
            name = f"{face.file.partition('[')[0]} {size.em:g}/{size.weight}"
            yield name, outlines, {text: _drawn(fonts, face, text, size) for text in texts}


def of_cells(wanted: Callable[[str], bool]) -> Iterator[tuple[str, Pictures, Pictures]]:
    """(name, outlines, pictures) of the wanted characters that are sent as glyphs, by face."""
    fonts = Fonts()
    for face in FACES:
        chars = [char for char in _characters(face) if _is_glyph(char) and wanted(char)]
        for cell in CELLS:
            glyph = Drawer(cell).glyph
            yield (
                f"{face.file.partition('[')[0]} in {cell[0]}x{cell[1]}",
                {char: _drawn(fonts, face, char, _OUTLINE) for char in chars},
                {char: _glyph(glyph(ord(char))) for char in chars},
            )


def findings(outlines: Pictures, pictures: Pictures) -> Iterator[tuple[str, ...]]:
    """Groups of texts with one picture and several outlines; one alone has no ink."""
    alike = defaultdict(list)
    for text, picture in pictures.items():
        alike[picture].append(text)
    for picture, texts in alike.items():
        apart = {outlines[text]: text for text in reversed(texts)}
        if picture is None:
            yield from ((text,) for text in texts if outlines[text] is not None)
        elif len({unicodedata.normalize("NFKC", text) for text in apart.values()}) > 1:
            yield tuple(sorted(apart.values()))


def lines(tables: Iterable[tuple[str, Pictures, Pictures]]) -> list[str]:
    """The findings as lines: `NotoSansThai 12/400: 0E02=0E03 (why)`."""
    report = []
    for name, outlines, pictures in tables:
        groups = sorted(map(_written, findings(outlines, pictures)))
        if groups:
            reason = next((why for start, why in REASONS.items() if name.startswith(start)), "")
            report.append(f"{name}: {' '.join(groups)} ({reason})")
    return report


def _written(group: tuple[str, ...]) -> str:
    return "=".join(f"{ord(text[-1]):04X}" for text in group)


def _characters(face: Face) -> list[str]:
    held = sorted(code_points(face))
    chars = [chr(code) for code in held if face_of(code) == face]
    return [char for char in chars if unicodedata.category(char) not in _NO_INK]


def _is_glyph(char: str) -> bool:
    on_device = any(first <= ord(char) <= last for first, last in _device_font())
    return not is_shaped(char) and width(char) > 0 and not on_device


@cache
def _device_font() -> tuple[tuple[int, int], ...]:
    """The ranges of the font on the device, which are the same for both cells."""
    data = FONT.read_bytes()
    head = font.read_head(data[: font.HEAD_BYTES])
    table = data[font.HEAD_BYTES : font.HEAD_BYTES + head.ranges * font.RANGE_BYTES]
    return tuple(font.ranges(font.make(head, table)))


def _carried(char: str) -> str:
    if unicodedata.category(char)[0] != "M":
        return char
    face = face_of(ord(char))
    return next((each for each in _CARRIERS if face_of(ord(each)) == face), "") + char


def _drawn(fonts: Fonts, face: Face, text: str, size: Size) -> Hashable:
    side = int(size.em) + 1
    image, draw = fonts.canvas(7 * side, 5 * side)
    fonts.write(draw, (2 * side, 3 * side), Piece(text, 0, face), size)
    return bytes(image.tobytes()) if image.getbbox() else None


def _glyph(glyph: object) -> Hashable:
    rows = getattr(glyph, "rows", b"")
    return (getattr(glyph, "width", 0), rows) if any(rows) else None


def main() -> int:
    """The command line."""
    report = lines((*of_lines(), *of_cells(lambda char: True)))
    if "--check" not in sys.argv:
        TARGET.write_text("\n".join(report) + "\n", encoding="utf-8")
        print(f"{len(report)} lines written")
        return 0
    listed = set(TARGET.read_text(encoding="utf-8").splitlines())
    new = [line for line in report if line not in listed]
    print("\n".join(new) or "glyphs ok")
    return 1 if new else 0


if __name__ == "__main__":
    sys.exit(main())
