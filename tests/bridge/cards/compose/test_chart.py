"""Charts in type: bars with their amounts and names, lines with their extent."""

from itertools import pairwise

import pytest
from fakes.cards.type_sheets import inks, items, panel, right, sheet, texts
from voxcard.cards.compose.chart import Chart, curve_of, packed
from voxcard.cards.compose.chrome import Chrome
from voxcard.cards.model import ChartBlock
from voxcard.cards.type.setting import Setting, styles
from voxwire.type import drawing
from voxwire.type.roles import ACCENT, DIM, INK, TRACK

TOP = 40


def chart(*values, kind="bar", names=None, unit=""):
    names = names or [f"n{number}" for number in range(len(values))]
    points = tuple(zip(names, map(float, values), strict=True))
    return Chart(block=ChartBlock(summary="", points=points, kind=kind, unit=unit))


def drawn(part, name="240x240"):
    on = sheet(name, top=TOP, next_top=TOP)
    return on, items(part, on, TOP)


def bars(part):
    """(left, top, width, height, ink) of each bar from the left."""
    boxes = [item for item in drawn(part)[1] if isinstance(item, drawing.Box)]
    return sorted((box.x, box.y, box.width, box.height, box.ink) for box in boxes)


class TestBars:
    def test_heights_are_as_the_values_and_feet_on_one_line(self):
        first, second, third = bars(chart(1, 2, 4))
        assert [first[3], second[3], third[3]] == [34, 67, 134]
        assert {bar[1] + bar[3] for bar in (first, second, third)} == {199}

    def test_the_last_is_bright_and_its_amount_too(self):
        assert [bar[4] for bar in bars(chart(1, 2, 4))] == [TRACK, TRACK, ACCENT]
        said = dict(inks(drawn(chart(1, 2, 4))[1]))
        assert (said["4"], said["2"], said["1"]) == (INK, DIM, DIM)

    def test_amounts_stand_over_their_bars_and_names_under_them(self):
        on, shown = drawn(chart(1, 2, 4))
        at = {item.text: item for item in shown if isinstance(item, drawing.Text)}
        for amount, name, bar in zip("124", ("n0", "n1", "n2"), bars(chart(1, 2, 4)), strict=True):
            middle = bar[0] + bar[2] // 2
            for text in (at[amount], at[name]):
                assert abs(text.x + right(on, text) - 2 * middle) <= 2
            assert at[amount].y <= bar[1] and at[name].y > 199

    def test_negative_values_hang_from_the_line_of_zero(self):
        negative, zero, positive = bars(chart(-2, 0, 2))
        assert negative[1] == positive[1] + positive[3] == 132
        assert negative[3] == positive[3] == 67
        assert zero[3] == 2  # to be seen

    def test_one_value_is_a_bar(self):
        [bar] = bars(chart(3))
        assert (bar[3], bar[4]) == (134, ACCENT)
        assert texts(drawn(chart(3))[1]) == ["3", "n0"]

    def test_all_zero_is_a_row_of_feet(self):
        assert [bar[3] for bar in bars(chart(0, 0, 0))] == [2, 2, 2]

    def test_an_amount_wider_than_its_bar_is_said_of_the_last_alone(self):
        said = texts(drawn(chart(*[123456] * 8))[1])
        assert said.count("123456") + said.count("123,456") == 1

    def test_amounts_do_not_touch(self):
        on, shown = drawn(chart(*[99, 100] * 4))
        said = [item for item in shown if isinstance(item, drawing.Text) and item.text.isdigit()]
        amounts = sorted((item.x, right(on, item)) for item in said)
        assert len(amounts) == 4
        assert all(before[1] < after[0] for before, after in pairwise(amounts))

    def test_a_long_name_is_cut_to_its_bar(self):
        said = texts(drawn(chart(1, 2, 3, names=["September"] * 3))[1])
        assert sum(text.endswith("…") for text in said) == 3

    def test_more_than_eight_values_are_a_line(self):
        assert any(isinstance(item, drawing.Smooth) for item in drawn(chart(*range(9)))[1])
        assert not any(isinstance(item, drawing.Smooth) for item in drawn(chart(*range(8)))[1])


class TestLines:
    def test_a_line_ends_with_a_dot_and_its_newest_value_named(self):
        on, shown = drawn(chart(1, 3, 2, kind="line", unit=" kW"))
        line = next(item for item in shown if isinstance(item, drawing.Smooth))
        axis, dot = (item for item in shown if isinstance(item, drawing.Box))
        assert (line.x, line.y, line.width, line.height, line.ink) == (10, 65, 220, 134, ACCENT)
        assert (axis.y, axis.width, axis.height, axis.ink) == (199, 220, 1, TRACK)
        assert (dot.ink, dot.radius) == (ACCENT, 3)
        assert dot.y + dot.height // 2 == 65 + 67  # half way up
        newest = next(item for item in shown if getattr(item, "text", "") == "2 kW")
        assert (right(on, newest), newest.ink) == (230, INK)

    def test_its_extent_is_said_and_its_first_and_last_name(self):
        said = dict(inks(drawn(chart(1, 3, 2, kind="line", unit=" kW"))[1]))
        assert said["1 – 3 kW"] == said["n0"] == said["n2"] == DIM
        assert "n1" not in said

    def test_the_extent_is_left_away_where_the_newest_value_needs_the_room(self):
        said = texts(drawn(chart(100000, 300000, 200000, kind="line", unit=" kilowatt"))[1])
        assert len(said) == 3 and "200000 kilowatt" in said[0].replace(",", "")

    def test_the_lowest_value_is_at_the_foot_and_the_highest_at_the_head(self):
        line, end = curve_of([0.0, 1.0], 40, 20)
        assert end == (37, 3)
        assert curve_of([1.0, 0.0], 40, 20)[1] == (37, 17)
        assert (line.width, line.height, len(line.rows)) == (40, 20, 20 * 10)

    @pytest.mark.parametrize("values", [(1.7e308, -1.7e308), (5e-324, 0.0), (0.0, 0.0)])
    def test_the_widest_and_the_narrowest_of_values_are_drawn(self, values):
        for kind in ("line", "bar"):
            assert drawn(chart(*values, kind=kind))[1]
        _, (x, y) = curve_of(list(values), 40, 20)
        assert x == 37 and 3 <= y <= 17

    def test_four_levels_are_packed_first_pixel_in_the_low_bits(self):
        assert packed(bytes((0, 85, 170, 255, 255)), 5) == bytes((0b11100100, 0b11))


def test_a_chart_takes_the_rest_of_its_page_but_no_more_than_nearly_all():
    on = sheet(top=TOP, next_top=TOP)
    [row] = chart(1, 2).rows(on, TOP)
    assert TOP + row.height == on.frame.bottom
    [row] = chart(1, 2).rows(on, 70)
    assert 70 + row.height == on.frame.bottom


def test_a_chart_for_which_a_page_has_no_room_left_is_as_high_as_on_the_next():
    on = sheet(top=TOP, next_top=TOP)
    assert [row.height for row in chart(1, 2).rows(on, 200)] == [
        row.height for row in chart(1, 2).rows(on, TOP)
    ]


@pytest.mark.parametrize("size", ["small", "normal", "large"])
@pytest.mark.parametrize("name", ["128x128", "240x135", "80x160"])
def test_a_chart_is_never_higher_than_a_page(name, size):
    screen = panel(name)._replace(text_size=size)
    on = Setting(screen, None, lambda: 1)
    style = styles(screen).usual
    frame = Chrome(screen=screen, setting=on, style=style, title="T", source="x").frame(3)
    lowest = max(frame.bottom - frame.top, frame.bottom - frame.next_top)
    page = sheet(name)
    page = type(page)(setting=on, style=style, frame=frame)
    for kind in ("bar", "line"):
        [row] = chart(1, 2, kind=kind).rows(page, frame.top)
        assert row.height <= lowest
