"""Lays out a carousel: the pages of each slide in turn, with as much as there is room for."""

from collections.abc import Callable, Sequence

from voxwire import card as wire

from voxcard.cards.card_plan import CardPlan, Version
from voxcard.cards.fit.entries import more
from voxcard.cards.fit.plan import wire_card
from voxcard.cards.model import Card

SLIDES_MAX = 12  # more of them nobody pages through with one button
# What a slide shows, the least first: QR pages, pages of text, whether its choices. Every slide
# gets the one before any gets the next.
_LEVELS = ((0, 1, True), (1, 1, True), (1, 2, True), (2, wire.PAGES_MAX, True))


def codes_max(card: Card) -> int:
    """QR pages that a slide may have; making codes that find no room would cost time."""
    return 2 if len(card.slides) <= 4 else 1


def largest(card: Card, plans: Sequence[CardPlan], within: Callable[[wire.Card], bool]) -> Version:
    """The most of the slides planned that is `within` the limits; those left out are counted."""
    slides = [plan.build(0, plan.room.rows, False) for plan in plans]
    while len(slides) > 1 and not within(_whole(card, slides).card):
        slides.pop()
    for codes, pages, buttons in _LEVELS:
        for index, plan in enumerate(plans[: len(slides)]):
            slide = plan.build(min(codes, len(plan.codes.shown)), pages * plan.room.rows, buttons)
            tried = [*slides[:index], slide, *slides[index + 1 :]]
            if within(_whole(card, tried).card):
                slides = tried
    return _whole(card, slides)


def _whole(card: Card, slides: Sequence[Version]) -> Version:
    pages = [page for slide in slides for page in slide.card.pages]
    unseen = len(card.slides) - len(slides)
    if unseen:
        pages.append(wire.TextPage("", (wire.text_line(more(unseen)),), 0))
    left_out = unseen + sum(slide.left_out for slide in slides)
    return Version(card=wire_card(card, pages, "", None), left_out=left_out)
