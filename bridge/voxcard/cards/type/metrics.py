"""How wide texts are in a device's faces, read from the very files the device draws from."""

import struct
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from voxwire.type.scale import cap_px

from voxcard import package_files

_HEAD = struct.Struct(">4s4BH")
_RANGE = struct.Struct(">HHH")


class Metrics(NamedTuple):
    """Of one face, in px: capitals, ascent and descent of a line, and each character's advance."""

    name: str
    cap: int
    ascent: int
    descent: int
    advances: MappingProxyType[int, int]

    @property
    def pitch(self) -> int:
        """From one baseline to the next: the line and a fifth of the capitals of air."""
        return self.ascent + self.descent - self.cap // 6

    def width(self, text: str) -> int:
        """Px of a text; what the face lacks takes about a capital."""
        missing = self.cap
        return sum(self.advances.get(ord(character), missing) for character in text)


def folder() -> Path:
    """Where the faces of the firmware are."""
    return package_files.firmware() / "faces"


@cache
def metrics(name: str) -> Metrics:
    """The metrics of the face `name` of voxwire.type.scale."""
    return read(name, (folder() / f"{name}.font").read_bytes())


def read(name: str, data: bytes) -> Metrics:
    """Metrics from the bytes of a face's file (firmware/screen/type/face.py has the format)."""
    magic, cap, ascent, descent, _bits, count = _HEAD.unpack_from(data)
    if magic != b"VXF2" or cap != cap_px(name):
        raise ValueError(f"{name} is no face of type")
    at, advances = _HEAD.size, {}
    offsets = at + count * _RANGE.size
    for _ in range(count):
        first, last, index = _RANGE.unpack_from(data, at)
        at += _RANGE.size
        for number, code in enumerate(range(first, last + 1), start=index):
            (place,) = struct.unpack_from(">I", data, offsets + 4 * number)
            advances[code] = data[place]
    return Metrics(name, cap, ascent, descent, MappingProxyType(advances))
