"""Pictures ready to be put on pages."""

from collections.abc import Mapping
from dataclasses import dataclass

from voxcard.cards.model import ChartBlock, ImageRef


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """An image ready for the panel: pixels in the wire's form (depth 1 or 16).

    `ink`: rows of bits for a panel of any depth, as wide as its body at most and whole lines
    high; they go as strips, so they are drawn in the theme's ink on its paper.
    """

    width: int
    height: int
    data: bytes
    ink: bool = False


# Stands for a picture that comes later: its page says what it will show.
WAITED_FOR = Picture(width=0, height=0, data=b"")


Pictures = Mapping[ImageRef | ChartBlock, Picture]
