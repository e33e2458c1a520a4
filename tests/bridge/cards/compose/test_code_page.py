"""The page of a code: the code in the light, its words beside, under or around it."""

import pytest
from fakes.cards.type_sheets import TenPxLetters, inks, metrics_of, panel, right, setting, texts
from voxcard.cards.compose.code_page import code_page, says_all
from voxcard.cards.fit.qr_code import Code, fit_code
from voxcard.cards.fit.qr_pages import Coded
from voxcard.cards.type.setting import styles
from voxwire.type import drawing
from voxwire.type.roles import DIM, INK

URL = "https://track.example/abc"
PANELS = ("240x240", "240x240-round", "320x240", "128x128")


def item(name="240x240", label="Track parcel", where="track.example", code=None):
    found = code or fit_code(URL, panel(name), lambda place: place.caption.rows >= 2)
    return Coded(label=label, where=where, url=URL, code=found)


def page(name="240x240", smooth=None, **fields):
    on = setting(name, smooth)
    return on, code_page(item(name, **fields), on.screen, on, styles(on.screen).usual)


def side(code):
    return (code.modules + 2 * code.quiet) * code.scale


def code_of(modules, scale):
    return Code(modules=modules, rows=b"", scale=scale, quiet=1)


@pytest.mark.parametrize("name", PANELS)
def test_the_light_square_is_on_the_panel(name):
    on, shown = page(name)
    code, screen = shown.code, on.screen
    assert (code.modules, code.quiet >= 1) == (25, True)
    assert code.x >= 0 and code.x + side(code) <= screen.width
    assert code.y >= 0 and code.y + side(code) <= screen.height
    if screen.shape == "round":
        assert 2 * (side(code) / 2) ** 2 <= (screen.width / 2) ** 2  # its corners


def test_words_beside_it_end_at_the_foot_of_a_low_panel():
    label, where = "Track the parcel on its way to you", "parcels.of.the.post.example"
    on, shown = page("240x135", label=label, where=where, code=code_of(25, 4))
    assert shown.items
    assert all(text.y + metrics_of(on, text).descent <= 135 for text in shown.items)


@pytest.mark.parametrize("name", PANELS)
def test_no_word_stands_on_the_light_square(name):
    on, shown = page(name)
    code = shown.code
    for text in shown.items:
        cap = int(on.screen.faces[text.face][1:])
        beside = text.x >= code.x + side(code) or right(on, text) <= code.x
        assert beside or text.y <= code.y or text.y - cap >= code.y + side(code), text
        assert text.x >= 0 and right(on, text) <= on.screen.width


def test_the_label_is_bright_and_where_it_leads_dim_under_the_code():
    _, shown = page()
    assert inks(shown.items) == [("Track parcel", INK), ("track.example", DIM)]
    label, where = shown.items
    assert side(shown.code) < label.y < where.y < 240


def test_they_stand_beside_it_on_a_wide_panel_broken_after_dots():
    _, shown = page("320x240")
    assert texts(shown.items) == ["Track", "parcel", "track.", "example"]
    assert min(text.x for text in shown.items) >= shown.code.x + side(shown.code)


def test_they_stand_over_and_under_it_on_a_round_panel():
    _, shown = page("240x240-round", label="Track", where="t.example")
    label, where = shown.items
    assert (label.text, where.text) == ("Track", "t.example")
    assert label.y < shown.code.y and where.y > shown.code.y + side(shown.code)


def test_what_has_no_room_is_left_away_and_the_code_never():
    _, shown = page(code=code_of(25, 8))  # 216 px high: a line is 24
    assert texts(shown.items) == []
    assert shown.code.scale == 8
    _, shown = page(code=code_of(23, 8))  # 200 px
    assert texts(shown.items) == ["Track parcel"]


def test_a_label_with_room_is_as_high_as_titles():
    on, shown = page(code=code_of(25, 5), label="Menu")
    assert on.screen.faces[shown.items[0].face] == "b20"


def test_a_code_without_words_is_in_the_middle():
    _, shown = page(label="", where="", code=code_of(25, 6))
    assert (shown.items, shown.code.x, shown.code.y) == ((), 39, 39)


def test_a_label_in_a_script_that_the_bridge_draws_is_a_drawn_line():
    drawer = TenPxLetters()
    _, shown = page(label="שלום", smooth=drawer, code=code_of(25, 5))
    assert isinstance(shown.items[0], drawing.Smooth)
    assert {text for _, text, _ in drawer.drawn} == {"שלום"}


@pytest.mark.parametrize(
    ("name", "label", "where", "all_of_it"),
    [
        ("240x240", "Track parcel", "track.example", True),
        ("240x240", "Track your parcel on its way to you", "track.example", False),
        ("320x240", "Track parcel", "track.example", True),
        ("240x240-round", "Track parcel", "track.example", False),
        ("240x240-round", "Go", "t.example", True),
        ("240x240", "no no no no no no no no no no no no", "t.example", False),
    ],
)
def test_a_page_says_all_where_nothing_is_cut(name, label, where, all_of_it):
    on = setting(name)
    coded = item(name, label=label, where=where)
    assert says_all(coded, on.screen, on, styles(on.screen).usual) is all_of_it
