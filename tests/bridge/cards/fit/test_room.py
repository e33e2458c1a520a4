"""The title of a card on a screen, the room below it, and the foot."""

from itertools import count

import pytest
from fakes.device.screens import screen_of
from voxcard.cards.fit.ink import Ink
from voxcard.cards.fit.room import columns, foot, room_below
from voxcard.cards.model import Provenance
from voxwire import card as wire
from voxwire.capability import BLOCKS

SCREEN = screen_of(128, 64, 1, "rect", 230, (6, 8), ((32, 0x24F),), BLOCKS)
FOOTED = wire.layout(SCREEN, True)
FOOT_COLS = FOOTED.foot.cols
HOUR = Provenance(source="s", fetched_at="1970-01-01T00:00:00Z")


def screen(width, height, cell=(8, 16)):
    return SCREEN._replace(width=width, height=height, cell=cell)


def room(title, on=SCREEN):
    return room_below(title, on, Ink(on, None, count(1).__next__, columns(on), ""))


@pytest.mark.parametrize(
    ("on", "expected"),
    [(SCREEN, 21), (screen(240, 240), 29), (screen(24, 24), 2), (screen(8, 16), 2)],
)
def test_a_line_has_as_many_cells_as_the_body_and_never_less_than_two(on, expected):
    assert columns(on) == expected == room("T", on).cols


@pytest.mark.parametrize(
    ("title", "shown", "rows", "first_rows", "whole"),
    [
        ("", "", 6, 0, ""),
        ("Order", "Order", 5, 0, ""),
        ("x" * 21, "x" * 21, 5, 0, ""),
        ("x" * 22, "x" * 20 + "…", 5, 6, "x" * 22),
    ],
)
def test_a_title_takes_a_row_and_one_that_is_too_long_opens_the_first_page(
    title, shown, rows, first_rows, whole
):
    below = room(title)
    assert (below.title, below.rows, below.first_rows) == (shown, rows, first_rows)
    assert below.whole_title == whole and below.lines_max == rows * 24


@pytest.mark.parametrize(
    ("on", "few"),
    [
        (SCREEN, True),  # five rows under a title
        (screen(240, 135), False),  # six
        (screen(160, 80, (8, 8)), False),  # seven
        (screen(64, 32, (6, 8)), True),
    ],
)
def test_a_screen_of_less_than_six_rows_under_a_title_has_few(on, few):
    assert room("T", on).few_rows is few is room("", on).few_rows


def test_the_smallest_screen_has_a_row():
    round_one = screen(18, 18)._replace(shape="round")
    assert room("", round_one).rows == 1 == room("T", round_one).rows
    assert room("T", screen(8, 16)).rows == 1 == room("", screen(8, 16)).rows


def of(source, pages, at=""):
    return foot(Provenance(source=source, fetched_at=at), FOOTED, 3600.0, pages)


@pytest.mark.parametrize(("pages", "beside"), [(1, 4), (9, 4), (10, 5), (24, 5)])
def test_a_source_leaves_a_blank_and_room_for_the_number_of_pages(pages, beside):
    room = FOOT_COLS - 1 - beside
    assert of("x" * room, pages) == "x" * room
    assert of("x" * (room + 1), pages) == "x" * (room - 1) + "…"


def test_the_age_stays_whole_where_the_source_is_cut():
    assert of("x" * 40, 1, HOUR.fetched_at) == "x" * (FOOT_COLS - 5 - 5 - 1) + "… · 1h"
    assert of("s", 1, HOUR.fetched_at) == "s · 1h"


def test_where_there_is_no_source_or_no_row_there_is_no_foot():
    assert foot(None, FOOTED, 0, 1) == ""
    assert of("", 1) == ""
    low = wire.layout(SCREEN._replace(height=16), True)
    assert not low.foot.rows and foot(HOUR, low, 0, 1) == ""
