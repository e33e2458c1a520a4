"""Who writes a text: the device in its own font, with glyphs sent along, or the bridge in rows."""

from itertools import count

import pytest
from fakes.device.screens import screen_of
from voxcard.cards.drawing.lines import Paragraph, Writing
from voxcard.cards.fit.ink import Ink
from voxwire import card as wire
from voxwire.capability import BLOCKS

FONT = ((32, 0x24F), (0x1E00, 0x1EFF), (0x2026, 0x2026))
ROW = 8  # px
COLS = 20
SCREEN = screen_of(128, 64, 1, "rect", 230, (6, ROW), FONT, BLOCKS)  # five rows under a title
CLOUD = "☁"  # of no font


class Bitmap:
    def __init__(self, width, rows):
        self.width, self.rows = width, rows


class Drawer:
    """Has every character but `lacking`; every line of a text is one, `pitch` px apart and
    `height` px high; a letter of a strip is 6 px wide."""

    def __init__(self, pitch=ROW, height=ROW, lacking=CLOUD):
        self.pitch, self.height, self.lacking = pitch, height, lacking

    def glyph(self, code_point, /):
        return None if self.lacks(code_point) else Bitmap(6, bytes(ROW))

    def lacks(self, code_point, /):
        return chr(code_point) in self.lacking

    def strip(self, text, width_max, rtl=False):
        return Bitmap(min(width_max, 6 * len(text)), bytes(ROW * 20))

    def fits(self, text, width_max, rtl=False):
        return 6 * len(text) <= width_max

    def paragraph(self, text, width_max, lines_max, *, rtl, hang=0):
        lines = tuple(text.split("/"))[:lines_max]
        widths = tuple(6 * len(line) for line in lines)
        return Paragraph(lines, widths, Writing(8, 0, self.height), self.pitch)

    def block(self, lines, how, width_max, rtl):
        return Bitmap(max(6 * len(line) for line in lines), bytes(200))


def ink(drawer=None, cols=COLS, blocks=BLOCKS, **more):
    return Ink(SCREEN._replace(blocks=blocks), drawer, count(1).__next__, cols, **more)


def sizes(text, lines_max=100, **how):
    """How many lines each group of a text has."""
    return [len(group) for group in ink(Drawer(**how)).groups(text, lines_max)]


def card(*lines):
    page = wire.TextPage("", tuple(map(wire.text_line, lines)), 0)
    return wire.Card("c", 1, (page,), "", 0, "normal", False, False, ())


@pytest.mark.parametrize(
    ("lines", "pitch", "height", "groups"),
    [
        (3, 8, 8, [1, 1, 1]),
        (5, 12, 12, [5, 3]),  # three lines are 36 px, four too high for a page
        (6, 12, 12, [5, 5]),
        (5, 12, 13, [5, 4]),
        (3, 12, 8, [4]),  # 32 px
        (3, 12, 9, [5]),
        (3, 12, 16, [5]),  # 40 px are a page
        (3, 12, 17, [1, 1, 1]),  # none holds them: each line is drawn for one row
        (3, 20, 12, [4, 2]),
        (3, 24, 24, [3, 3, 3]),
        (2, 60, 12, [2, 2]),
        (2, 9, 0, [2]),
        (1, 9, 0, [1]),  # there is no line without a row
        (1, 9, 40, [5]),
        (1, 9, 41, [1]),
    ],
)
def test_lines_higher_than_a_row_stay_together_as_far_as_a_page_holds_them(
    lines, pitch, height, groups
):
    assert sizes("/".join(["שלום"] * lines), pitch=pitch, height=height) == groups


@pytest.mark.parametrize(
    ("line", "style"),
    [
        ("x" * COLS, ""),
        ("x" * (COLS + 1), "s"),
        ("เ", "s"),
    ],
)
def test_a_line_of_a_drawn_text_that_the_device_can_write_is_its_own(line, style):
    [[first], [second]] = ink(Drawer()).groups(f"{line}/ใน", 9)
    assert (first.style, second.style) == (style, "s")
    assert first.text == (line if not style else "")
    assert {each.style for [each] in ink(Drawer()).groups("שלום/ok", 9)} == {"sr"}
    assert {each.style for each, *_ in ink(Drawer(pitch=9)).groups("ok/ใน", 9)} == {"s"}


def test_a_group_past_the_last_line_is_left_out_whole():
    text = "/".join(["שלום"] * 5)
    for lines_max, groups in ((4, []), (5, [5]), (7, [5]), (8, [5, 3]), (9, [5, 3])):
        assert sizes(text, lines_max, pitch=12, height=12) == groups
    assert sizes("a\nb\nc", 2) == [1, 1]


def test_of_a_text_eight_rows_of_letters_are_read_for_each_line_wanted():
    words = "x" + "​" * (2 * COLS * 8 - 2)
    assert [line.text for [line] in ink().groups(words + "y\nz", 2)] == ["xy"]
    assert [line.text for [line] in ink().groups(words + "\nz", 2)] == ["x", ""]


def test_a_heading_is_one_and_a_blank_line_never():
    lines = [line for [line] in ink().groups("A\n\nB", 9, heading=True)]
    assert [(line.style, line.text) for line in lines] == [("h", "A"), ("", ""), ("h", "B")]
    assert [line.style for [line] in ink().groups("A", 9)] == [""]


@pytest.mark.parametrize(
    ("drawer", "blocks", "texts"),
    [
        (None, BLOCKS, {"שלום": False}),
        (Drawer(), BLOCKS, {"שלום": True, "ใน": True, "ok": False, "🙂": False}),
        (Drawer(), ("text", "glyphs"), {"שלום": False}),
    ],
)
def test_a_text_is_drawn_where_it_must_be_and_can_be(drawer, blocks, texts):
    for text, drawn in texts.items():
        assert ink(drawer, blocks=blocks).shaped(text) is drawn


def test_a_title_fits_in_as_many_cells_as_it_is_wide():
    for text, cols in (("abc", 3), ("日本", 4), ("ה" * 5, 5), ("ใน", 2), (CLOUD * 2, 2)):
        written = ink(Drawer())
        assert written.fits(text, cols) and not written.fits(text, cols - 1), text


def test_digits_stand_at_the_side_of_their_card():
    for direction, style in (("ltr", ""), ("rtl", "sr")):
        [[line]] = ink(Drawer(), direction=direction).groups("10:42", 9)
        assert line.style == style


def test_a_title_has_its_room_and_an_ellipsis():
    assert ink().words("abcd", 4) == "abcd"
    assert ink().words("abcde", 4) == "abc…"
    assert ink(Drawer()).row("שלום", 4).style == "sr"
    assert ink(Drawer()).row("ab", 4) == wire.text_line("ab")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("ab☁☂", "ab☁☂"),  # a sign is no letter
        ("abདག", None),  # half of them is not most: it is drawn
        ("aདག", "[Tibetan]"),
        ("aaaaདག", "[Tibetan]"),  # each letter counts once
        ("གད", "[Tibetan]"),
    ],
)
def test_a_text_most_of_whose_letters_no_font_has_is_named_by_its_script(text, title):
    drawer = Drawer(lacking="དག☁☂")
    words = ink(drawer).words(text, COLS)
    assert words == title if title else words.style == "s"
    assert ink().words(text, COLS) == text


def test_characters_between_the_first_and_the_last_of_a_range_are_the_devices_own():
    written = ink()
    written.finish(card(" \u024f\u0250", "\u1dff\u1e00\u1eff\u1f00", "\u2025\u2026\u2027"))
    assert sorted(written.missing) == [0x250, 0x1DFF, 0x1F00, 0x2025, 0x2027]


def test_a_card_has_192_glyphs_at_most_and_the_others_stay_boxes():
    letters = "".join(map(chr, range(0x4E00, 0x4E00 + 200)))
    written = ink(Drawer(lacking=letters[0]))
    _, [glyphs] = written.finish(card(letters))
    assert glyphs.kind == "glyphs" and len(glyphs.data) == 192 * (5 + ROW)
    assert written.missing == {ord(letters[0]), *map(ord, letters[193:])}


def test_glyphs_are_sent_for_what_stands_in_any_place():
    page = wire.TextPage("題", (wire.text_line("行"),), 0)
    choice = wire.ChoicePage("選", (), 0, (wire.Option("a", "択"),))
    written = ink()
    whole = card()._replace(pages=(page, choice), foot="足")
    assert written.finish(whole)[1] == []
    assert written.missing == set(map(ord, "題行選択足"))
    assert ink(Drawer(), blocks=("text",)).finish(whole)[1] == []
