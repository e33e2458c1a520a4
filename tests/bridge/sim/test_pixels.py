"""Pixels of a simulated panel: the same from its memory, its picture and the PNG of a page."""

import io

import pytest
from PIL import Image
from voxcard.sim import pixels

COLOUR = {"width": 2, "height": 2, "depth": 16}
# RGB565, the high byte first: white, red, green, black
MEMORY = b"\xff\xff\xf8\x00\x07\xe0\x00\x00"
RGB = [[[255, 255, 255], [255, 0, 0]], [[0, 255, 0], [0, 0, 0]]]


def test_a_colour_panel_has_16_bits_a_pixel():
    assert pixels.of_panel(MEMORY, COLOUR).tolist() == RGB
    [[[red, green, blue]]] = pixels.of_panel(
        b"\x84\x10", {"width": 1, "height": 1, "depth": 16}
    ).tolist()
    assert (red, green, blue) == (132, 130, 132)


def test_a_mono_panel_has_a_bit_a_pixel_and_a_lit_one_is_white():
    shown = pixels.of_panel(b"\x80\x01", {"width": 8, "height": 2, "depth": 1})
    assert shown[..., 0].tolist() == [[255, *[0] * 7], [*[0] * 7, 255]]
    assert (shown[..., 0] == shown[..., 1]).all() and (shown[..., 0] == shown[..., 2]).all()


@pytest.mark.parametrize("memory", [b"", MEMORY[:-1], MEMORY + b"\0"])
def test_a_panel_that_is_just_being_made_has_no_picture(memory):
    assert pixels.of_panel(memory, COLOUR) is None


def test_a_picture_of_the_panel_holds_the_same():
    data = bytes(value for row in RGB for each in row for value in each)
    assert pixels.of_ppm(b"P6\n2 2\n255\n" + data).tolist() == RGB


def test_a_png_is_read_as_what_was_written():
    with Image.open(io.BytesIO(pixels.png(pixels.of_panel(MEMORY, COLOUR)))) as image:
        assert (image.format, image.mode, image.size) == ("PNG", "RGB", (2, 2))
        assert [image.getpixel(at) for at in ((0, 0), (1, 0), (0, 1), (1, 1))] == [
            tuple(each) for row in RGB for each in row
        ]
