"""What each slide of a carousel gets: its place first, then in turns what there is room for."""

from types import SimpleNamespace

import pytest
from voxcard.cards.fit import carousel
from voxcard.cards.fit.plan import Version, wire_card
from voxcard.cards.model import Card
from voxwire import card as wire

ROWS = 3


def page(words):
    return wire.TextPage(words, (), 0)


class Slide:
    """A slide named `name` with pages of text, codes and, as its last page, choices."""

    def __init__(self, name, text, codes):
        self.name, self.text = name, text
        self.room = SimpleNamespace(rows=ROWS)
        self.codes = SimpleNamespace(shown=range(codes))

    def build(self, codes, lines_max, buttons):
        text = min(self.text, lines_max // ROWS)
        names = "t" * text + "q" * codes + "c" * buttons
        pages = [page(self.name + each) for each in names]
        card = Card(id=self.name, dialect="x")
        return Version(card=wire_card(card, pages, "", None), left_out=self.text - text)


def shown(pages_max, slides, unplanned=0):
    """The pages of a carousel within `pages_max` pages, and how much it leaves out."""
    cards = (Card(id="s", dialect="x"),) * (len(slides) + unplanned)
    card = Card(id="c", dialect="x", slides=cards)
    most = carousel.largest(card, slides, lambda card: len(card.pages) <= pages_max)
    assert all(each.ms == 0 for each in most.card.pages)
    words = [each.title or each.lines[0].text for each in most.card.pages]
    return " ".join(words), most.left_out


@pytest.mark.parametrize(
    ("pages_max", "pages", "left_out"),
    [
        (1, "At +2 more", 4),  # a slide there is at least
        (2, "At +2 more", 4),
        (3, "At Bt +1 more", 5),
        (4, "At Ac Bt +1 more", 5),
        (5, "At Ac Bt Bc +1 more", 5),
    ],
)
def test_slides_without_a_place_are_counted_on_a_page_of_their_own(pages_max, pages, left_out):
    slides = [Slide("A", 3, 0), Slide("B", 3, 0)]
    assert shown(pages_max, slides, unplanned=1) == (pages, left_out)


@pytest.mark.parametrize(
    ("pages_max", "pages", "left_out"),
    [
        (3, "At Bt Ct", 4),
        (4, "At Ac Bt Ct", 4),
        (6, "At Ac Bt Bc Ct Cc", 4),
        (7, "At Aq Ac Bt Bc Ct Cc", 4),
        (8, "At Aq Ac Bt Bc Ct Cq Cc", 4),
        (9, "At Aq Ac Bt Bt Bc Ct Cq Cc", 3),
        (10, "At Aq Ac Bt Bt Bc Ct Ct Cq Cc", 2),
        (11, "At Aq Aq Ac Bt Bt Bc Ct Ct Cq Cc", 2),
        (12, "At Aq Aq Ac Bt Bt Bc Ct Ct Cq Cc", 2),
        (13, "At Aq Aq Ac Bt Bt Bt Bt Bc Ct Ct Cq Cc", 0),
    ],
)
def test_every_slide_gets_its_choices_a_code_and_a_second_page_before_any_gets_more(
    pages_max, pages, left_out
):
    slides = [Slide("A", 1, 3), Slide("B", 4, 0), Slide("C", 2, 1)]
    assert shown(pages_max, slides) == (pages, left_out)


def test_a_few_slides_may_have_two_codes_each_and_many_one():
    for slides, codes in ((1, 2), (4, 2), (5, 1), (12, 1)):
        card = Card(id="c", dialect="x", slides=(Card(id="s", dialect="x"),) * slides)
        assert carousel.codes_max(card) == codes


def test_a_carousel_is_not_paged_by_itself_and_has_no_foot():
    slides = [Slide("A", 1, 0)]
    card = Card(id="c", dialect="x", slides=(Card(id="s", dialect="x"),))
    whole = carousel.largest(card, slides, lambda card: True).card
    assert (whole.id, whole.foot, whole.auto, whole.loop) == ("c", "", False, False)
