"""The room of a page: what of the panel a row at some height may take."""

from dataclasses import dataclass
from math import isqrt

from voxwire.capability import Screen

_MARGIN = 24  # of the shorter side, left and right of text on a rectangular panel
_RIM = 30  # of the diameter, between text and the rim of a round one
_COLUMN = 70  # of a round one's diameter, what rows take that begin at one x, in percent


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Rows lie between `top` and `bottom` (px) on the first page, and between `next_top` and
    `bottom` on those that follow."""

    screen: Screen
    top: int
    next_top: int
    bottom: int

    @property
    def round(self) -> bool:
        """Whether the panel is a circle: its rows are centred, each as wide as its chord."""
        return bool(self.screen.shape == "round")

    @property
    def margin(self) -> int:
        """Px left and right of rows on a rectangular panel."""
        return max(2, int(min(self.screen.width, self.screen.height)) // _MARGIN)

    def span(self, y: int, height: int) -> tuple[int, int]:
        """(x, width) of a row of `height` px at `y`."""
        width = self.screen.width
        if not self.round:
            return self.margin, width - 2 * self.margin
        return chord(self.screen, y, height)

    def column(self, y: int, height: int) -> tuple[int, int]:
        """(x, width) of a row that stands under others: all begin at one x, but for those near the
        rim of a round panel."""
        x, width = self.span(y, height)
        if not self.round:
            return x, width
        edge = (self.screen.width - self.screen.width * _COLUMN // 100) // 2
        left, right = max(edge, x), min(self.screen.width - edge, x + width)
        return left, max(0, right - left)

    @property
    def widest(self) -> int:
        """The width of the widest row."""
        middle = (self.top + self.bottom) // 2
        return self.span(middle, 1)[1]


def chord(screen: Screen, y: int, height: int) -> tuple[int, int]:
    """(x, width) of what a round panel shows of a row, inside a margin at its rim."""
    diameter = min(screen.width, screen.height)
    radius = diameter // 2 - diameter // _RIM
    middle = screen.height // 2
    away = max(abs(middle - y), abs(y + height - middle))
    half = isqrt(max(0, radius * radius - away * away))
    return screen.width // 2 - half, 2 * half
