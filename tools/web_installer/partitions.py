"""The partition table inside an image of MicroPython, and the partition for files in it; pure.

Format: ESP-IDF, Partition Tables: rows of 32 bytes at 0x8000 of the flash, then a row with the MD5
of those before it, then 0xFF.
"""

import hashlib
import struct
from dataclasses import dataclass

from voxcard.errors import VoxcardError

_AT, _BYTES = 0x8000, 0xC00  # in the flash
_ROW = struct.Struct("<2s B B I I 16s I")  # magic, type, subtype, offset, size, label, flags
_MAGIC, _MD5_MAGIC = b"\xaa\x50", b"\xeb\xeb" + b"\xff" * 14
_DATA, _FAT = 1, 0x81  # what MicroPython calls its files' partition, whatever is in it
_LABEL = "vfs"
BLOCK = 4096  # bytes that the flash erases at once
SMALLEST = 1 << 20  # bytes of files: the firmware twice, settings, a photo


@dataclass(frozen=True, slots=True, kw_only=True)
class Partition:
    """Offset and size in bytes of the flash."""

    label: str
    offset: int
    size: int

    @property
    def end(self) -> int:
        return self.offset + self.size


def with_storage(image: bytes, offset: int, flash_bytes: int) -> tuple[bytes, Partition]:
    """The image with a partition for files in its table, and that partition.

    MicroPython's own images name none: at every start the port makes one of what is behind the
    program (ports/esp32/main.c), as long as the chip's flash, which nobody knows here. So the row
    is written down, up to `flash_bytes`, which the image needs anyway. `offset` is the image's in
    the flash. VoxcardError where there is no room.
    """
    start = _AT - offset
    rows = read(image, start)
    for row in rows:
        if row.label == _LABEL:
            return image, row
    end = max(row.end for row in rows)
    storage = Partition(label=_LABEL, offset=end, size=flash_bytes - end)
    if storage.size < SMALLEST or offset + len(image) > storage.offset:
        raise VoxcardError("The image leaves no room for files in the flash.")
    return _with_row(image, start, len(rows), storage), storage


def read(image: bytes, start: int) -> list[Partition]:
    """The rows of the table at `start` of the image; none where there is no table."""
    rows = []
    while image[start : start + 2] == _MAGIC:
        _, _, _, offset, size, label, _ = _ROW.unpack_from(image, start)
        name = label.rstrip(b"\0").decode("ascii", "replace")
        rows.append(Partition(label=name, offset=offset, size=size))
        start += _ROW.size
    return rows


def _with_row(image: bytes, start: int, count: int, new: Partition) -> bytes:
    end = start + count * _ROW.size
    rows = image[start:end]
    rows += _ROW.pack(_MAGIC, _DATA, _FAT, new.offset, new.size, new.label.encode(), 0)
    if image[end : end + len(_MD5_MAGIC)] == _MD5_MAGIC:
        rows += _MD5_MAGIC + hashlib.md5(rows).digest()
        end += _ROW.size
    if len(rows) > _BYTES or set(image[end : start + len(rows)]) != {0xFF}:
        raise VoxcardError("The image's partition table has no room for one row more.")
    return image[:start] + rows + image[start + len(rows) :]
