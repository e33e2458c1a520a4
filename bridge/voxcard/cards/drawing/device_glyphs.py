"""The glyphs that a device's own faces hold, as its files have them."""

import struct
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from voxcard.cards.type.metrics import folder

_HEAD = struct.Struct(">4s4BH")
_RANGE = struct.Struct(">HHH")


@cache
def device_glyphs(face: str) -> Mapping[int, bytes]:
    """Code point -> record (firmware/screen/type/face.py) of the face of that name."""
    data = (folder() / f"{face}.font").read_bytes()
    count = _HEAD.unpack_from(data)[-1]
    offsets = _HEAD.size + count * _RANGE.size
    records = {}
    for at in range(_HEAD.size, offsets, _RANGE.size):
        first, last, index = _RANGE.unpack_from(data, at)
        for code in range(first, last + 1):
            begin, end = struct.unpack_from(">II", data, offsets + 4 * (index + code - first))
            records[code] = data[begin:end]
    return MappingProxyType(records)
