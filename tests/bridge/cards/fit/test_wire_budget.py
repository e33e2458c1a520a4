"""A card takes all the bytes a device has for it, and none more."""

from itertools import count

import pytest
from fakes.device.screens import screen_of
from voxcard.cards.drawing.lines import Paragraph, Writing
from voxcard.cards.fit.fit import STRIP_BYTES_MAX, fit, wire_bytes
from voxcard.cards.model import Action, Card, TextBlock
from voxwire import card as wire
from voxwire.capability import BLOCKS

PANEL = screen_of(240, 240, 16, "rect", 116, (8, 16), ((32, 0x24F),), BLOCKS)
KINDS = {wire.TextPage: "t", wire.QrPage: "q", wire.ChoicePage: "a"}


def fitted(card, **more):
    return fit(card, PANEL, now=0, next_blob=count(1).__next__, **more)


def kinds(fitted_card):
    return "".join(KINDS[type(page)] for page in fitted_card.card.pages)


@pytest.mark.parametrize(("buttons", "pages"), [(7, "tqqqqqqa"), (8, "tqqqqqa"), (12, "tqqqqqa")])
def test_a_code_without_room_goes_alone_and_its_link_is_said(buttons, pages):
    url = "https://a.example/{}/" + "x" * 200
    links = [
        Action(id=f"l{n}", label=f"Link {n}", kind="link", url=url.format(n)) for n in range(6)
    ]
    options = [
        Action(id="b" * 60 + str(n), label="Dish " + "y" * 20, kind="message")
        for n in range(buttons)
    ]
    card = Card(
        id="c", dialect="x", title="T", actions=(*links, *options), blocks=(TextBlock(text="a"),)
    )
    assert kinds(fitted(card)) == pages
    texts = [line.text for line in fitted(card).card.pages[0].lines]
    named = sum(line.startswith("Link") for line in texts)
    assert named + pages.count("q") >= 6 and fitted(card).left_out == 0


def test_forty_bytes_are_kept_for_the_names_of_what_is_drawn():
    words = "abcdefghijklmnopqrstuvwxyz " * 200
    sizes = []
    for size in range(2200, 3800):
        card = Card(id="c", dialect="x", title="T", blocks=(TextBlock(text=words[:size]),))
        if size % 100 and not sizes:
            continue  # the first that is near is found in steps
        done = fitted(card)
        if done.left_out:
            break
        if wire_bytes(done.card) > wire.WIRE_BYTES_MAX - 150:
            sizes.append(wire_bytes(done.card))
    assert wire.WIRE_BYTES_MAX - 40 - 4 <= max(sizes) <= wire.WIRE_BYTES_MAX - 40


class Bitmap:
    def __init__(self, width):
        self.width, self.rows = width, bytes(16 * ((width + 7) // 8))


class Drawer:
    """A line of Hebrew is as many px wide as it says."""

    def glyph(self, code_point, /):
        return None

    def lacks(self, code_point, /):
        return False

    def strip(self, text, width_max, rtl=False):
        return Bitmap(width_max)

    def fits(self, text, width_max, rtl=False):
        return True

    def paragraph(self, text, width_max, lines_max, *, rtl, hang=0):
        return Paragraph((text,), (int(text[1:]),), Writing(16, 0, 16), 16)

    def block(self, lines, how, width_max, rtl):
        return Bitmap(int(lines[0][1:]))


@pytest.mark.parametrize(("last", "whole"), [(1264, True), (1272, False)])
def test_what_is_drawn_takes_twenty_kilobytes_at_most(last, whole):
    widths = [1280] * 7 + [last]
    texts = [f"ש{width:0{6 + index}}" for index, width in enumerate(widths)]  # no two alike
    card = Card(id="c", dialect="x", blocks=tuple(TextBlock(text=text) for text in texts))
    taken = sum(4 + 16 * width // 8 for width in widths)
    assert (taken == STRIP_BYTES_MAX) is whole
    assert (fitted(card, drawer=Drawer()).left_out == 0) is whole
