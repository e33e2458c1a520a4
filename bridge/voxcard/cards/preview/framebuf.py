"""MicroPython's framebuf under CPython, as far as the firmware's screen code uses it.

Pixel for pixel what MicroPython 1.26 draws; tests compare the two.
"""

import sys
from array import array
from collections.abc import Sequence
from typing import Any

# The numbers are those of MicroPython's extmod/modframebuf.c.
RGB565 = 1
GS4_HMSB = 2
MONO_HLSB = 3
GS2_HMSB = 5

_STEP = {RGB565: 1, GS2_HMSB: 4, GS4_HMSB: 2, MONO_HLSB: 8}  # px that a row is a multiple of
_BITS = {RGB565: 16, GS2_HMSB: 2, GS4_HMSB: 4, MONO_HLSB: 1}  # of a pixel

Source = Any  # a FrameBuffer, or a tuple of the arguments of one


class FrameBuffer:
    """Pixels in a buffer of bytes; what is drawn outside of them is left away."""

    def __init__(
        self,
        buffer: Any,  # of bytes; one that is drawn into is writable
        width: int,
        height: int,
        pixels: int,
        stride: int | None = None,
    ) -> None:
        step = _STEP[pixels]
        stride = -(-(stride or width) // step) * step
        self.width, self.height = width, height
        self._pixels = pixels
        self._row_bytes = stride * _BITS[pixels] // 8
        self._bytes = memoryview(buffer).cast("B")[: self._row_bytes * height]
        if len(self._bytes) < self._row_bytes * height:
            raise ValueError("the buffer is too small")

    def row(self, y: int) -> list[int]:
        """The colours of row `y`, left to right."""
        data = self._bytes[y * self._row_bytes : (y + 1) * self._row_bytes]
        if self._pixels == RGB565:
            return list(data.cast("H"))[: self.width]
        if self._pixels == GS4_HMSB:
            return [int(digit, 16) for digit in data.hex()][: self.width]
        if self._pixels == GS2_HMSB:  # the first pixel in the low bits
            return [byte >> shift & 3 for byte in data for shift in (0, 2, 4, 6)][: self.width]
        bits = format(int.from_bytes(data), f"0{self._row_bytes * 8}b")
        return [int(bit) for bit in bits[: self.width]]

    def pixel(self, x: int, y: int, colour: int | None = None) -> int | None:
        """The colour of a pixel, or None after setting it."""
        if not (0 <= x < self.width and 0 <= y < self.height):
            return None
        if colour is None:
            return self.row(y)[x]
        self._put(x, y, (colour,))
        return None

    def fill(self, colour: int) -> None:
        """Fill all of it."""
        self.fill_rect(0, 0, self.width, self.height, colour)

    def fill_rect(self, x: int, y: int, width: int, height: int, colour: int) -> None:
        """Fill a rectangle."""
        left, right = max(0, x), min(self.width, x + width)
        if left < right:
            for row in range(max(0, y), min(self.height, y + height)):
                self._put(left, row, (colour,) * (right - left))

    def rect(self, x: int, y: int, width: int, height: int, colour: int) -> None:
        """Draw the outline of a rectangle, one pixel wide."""
        self.fill_rect(x, y, width, 1, colour)
        self.fill_rect(x, y + height - 1, width, 1, colour)
        self.fill_rect(x, y, 1, height, colour)
        self.fill_rect(x + width - 1, y, 1, height, colour)

    def blit(
        self, source: Source, x: int, y: int, key: int = -1, palette: "FrameBuffer | None" = None
    ) -> None:
        """Draw another buffer, its colours by `palette` (a row); what then is `key` is clear."""
        if not isinstance(source, FrameBuffer):
            source = FrameBuffer(*source)
        inks = None if palette is None else palette.row(0)
        left, right = max(0, x), min(self.width, x + source.width)
        for row in range(max(0, -y), min(source.height, self.height - y)) if left < right else ():
            colours = source.row(row)[left - x : right - x]
            if inks is not None:
                colours = [inks[colour] for colour in colours]
            if key >= 0:
                beneath = self.row(y + row)[left:right]
                pairs = zip(colours, beneath, strict=True)
                colours = [under if colour == key else colour for colour, under in pairs]
            self._put(left, y + row, colours)

    def _put(self, x: int, y: int, colours: Sequence[int]) -> None:
        """Colours from x on, all of them inside."""
        at = y * self._row_bytes
        if self._pixels == RGB565:
            values = array("H", colours)
            self._bytes[at + 2 * x : at + 2 * (x + len(colours))] = memoryview(values).cast("B")
            return
        if self._pixels != MONO_HLSB:
            raise ValueError("nothing is drawn into GS2_HMSB and GS4_HMSB")
        row = self._bytes[at : at + self._row_bytes]
        shift = self._row_bytes * 8 - x - len(colours)
        mask = (1 << len(colours)) - 1 << shift
        ink = int("".join("1" if colour else "0" for colour in colours), 2) << shift
        row[:] = (int.from_bytes(row) & ~mask | ink).to_bytes(self._row_bytes)


assert sys.byteorder == "little", "the firmware's colours are swapped for a little-endian panel"
