"""The font file's range table: where the bitmap of a code point lies, in a few hundred bytes.

File (big-endian; made by tools.build.make_font): `VXF1`, u8 cell width, u8 cell height, u16
number of ranges; per range u16 first code point, u16 last, u16 index of the first glyph; then the
glyphs, each `cell height` rows of ceil(cell width / 8) bytes, most significant bit left, 1 = ink.
"""

import struct
from collections import namedtuple

from voxwire.errors import WireError

MAGIC = b"VXF1"
HEAD_BYTES = 8
RANGE_BYTES = 6

Head = namedtuple("Head", ("width", "height", "ranges"))  # px, px, number of ranges
Font = namedtuple("Font", ("width", "height", "table", "glyph_bytes", "offset"))


def folder(module_file: str, working_folder: str) -> str:
    """The folder of the font files, with a slash at its end: it lies beside `screen/`.

    `module_file` is the __file__ of a module in `screen/`. It is relative where the code is frozen
    or was found by a relative entry of sys.path; fonts are then looked for in `working_folder`.
    """
    root = module_file[: module_file.rindex("screen/")]
    if not root.startswith("/"):
        root = working_folder.rstrip("/") + "/" + root
    return root + "fonts/"


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
    index = index_of(font.table, code)
    return font.offset + index * font.glyph_bytes if index >= 0 else -1


def index_of(table, code: int) -> int:
    """The number of the glyph of `code` by a table of ranges, -1 when no range has it."""
    low, high = 0, len(table) // RANGE_BYTES
    while low < high:
        middle = (low + high) // 2
        at = middle * RANGE_BYTES
        if code < table[at] << 8 | table[at + 1]:
            high = middle
        elif code > table[at + 2] << 8 | table[at + 3]:
            low = middle + 1
        else:
            first = table[at] << 8 | table[at + 1]
            return (table[at + 4] << 8 | table[at + 5]) + code - first
    return -1


def ranges(font: Font):
    """((first, last), ...) code points the font holds, as a hello states them."""
    starts = range(0, len(font.table), RANGE_BYTES)
    return tuple([struct.unpack_from(">HH", font.table, at) for at in starts])
