"""Lines onto pages: what stays together, and where a card that is too long is cut."""

from collections.abc import Sequence
from dataclasses import dataclass

from voxwire import card as wire

from voxcard.cards.fit.entries import Entry, more
from voxcard.cards.fit.ink import Ink
from voxcard.cards.model import ChartBlock, ImageRef
from voxcard.cards.text.cells import cut, wrap

_WHOLE = 2  # lines that stay together even where a page has few


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """An entry with its lines broken."""

    lines: tuple[wire.Line, ...]
    heading: bool = False
    picture: ImageRef | ChartBlock | None = None
    titled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A page: lines, or a picture with its caption lines."""

    lines: tuple[wire.Line, ...]
    picture: ImageRef | ChartBlock | None = None
    title: str = ""  # of its own


def broken(entry: Entry, cols: int, lines_max: int, ink: Ink) -> Item:
    """The entry's lines, at most `lines_max` of them; one for a picture."""
    if entry.picture:
        caption = " ".join(entry.text.split())
        lines = [cut(caption, cols)] if caption else []
    else:
        lines = wrap(entry.text, cols, lines_max)
    made = tuple(ink.line(line, entry.heading) for line in lines)
    return Item(lines=made, heading=entry.heading, picture=entry.picture, titled=entry.titled)


@dataclass(frozen=True, slots=True, kw_only=True)
class Flowed:
    """Pages, the lines they use, and how many items were left out (a cut one is)."""

    drafts: tuple[Draft, ...]
    used: int
    left: int


def flow(items: Sequence[Item], cols: int, rows: int, lines_max: int, after: int = 0) -> Flowed:
    """Pages of `rows` lines holding at most `lines_max` lines; a picture counts as a whole page.

    What does not fit is counted on the last line, `+7 more`, with the `after` items that would
    have followed. A heading keeps the line after it, and a short item is not torn apart.
    """
    sheets = _Sheets(rows)
    used = left = 0
    for index, item in enumerate(items):
        size = rows if item.picture else len(item.lines)
        if used + size > lines_max:
            left = len(items) - index + after
            if not item.picture:
                sheets.add(item.lines[: max(0, lines_max - used - 1)])
            sheets.add((wire.text_line(cut(more(left), cols)),))
            break
        used += size
        if item.picture:
            title = sheets.last_heading() if item.titled else ""
            sheets.turn()
            sheets.drafts.append(Draft(lines=item.lines, picture=item.picture, title=title))
            continue
        together = size + (item.heading and item is not items[-1])
        if together <= max(_WHOLE, rows // 2) and len(sheets.lines) + together > rows:
            sheets.turn()
        sheets.add(item.lines)
    sheets.turn()
    return Flowed(drafts=tuple(sheets.drafts), used=used, left=left)


class _Sheets:
    def __init__(self, rows: int) -> None:
        self._rows = rows
        self.drafts: list[Draft] = []
        self.lines: list[wire.Line] = []

    def turn(self) -> None:
        """Begin a new page, unless this one is empty."""
        if self.lines:
            self.drafts.append(Draft(lines=tuple(self.lines)))
            self.lines = []

    def add(self, lines: Sequence[wire.Line]) -> None:
        for line in lines:
            if len(self.lines) == self._rows:
                self.turn()
            if self.lines or line.style or line.text:  # no blank line opens a page
                self.lines.append(line)

    def last_heading(self) -> str:
        """Take away the heading this page ends with; its text, empty when it ends otherwise."""
        if not self.lines or self.lines[-1].style != "h":
            return ""
        return str(self.lines.pop().text)
