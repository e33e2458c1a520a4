"""A colour screen as half blocks of a terminal: which colours, how small, which characters."""

import numpy
import pytest
from voxcard.sim.half_blocks import Canvas, Colours, canvas, lines

RED, GREEN, BLACK, WHITE = (255, 0, 0), (0, 255, 0), (0, 0, 0), (255, 255, 255)


def drawn(*rows, columns=80, colours=Colours.TRUE):
    pixels = numpy.array(rows, numpy.uint8)
    return lines(pixels, Canvas(columns=columns, colours=colours)).split("\n")


@pytest.mark.parametrize(
    ("environment", "colours"),
    [
        ({"COLORTERM": "truecolor"}, Colours.TRUE),
        ({"COLORTERM": "24bit", "TERM": "xterm"}, Colours.TRUE),
        ({"TERM": "xterm-256color"}, Colours.PALETTE),
        ({"COLORTERM": "yes"}, Colours.PALETTE),
        ({"COLORTERM": "truecolor", "NO_COLOR": "1"}, Colours.NONE),
        ({"COLORTERM": "truecolor", "NO_COLOR": ""}, Colours.TRUE),  # no-color.org: not empty
        ({"COLORTERM": "truecolor", "TERM": "dumb"}, Colours.NONE),
    ],
)
def test_a_terminal_has_the_colours_its_environment_names(environment, colours):
    assert canvas(environment, True, 100) == Canvas(columns=100, colours=colours)
    assert canvas(environment, False, 100).colours is Colours.NONE


def test_two_pixels_are_one_half_block_and_a_colour_is_named_once():
    assert drawn([RED, RED, BLACK], [GREEN, BLACK, BLACK]) == [
        "\x1b[38;2;255;0;0m\x1b[48;2;0;255;0m▀\x1b[48;2;0;0;0m▀\x1b[38;2;0;0;0m▀\x1b[0m"
    ]


def test_the_last_row_of_an_odd_number_stands_over_black():
    assert drawn([RED])[-1] == "\x1b[38;2;255;0;0m\x1b[48;2;0;0;0m▀\x1b[0m"


def test_the_palette_takes_the_nearest_of_the_cube_or_of_the_greys():
    [row] = drawn(
        [RED, (10, 10, 10), (96, 130, 140)],
        [WHITE, (118, 119, 118), BLACK],
        colours=Colours.PALETTE,
    )
    assert row == (
        "\x1b[38;5;196m\x1b[48;5;231m▀\x1b[38;5;232m\x1b[48;5;243m▀\x1b[38;5;66m\x1b[48;5;16m▀\x1b[0m"
    )


@pytest.mark.parametrize(
    ("width", "columns", "factor"), [(240, 240, 1), (240, 239, 2), (240, 100, 3), (320, 80, 4)]
)
def test_a_screen_that_is_too_wide_is_reduced_by_a_whole_number_and_that_is_said(
    width, columns, factor
):
    first, *rest = drawn(*[[RED] * width] * 24, columns=columns)
    if factor == 1:
        assert first.count("▀") == width and len(rest) == 11
    else:
        assert first == f"At 1/{factor}: {width} pixels do not fit into {columns} columns."
        assert {row.count("▀") for row in rest} == {-(-width // factor)}
        assert len(rest) == -(-24 // factor // 2)


def test_a_reduced_pixel_has_the_mean_light_of_its_square_and_edges_repeat():
    rows = [[WHITE, BLACK, RED], [BLACK, BLACK, RED], [RED, RED, GREEN], [RED, RED, GREEN]]
    _, row = drawn(*rows, columns=2)
    assert row == (
        "\x1b[38;2;136;136;136m\x1b[48;2;255;0;0m▀\x1b[38;2;255;0;0m\x1b[48;2;0;255;0m▀\x1b[0m"
    )
