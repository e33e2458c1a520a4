"""Rows on pages: what stays together, what parts, where a card is cut."""

from dataclasses import dataclass, replace

import pytest
from fakes.cards.type_sheets import sheet, texts
from voxcard.cards.compose.entries import Field, ListRow
from voxcard.cards.compose.paging import cut_after, pack
from voxcard.cards.compose.picture_page import PicturePart
from voxcard.cards.compose.rows import Gap, Paragraph, Row, Rule, note
from voxcard.cards.fit.picture import Picture
from voxcard.cards.type.frame import chord
from voxwire.type import drawing

LAKE = PicturePart(picture=Picture(width=8, height=8, data=b"\x01" * 128), blob=7)


@dataclass(frozen=True)
class Rows:
    """A part of rows so high, each named by its text; some stay with the row after them."""

    heights: tuple[int, ...]
    name: str = "r"
    keep: tuple[int, ...] = ()

    def rows(self, on, y):
        for number, height in enumerate(self.heights):
            text = drawing.Text(0, height, 0, 1, f"{self.name}{number}", 0)
            yield Row(height=height, items=(text,), keep=number in self.keep)


def page(height=100, **frame):
    """A page with so many px of room and no air between parts of one kind but 8 px."""
    return sheet(**{"top": 0, "next_top": 0, "bottom": height, **frame})


def laid(parts, on):
    """The rows on each page, with their heights."""
    return [
        [(placed.y, *texts(placed.row.items)) for placed in leaf.rows] for leaf in pack(parts, on)
    ]


def named(parts, on):
    return [texts(leaf.items) for leaf in pack(parts, on)]


def test_parts_stand_under_each_other_with_air_between_them():
    assert laid([Rows((30,), "a"), Rows((30,), "b")], page()) == [[(0, "a0"), (38, "b0")]]


def test_parts_of_one_kind_have_their_own_air():
    block = [("A", "1"), ("B", "2")]
    fields = [Field(name=name, value=value, block=block) for name, value in block]
    [leaf] = pack(fields, page(200))
    assert [placed.y for placed in leaf.rows] == [0, 31 + 2]
    [leaf] = pack([ListRow(title="A"), ListRow(title="B")], page(200))
    assert [placed.y for placed in leaf.rows] == [0, 31 + 3]


def test_no_air_where_a_page_begins():
    parts = [Rows((60,), "a"), Gap(), Rows((60,), "b")]
    assert laid(parts, page()) == [[(0, "a0"), (68,)], [(0, "b0")]]


def test_a_part_that_a_page_holds_is_not_torn():
    parts = [Rows((60,), "a"), Rows((25, 25), "b")]
    assert named(parts, page()) == [["a0"], ["b0", "b1"]]


def test_a_part_of_more_than_half_a_page_begins_where_the_one_before_ends():
    parts = [Rows((30,), "a"), Rows((25, 25, 25), "b")]
    assert named(parts, page()) == [["a0", "b0", "b1"], ["b2"]]


def test_a_row_higher_than_a_page_has_one_of_its_own():
    assert named([Rows((30,), "a"), Rows((150,), "b"), Rows((30,), "c")], page()) == [
        ["a0"],
        ["b0"],
        ["c0"],
    ]


def test_a_heading_goes_along_with_what_follows_it():
    parts = [Rows((50,), "a"), Rows((20,), "h", keep=(0,)), Rows((40,), "b")]
    assert named(parts, page()) == [["a0"], ["h0", "b0"]]


def test_a_heading_at_the_head_of_a_page_stays_there():
    parts = [Rows((20,), "h", keep=(0,)), Rows((90, 90), "b")]
    assert named(parts, page()) == [["h0"], ["b0"], ["b1"]]


def test_a_name_is_not_parted_from_its_value():
    parts = [Rows((30,), "a"), Rows((30, 30, 30, 30), "b", keep=(1,))]
    # b1 would stand at the foot.
    assert named(parts, page(100)) == [["a0", "b0"], ["b1", "b2", "b3"]]


def test_further_pages_may_begin_higher():
    on = page(top=50)
    assert laid([Rows((30,), "a"), Rows((70,), "b")], on) == [[(50, "a0")], [(0, "b0")]]


def test_a_title_may_leave_no_room_for_rows_on_its_page():
    assert named([Rows((30,), "a")], page(top=90)) == [[], ["a0"]]


@pytest.mark.parametrize("last", [Gap(), Rule()])
def test_air_and_rules_begin_no_page(last):
    assert len(pack([Rows((95,), "a"), last], page())) == 1
    assert named([Rows((95,), "a"), last, Rows((30,), "b")], page()) == [["a0"], ["b0"]]


def test_rows_that_go_along_are_laid_out_for_the_chords_of_their_new_page():
    on = sheet("240x240-round", top=26, next_top=26, bottom=202)
    head = Paragraph(text="A heading that is rather long", role="title", keep=True)
    first, second = pack([Rows((120,), "a"), head, Rows((60,), "b")], on)
    assert len(first.rows) == 1
    screen = on.setting.screen
    for placed in second.rows[:-1]:
        x, width = chord(screen, placed.y, placed.row.height)
        [item] = placed.row.items
        assert x <= item.x and on.face("title").width(item.text) <= width, placed


class TestParts:
    """How many parts are whole by the end of a page."""

    def parts(self, *heights, on=None):
        parts = [Rows(each, str(number)) for number, each in enumerate(heights)]
        return [leaf.parts for leaf in pack(parts, on or page())]

    def test_a_part_counts_where_it_ends(self):
        assert self.parts((30,), (30,), (60,)) == [2, 3]
        assert self.parts((60, 60, 60, 60)) == [0, 0, 0, 1]
        assert self.parts((30,), (60, 60, 60), (60,)) == [1, 1, 2, 3]

    def test_a_heading_that_goes_along_counts_where_it_stands(self):
        parts = [Rows((50,), "a"), Rows((20,), "h", keep=(0,)), Rows((40,), "b")]
        assert [leaf.parts for leaf in pack(parts, page())] == [1, 3]

    def test_a_picture_counts_on_its_page(self):
        leaves = pack([Rows((30,), "a"), LAKE, Rows((30,), "b")], page())
        assert [leaf.parts for leaf in leaves] == [1, 2, 3]


def test_a_picture_has_a_page_of_its_own():
    leaves = pack([Rows((30,), "a"), LAKE, Rows((30,), "b")], page())
    assert [leaf.picture for leaf in leaves] == [None, LAKE, None]
    assert [len(leaf.rows) for leaf in leaves] == [1, 0, 1]
    assert [leaf.picture for leaf in pack([LAKE], page())] == [LAKE]


def test_of_more_pages_than_wanted_one_is_laid_out():
    on = replace(page(), pages_max=3)
    assert len(pack([Rows((90,), str(number)) for number in range(50)], on)) == 4
    assert len(pack([Rows((90,) * 50)], on)) == 4


def test_a_card_without_parts_is_a_page():
    [leaf] = pack([], page())
    assert (leaf.rows, leaf.parts) == ([], 0)


class TestCut:
    """A page that ends with how much is left out."""

    def cut(self, parts, on):
        """The texts of the page, and how many parts are whole on it."""
        leaf = cut_after(pack(parts, on)[0], on, lambda parts: note(f"+{9 - parts} more"))
        return texts(leaf.items), leaf.parts

    def test_a_remark_stands_after_the_rows(self):
        assert self.cut([Rows((30,), "a")], page()) == (["a0", "+8 more"], 1)

    def test_rows_make_room_for_it_and_are_counted(self):
        parts = [Rows((30,), "a"), Rows((28,), "b"), Rows((24,), "c")]
        assert self.cut(parts, page()) == (["a0", "b0", "+7 more"], 2)

    def test_a_part_that_is_cut_in_the_middle_counts_as_left_out(self):
        assert self.cut([Rows((30,), "a"), Rows((30, 30), "b")], page()) == (
            ["a0", "b0", "+8 more"],
            1,
        )

    def test_a_picture_makes_room(self):
        assert self.cut([LAKE, Rows((30,), "a")], page()) == (["+9 more"], 0)
