"""Cards of any content laid out in type: within the panel, the circle, the wire; nothing twice."""

import json
from itertools import count, pairwise

from hypothesis import given
from hypothesis import strategies as st
from properties.test_cards import CARDS, NOW
from voxcard.cards.fit.fit import fit, wire_bytes
from voxcard.cards.preview.screens import named
from voxcard.cards.type.metrics import metrics
from voxcard.package_files import boards, firmware
from voxwire import card as wire
from voxwire.bridge_only.card_writer import to_data
from voxwire.type import drawing

PANELS = ("240x240", "240x240-round", "320x240", "80x160", "240x135", "128x128")
SCREENS = st.builds(
    lambda name, size: named(name, boards(), firmware() / "fonts")._replace(text_size=size),
    st.sampled_from(PANELS),
    st.sampled_from(("small", "normal", "large")),
)


def extent(item, screen):
    """(left, right) of an item in px; a text's by its face."""
    if isinstance(item, drawing.Text):
        return item.x, item.x + metrics(screen.faces[item.face]).width(item.text)
    return item.x, item.x + item.width


@given(CARDS, SCREENS, st.sampled_from(("full", "text")))
def test_a_composed_card_is_within_the_panel_and_the_wire(card, screen, mode):
    fitted = fit(card, screen, now=NOW, mode=mode, next_blob=count(1).__next__)
    assert 1 <= len(fitted.card.pages) <= wire.PAGES_MAX
    assert wire_bytes(fitted.card) <= wire.WIRE_BYTES_MAX
    assert wire.from_data(json.loads(json.dumps(to_data(fitted.card)))) == fitted.card
    for page in fitted.card.pages:
        assert isinstance(page, drawing.DrawnPage)
        if mode == "text":
            assert page.code is None and page.options == ()
        for item in page.items:
            left, right = extent(item, screen)
            assert left >= 0 and right <= screen.width, item
            assert 0 <= item.y <= screen.height, item
        for choice in page.options:
            assert choice.y + choice.height <= screen.height, choice
            assert choice.x >= 0 and choice.x + choice.width <= screen.width, choice
        for before, after in pairwise(page.options):
            assert before.y + before.height <= after.y


@given(CARDS, SCREENS)
def test_no_line_of_text_stands_on_another(card, screen):
    fitted = fit(card, screen, now=NOW, next_blob=count(1).__next__)
    for page in fitted.card.pages:
        boxes = []
        for item in page.items:
            if isinstance(item, drawing.Text) and item.text.strip():
                left, right = extent(item, screen)
                cap = metrics(screen.faces[item.face]).cap
                boxes.append((left, right, item.y - cap, item.y, item.text))
        for number, (left, right, top, bottom, _) in enumerate(boxes):
            for other in boxes[number + 1 :]:
                beside = right <= other[0] or other[1] <= left
                assert beside or bottom <= other[2] or other[3] <= top, (boxes[number], other)


def test_what_is_drawn_on_a_round_panel_is_inside_the_circle():
    screen = named("240x240-round", boards(), firmware() / "fonts")

    @given(CARDS)
    def inside(card):
        fitted = fit(card, screen, now=NOW, next_blob=count(1).__next__)
        for page in fitted.card.pages:
            for item in page.items:
                if isinstance(item, drawing.Text):
                    left, right = extent(item, screen)
                    cap = metrics(screen.faces[item.face]).cap
                    for x in (left, right):
                        for y in (item.y - cap, item.y):
                            away = (x - 120) ** 2 + (y - 120) ** 2
                            assert away <= 121**2, (item, x, y)

    inside()
