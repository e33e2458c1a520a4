"""What a QR page says beside its code, and what the text pages say of codes."""

from itertools import count

import pytest
from fakes.device.screens import screen_of
from voxcard.cards.fit import qr_pages
from voxcard.cards.fit.ink import Ink
from voxcard.cards.fit.qr_code import Code
from voxcard.cards.fit.qr_pages import Coded, codes_of
from voxcard.cards.model import Action, Card, ListBlock, ListItem, QrBlock
from voxwire import card as wire
from voxwire.capability import BLOCKS

SCREEN = screen_of(128, 64, 1, "rect", 230, (6, 8), ((32, 0x24F),), BLOCKS)
CODE = Code(modules=29, rows=bytes(4 * 29), scale=2, quiet=1)  # beside it five lines of ten cells
PANEL = screen_of(240, 240, 16, "rect", 116, (8, 16), ((32, 0x24F),), BLOCKS)
HOST = "abcdefgh.ijklmnop.qrstuvw.xyz.example"


def caption(label, where):
    """(title, caption lines) of a page."""
    item = Coded(label=label, where=where, code=CODE)
    ink = Ink(SCREEN, None, count(1).__next__, 21)
    page = qr_pages.page(item, SCREEN, ink)
    return page.title, [line.text for line in page.lines]


@pytest.mark.parametrize(
    ("label", "where", "title", "lines"),
    [
        ("Go", "", "Go", []),
        ("Go", "a.example", "Go", ["a.example"]),
        ("Go", "shop.a.example", "Go", ["shop.a.", "example"]),
        ("Go", HOST, "Go", HOST.replace(".", "._").split("_")),
        ("Go", HOST + ".com", "Go", ["abcdefgh.…"]),
        ("word " * 3, "a.example", "word word", ["word", "a.example"]),
        ("word " * 3, HOST, "word word…", HOST.replace(".", "._").split("_")),
        ("word " * 10, "a.example", "word word", ["word word"] * 4 + ["a.example"]),
        ("word " * 10, "shop.a.example", "word word…", ["shop.a.", "example"]),
        ("word " * 12, "", "word word", ["word word"] * 5),
        ("word " * 14, "", "word word…", []),
    ],
)
def test_a_label_goes_on_in_the_caption_where_the_host_leaves_it_room(label, where, title, lines):
    page_title, page_lines = caption(label.strip(), where)
    assert (page_title, page_lines) == (title, lines)


def test_a_code_that_fills_the_page_has_no_words():
    code = Code(modules=57, rows=bytes(8 * 57), scale=4, quiet=1)
    place = wire.qr_layout(PANEL, 57, 4, 1)
    assert (place.caption.rows, place.title.rows) == (0, 0)
    ink = Ink(PANEL, None, count(1).__next__, 30)
    page = qr_pages.page(Coded(label="Go", where="a.example", code=code), PANEL, ink)
    assert page.lines == ()


def words(item, *how):
    return [entry.text.replace("\u200b", "") for entry in qr_pages.entries(item, *how)]


def test_the_text_says_of_a_code_what_its_page_does_not():
    link = Coded(label="Go", where="a.example", url="https://a.example", code=CODE)
    whole = Coded(label="Go", where="a.example", code=CODE, complete=True)
    assert words(whole, True) == []
    assert words(link, True) == ["Go: a.example"]
    assert words(link, False) == ["Go: a.example\nOpen it on your phone."]
    assert words(link, False, False) == ["Go: a.example"]
    [text] = words(Coded(label="Join", where=""), False)
    assert text.startswith("Join\n")


def links(number):
    return tuple(
        Action(id=f"{n}", label=f"L{n}", kind="link", url=f"https://a.example/{n}")
        for n in range(number)
    )


@pytest.mark.parametrize(
    ("number", "codes_max", "shown", "left_out"),
    [(6, 6, 6, 0), (7, 6, 6, 1), (9, 6, 6, 3), (3, 2, 2, 0), (1, 2, 1, 0)],
)
def test_codes_past_the_most_are_counted(number, codes_max, shown, left_out):
    codes = codes_of(
        Card(id="c", dialect="x", actions=links(number)), PANEL, lambda url: None, codes_max
    )
    assert len(codes.shown) == shown
    assert len(codes.plain_links) == number - shown
    assert max(0, codes.left_out) == max(0, left_out)


def test_codes_of_blocks_come_first_and_six_are_the_most():
    block = QrBlock(data="WIFI:S:home;;", caption="Join")
    card = Card(id="c", dialect="x", blocks=(block,) * 2, actions=links(6))
    codes = codes_of(card, PANEL, lambda url: None)
    assert [code.label for code in codes.shown] == ["Join", "Join", "L0", "L1", "L2", "L3"]


def test_a_screen_without_codes_makes_none_and_asks_for_no_short_link():
    asked = []
    screen = PANEL._replace(blocks=("text",))
    card = Card(id="c", dialect="x", blocks=(QrBlock(data="x", caption="J"),), actions=links(1))
    codes = codes_of(card, screen, asked.append)
    assert (codes.shown, asked, len(codes.plain_links)) == ([], [], 2)


def test_a_row_that_says_where_it_leads_is_not_said_again():
    items = ListBlock(items=(ListItem(title="a", url="https://a.example/" + "x" * 400),))
    codes = codes_of(Card(id="c", dialect="x", blocks=(items,)), SCREEN, lambda url: None)
    assert (codes.shown, codes.plain_links) == ([], [])
