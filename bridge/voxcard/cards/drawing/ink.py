"""Smoothed ink: pixels of 4 levels, and the bytes that a device draws from (GS2_HMSB)."""

import struct
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

_RECORD = struct.Struct(">BbbBB")  # as in a face's file (firmware/screen/type/face.py)
_BLANK = np.zeros((0, 0), np.uint8)


class Ink(NamedTuple):
    """px; `levels` (rows of 0 to 3) begin `left` of the pen and `top` above the baseline."""

    advance: int
    left: int
    top: int
    levels: Any

    @property
    def right(self) -> int:
        """Where it ends, from the pen."""
        return self.left + int(self.levels.shape[1])

    @property
    def bottom(self) -> int:
        """How far it reaches under the baseline."""
        return int(self.levels.shape[0]) - self.top


def blank(advance: int) -> Ink:
    """Room without ink."""
    return Ink(advance, 0, 0, _BLANK)


def box(side: int) -> Ink:
    """What stands for a character that no font has, as the device draws it."""
    levels = np.zeros((side, max(3, side - 2)), np.uint8)
    levels[[0, -1]] = 3
    levels[:, [0, -1]] = 3
    return Ink(side, 1, side, levels)


def of_coverage(advance: int, left: int, top: int, coverage: Any) -> Ink:
    """Ink from coverage of 0 to 255, without the empty rows and columns around it."""
    levels = ((coverage.astype(np.uint16) + 42) // 85).astype(np.uint8)
    rows, columns = np.flatnonzero(levels.any(1)), np.flatnonzero(levels.any(0))
    if not len(rows):
        return blank(advance)
    y, x = int(rows[0]), int(columns[0])
    return Ink(advance, left + x, top - y, levels[y : rows[-1] + 1, x : columns[-1] + 1])


def joined(inks: Iterable[Ink]) -> Ink:
    """Inks after one another as one."""
    placed, x = [], 0
    for ink in inks:
        if ink.levels.size:
            placed.append((x + ink.left, ink))
        x += ink.advance
    if not placed:
        return blank(x)
    left = min(at for at, _ in placed)
    right = max(at + ink.levels.shape[1] for at, ink in placed)
    top = max(ink.top for _, ink in placed)
    levels = np.zeros((top + max(ink.bottom for _, ink in placed), right - left), np.uint8)
    for at, ink in placed:
        height, width = ink.levels.shape
        part = levels[top - ink.top :, at - left :][:height, :width]
        np.maximum(part, ink.levels, out=part)  # letters may reach into each other
    return Ink(x, left, top, levels)


def packed(levels: Any) -> bytes:
    """Rows of whole bytes, 4 px a byte, the first in the low bits."""
    height, width = levels.shape
    padded = np.zeros((height, -(-width // 4), 4), np.uint8)
    padded.reshape(height, -1 if width else 0)[:, :width] = levels
    return bytes(padded @ np.array((1, 4, 16, 64), np.uint8))


def record(ink: Ink) -> bytes | None:
    """The glyph as a face's file has it; None where it is larger than one may be."""
    height, width = ink.levels.shape
    try:
        head = _RECORD.pack(ink.advance, ink.left, ink.top, width, height)
    except struct.error:
        return None
    return head + packed(ink.levels)


def read(data: bytes) -> Ink:
    """The Ink of a record."""
    advance, left, top, width, height = _RECORD.unpack_from(data)
    if not width or not height:
        return blank(advance)
    rows = np.frombuffer(data, np.uint8, offset=_RECORD.size).reshape(height, -1, 1)
    levels = (rows >> np.array((0, 2, 4, 6), np.uint8) & 3).reshape(height, -1)
    return Ink(advance, left, top, levels[:, :width])
