"""Text drawn by the bridge: shaping, order, coverage, and what is missing."""

import logging
from pathlib import Path

import pytest
from voxcard.cards.drawing.bidi_order import levels, visual_order
from voxcard.cards.drawing.drawer import Drawer
from voxcard.cards.fit.fit import fit
from voxcard.cards.model import Card, TextBlock
from voxcard.cards.preview.screens import named
from voxwire.capability import BLOCKS

ROOT = Path(__file__).parents[3]

SMALL = (6, 12)


@pytest.fixture(scope="module")
def drawer():
    return Drawer(SMALL)


def picture(rows, width, height):
    stride = (width + 7) // 8
    return [
        "".join("#" if rows[y * stride + x // 8] << x % 8 & 128 else "." for x in range(width))
        for y in range(height)
    ]


def test_a_hangul_syllable_takes_two_cells_and_is_drawn_legibly(drawer):
    glyph = drawer.glyph(ord("문"))
    assert glyph.width == 12
    assert picture(glyph.rows, 12, 12) == [
        "..#######...",
        "..#.....#...",
        "..#.....#...",
        "..#######...",
        "............",
        ".#########..",
        ".....#......",
        "..#..#......",
        "..#..#......",
        "..#.........",
        "..#######...",
        "............",
    ]


def test_every_glyph_stays_inside_its_cells_and_has_ink(drawer):
    for character in "주天気🌊☀✅ẞﷺ€":
        glyph = drawer.glyph(ord(character))
        assert glyph is not None, character
        assert len(glyph.rows) == 12 * ((glyph.width + 7) // 8)
        assert any(glyph.rows), character


def test_a_character_no_font_holds_is_none_and_logged_once(drawer, caplog):
    with caplog.at_level(logging.WARNING):
        assert drawer.glyph(0x10FFFD) is None
        drawer.glyph.cache_clear()
        assert drawer.glyph(0x10FFFD) is None
    assert [record.message for record in caplog.records] == [
        "no font holds U+10FFFD; the device shows a box"
    ]


def test_arabic_letters_join():
    """Four letters joined are narrower than the four letters standing alone."""
    drawer = Drawer((8, 16))
    joined = drawer.strip("سعرب", 320, rtl=True)
    apart = sum(drawer.strip(letter, 320, rtl=True).width for letter in "سعرب")
    assert joined.width < apart


def test_a_strip_is_never_wider_than_it_may_be(drawer):
    strip = drawer.strip("مرحبا بالعالم " * 10, 126, rtl=True)
    assert 100 < strip.width <= 126 and len(strip.rows) == 12 * ((strip.width + 7) // 8)


def test_digits_and_latin_keep_their_order_in_a_right_to_left_line():
    line = levels("سعر 12.50 USD", True)
    assert [level for _, level in line] == [1, 1, 1, 1, 2, 2, 2, 2, 2, 1, 2, 2, 2]
    assert visual_order([1, 2, 1, 2, 1]) == [4, 3, 2, 1, 0]
    assert visual_order([0, 1, 2, 1, 0]) == [0, 3, 2, 1, 4]


def test_direction_controls_are_left_out_and_joiners_kept():
    assert [c for c, _ in levels("a\u202eb\u200dc\u2066", False)] == ["a", "b", "\u200d", "c"]


def test_a_right_to_left_strip_that_is_cut_loses_its_end_and_says_so():
    cut = Drawer(SMALL).strip("שלום " + "עולם " * 20, 60, rtl=True)
    assert picture(cut.rows, cut.width, 12)[3:9] == [
        "........#####...#######..#...#...#####..##...######..#..#.",
        ".........#...#.....#..#..#...#....#...#..#......#.#..#..#.",
        ".........#...#.....#..#..##..#....#...#..#......#.#.##..#.",
        ".........#...#....##..#...#..#....#...#..#.....##.###...#.",
        ".........#...#....#...#...#.#.....#...#..#.....#..##...##.",
        ".#..#..#.#####....#...#...###.....#####..#.....#...#####..",
    ]


def test_a_line_whose_marks_need_more_room_is_drawn_smaller_and_whole():
    tall = Drawer((8, 16)).strip("أبقِ", 120, rtl=True)
    assert picture(tall.rows, tall.width, 16) == [
        "...............",
        "...........##..",
        "...........#...",
        "...........##..",
        ".............#.",
        ".....#.#.....#.",
        ".............#.",
        "......##...#.#.",
        ".....#..#..#.#.",
        ".#...#..#..#.#.",
        ".#....#####..#.",
        ".#......#......",
        ".##....#.#.....",
        "..#####........",
        "...............",
        "..##...........",
    ]


def test_a_character_newer_than_the_tables_goes_with_letters():
    assert levels("\u05d0\U0002ebe1", True) == [("\u05d0", 1), ("\U0002ebe1", 2)]


KOREAN = (
    "대한민국의 국회는 국민의 보통 평등 직접 비밀선거에 의하여 선출된 국회의원으로 구성한다. "
    "국회의원의 수는 법률로 정하되, 이백인 이상으로 한다. 국회의원의 선거구와 비례대표제 기타 "
    "선거에 관한 사항은 법률로 정한다. 국회의원의 임기는 사년으로 한다."
)


@pytest.mark.parametrize("size", ["128x64", "240x240", "320x240"])
def test_a_full_page_of_korean_takes_at_most_6_kb_of_glyphs(size):
    screen = named(size, ROOT / "boards", ROOT / "firmware" / "fonts")
    screen = screen._replace(faces=(), blocks=BLOCKS)  # of a device without PSRAM
    card = Card(id="c", dialect="x", title="헌법", blocks=(TextBlock(text=KOREAN),))
    fitted_card = fit(card, screen, now=0, next_blob=lambda: 1, drawer=Drawer(tuple(screen.cell)))
    (glyphs,) = fitted_card.blobs
    assert glyphs.kind == "glyphs" and 1000 < len(glyphs.data) <= 6144
    assert fitted_card.warnings == ()
