"""The foot of a card's pages: where it comes from, and how old it is."""

from voxwire import card as wire

from voxcard.cards.model import Provenance
from voxcard.cards.text.age import age
from voxcard.cards.text.cells import cut, plain_line, width
from voxcard.cards.text.sanitize import label as clean_label


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
