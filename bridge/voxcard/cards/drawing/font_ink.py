"""Texts and letters drawn by the bridge's fonts, beside a device's face."""

from functools import lru_cache
from math import ceil, floor
from typing import NamedTuple

import numpy as np
from voxwire.type.scale import cap_px

from voxcard.cards.drawing import ink as inks
from voxcard.cards.drawing.faces import Face
from voxcard.cards.drawing.ink import Ink
from voxcard.cards.drawing.lines import Fonts
from voxcard.cards.drawing.optical import writing

# Heights of capitals over and under the baseline: more than any script piles up.
_OVER, _UNDER = 2.2, 1.5


class _Extent(NamedTuple):
    """px around the ink and the advance of a text, from its pen; upper and lower downwards."""

    left: int
    upper: int
    right: int
    lower: int


class FontInk:
    """Draws beside a face of voxwire.type.scale."""

    def __init__(self, fonts: Fonts) -> None:
        self._fonts = fonts
        self._extent = lru_cache(maxsize=16_384)(self._measured)

    def width(self, face: str, font: Face, text: str, rtl: bool) -> int:
        """px of a shaped text and of what reaches out of it."""
        extent = self._extent(face, font, text, rtl)
        return extent.right - extent.left

    def text(self, face: str, font: Face, text: str, rtl: bool) -> Ink:
        """A shaped text, which reaches nowhere out of its advance."""
        extent = self._extent(face, font, text, rtl)
        drawn = self._drawn(face, font, text, rtl)
        return drawn._replace(left=drawn.left - extent.left)

    def letter(self, face: str, font: Face, letter: str) -> Ink:
        """One character by itself."""
        how = writing(font, face)
        length = self._fonts.open(font, how.size).getlength(letter)
        ink = self._drawn(face, font, letter, rtl=False)
        return ink._replace(advance=round(length + 2 * how.stroke))

    def _measured(self, face: str, font: Face, text: str, rtl: bool) -> _Extent:
        how = writing(font, face)
        left, upper, right, lower = self._fonts.open(font, how.size).getbbox(
            text, "L", anchor="ls", stroke_width=how.stroke, **self._fonts.direction(rtl)
        )
        cap = cap_px(face)
        upper, lower = max(upper, -cap * _OVER), min(lower, cap * _UNDER)
        return _Extent(min(0, floor(left)), floor(upper), ceil(right), ceil(lower))

    def _drawn(self, face: str, font: Face, text: str, rtl: bool) -> Ink:
        how, extent = writing(font, face), self._extent(face, font, text, rtl)
        width, height = extent.right - extent.left, extent.lower - extent.upper
        if width <= 0 or height <= 0:
            return inks.blank(max(0, width))
        image, draw = self._fonts.canvas(width, height, "L")
        options = {"stroke_width": how.stroke, "anchor": "ls", **self._fonts.direction(rtl)}
        at = (-extent.left, -extent.upper)
        try:
            draw.text(at, text, 255, font=self._fonts.open(font, how.size), **options)
        except OSError:  # "raster overflow": a very wide ligature at some sizes
            return inks.box(cap_px(face))._replace(advance=width)
        return inks.of_coverage(width, extent.left, -extent.upper, np.asarray(image))
