"""Reads X11's PCF bitmap fonts (the gzip files of Debian's xfonts packages)."""

import gzip
import struct
from dataclasses import dataclass
from pathlib import Path

_METRICS, _BITMAPS, _ENCODINGS, _ACCELERATORS, _BDF_ACCELERATORS = 4, 8, 32, 2, 256
_BIG_ENDIAN, _MSB_FIRST, _COMPRESSED = 4, 8, 0x100

Bitmap = list[list[int]]  # rows of 0 and 1


@dataclass(frozen=True, slots=True, kw_only=True)
class PcfFont:
    """Glyph pictures by code point, each with the rows above the baseline."""

    glyphs: dict[int, Bitmap]
    ascent: int


class _Table:
    """One table of a PCF file; every table states its own byte order."""

    def __init__(self, data: bytes, offset: int) -> None:
        self.format = struct.unpack_from("<I", data, offset)[0]
        self._order = ">" if self.format & _BIG_ENDIAN else "<"
        self._data, self._at = data, offset + 4

    def take(self, kinds: str) -> tuple[int, ...]:
        values = struct.unpack_from(self._order + kinds, self._data, self._at)
        self._at += struct.calcsize(self._order + kinds)
        return values

    def rest(self) -> memoryview:
        return memoryview(self._data)[self._at :]


def read(path: Path, height: int) -> PcfFont:
    """The font at `path`, each glyph laid into a cell `height` px high; ValueError if it is none.

    The cell is as wide as the glyph's own advance.
    """
    data = gzip.decompress(path.read_bytes())
    if data[:4] != b"\x01fcp":
        raise ValueError(f"{path} is no PCF font")
    tables = _tables(data)
    metrics = _metrics(_Table(data, tables[_METRICS]))
    accelerators = _Table(data, tables.get(_BDF_ACCELERATORS, tables[_ACCELERATORS]))
    ascent = accelerators.take("8xi")[0]
    bitmaps = _Table(data, tables[_BITMAPS])
    offsets = bitmaps.take(f"{bitmaps.take('I')[0]}I")
    bitmaps.take("4I")
    if not bitmaps.format & _MSB_FIRST:
        raise ValueError(f"{path} has its bits the other way round")
    pixels, pad = bitmaps.rest(), 1 << (bitmaps.format & 3)
    glyphs = {
        code: _lay(pixels[offsets[index] :], metrics[index], pad, ascent, height)
        for code, index in _encodings(_Table(data, tables[_ENCODINGS])).items()
    }
    return PcfFont(glyphs=glyphs, ascent=ascent)


def _tables(data: bytes) -> dict[int, int]:
    """Where each kind of table begins."""
    count = struct.unpack_from("<I", data, 4)[0]
    rows = [struct.unpack_from("<IIII", data, 8 + 16 * index) for index in range(count)]
    return {kind: offset for kind, _, _, offset in rows}


def _metrics(table: _Table) -> list[tuple[int, ...]]:
    """Left bearing, right bearing, width, ascent and descent of each glyph."""
    if table.format & _COMPRESSED:
        return [
            tuple(value - 128 for value in table.take("5B")) for _ in range(table.take("H")[0])
        ]
    return [table.take("5h2x") for _ in range(table.take("I")[0])]


def _encodings(table: _Table) -> dict[int, int]:
    low, high, first, last, _ = table.take("5H")
    codes = [
        row * 256 + column for row in range(first, last + 1) for column in range(low, high + 1)
    ]
    indices = table.take(f"{len(codes)}H")
    return {code: index for code, index in zip(codes, indices, strict=True) if index != 0xFFFF}


def _lay(
    pixels: memoryview, metric: tuple[int, ...], pad: int, ascent: int, height: int
) -> Bitmap:
    left, right, width, above, below = metric
    stride = -(-((right - left + 7) // 8) // pad) * pad
    cell = [[0] * width for _ in range(height)]
    for row in range(above + below):
        y = ascent - above + row
        for column in range(right - left):
            x = left + column
            inside = 0 <= x < width and 0 <= y < height
            if inside and pixels[row * stride + column // 8] >> (7 - column % 8) & 1:
                cell[y][x] = 1
    return cell
