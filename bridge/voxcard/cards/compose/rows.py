"""What a page is made of: rows, and the parts of a card that are laid out in them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from voxwire.card import PAGES_MAX
from voxwire.type import drawing
from voxwire.type.roles import DIM, INK, TRACK

from voxcard.cards.type.frame import Frame
from voxcard.cards.type.metrics import Metrics, metrics
from voxcard.cards.type.setting import Setting, Style, without_widow

_LINES_MAX = 400
Spans = Callable[[int], tuple[int, int]]  # (x, width) of the lines of a paragraph, from 0


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
    """What rows are laid out with: a setting, a style, and the room of a page.

    Of what takes more than `pages_max` pages, no more is laid out than shows that it does.
    """

    setting: Setting
    style: Style
    frame: Frame
    pages_max: int = PAGES_MAX
    # By the id of a block, which is kept, so that no other one gets that id.
    _known: dict[int, tuple[object, Any]] = field(default_factory=dict, init=False, compare=False)

    def once(self, block: object, work: Callable[["Sheet"], Any]) -> Any:
        """What `work` says of a block here, for all of its rows alike."""
        if id(block) not in self._known:
            self._known[id(block)] = block, work(self)
        return self._known[id(block)][1]

    def face(self, role: str) -> Metrics:
        """The face of a role."""
        return self.style.face(role)

    @property
    def align(self) -> str:
        """How lines stand in their row: in the middle of round panels."""
        return "middle" if self.frame.round else ""

    @property
    def height_max(self) -> int:
        """Px that all rows together may take."""
        first, further = (
            self.frame.bottom - self.frame.top,
            self.frame.bottom - self.frame.next_top,
        )
        return max(0, first) + (self.pages_max - 1) * max(0, further)


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
        lines = self._lines(sheet, face, text, spans, height)
        for number, line in enumerate(lines):
            x, room = spans(number)
            items = setting.run(
                face, line, x, baseline, ink=self.ink, room=room, align=sheet.align
            )
            yield Row(height=height, items=tuple(items), keep=self.keep)

    def _lines(
        self, sheet: Sheet, face: Metrics, text: str, spans: Spans, height: int
    ) -> list[str]:
        """The lines, with an ellipsis where there are more than wanted."""
        setting = sheet.setting
        # A line of its own at each page's end, where there may be room for no whole one.
        most = min(self.lines_max + 1, sheet.height_max // height + sheet.pages_max + 1)
        if sheet.frame.round:
            lines = _on_chords(sheet, face, text, spans, most)
        else:
            lines = setting.lines(face, text, spans(0)[1], most, self.hang)
        if len(lines) <= self.lines_max:
            return lines
        *lines, last, more = lines
        return [*lines, setting.cut(face, f"{last} {more}", spans(len(lines))[1])]


def _spans(frame: Frame, y: int, height: int) -> Spans:
    """(x, width) of the lines that begin at `y` and go on over further pages."""
    first = max(0, (frame.bottom - y) // height)
    further = max(1, (frame.bottom - frame.next_top) // height)

    def span(number: int) -> tuple[int, int]:
        if number < first:
            return frame.span(y + number * height, height)
        return frame.span(frame.next_top + (number - first) % further * height, height)

    return span


def _on_chords(sheet: Sheet, face: Metrics, text: str, spans: Spans, lines_max: int) -> list[str]:
    """At most `lines_max` lines, each as wide as its own chord."""
    lines: list[str] = []
    rest = text.lstrip()
    while rest and len(lines) < lines_max:
        width = spans(len(lines))[1]
        # No line is of more characters than that.
        line = "".join(sheet.setting.lines(face, rest[: 8 * width], width, 1))
        if not line:
            break
        lines.append(line)
        said = line.strip()
        if not rest.startswith(said):
            said = said.removesuffix("-")  # of a word that is cut
        if not rest.startswith(said):
            # Other characters than the text's own: all lines are as wide as the shortest.
            frame = sheet.frame
            ends = (frame.next_top, frame.top, frame.bottom - face.pitch)
            narrowest = min(frame.span(y, face.pitch)[1] for y in ends)
            return sheet.setting.lines(face, text, narrowest, lines_max)
        rest = rest[len(said) :].lstrip()
    return without_widow(sheet.setting, face, text, lines, spans(len(lines) - 1)[1])


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
