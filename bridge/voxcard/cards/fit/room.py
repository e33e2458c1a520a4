"""The title and the foot of a card as a screen shows them, and the rows and columns between."""

from dataclasses import dataclass

from voxwire import card as wire
from voxwire.capability import Screen

from voxcard.cards.fit.ink import Ink
from voxcard.cards.model import Provenance
from voxcard.cards.text.age import age
from voxcard.cards.text.cells import cut, plain_line, width
from voxcard.cards.text.sanitize import label as clean_label

_MANY_ROWS = 6  # of text under a title


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """`whole_title` is a title that the title row cannot hold, and that therefore opens the first
    page, which then has `first_rows` rows and no other title; empty (and 0) otherwise."""

    title: str | wire.Line
    whole_title: str
    layout: wire.Layout
    cols: int
    rows: int
    first_rows: int
    few_rows: bool

    @property
    def lines_max(self) -> int:
        """Lines of text that a card of the most pages holds."""
        return self.rows * wire.PAGES_MAX


def columns(screen: Screen) -> int:
    """Cells of a line of text."""
    cols: int = wire.layout(screen, True).body.cols
    return max(2, cols)


def room_below(card_title: str, screen: Screen, ink: Ink) -> Room:
    """The room that a card with this title has."""
    titled, untitled = wire.layout(screen, True), wire.layout(screen, False)
    whole = clean_label(card_title)
    title = ink.words(whole, titled.title.cols)
    whole_title = "" if ink.fits(whole, titled.title.cols) else whole
    layout = titled if title else untitled
    rows = max(1, layout.body.rows)
    return Room(
        title=title,
        whole_title=whole_title,
        layout=layout,
        cols=columns(screen),
        rows=rows,
        first_rows=max(rows, untitled.body.rows) if whole_title else 0,
        few_rows=titled.body.rows < _MANY_ROWS,
    )


def foot(origin: Provenance | None, grid: wire.Layout, now: float, pages: int) -> str:
    """`source · 2h`, with room for the page indicator the device draws beside it."""
    if origin is None or not grid.foot.rows:
        return ""
    room = grid.foot.cols - 1 - max(4, width(f"{pages}/{pages}"))
    since = age(origin.fetched_at, now)
    tail = f" · {since}" if since else ""
    source = plain_line(clean_label(origin.source))
    start = cut(source, room - width(tail))
    return f"{start}{tail}" if start else cut(source, room)
