"""What a page is made of: rows, and the parts of a card that are laid out in them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from voxwire.type import drawing
from voxwire.type.roles import DIM, INK, TRACK

from voxcard.cards.type.frame import Frame
from voxcard.cards.type.metrics import Metrics, metrics
from voxcard.cards.type.setting import Setting, Style

_LINES_MAX = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """`height` px of a page; `items` are where they would be with the row's top at y 0.

    `keep`: it does not stand at the foot of a page without the row after it.
    """

    height: int
    items: tuple[Any, ...] = ()
    keep: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """What rows are laid out with: a setting, a style, and the room of a page."""

    setting: Setting
    style: Style
    frame: Frame

    def face(self, role: str) -> Metrics:
        """The face of a role."""
        return self.style.face(role)

    @property
    def align(self) -> str:
        """How lines stand in their row: in the middle of round panels."""
        return "middle" if self.frame.round else ""


class Part(Protocol):
    """A piece of a card that is kept or left out as a whole (a long one is cut)."""

    def rows(self, sheet: Sheet, y: int) -> Iterator[Row]:
        """Its rows, of which the first lies at `y` of a page if there is room."""


def moved(items: tuple[Any, ...], y: int) -> Iterator[Any]:
    """Items further down."""
    return (item._replace(y=item.y + y) for item in items)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Air between parts; none where a page begins."""

    share: int = 100  # of the style's gap, in percent

    def rows(self, sheet: Sheet, y: int) -> Iterator[Row]:
        yield Row(height=sheet.style.gap * self.share // 100)


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """Text over as many lines as it takes."""

    text: str
    role: str = "body"
    face: str = ""  # a face by its name, instead of a role's
    ink: int = INK
    hang: int = 0
    keep: bool = False  # with what follows it
    lines_max: int = _LINES_MAX

    def rows(self, sheet: Sheet, y: int) -> Iterator[Row]:
        face = metrics(self.face) if self.face else sheet.face(self.role)
        for paragraph in self.text.split("\n"):
            if not paragraph.strip():
                continue
            for row in self._paragraph(sheet, face, paragraph, y):
                y += row.height
                y = y if y <= sheet.frame.bottom else sheet.frame.next_top
                yield row

    def _paragraph(self, sheet: Sheet, face: Metrics, text: str, y: int) -> Iterator[Row]:
        setting = sheet.setting
        above, below = setting.reach(face, text) if setting.shaped(text) else (0, 0)
        height = max(face.pitch, above + below)
        baseline = above or face.ascent - face.cap // 12
        spans = _spans(sheet.frame, y, height)
        width = spans(0)[1] if not sheet.frame.round else sheet.frame.widest
        lines = setting.lines(face, text, width, self.lines_max, self.hang)
        if sheet.frame.round:
            lines = _on_chords(sheet, face, text, spans)
        for number, line in enumerate(lines[: self.lines_max]):
            x, room = spans(number)
            items = setting.run(
                face, line, x, baseline, ink=self.ink, room=room, align=sheet.align
            )
            yield Row(height=height, items=tuple(items), keep=self.keep)


def _spans(frame: Frame, y: int, height: int) -> Callable[[int], tuple[int, int]]:
    """(x, width) of the lines that begin at `y` and go on over further pages."""
    first = max(0, (frame.bottom - y) // height)
    further = max(1, (frame.bottom - frame.next_top) // height)

    def span(number: int) -> tuple[int, int]:
        if number < first:
            return frame.span(y + number * height, height)
        return frame.span(frame.next_top + (number - first) % further * height, height)

    return span


def _on_chords(
    sheet: Sheet, face: Metrics, text: str, spans: Callable[[int], tuple[int, int]]
) -> list[str]:
    """Lines each as wide as its own chord."""
    lines: list[str] = []
    rest = text
    while rest and len(lines) < _LINES_MAX:
        width = spans(len(lines))[1]
        line = "".join(sheet.setting.lines(face, rest, width, 1))
        if not line:
            break
        lines.append(line)
        said, rest = line.strip(), rest.lstrip()
        if not rest.startswith(said):
            said = said.removesuffix("-")  # of a word that is cut
        if not rest.startswith(said):
            # Other characters than the text's own: all lines are as wide as the shortest.
            frame = sheet.frame
            ends = (frame.next_top, frame.top, frame.bottom - face.pitch)
            narrowest = min(frame.span(y, face.pitch)[1] for y in ends)
            return sheet.setting.lines(face, text, narrowest, _LINES_MAX)
        rest = rest[len(said) :].lstrip()
    return lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A hairline across the page."""

    def rows(self, sheet: Sheet, y: int) -> Iterator[Row]:
        gap = sheet.style.gap
        x, width = sheet.frame.span(y, 2 * gap)
        yield Row(height=gap, items=(drawing.Box(x, gap // 2, width, 1, TRACK, 0),))


@dataclass(frozen=True, slots=True, kw_only=True)
class Blank:
    """Nothing: an item that has no words here, and is counted."""

    note: str = field(default="")

    def rows(self, sheet: Sheet, y: int) -> Iterator[Row]:
        return iter(())


def note(text: str) -> Paragraph:
    """A remark in small, dim type."""
    return Paragraph(text=text, role="caption", ink=DIM)
