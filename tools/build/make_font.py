"""Makes the device's font files from Debian's bitmap fonts, or checks the ones that are there.

    python -m tools.build.make_font --source /usr/share/fonts/X11/misc   writes the font files
    python -m tools.build.make_font --check [--source DIR]               exit 1 when they are wrong

Letters come from Terminus Font (package xfonts-terminus, OFL), what it lacks from the public
domain "fixed" fonts (package xfonts-base), Vietnamese from stacked marks (vietnamese.py). The
file's format is described in firmware/screen/font.py. Without a source --check reads the files'
structure and coverage; with one it also makes them again and compares every byte.
"""

import argparse
import struct
import sys
from pathlib import Path

from tools.build import vietnamese
from tools.build.pcf_font import Bitmap, read

ROOT = Path(__file__).parents[2]
TARGET = ROOT / "firmware" / "fonts"
BYTES_MAX = 40 * 1024
CELLS = ((6, 12), (8, 16))

# What a device can write by itself; everything else comes as glyphs with the card.
WANTED = (
    (0x20, 0x7E), (0xA0, 0x17F),  # Latin of Europe and Turkey
    (0x18F, 0x18F), (0x192, 0x192), (0x1CD, 0x1DC), (0x1E6, 0x1E7), (0x1FA, 0x1FF),
    (0x1A0, 0x1A1), (0x1AF, 0x1B0), (0x1EA0, 0x1EF9),  # Vietnamese
    (0x218, 0x21B), (0x259, 0x259),  # Romanian with comma below, Azerbaijani
    (0x2BB, 0x2BD), (0x2C6, 0x2C7), (0x2D8, 0x2DD), (0x1E80, 0x1E85), (0x1E9E, 0x1E9E),
    (0x384, 0x3CE), (0x400, 0x463), (0x472, 0x475), (0x490, 0x4F9),  # Greek, Cyrillic
    (0x2010, 0x2027), (0x2030, 0x205E), (0x2070, 0x208E),  # punctuation, raised and lowered
    (0x20A0, 0x20BF), (0x2100, 0x216B), (0x2190, 0x21FF), (0x2200, 0x22FF),
    (0x2302, 0x2302), (0x2308, 0x230B), (0x2318, 0x231B), (0x2320, 0x2321), (0x23CE, 0x23CE),
    (0x2500, 0x266F), (0x2699, 0x2699), (0x26A0, 0x26A1), (0x2713, 0x2718), (0x2764, 0x2764),
    (0xFFFD, 0xFFFD),
)  # fmt: skip

# Currency signs newer than the fonts, for the 6x12 cell.
DRAWN = {
    "₹": "...... ...... #####. ..#.#. #####. ..#.#. ..#... .#.... ..#... ...#.. ...... ......",
    "₽": "...... ...... .####. .#...# .#...# .####. ####.. .#.... ####.. .#.... ...... ......",
    "₺": "...... ...... .#.... .#.##. .##... .#.##. .##..# .#...# .#..#. .###.. ...... ......",
    "₿": "...... .#.#.. ####.. .#..#. .#..#. .###.. .#..#. .#..#. ####.. .#.#.. ...... ......",
    "₸": "...... ...... #####. ...... #####. ..#... ..#... ..#... ..#... ..#... ...... ......",
    "₾": "...... ...... ..###. .#.#.# #..#.# #..#.. #..... #..... .#.... ##### ...... ......",
}


def drawn(sign: str) -> Bitmap:
    """The picture of one of DRAWN."""
    rows = DRAWN[sign].split(" ")
    return [[int(pixel == "#") for pixel in row.ljust(6, ".")] for row in rows]


def moved(picture: Bitmap, cell: tuple[int, int], x: int, y: int) -> Bitmap:
    """A picture of another cell size, laid into `cell` at x, y."""
    laid = [[0] * cell[0] for _ in range(cell[1])]
    for row_index, row in enumerate(picture):
        for column, ink in enumerate(row):
            if ink:
                laid[y + row_index][x + column] = 1
    return laid


def glyphs(source: Path, cell: tuple[int, int]) -> dict[int, Bitmap]:
    """Every wanted glyph one of the sources has, by code point."""
    small = read(source / "6x12.pcf.gz", 12).glyphs
    small.update({ord(sign): drawn(sign) for sign in DRAWN})
    middle = read(source / "8x13.pcf.gz", 13).glyphs if cell == (8, 16) else {}
    pictures = with_vietnamese(source, cell)
    for code, picture in middle.items():
        pictures.setdefault(code, moved(picture, cell, 0, 1))
    for code, picture in small.items():
        pictures.setdefault(code, moved(picture, cell, (cell[0] - 6) // 2, (cell[1] - 12) // 2))
    wanted = {code for first, last in WANTED for code in range(first, last + 1)}
    return {code: picture for code, picture in pictures.items() if code in wanted}


def with_vietnamese(source: Path, cell: tuple[int, int]) -> dict[int, Bitmap]:
    """The font of the cell's own size, with the Vietnamese letters it lacks."""
    font = read(source / f"ter-u{cell[1]}n_unicode.pcf.gz", cell[1]).glyphs
    for code in vietnamese.letters():
        composed = vietnamese.compose(code, font, cell)
        if composed is not None and code not in font:
            font[code] = composed
    return font


def encode(pictures: dict[int, Bitmap], cell: tuple[int, int]) -> bytes:
    """The bytes of a font file."""
    codes = sorted(pictures)
    spans: list[list[int]] = []
    for index, code in enumerate(codes):
        if spans and code == spans[-1][1] + 1:
            spans[-1][1] = code
        else:
            spans.append([code, code, index])
    head = struct.pack(">4sBBH", b"VXF1", *cell, len(spans))
    table = b"".join(struct.pack(">HHH", *span) for span in spans)
    rows = (row for code in codes for row in pictures[code])
    return head + table + bytes(int("".join(map(str, row)).ljust(8, "0"), 2) for row in rows)


def problems(name: str, data: bytes) -> list[str]:
    """What is wrong with a font file, in words."""
    sys.path.insert(0, str(ROOT / "firmware"))
    from screen import font
    from voxwire.errors import WireError

    try:
        head = font.read_head(data)
        end = font.HEAD_BYTES + head.ranges * font.RANGE_BYTES
        parsed = font.make(head, data[font.HEAD_BYTES : end])
    except WireError as error:
        return [f"{name}: {error}"]
    wrong = []
    glyph_count = sum(last - first + 1 for first, last in font.ranges(parsed))
    if len(data) != parsed.offset + glyph_count * parsed.glyph_bytes:
        wrong.append(f"{name}: is not as long as its table says")
    if len(data) > BYTES_MAX:
        wrong.append(f"{name}: is {len(data)} bytes, the limit is {BYTES_MAX}")
    needed = "AZaz09ÀßčșțŞřđếỆưΩάЖџґ€₴₹₽→✓…–“„½²°"
    missing = [char for char in needed if font.locate(parsed, ord(char)) < 0]
    if missing:
        wrong.append(f"{name}: lacks {' '.join(missing)}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", type=Path, help="folder with the packages' .pcf.gz files")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    options = parser.parse_args()
    if options.source is None and not options.check:
        parser.error("--source is needed: apt-get install xfonts-terminus xfonts-base, then "
                     "--source /usr/share/fonts/X11/misc")  # fmt: skip
    wrong = [why for cell in CELLS for why in processed(cell, options.source, options.check)]
    print("\n".join(wrong) or "fonts ok")
    return 1 if wrong else 0


def processed(cell: tuple[int, int], source: Path | None, check: bool) -> list[str]:
    """Write the font of a cell, or with `check` compare it; what is wrong with it."""
    path = TARGET / f"{cell[0]}x{cell[1]}.font"
    font = encode(glyphs(source, cell), cell) if source else None
    if not check and font is not None:
        path.write_bytes(font)
    data = path.read_bytes()
    print(f"{path.name}: {len(data)} bytes")
    wrong = problems(path.name, data)
    if font is not None and font != data:
        wrong.append(f"{path.name}: is not what the packages make; run tools.build.make_font")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
