"""A face's file: where the picture of a code point lies in it.

File (big-endian; made by tools.build.type_faces): `VXF2`, u8 height of capitals, u8 ascent, u8
descent (px), u8 bits a pixel, u16 number of ranges; per range u16 first code point, u16 last, u16
index of the first glyph; per glyph u32 offset in the file, and one more for the end; then the
glyphs: u8 advance, i8 left, i8 top (px above the baseline), u8 width, u8 height, and rows of
framebuf.GS2_HMSB (4 px a byte, the first in the low bits).
"""

import struct
from collections import namedtuple

from voxwire.errors import WireError

from screen.font import RANGE_BYTES, index_of

MAGIC = b"VXF2"
HEAD_BYTES = 10
RECORD_BYTES = 5

Head = namedtuple("Head", ("cap", "ascent", "descent", "bits", "ranges"))
Face = namedtuple("Face", ("cap", "ascent", "descent", "table", "offsets"))
# px; a glyph's rows begin `left` of the pen and `top` above the baseline.
Record = namedtuple("Record", ("advance", "left", "top", "width", "height"))


def read_head(data) -> Head:
    """The Head in a file's first HEAD_BYTES; WireError when it is no face."""
    if len(data) < HEAD_BYTES or bytes(data[:4]) != MAGIC:
        raise WireError("face", "is no file of type of this version")
    head = Head(*struct.unpack_from(">4BH", data, 4))
    if not 4 <= head.cap <= 96 or head.bits != 2:
        raise WireError("face", "has %d bits and capitals of %d px" % (head.bits, head.cap))
    return head


def make(head: Head, table) -> Face:
    """The Face of a Head and the bytes of its range table; WireError when they do not fit."""
    if len(table) != head.ranges * RANGE_BYTES:
        raise WireError("face", "is cut off")
    return Face(head.cap, head.ascent, head.descent, table, HEAD_BYTES + len(table))


def locate(face: Face, code: int) -> int:
    """Where in the file the two offsets of the glyph of `code` stand, -1 when there is none."""
    index = index_of(face.table, code)
    return face.offsets + 4 * index if index >= 0 else -1


def read_record(data, at: int = 0) -> Record:
    """The Record at an offset."""
    return Record(*struct.unpack_from(">BbbBB", data, at))


def row_bytes(width: int) -> int:
    """Bytes of a row of so many px."""
    return (width + 3) // 4
