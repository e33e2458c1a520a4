"""A preview drawn under CPython is, pixel for pixel, what the firmware draws under MicroPython."""

import io
import json
import random
import subprocess
import sys

import pytest
from PIL import Image
from voxcard.cards.preview import framebuf, preview

from tools.build import interpreters
from tools.pictures import screens

# Draws the orders of a JSON list on a canvas each; the pixels as lines of hexadecimal digits.
PROGRAM = """
import framebuf, json, sys
for pixels, width, height, size, orders in json.load(sys.stdin):
    data = bytearray(size)
    canvas = framebuf.FrameBuffer(data, width, height, pixels)
    for name, arguments in orders:
        if name == "blit":
            source, x, y, key, inks = arguments
            source = (bytes(source[0]), source[1], source[2], source[3])
            palette = None
            if inks is not None:
                palette = framebuf.FrameBuffer(bytearray(2 * len(inks)), len(inks), 1, pixels)
                for at, ink in enumerate(inks):
                    palette.pixel(at, 0, ink)
            canvas.blit(source, x, y, key, palette)
        else:
            getattr(canvas, name)(*arguments)
    print("".join("%02x" % byte for byte in data))
"""
# Bytes of a row of `width` px.
ROW_BYTES = {
    framebuf.RGB565: lambda width: 2 * width,
    framebuf.GS4_HMSB: lambda width: (width + 1) // 2,
    framebuf.MONO_HLSB: lambda width: (width + 7) // 8,
}


def colour_of(chance, pixels):
    return chance.randrange(2 if pixels == framebuf.MONO_HLSB else 0x10000)


def blit_of(chance, pixels):
    """A blit of the kinds the screen code makes: same format, one bit or 16 colours by palette."""
    kinds = [(pixels, 0), (framebuf.MONO_HLSB, 2)]
    kinds += [(framebuf.GS4_HMSB, 16)] if pixels == framebuf.RGB565 else []
    kind, colours = chance.choice(kinds)
    width, height = chance.randrange(1, 20), chance.randrange(1, 12)
    data = list(chance.randbytes(height * ROW_BYTES[kind](width)))
    inks = [colour_of(chance, pixels) for _ in range(colours)] or None
    key = chance.choice((-1, inks[0] if inks else colour_of(chance, pixels)))
    place = (chance.randrange(-12, 40), chance.randrange(-9, 24))
    return ["blit", [[data, width, height, kind], *place, key, inks]]


def orders_of(chance, pixels):
    for _ in range(chance.randrange(1, 8)):
        name = chance.choice(("fill", "fill_rect", "rect", "pixel", "blit", "blit"))
        place = [chance.randrange(-10, 40), chance.randrange(-10, 30)]
        size = [chance.randrange(-2, 30), chance.randrange(-2, 20)]
        ink = colour_of(chance, pixels)
        if name == "blit":
            yield blit_of(chance, pixels)
        else:
            yield [name, {"fill": [ink], "pixel": [*place, ink]}.get(name, [*place, *size, ink])]


def canvases():
    chance = random.Random(1042)
    for number in range(400):
        pixels = (framebuf.RGB565, framebuf.MONO_HLSB)[number % 2]
        width, height = 8 * chance.randrange(1, 5), chance.randrange(1, 20)
        size = height * ROW_BYTES[pixels](width)
        yield [pixels, width, height, size, list(orders_of(chance, pixels))]


def test_every_order_leaves_the_same_pixels_on_both_interpreters(monkeypatch, capsys):
    asked = json.dumps(list(canvases()))
    done = subprocess.run(
        [interpreters.host().path, "-X", "heapsize=8m", "-c", PROGRAM],
        input=asked,
        capture_output=True,
        text=True,
        check=True,
    )
    monkeypatch.setitem(sys.modules, "framebuf", framebuf)
    monkeypatch.setattr(sys, "stdin", io.StringIO(asked))
    exec(PROGRAM, {})
    here, there = capsys.readouterr().out.split(), done.stdout.split()
    assert len(here) == 400
    assert [number for number in range(400) if here[number] != there[number]] == []


def test_every_scene_and_card_on_every_shape_of_screen_is_the_same_on_both(tmp_path):
    here = {path.stem: path for path in preview.drawn(list(screens.requests(tmp_path)))}
    there = screens.drawn()
    assert here.keys() == there.keys()
    differ = [name for name in here if Image.open(here[name]).tobytes() != there[name].tobytes()]
    assert differ == []


@pytest.mark.parametrize("pixels", [framebuf.RGB565, framebuf.MONO_HLSB])
def test_a_buffer_that_is_too_small_is_refused(pixels):
    with pytest.raises(ValueError, match="too small"):
        framebuf.FrameBuffer(bytearray(7), 16, 4, pixels)


def test_true_size_keeps_squares_when_it_enlarges_and_light_when_it_reduces():
    page = Image.new("1", (2, 2))
    page.putpixel((0, 0), 1)
    larger = preview.at_true_size(page, 254, 300)  # 3 px of the picture for each of the panel
    assert [larger.convert("L").getpixel(at) for at in ((0, 0), (2, 2), (3, 2), (5, 5))] == [
        255,
        255,
        0,
        0,
    ]
    assert larger.size == (6, 6)
    smaller = preview.at_true_size(page, 254, 50)  # one for all four, a quarter of the light
    assert (smaller.size, smaller.getpixel((0, 0))) == ((1, 1), (136, 136, 136))
