"""What the text pages of a card say, in reading order."""

from itertools import count

import pytest
from fakes.device.screens import screen_of
from voxcard.cards.fit.fit import fit
from voxcard.cards.fit.picture import Picture
from voxcard.cards.model import (
    Action,
    Card,
    ChartBlock,
    ImageBlock,
    ImageRef,
    Play,
    TextBlock,
    Twin,
)
from voxwire.capability import BLOCKS

# Large lines are test_styles.py's.
PLAIN = tuple(block for block in BLOCKS if block != "big")
WIDE = screen_of(240, 240, 1, "rect", 116, (8, 16), ((32, 0x24F),), PLAIN)
LOW = WIDE._replace(width=128, height=64, cell=(6, 8))  # five rows under a title
LAKE = ImageRef(url="https://i.example/1.png")
ICON = ImageRef(url="https://i.example/icon.png", alt="Sun")


def pages(screen=WIDE, pictures=(), mode="full", **fields):
    """(ms, lines) of each text page of a card with these fields."""
    card = Card(id="c", dialect="x", **{"title": "T", **fields})
    images = {key: Picture(width=8, height=8, data=b"\x01" * 8) for key in pictures}
    whole = fit(card, screen, now=0, mode=mode, next_blob=count(1).__next__, images=images).card
    return [(page.ms, [line.text for line in page.lines]) for page in whole.pages]


def lines(screen=WIDE, **fields):
    [(_, shown), *_] = pages(screen, **fields)
    return shown


def texts(*parts):
    return tuple(TextBlock(text=part) for part in parts)


def test_the_subtitle_opens_a_card_and_the_glossary_and_buttons_end_it():
    fields = {
        "subtitle": "Sub",
        "blocks": texts("Body"),
        "glossary": (("CPU", "It computes."),),
        "actions": (Action(id="a", label="Go", kind="message", text="go"),),
    }
    assert lines(mode="text", **fields) == ["Sub", "Body", "CPU: It computes.", "• Go"]


def test_a_title_too_long_for_its_row_is_the_first_line():
    long = "Tomorrow the ferry leaves an hour earlier"
    assert lines(title=long, blocks=texts("Be there."))[:2] == [
        "Tomorrow the ferry leaves an",
        "hour earlier",
    ]


def test_a_card_without_blocks_says_its_own_text():
    twin = Twin(text="Just *words*.", authored=frozenset({"text"}))
    assert lines(twin=twin) == ["Just *words*."]
    marked = Twin(text="Just *words*.", markdown=True, authored=frozenset({"text"}))
    assert lines(twin=marked) == ["Just words."]
    assert lines(twin=twin, blocks=texts("Body")) == ["Body"]
    assert lines(twin=Twin(text="made")) == []


def test_scenes_have_their_times_and_what_follows_has_none():
    play = Play(scenes=(texts("one"), texts("two"), texts("three")), durations_ms=(2000, 3000))
    shown = pages(play=play, subtitle="Sub", glossary=(("a", "b"),))
    assert shown == [
        (2000, ["Sub", "one"]),
        (3000, ["two"]),
        (0, ["three"]),
        (0, ["a: b"]),
    ]


def test_a_card_of_no_scenes_begins_with_its_head():
    play = Play(scenes=(), durations_ms=())
    assert pages(play=play, subtitle="Sub", glossary=(("a", "b"),)) == [
        (0, ["Sub"]),
        (0, ["a: b"]),
    ]


def test_a_low_screen_counts_pictures_without_words_after_the_text():
    picture, other = ImageBlock(image=LAKE), ImageBlock(image=ImageRef(url="https://j.example/2"))
    for blocks, own, expected in (
        ((picture, *texts("Go.")), None, ["Go.", "[picture]"]),
        ((picture, other, *texts("Go.")), None, ["Go.", "[2 pictures]"]),
        ((picture, *texts("Go.")), ImageRef(url="https://i.example/3", alt="T"),
         ["Go.", "[2 pictures]"]),
        ((picture, *texts("Go.")), ImageRef(url="https://i.example/3", alt="Lake"),
         ["Go.", "[picture]", "[picture] Lake"]),
        (texts("Go."), ImageRef(url="https://i.example/3"), ["Go."]),
        ((picture,), None, ["[picture] i.example"]),
    ):  # fmt: skip
        assert lines(LOW, blocks=blocks, image=own) == expected
    assert lines(WIDE, blocks=(picture, *texts("Go."))) == ["[picture] i.example", "Go."]


@pytest.mark.parametrize(("height", "rows"), [(48, 3), (56, 4)])
def test_words_stand_in_for_a_picture_where_there_are_four_rows(height, rows):
    # Under a title that is too long for its row the rest of a page is as it is without.
    screen = LOW._replace(height=height)
    alone = lines(screen, title="", blocks=(ImageBlock(image=LAKE),))
    assert alone == ["[picture] i.example"]
    play = Play(scenes=((ImageBlock(image=LAKE), *texts("Go.")),), durations_ms=(2000,))
    shown = lines(screen, play=play, blocks=texts("x"))
    assert shown == (["[picture] i.example", "Go."] if rows == 4 else ["Go."])


def test_an_icon_is_shown_where_it_was_found():
    assert lines(blocks=texts("Go."), icon=ICON) == ["Go."]
    shown = pages(blocks=texts("Go."), icon=ICON, pictures=(ICON,))
    assert [page for _, page in shown] == [["Go."], ["Sun"]]
    both = pages(blocks=texts("Go."), icon=ICON, image=LAKE, pictures=(ICON, LAKE))
    assert len(both) == 2  # the card's picture goes before its icon


@pytest.mark.parametrize(
    ("glyphs", "drawn"),
    [
        (((32, 0x24F),), False),
        (((32, 0x24F), (0x2587, 0x2587)), True),
        (((32, 0x2586),), False),
        (((32, 0x2600),), True),
        (((32, 0x24F), (0x2588, 0x2600)), False),
    ],
)
def test_a_chart_has_bars_where_the_font_has_their_sign(glyphs, drawn):
    points = (("Mon", 4.0), ("Tue", 2.0))
    chart = ChartBlock(summary="Rain", points=points)
    shown = lines(WIDE._replace(glyphs=glyphs), blocks=(chart,))
    assert any("▇" in line for line in shown) is drawn
    assert any("Mon" in line for line in shown)
