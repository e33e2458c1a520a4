"""The font file's range table: where the bitmap of a code point lies, in a few hundred bytes.

File (big-endian; made by tools/make_font.py): `VXF1`, u8 cell width, u8 cell height, u16 number
of ranges; per range u16 first code point, u16 last, u16 index of the first glyph; then the glyphs,
each `cell height` rows of ceil(cell width / 8) bytes, most significant bit left, 1 = ink.
"""

import struct
from collections import namedtuple

from voxwire.errors import WireError

MAGIC = b"VXF1"
HEAD_BYTES = 8
RANGE_BYTES = 6

Head = namedtuple("Head", ("width", "height", "ranges"))  # px, px, number of ranges
Font = namedtuple("Font", ("width", "height", "table", "glyph_bytes", "offset"))

# East Asian Wide and Fullwidth, and pictographs (UAX 11), as blocks: they take two cells.
_WIDE = (
    (0x1100, 0x115F),
    (0x2E80, 0x303E),
    (0x3041, 0xA4CF),
    (0xA960, 0xA97F),
    (0xAC00, 0xD7A3),
    (0xF900, 0xFAFF),
    (0xFE30, 0xFE6F),
    (0xFF00, 0xFF60),
    (0xFFE0, 0xFFE6),
    (0x1F300, 0x1F64F),
    (0x1F680, 0x1F6FF),
    (0x1F900, 0x1FAFF),
    (0x20000, 0x3FFFD),
)
# Marks that sit on the character before them, joiners and variation selectors: no cell.
_ZERO = ((0x300, 0x36F), (0x483, 0x487), (0x1AB0, 0x1AFF), (0x200B, 0x200F), (0x2060, 0x2064),
         (0x20D0, 0x20FF), (0xFE00, 0xFE0F), (0xFE20, 0xFE2F), (0xFEFF, 0xFEFF))  # fmt: skip


def read_head(data) -> Head:
    """The Head in a file's first HEAD_BYTES; WireError when it is no font file."""
    if len(data) < HEAD_BYTES or bytes(data[:4]) != MAGIC:
        raise WireError("font", "is no font file of this version")
    width, height, ranges = struct.unpack_from(">BBH", data, 4)
    if not 4 <= width <= 32 or not 6 <= height <= 64:
        raise WireError("font", "has cells of %dx%d px" % (width, height))
    return Head(width, height, ranges)


def make(head: Head, table) -> Font:
    """The Font of a Head and the bytes of its range table; WireError when they do not fit."""
    if len(table) != head.ranges * RANGE_BYTES:
        raise WireError("font", "is cut off")
    glyph_bytes = head.height * ((head.width + 7) // 8)
    return Font(head.width, head.height, table, glyph_bytes, HEAD_BYTES + len(table))


def locate(font: Font, code: int) -> int:
    """Offset in the file of the glyph of `code`, -1 when the font has none."""
    table = font.table
    low, high = 0, len(table) // RANGE_BYTES
    while low < high:
        middle = (low + high) // 2
        at = middle * RANGE_BYTES
        if code < table[at] << 8 | table[at + 1]:
            high = middle
        elif code > table[at + 2] << 8 | table[at + 3]:
            low = middle + 1
        else:
            index = (table[at + 4] << 8 | table[at + 5]) + code - (table[at] << 8 | table[at + 1])
            return font.offset + index * font.glyph_bytes
    return -1


def ranges(font: Font):
    """((first, last), ...) code points the font holds, as a hello states them."""
    found = []
    for at in range(0, len(font.table), RANGE_BYTES):
        found.append(struct.unpack_from(">HH", font.table, at))
    return tuple(found)


def cells(code: int) -> int:
    """Cells a character takes: 2 wide, 0 for a mark on the one before, else 1."""
    if code < 0x300:
        return 1
    for first, last in _ZERO:
        if first <= code <= last:
            return 0
    for first, last in _WIDE:
        if first <= code <= last:
            return 2
    return 1


def width(text: str) -> int:
    """Cells a line of text takes."""
    total = 0
    for char in text:
        total += cells(ord(char))
    return total
