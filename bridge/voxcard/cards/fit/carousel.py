"""A carousel on one screen: the pages of each slide in turn, with as much as there is room for."""

from collections.abc import Callable, Sequence

from voxwire import card as wire

from voxcard.cards.fit.entries import more
from voxcard.cards.fit.plan import Plan, short_id
from voxcard.cards.model import Card

SLIDES_MAX = 12  # more of them nobody pages through with one button
# What a slide shows, the least first: QR pages, pages of text, whether its choices. Every slide
# gets the one before any gets the next.
_LEVELS = ((0, 1, True), (1, 1, True), (1, 2, True), (2, wire.PAGES_MAX, True))


def codes_max(card: Card) -> int:
    """QR pages that a slide may have; making codes that find no room would cost time."""
    return 2 if len(card.slides) <= 4 else 1


def largest(card: Card, plans: Sequence[Plan], within: Callable[[wire.Card], bool]) -> wire.Card:
    """The most of the slides planned that is `within` the limits; those left out are counted."""
    shown = [plan.build(0, plan.rows, False) for plan in plans]
    while len(shown) > 1 and not within(_whole(card, shown)):
        shown.pop()
    for keep, pages, buttons in _LEVELS:
        for index, plan in enumerate(plans[: len(shown)]):
            one = plan.build(min(keep, len(plan.codes)), pages * plan.rows, buttons)
            tried = [*shown[:index], one, *shown[index + 1 :]]
            if within(_whole(card, tried)):
                shown = tried
    return _whole(card, shown)


def _whole(card: Card, shown: Sequence[wire.Card]) -> wire.Card:
    pages = [page for each in shown for page in each.pages]
    left = len(card.slides) - len(shown)
    if left:
        pages.append(wire.TextPage("", (wire.text_line(more(left)),), 0))
    return wire.Card(
        short_id(card.id),
        card.revision,
        tuple(pages),
        "",
        card.ttl_s,
        card.priority,
        False,
        False,
        (),
    )
