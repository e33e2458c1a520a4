"""The room of a row: between margins, or inside a circle."""

import pytest
from fakes.cards.type_sheets import panel
from voxcard.cards.type.frame import Frame, chord


def frame(name="240x240", top=20, bottom=220):
    return Frame(screen=panel(name), top=top, next_top=10, bottom=bottom)


@pytest.mark.parametrize(
    ("name", "margin"), [("240x240", 10), ("320x240", 10), ("128x128", 5), ("80x160", 3)]
)
def test_the_margin_is_a_part_of_the_shorter_side(name, margin):
    assert frame(name).margin == margin
    width = panel(name).width
    assert frame(name).span(50, 30) == frame(name).column(50, 30) == (margin, width - 2 * margin)


def test_a_round_panel_gives_a_row_what_its_circle_shows():
    on = frame("240x240-round")
    assert on.span(120, 0) == (8, 224)
    assert on.span(26, 25) == chord(panel("240x240-round"), 26, 25) == (60, 120)
    assert on.widest == on.span(120, 1)[1] == 222


@pytest.mark.parametrize("y", range(0, 216, 8))
def test_all_corners_of_a_chord_are_inside_the_circle_less_its_rim(y):
    x, width = chord(panel("240x240-round"), y, 25)
    for corner in (x, x + width):
        for edge in (y, y + 25):
            if width:
                assert (corner - 120) ** 2 + (edge - 120) ** 2 <= 112**2


def test_a_chord_is_as_wide_above_as_below_the_middle():
    screen = panel("240x240-round")
    assert chord(screen, 30, 20) == chord(screen, 240 - 50, 20)


def test_a_row_outside_the_circle_has_no_width():
    assert chord(panel("240x240-round"), 232, 25)[1] == 0


def test_rows_of_a_column_begin_at_one_x_but_near_the_rim():
    on = frame("240x240-round")
    assert {on.column(y, 25) for y in range(50, 166)} == {(36, 168)}
    assert on.column(26, 25) == (60, 120)
    assert on.column(232, 25)[1] == 0
