"""Fonts with the characters of the screen's fixed words that the device's own fonts lack.

    python -m tools.build.make_language_font            writes firmware/fonts/ko_*.font
    python -m tools.build.make_language_font --check    exit 1 if one differs

Drawn by the bridge's fonts (Noto, OFL-1.1); the format is that of screen/font.py, each cell two
of the screen's wide.
"""

import struct
import sys
from importlib import import_module
from pathlib import Path

from screen.font import HEAD_BYTES, RANGE_BYTES, locate, make, read_head
from voxcard.cards.drawing.drawer import Drawer

FONTS = Path(__file__).parents[2] / "firmware" / "fonts"
LANGUAGES = ("ko",)
CELLS = ((6, 12), (8, 16))


def font_bytes(language: str, cell: tuple[int, int]) -> bytes:
    """The font file of a language's words for screens of that cell."""
    own = (FONTS / f"{cell[0]}x{cell[1]}.font").read_bytes()
    head = read_head(own)
    table = make(head, own[HEAD_BYTES : HEAD_BYTES + head.ranges * RANGE_BYTES])
    words = import_module(f"languages.{language}").WORDS
    codes = sorted({ord(char) for char in "".join(words) if locate(table, ord(char)) < 0})
    drawer, width = Drawer(cell), 2 * cell[0]
    glyphs = []
    for code in codes:
        glyph = drawer.glyph(code)
        if glyph is None or glyph.width != width:
            raise SystemExit(f"no font draws U+{code:04X} two cells wide")
        glyphs.append(glyph.rows)
    ranges = b"".join(_ranges(codes))
    count = len(ranges) // RANGE_BYTES
    return struct.pack(">4sBBH", b"VXF1", width, cell[1], count) + ranges + b"".join(glyphs)


def _ranges(codes: list[int]) -> list[bytes]:
    """Runs of code points, each with the index of its first glyph."""
    runs: list[list[int]] = []
    for code in codes:
        if runs and runs[-1][-1] + 1 == code:
            runs[-1].append(code)
        else:
            runs.append([code])
    found, index = [], 0
    for run in runs:
        found.append(struct.pack(">HHH", run[0], run[-1], index))
        index += len(run)
    return found


def main() -> None:
    check = "--check" in sys.argv
    for language in LANGUAGES:
        for cell in CELLS:
            path = FONTS / f"{language}_{cell[0]}x{cell[1]}.font"
            data = font_bytes(language, cell)
            if not check:
                path.write_bytes(data)
            elif not path.is_file() or path.read_bytes() != data:
                raise SystemExit(f"{path} is not what its words need: run {__spec__.name}")


if __name__ == "__main__":
    main()
