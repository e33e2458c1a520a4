"""Painting: every kind of item, the colours of both themes, and bands that fit their buffer."""

import struct

import framebuf
from fakes.device.display import Display
from screen.bands import changed_rows
from screen.draw import find_strip, mono_colours, swapped
from screen.layout import ACCENT, BAR, BAR_INK, INK, PAPER, Item, fill, text
from screen.view import View
from voxwire.card import QrPage


async def drawn(items, display=None, theme="dark", resources=(), **more):
    display = display or Display()
    view = View(display, theme=theme, **more)
    for blob_id, kind, data in resources:
        view.add_resource(blob_id, kind, data)
    view.picture = lambda: items
    await view.refresh()
    return display


async def test_text_is_ink_on_paper():
    display = await drawn([text((6, 12), 1, 0, "L!")])
    assert display.rows(0, 1, 14, 10) == [
        "..............",
        ".#.......#....",
        ".#.......#....",
        ".#.......#....",
        ".#.......#....",
        ".#.......#....",
        ".#............",
        ".#.......#....",
        ".#####...#....",
        "..............",
    ]


async def test_on_a_band_the_text_is_dark():
    display = await drawn([fill(0, 0, 128, 12, BAR), text((6, 12), 0, 0, "L", BAR_INK, BAR)])
    assert display.rows(0, 8, 8, 2) == ["." + "#" * 7, ".....###"]


async def test_the_light_theme_of_a_mono_panel_is_its_negative():
    items = [text((6, 12), 1, 0, "Lg")]
    dark = await drawn(items)
    light = await drawn(items, theme="light")
    assert bytes(byte ^ 0xFF for byte in dark.pixels) == bytes(light.pixels)
    assert mono_colours("dark")[PAPER] == 0 and mono_colours("light")[PAPER] == 1


async def test_a_missing_glyph_is_a_box_and_the_rest_of_the_line_stays():
    lines = []
    display = await drawn([text((6, 12), 0, 0, "가L")], log=lines.append)
    assert display.rows(0, 0, 18, 12) == [
        "..................",
        ".##########.......",
        ".#........#.#.....",
        ".#........#.#.....",
        ".#........#.#.....",
        ".#........#.#.....",
        ".#........#.#.....",
        ".#........#.#.....",
        ".#........#.#.....",
        ".#........#.#####.",
        ".##########.......",
        "..................",
    ]
    assert lines == ["no glyph for U+AC00"]


async def test_glyphs_of_a_batch_and_of_the_font_share_a_line():
    frame = b"\xff\xf0" + b"\x80\x10" * 10 + b"\xff\xf0"
    batch = struct.pack(">IB", 0xAC00, 12) + frame
    display = await drawn([text((6, 12), 0, 0, "가L")], resources=[(1, "glyphs", batch)])
    assert display.rows(0, 0, 18, 3) == [
        "############......",
        "#..........#......",
        "#..........##.....",
    ]


async def test_strips_lie_left_or_flush_right():
    blob = struct.pack(">HHHHH", 2, 9, 2, 3, 1)[:6] + b"\xff\x80\x80\x80"
    blob += struct.pack(">HH", 3, 1) + b"\xe0"
    items = [
        Item("strip", 2, 0, 20, 12, (5, 0, False), INK, PAPER),
        Item("strip", 2, 12, 20, 12, (5, 1, True), INK, PAPER),
    ]
    display = await drawn(items, resources=[(5, "strips", blob)])
    assert display.rows(0, 0, 24, 2) == [
        "..#########.............",
        "..#.......#.............",
    ]
    assert display.rows(0, 12, 24, 1) == ["...................###.."]


def test_a_strip_that_is_not_there_is_none():
    blob = struct.pack(">HHH", 1, 8, 2) + b"\xff\xff"
    assert find_strip(blob, 0) == (6, 8, 2)
    assert find_strip(blob, 1) is None
    assert find_strip(blob[:-1], 0) is None
    assert find_strip(b"\x00", 0) is None
    assert find_strip(blob, -1) is None and find_strip(blob, 10**400) is None
    for size in (b"\x00\x00\x00\x02", b"\x00\x08\x00\x00"):  # no px wide, no px high
        assert find_strip(b"\x00\x01" + size + bytes(8), 0) is None


async def test_an_absent_strip_is_a_box_of_the_row():
    display = await drawn([Item("strip", 0, 0, 20, 12, (5, 0, False), INK, PAPER)])
    assert display.rows(0, 0, 22, 3) == [
        "." * 22,
        "#" * 20 + "..",
        "#" + "." * 18 + "#..",
    ]


async def test_an_image_is_lit_where_its_bits_are_set_in_both_themes():
    items = [Item("image", 4, 1, 9, 2, 3, INK, PAPER)]
    for theme, around in (("dark", "."), ("light", "#")):
        display = await drawn(items, theme=theme, resources=[(3, "image", b"\xf0\x00\x0f\x80")])
        assert display.rows(4, 1, 9, 2) == ["####.....", "....#####"]
        assert display.rows(0, 0, 4, 1) == [around * 4]


async def test_a_colour_image_keeps_the_panels_byte_order_over_bands():
    display = Display(16, 40, 16, cell=(8, 16))
    pixels = b"".join(struct.pack(">H", value) for value in range(0x1000, 0x1000 + 4 * 30))
    items = [Item("image", 0, 3, 4, 30, 9, INK, PAPER)]
    await drawn(items, display, resources=[(9, "image", pixels)], band_bytes=16 * 2 * 7)
    for row in range(30):
        at = (3 + row) * display.stride
        assert display.pixels[at : at + 8] == pixels[row * 8 : row * 8 + 8]


async def test_a_code_is_black_on_white_in_both_themes():
    rows = b"\xaa\xaa\xa8" + bytes(60)
    items = [Item("qr", 2, 1, 46, 46, QrPage("", (), 0, 21, rows, 2, 1), INK, PAPER)]
    pictures = []
    for theme in ("dark", "light"):
        display = await drawn(items, theme=theme)
        pictures.append(display.rows(2, 1, 46, 46))
        assert display.rows(2, 2, 8, 3) == ["########", "##..##..", "##..##.."]
    assert pictures[0] == pictures[1]
    colour = await drawn(items, Display(128, 128, 16))
    assert colour.pixels[256 + 4 : 256 + 8] == b"\xff\xff\xff\xff"
    assert colour.pixels[256 * 3 + 8 : 256 * 3 + 12] == b"\x00\x00\x00\x00"


async def test_a_heading_is_bold_where_a_cell_has_room():
    plain = await drawn([text((8, 16), 0, 0, "l")], Display(64, 32, 1, cell=(8, 16)))
    bold = await drawn([text((8, 16), 0, 0, "l", bold=True)], Display(64, 32, 1, cell=(8, 16)))
    assert plain.rows(0, 6, 8, 1) == ["...#...."]
    assert bold.rows(0, 6, 8, 1) == ["...##..."]
    small = await drawn([text((6, 12), 0, 0, "l", bold=True)])
    assert small.rows(0, 6, 6, 1) == ["..#..."]


async def test_bands_never_exceed_their_buffer_and_cover_the_screen():
    display = Display(240, 240, 16, cell=(8, 16))
    await drawn([fill(0, 0, 240, 240, ACCENT)], display)
    assert max(rows for _, rows in display.writes) * 480 <= 11520
    assert sum(rows for _, rows in display.writes) == 240
    assert bytes(display.pixels) == struct.pack("<H", swapped(0x5BB8FF)) * (240 * 240)


async def test_a_mono_panel_gets_eight_rows_at_a_time():
    display = await drawn([fill(0, 0, 128, 64, BAR)])
    assert display.writes == [(y, 8) for y in range(0, 64, 8)]


def test_only_rows_that_differ_are_dirty():
    old = [fill(0, 0, 10, 5, BAR), text((6, 12), 0, 20, "a"), text((6, 12), 0, 40, "b")]
    new = [fill(0, 0, 10, 5, BAR), text((6, 12), 0, 20, "x"), text((6, 12), 0, 40, "b")]
    assert changed_rows(old, new, 64) == [(20, 32)]
    assert changed_rows(old, old, 64) == []
    assert changed_rows([], new, 64) == [(0, 5), (20, 32), (40, 52)]
    assert changed_rows(old, old[:2] + [text((6, 12), 0, 32, "b")], 64) == [(32, 52)]


def test_colours_are_stored_in_the_panels_order():
    assert struct.pack("<H", swapped(0xFF0000)) == b"\xf8\x00"
    assert struct.pack("<H", swapped(0x00FF00)) == b"\x07\xe0"
    assert struct.pack("<H", swapped(0x0000FF)) == b"\x00\x1f"
    canvas = framebuf.FrameBuffer(bytearray(2), 1, 1, framebuf.RGB565)
    canvas.pixel(0, 0, swapped(0xFF0000))
    assert canvas.pixel(0, 0) == 0x00F8


def test_a_fragmented_heap_gets_a_smaller_band():
    display = Display(64, 64, 16)
    display.width, display.height = 2048, 2048
    view = View(display, band_bytes=2048 * 2048 * 2)  # more than the whole heap
    assert 1 <= view._bands._rows < 2048


async def test_bands_end_above_a_line_of_text_they_would_cut():
    display = Display(64, 64, 16)
    lines = [text((6, 12), 0, y, "abc") for y in (10, 22, 34)]
    await drawn(lines, display, band_bytes=64 * 2 * 20)
    assert display.writes == [(0, 10), (10, 12), (22, 12), (34, 20), (54, 10)]


async def test_an_image_in_sixteen_colours_brings_its_palette():
    display = Display(16, 8, 16, cell=(6, 12))
    palette = b"\xf8\x00\x00\x1f" + bytes(28)  # 0 red, 1 blue
    rows = b"\x01\x00\x10" * 4  # five pixels a row, and half a byte nobody sees
    image = Item("image", 2, 1, 5, 4, 7, INK, PAPER)
    await drawn([image], display, resources=[(7, "image", palette + rows)])
    for y in range(1, 5):
        at = (y * 16 + 2) * 2
        row = bytes(display.pixels[at : at + 10])
        assert row == b"\xf8\x00\x00\x1f\xf8\x00\xf8\x00\x00\x1f"
