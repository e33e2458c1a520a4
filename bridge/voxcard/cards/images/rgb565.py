"""Colours as a panel takes them: 5, 6 and 5 bits in two bytes, the high one first."""

from typing import Any

import numpy as np

LEVELS = np.array((31, 63, 31), np.float32)  # the brightest red, green and blue


def packed(levels: Any) -> bytes:
    """Pixels whose red, green and blue are whole levels (rows x columns x 3) as bytes."""
    red, green, blue = np.moveaxis(levels.astype(np.uint16), -1, 0)
    return bytes((red << 11 | green << 5 | blue).astype(">u2").tobytes())


def rgb565(image: Any) -> bytes:
    """An RGB image, rows top to bottom; Floyd-Steinberg, so that no slope has steps.

    A pixel waits for its left neighbour and three of the row above: all pixels with the same
    column + 2 * row are computed at a time (240 x 240: 10 ms; one by one it would be 1 s).
    """
    pixels = np.asarray(image, np.float32)
    height, width, _ = pixels.shape
    row, column = np.mgrid[0:height, 0:width]
    moment = column + 2 * row
    last = width + 2 * (height - 1)
    # By moment and row. What spills over an edge lands where no pixel is read.
    values = np.zeros((last + 3, height + 1, 3), np.float32)
    values[moment, row] = pixels
    levels = np.zeros((last, height, 3), np.uint8)
    for now in range(last):
        top, bottom = max(0, (now - width) // 2 + 1), min(height, now // 2 + 1)
        value = values[now, top:bottom]
        level = np.clip(np.rint(value * (LEVELS / 255)), 0, LEVELS)
        levels[now, top:bottom] = level
        part = (value - level * (255 / LEVELS)) / 16
        values[now + 1, top:bottom] += 7 * part  # to the right
        values[now + 1, top + 1 : bottom + 1] += 3 * part  # below, to the left
        values[now + 2, top + 1 : bottom + 1] += 5 * part  # below
        values[now + 3, top + 1 : bottom + 1] += part  # below, to the right
    return packed(levels[moment, row])
