"""Pixels of a simulated panel: from its memory or a picture of it, and as a PNG."""

import struct
import zlib
from collections.abc import Mapping
from typing import Any

import numpy
from numpy.typing import NDArray

Pixels = NDArray[numpy.uint8]  # rows, columns, red green blue


def of_panel(memory: bytes, screen: Mapping[str, Any]) -> Pixels | None:
    """What a SimulatedPanel (hal/simulator.py) of `screen` keeps; None while it is not whole."""
    width, height, depth = screen["width"], screen["height"], screen["depth"]
    if len(memory) != width * height * depth // 8:
        return None
    if depth == 1:
        return _of_bits(memory, width, height)
    value = numpy.frombuffer(memory, ">u2").reshape(height, width)
    red, green, blue = value >> 11, value >> 5 & 63, value & 31
    eight = (red << 3 | red >> 2, green << 2 | green >> 4, blue << 3 | blue >> 2)
    return numpy.stack(eight, -1).astype(numpy.uint8)


def of_ppm(ppm: bytes) -> Pixels:
    """A P6 picture of 8 bits a colour."""
    _, size, _, data = ppm.split(b"\n", 3)
    width, height = map(int, size.split())
    return numpy.frombuffer(data, numpy.uint8).reshape(height, width, 3)


def png(pixels: Pixels) -> bytes:
    """A PNG of 8 bits a colour (ISO/IEC 15948)."""
    height, width, _ = pixels.shape
    header = struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)
    unfiltered = numpy.zeros((height, 1 + width * 3), numpy.uint8)
    unfiltered[:, 1:] = pixels.reshape(height, -1)
    data = zlib.compress(unfiltered.tobytes(), 1)
    chunks = ((b"IHDR", header), (b"IDAT", data), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        for name, body in chunks
    )


def _of_bits(memory: bytes, width: int, height: int) -> Pixels:
    lit = numpy.unpackbits(numpy.frombuffer(memory, numpy.uint8)).reshape(height, width)
    return numpy.repeat(lit[..., None] * numpy.uint8(255), 3, -1)
