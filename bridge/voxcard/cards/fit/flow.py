"""Breaks lines onto pages: what stays together, and where a card that is too long is cut."""

from collections.abc import Sequence
from dataclasses import dataclass

from voxwire import card as wire

from voxcard.cards.fit.entries import Entry, more
from voxcard.cards.fit.ink import Ink
from voxcard.cards.model import ChartBlock, ImageRef
from voxcard.cards.text.cells import cut

_WHOLE = 2  # lines that stay together even where a page has few


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """An entry with its lines broken, in groups that stay on one page."""

    groups: tuple[tuple[wire.Line, ...], ...]
    heading: bool = False
    picture: ImageRef | ChartBlock | None = None
    titled: bool = False
    left_out: int = 0  # how many things its lines say, or show, to be left out

    @property
    def lines(self) -> tuple[wire.Line, ...]:
        """The lines of all groups."""
        return tuple(line for group in self.groups for line in group)

    def first(self, lines_max: int) -> tuple[tuple[wire.Line, ...], ...]:
        """As many whole groups as `lines_max` lines hold."""
        groups, used = [], 0
        for group in self.groups:
            used += len(group)
            if used > lines_max:
                break
            groups.append(group)
        return tuple(groups)


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
        groups: tuple[tuple[wire.Line, ...], ...] = ((ink.row(caption, cols),),) if caption else ()
    elif entry.groups:
        groups = entry.groups
    else:
        groups = tuple(ink.groups(entry.text, lines_max, entry.heading, entry.hang))
    return Item(
        groups=groups,
        heading=entry.heading,
        picture=entry.picture,
        titled=entry.titled,
        left_out=entry.left_out,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Flowed:
    """Pages, and how many things are left out (an item that was cut is).

    `full`: not all items have a place, and nothing may follow.
    """

    drafts: tuple[Draft, ...]
    left_out: int
    full: bool


def flow(
    items: Sequence[Item],
    cols: int,
    rows: int,
    lines_max: int,
    after: int = 0,
    first_rows: int = 0,
) -> Flowed:
    """Pages of `rows` lines holding at most `lines_max` lines; a picture counts as a whole page.
    The first page has `first_rows` lines when they are given.

    What does not fit is counted on the last line, `+7 more`, with the `after` items that would
    have followed. A heading keeps the line after it, and a short item is not torn apart.
    """
    sheets = _Sheets(rows, first_rows or rows)
    used = left_out = 0
    sizes = [rows if item.picture else len(item.lines) for item in items]
    full = sum(sizes) > lines_max
    for index, (item, size) in enumerate(zip(items, sizes, strict=True)):
        # The line that counts the rest has its place before the rest is cut.
        if full and used + size > lines_max - 1:
            unseen = len(items) - index + after
            left_out += unseen
            sheets.add_cut(item, lines_max - used - 1, cut(more(unseen), cols))
            break
        used += size
        left_out += item.left_out
        sheets.add_whole(item, item.heading and item is not items[-1])
    sheets.turn()
    return Flowed(drafts=tuple(sheets.drafts), left_out=left_out, full=full)


class _Sheets:
    def __init__(self, rows: int, first_rows: int) -> None:
        self._later_rows, self._first_rows = rows, first_rows
        self.drafts: list[Draft] = []
        self.lines: list[wire.Line] = []

    @property
    def _rows(self) -> int:
        """The lines of the page that is being filled."""
        return self._later_rows if self.drafts else self._first_rows

    def turn(self) -> None:
        """Begin a new page, unless this one is empty."""
        if self.lines:
            self.drafts.append(Draft(lines=tuple(self.lines)))
            self.lines = []

    def add_whole(self, item: Item, leads: bool) -> None:
        """Add an item; one that leads keeps the line after it."""
        if item.picture:
            self._add_picture(item)
        else:
            self._add_together(item, leads)

    def add_cut(self, item: Item, lines_max: int, mark: str) -> None:
        """Add the first lines of an item, nothing of a picture, and a line that says so."""
        if not item.picture:
            self._add(*item.first(lines_max))
        self._add((wire.text_line(mark),))

    def _add_together(self, item: Item, leads: bool) -> None:
        """Add a few lines on one page; those that lead keep the line after them."""
        together = len(item.lines) + leads
        if together <= max(_WHOLE, self._rows // 2) and len(self.lines) + together > self._rows:
            self.turn()
        self._add(*item.groups)

    def _add_picture(self, item: Item) -> None:
        """Add a page with a picture, under the heading before it when it is to have a title."""
        title = self._last_heading() if item.titled else ""
        self.turn()
        self.drafts.append(Draft(lines=item.lines, picture=item.picture, title=title))

    def _add(self, *groups: Sequence[wire.Line]) -> None:
        """Add lines, on as many pages as they take; those of a group stay on one."""
        for group in groups:
            if len(self.lines) + len(group) > self._rows:
                self.turn()
            if self.lines or any(line.style or line.text for line in group):
                self.lines += group  # no blank line opens a page

    def _last_heading(self) -> str:
        """Take away the heading this page ends with; its text, empty when it ends otherwise."""
        if not self.lines or self.lines[-1].style != "h":
            return ""
        return str(self.lines.pop().text)
