"""What draws text of any script in 4 levels, at the size of a face of type."""

from typing import Protocol


class Line(Protocol):
    """A line drawn by the bridge: rows of 4 levels, `baseline` of them above the baseline."""

    @property
    def width(self) -> int: ...

    @property
    def height(self) -> int: ...

    @property
    def baseline(self) -> int: ...

    @property
    def rows(self) -> bytes: ...


class SmoothDrawer(Protocol):
    """Draws what faces of type lack (voxcard.cards.drawing.smooth)."""

    def glyph(self, face: str, code_point: int, /) -> bytes | None:
        """A character as a face's file has it; None when no font holds it."""

    def advance(self, face: str, code_point: int, /) -> int:
        """Px from it to the next."""

    def lacks(self, code_point: int, /) -> bool:
        """Whether no font has a character."""

    def width(self, face: str, text: str, rtl: bool = False) -> int:
        """Px of a shaped line."""

    def paragraph(
        self, face: str, text: str, width_max: int, lines_max: int, *, rtl: bool, hang: int = 0
    ) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """A text on lines that `line` draws uncut, and their widths in px."""

    def line(self, face: str, text: str, width_max: int, rtl: bool = False) -> Line:
        """A line, shaped and in visual order, with an ellipsis where it is too wide."""
