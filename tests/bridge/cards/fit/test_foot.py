"""The foot of a page: the source, its age, and the room the device needs beside them."""

import pytest
from fakes.device.screens import screen_of
from voxcard.cards.fit.foot import foot
from voxcard.cards.model import Provenance
from voxwire import card as wire
from voxwire.capability import BLOCKS

SCREEN = screen_of(128, 64, 1, "rect", 230, (6, 8), ((32, 0x24F),), BLOCKS)
GRID = wire.layout(SCREEN, True)
COLS = GRID.foot.cols
HOUR = Provenance(source="s", fetched_at="1970-01-01T00:00:00Z")


def of(source, pages, at=""):
    return foot(Provenance(source=source, fetched_at=at), GRID, 3600.0, pages)


@pytest.mark.parametrize(("pages", "beside"), [(1, 4), (9, 4), (10, 5), (24, 5)])
def test_a_source_leaves_a_blank_and_room_for_the_number_of_pages(pages, beside):
    room = COLS - 1 - beside
    assert of("x" * room, pages) == "x" * room
    assert of("x" * (room + 1), pages) == "x" * (room - 1) + "…"


def test_the_age_stays_whole_where_the_source_is_cut():
    assert of("x" * 40, 1, HOUR.fetched_at) == "x" * (COLS - 5 - 5 - 1) + "… · 1h"
    assert of("s", 1, HOUR.fetched_at) == "s · 1h"


def test_where_there_is_no_source_or_no_row_there_is_no_foot():
    assert foot(None, GRID, 0, 1) == ""
    assert of("", 1) == ""
    low = wire.layout(SCREEN._replace(height=16), True)
    assert not low.foot.rows and foot(HOUR, low, 0, 1) == ""
