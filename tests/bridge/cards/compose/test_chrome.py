"""Around the rows of a page: title, icon, source, dots or a number."""

import pytest
from fakes.cards.type_sheets import TenPxLetters, inks, right, setting, texts
from voxcard.cards.compose.chrome import DOTS_MAX, Chrome
from voxcard.cards.icons.table import ICONS
from voxcard.cards.type.frame import chord
from voxcard.cards.type.setting import styles
from voxwire.type import drawing
from voxwire.type.roles import ACCENT, DIM, INK, TRACK

PARCEL = chr(ICONS["parcel"].code)


def chrome(name="240x240", smooth=None, **fields):
    on = setting(name, smooth)
    return Chrome(screen=on.screen, setting=on, style=styles(on.screen).usual, **fields)


def shown(page=0, pages=1, **fields):
    """(face, text) of the texts around a page."""
    around = chrome(**fields)
    drawn = [each for each in around.items(page, pages) if isinstance(each, drawing.Text)]
    return [(around.screen.faces[each.face], each.text) for each in drawn]


def dots(page, pages, name="240x240", **fields):
    items = chrome(name, **fields).items(page, pages)
    return [item for item in items if isinstance(item, drawing.Box)]


class TestTitle:
    def test_a_title_is_semibold_as_high_as_the_body(self):
        assert shown(title="Parcel") == [("b20", "Parcel")]

    def test_a_title_too_wide_is_smaller_before_it_is_broken(self):
        assert shown(title="Parcel from Bergen") == [("b16", "Parcel from Bergen")]

    def test_else_it_is_smaller_and_on_several_lines(self):
        assert shown(title="Parcel from Oslo to Bergen") == [
            ("b16", "Parcel from Oslo"),
            ("b16", "to Bergen"),
        ]

    def test_of_more_than_three_lines_the_last_ends_with_an_ellipsis(self):
        said = shown(title="A title that goes on and on over more lines than anybody has the time"
                           " to read on such a screen")  # fmt: skip
        assert len(said) == 3 and said[-1][1].endswith("…")

    def test_an_icon_stands_before_it_in_the_middle_of_the_capitals(self):
        around = chrome(title="Parcel", icon="parcel")
        icon, title = around.items(0, 1)
        assert (icon.text, icon.ink, icon.x) == (PARCEL, ACCENT, 10)
        assert title.x == 10 + 30 + 8
        assert icon.y - 15 == title.y - 10

    def test_an_icon_makes_a_title_smaller_but_never_breaks_it(self):
        assert shown(title="Parcel from Oslo", icon="parcel") == [
            ("i30", PARCEL),
            ("b16", "Parcel from Oslo"),
        ]
        assert shown(title="Parcel from Bergen", icon="parcel") == [("b16", "Parcel from Bergen")]

    def test_a_round_panel_has_no_icon_and_its_title_in_the_middle(self):
        around = chrome("240x240-round", title="Parcel", icon="parcel")
        [title] = around.items(0, 1)
        assert title.text == "Parcel"
        assert abs(title.x + right(around.setting, title) - 240) <= 1

    def test_a_quiet_title_steps_back(self):
        around = chrome(title="Temperature", quiet=True)
        assert shown(title="Temperature", quiet=True) == [("t20", "Temperature")]
        assert inks(around.items(0, 1)) == [("Temperature", DIM)]
        assert inks(chrome(title="Temperature").items(0, 1)) == [("Temperature", INK)]

    def test_further_pages_have_it_small_and_dim_on_one_line(self):
        long = "Parcel from Oslo to Bergen"
        assert shown(1, 3, title="Parcel") == [("t15", "Parcel")]
        assert inks(chrome(title="Parcel").items(1, 3)) == [("Parcel", DIM)]
        assert shown(1, 3, title=long) == [("t15", "Parcel from Oslo to…")]
        assert not chrome(title=long).fits_small and chrome(title="Parcel").fits_small

    def test_a_title_that_is_the_text_stands_on_further_pages_alone(self):
        assert shown(0, 2, title="Parcel", alone=True) == []
        assert shown(1, 2, title="Parcel", alone=True) == [("t15", "Parcel")]

    def test_a_right_to_left_title_begins_at_the_right_with_its_icon_before_it(self):
        around = chrome(title="שלום", icon="parcel", smooth=TenPxLetters())
        _icon, title = around.items(0, 1)
        assert right(around.setting, title) <= 230
        assert title.x > 120


class TestFrame:
    def test_rows_begin_under_the_title_and_higher_on_further_pages(self):
        frame = chrome(title="Parcel").frame(1)
        assert (frame.top, frame.next_top) == (4 + 31 + 8, 4 + 25 + 4)

    def test_without_a_title_rows_begin_at_the_edge(self):
        assert (chrome().frame(1).top, chrome().frame(1).next_top) == (4, 4)

    def test_rows_end_over_the_foot(self):
        assert chrome().frame(1).bottom == 236
        for pages in (2, 12):
            around = chrome(title="T")
            bottom = around.frame(pages).bottom
            foot = list(around.items(1, pages))[1:]
            top = min(item.y - 15 if isinstance(item, drawing.Text) else item.y for item in foot)
            assert bottom <= top, pages
        assert chrome(source="Bus").frame(1).bottom == 240 - 25 - 2

    def test_a_round_panel_keeps_clear_of_its_rim(self):
        frame = chrome("240x240-round").frame(1)
        assert (frame.top, frame.bottom) == (26, 195)


class TestDots:
    def test_a_page_alone_has_none(self):
        assert dots(0, 1) == []

    def test_the_dot_of_the_page_is_bright(self):
        assert [dot.ink for dot in dots(1, 3)] == [TRACK, ACCENT, TRACK]

    def test_they_stand_in_the_middle_of_the_foot(self):
        first, *_, last = dots(0, DOTS_MAX)
        assert abs(first.x + last.x + last.width - 240) <= 1
        assert first.y + first.height <= 240

    def test_with_a_source_they_stand_at_the_right(self):
        *_, last = dots(0, 3, source="Bus")
        assert last.x + last.width == 230

    def test_more_than_nine_pages_have_a_number(self):
        assert len(dots(0, 9)) == 9
        assert dots(0, 10) == []
        assert shown(1, 10) == [("t15", "2/10")]
        around = chrome()
        [number] = around.items(1, 10)
        assert (right(around.setting, number), number.ink) == (230, DIM)

    @pytest.mark.parametrize("pages", [2, 3, 9, 12, 24])
    def test_on_a_round_panel_they_lie_along_the_rim_inside_the_circle(self, pages):
        around = dots(1, pages, "240x240-round")
        assert len(around) == min(pages, 18)
        for dot in around:
            away = (dot.x + dot.width / 2 - 120) ** 2 + (dot.y + dot.height / 2 - 120) ** 2
            assert (away**0.5) + dot.width / 2 <= 119, dot
            assert dot.y > 120 or pages > 9
        assert [dot.ink for dot in around].count(ACCENT) == 1

    def test_the_last_of_many_pages_is_the_last_dot_of_a_round_panel(self):
        assert dots(23, 24, "240x240-round")[-1].ink == ACCENT


class TestSource:
    def test_it_is_small_and_dim_at_the_foot(self):
        around = chrome(source="Bus · 2h")
        [source] = around.items(0, 1)
        assert (source.text, source.ink, source.x) == ("Bus · 2h", DIM, 10)
        assert source.y + around.style.face("caption").descent < 240

    def test_its_age_stays_whole_when_it_is_cut(self):
        long = "Meteorological office of Norway · 2h"
        assert shown(source=long) == [("t15", "Meteorological o… · 2h")]
        assert shown(0, 9, source=long)[0][1].endswith("… · 2h")

    def test_without_an_age_it_ends_with_an_ellipsis(self):
        [(_, text)] = shown(source="Meteorological office of Norway")
        assert text.startswith("Meteorological off") and text.endswith("…")

    def test_it_does_not_reach_the_dots_or_the_number(self):
        for pages in (3, 9, 10):
            around = chrome(source="Meteorological office of Norway · 2h")
            *others, source = around.items(0, pages)
            assert right(around.setting, source) < min(item.x for item in others)

    def test_on_a_round_panel_it_stands_in_the_middle_over_the_dots(self):
        around = chrome("240x240-round", source="Meteorological office of Norway · 2h")
        *rim, source = around.items(0, 3)
        assert source.text.endswith("… · 2h")
        x, width = chord(around.screen, source.y - 11, 15)
        assert x <= source.x and right(around.setting, source) <= x + width
        assert source.y + 4 <= min(dot.y for dot in rim)

    def test_a_card_without_one_has_none(self):
        assert texts(chrome().items(0, 1)) == []
