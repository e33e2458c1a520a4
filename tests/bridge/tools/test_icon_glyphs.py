"""Icons as glyphs: codes that never change, pictures of the pinned font, bytes of framebuf."""

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
from fontTools.ttLib import TTFont
from voxcard.cards.icons.table import ICONS
from voxcard.sim import interpreter

from tools.build import icon_glyphs

# The names in the order of their codes: those that devices have in their fonts. Names are added.
NAMES = Path(__file__).parents[2] / "golden" / "icons.txt"

PROGRAM = """
import framebuf, json, sys
width, height, rows = json.load(sys.stdin)
canvas = framebuf.FrameBuffer(bytearray(rows), width, height, framebuf.GS2_HMSB)
print(json.dumps([[canvas.pixel(x, y) for x in range(width)] for y in range(height)]))
"""


def test_the_codes_are_those_of_the_rows_and_of_the_private_use_area():
    codes = [icon.code for icon in ICONS.values()]
    assert codes == list(range(0xE000, 0xE000 + len(ICONS)))
    assert len({icon.picture for icon in ICONS.values()}) == len(ICONS)


def test_no_icon_ever_gets_another_code():
    assert list(ICONS) == NAMES.read_text(encoding="utf-8").split()


def test_every_glyph_is_the_picture_that_the_table_names():
    with TTFont(icon_glyphs.font_file(), lazy=True) as font:
        names = font.getBestCmap()
    assert {icon.name: names.get(icon.glyph) for icon in ICONS.values()} == {
        icon.name: icon.picture for icon in ICONS.values()
    }


@pytest.mark.parametrize("px", [16, 20, 21, 26])
def test_a_glyph_is_a_square_with_ink_in_all_four_levels(px):
    bitmaps = icon_glyphs.icon_bitmaps(px)
    assert [bitmap.code for bitmap in bitmaps] == [icon.code for icon in ICONS.values()]
    for bitmap in bitmaps:
        assert (bitmap.width, len(bitmap.rows)) == (px, px * -(-px // 4))
    drawn = np.concatenate([icon_glyphs.unpacked(bitmap) for bitmap in bitmaps])
    assert np.unique(drawn).tolist() == [0, 1, 2, 3]


def test_no_two_icons_look_alike_at_16_px_and_none_is_blank():
    seen = {}
    for icon, bitmap in zip(ICONS.values(), icon_glyphs.icon_bitmaps(16), strict=True):
        pixels = icon_glyphs.unpacked(bitmap)
        assert np.count_nonzero(pixels) >= 12, icon.name
        assert seen.setdefault(bitmap.rows, icon.name) == icon.name


def test_four_pixels_are_a_byte_the_first_in_its_lowest_bits():
    rows = np.array([[1, 2, 3, 0, 3], [0, 0, 0, 0, 1]])
    data = icon_glyphs.packed(rows)
    assert data == bytes((0b00_11_10_01, 0b11, 0, 0b01))
    bitmap = icon_glyphs.IconBitmap(0xE000, 5, data)
    assert icon_glyphs.unpacked(bitmap).tolist() == rows.tolist()


def test_a_device_reads_the_pixels_that_were_drawn():
    bitmap = icon_glyphs.icon_bitmaps(21)[0]
    stride = 4 * -(-bitmap.width // 4)
    order = json.dumps([stride, bitmap.width, list(bitmap.rows)])
    done = subprocess.run([interpreter.find(), "-c", PROGRAM], input=order, text=True,
                          capture_output=True, check=True)  # fmt: skip
    seen = np.array(json.loads(done.stdout))[:, : bitmap.width]
    assert seen.tolist() == icon_glyphs.unpacked(bitmap).tolist()


def test_the_sheet_has_every_icon_in_all_sizes():
    sheet = np.asarray(icon_glyphs.sheet())
    columns, rows = 12, -(-len(ICONS) // 12)
    assert sheet.shape == (rows * 82, columns * 126)
    for index in range(len(ICONS)):
        x, y = index % columns * 126, index // columns * 82
        for left, px in ((2, 20), (26, 28), (58, 64)):
            assert sheet[y + 2 : y + 2 + px, x + left : x + left + px].max() == 255, index


@pytest.mark.parametrize("px", [16, 20, 21, 26, 28, 48])
def test_a_glyph_is_whole_in_its_square(px):
    """The ink of an icon with room around it is all there without that room."""
    for icon in ICONS.values():
        inside = icon_glyphs.levels(icon.glyph, px)
        wide = icon_glyphs.levels(icon.glyph, px, room=8)
        assert wide[8 : 8 + px, 8 : 8 + px].tolist() == inside.tolist()
        assert np.count_nonzero(wide) == np.count_nonzero(inside), icon.name
