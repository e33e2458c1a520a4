"""Texts set in faces: widths, lines, what is drawn, and the blobs that a card needs."""

import struct

import pytest
from fakes.cards.type_sheets import TenPxLetters, composed, panel, right, setting, texts
from voxcard.cards.model import TextBlock
from voxcard.cards.type.metrics import metrics
from voxcard.cards.type.setting import styles, without_widow
from voxwire.type import drawing
from voxwire.type.roles import ACCENT, INK

FACE = metrics("t20")
FOX = "The quick brown fox jumps over the lazy dog"


class TestStyles:
    def test_pages_may_be_set_larger_usual_and_smaller(self):
        each = styles(panel())
        assert each.short.faces.body == each.usual.faces.headline == "b28"
        assert [style.faces.body for style in each.larger] == ["t23"]
        assert (each.usual.faces.body, each.usual.faces.title) == ("t20", "b20")
        assert [style.faces.body for style in each.smaller] == [
            "t16"
        ]  # there is no semibold to t18
        assert each.dense == each.smaller[-1]

    def test_a_style_is_of_faces_that_the_panel_has(self):
        for name in ("240x240", "240x240-round", "320x240", "80x160", "128x128", "240x135"):
            for size in ("small", "normal", "large"):
                screen = panel(name)._replace(text_size=size)
                each = styles(screen)
                for style in (each.short, *each.larger, each.usual, *each.smaller):
                    assert set(style.faces) <= set(screen.faces), (name, size)

    def test_captions_stay_as_they_are_in_every_style(self):
        each = styles(panel())
        every = (each.short, *each.larger, each.usual, *each.smaller)
        assert {style.faces.caption for style in every} == {"t15"}

    def test_icons_are_no_higher_than_a_line_of_their_text(self):
        for name in ("240x240", "240x240-round", "320x240"):
            each = styles(panel(name))
            for style in (*each.larger, each.usual, *each.smaller):
                assert int(style.faces.icon[1:]) <= style.face("body").pitch

    def test_without_smaller_faces_the_usual_is_the_dense_one(self):
        assert styles(panel("80x160")).dense.faces.body in ("t8", "t9")


class TestWidth:
    def test_letters_of_the_face_count_by_their_advance(self):
        assert setting().width(FACE, "Word") == FACE.width("Word")

    def test_what_takes_no_cell_counts_nothing(self):
        on = setting()
        assert on.width(FACE, "a\u200bb") == on.width(FACE, "a\u2060b") == FACE.width("ab")

    def test_other_characters_count_as_the_bridge_draws_them(self):
        assert setting(smooth=TenPxLetters()).width(FACE, "文字") == 20
        assert setting().width(FACE, "文字") == 2 * FACE.cap

    def test_shaped_text_counts_as_a_line(self):
        assert setting(smooth=TenPxLetters()).width(FACE, "שלום") == 40


class TestLines:
    def test_no_line_is_wider_than_its_room(self):
        on = setting()
        for width in range(60, 240, 20):
            lines = on.lines(FACE, FOX, width, 40)
            assert all(on.width(FACE, line) <= width for line in lines)
            joined = " ".join(lines).replace("- ", "").replace("-", "")
            assert joined.replace(" ", "") == FOX.replace(" ", "")

    def test_at_most_so_many(self):
        assert setting().lines(FACE, FOX, 220, 2) == ["The quick brown", "fox jumps over"]

    def test_the_last_word_does_not_stand_alone_where_the_line_before_has_two_to_spare(self):
        on = setting()
        assert without_widow(on, FACE, "a b c d", ["a b c", "d"], 220) == ["a b", "c d"]
        assert without_widow(on, FACE, "a b c", ["a b", "c"], 220) == ["a b", "c"]
        assert without_widow(on, FACE, "a b c d e", ["a b c", "d e"], 220) == ["a b c", "d e"]
        assert without_widow(on, FACE, "a b c d", ["a b c", "d"], 5) == ["a b c", "d"]

    def test_no_number_is_parted_from_its_unit_for_it(self):
        lines = ["walk for 5 km", "away"]
        assert without_widow(setting(), FACE, "walk for 5 km away", lines, 220) == lines

    def test_numbers_with_units_before_it_do_not_keep_a_word_alone(self):
        lines = ["-2 °C – 3 °C, Clear", "sky"]
        assert without_widow(setting(), FACE, " ".join(lines), lines, 220) == [
            "-2 °C – 3 °C,",
            "Clear sky",
        ]

    def test_the_rest_of_a_broken_word_is_left_where_it_is(self):
        lines = ["see the Donau-", "dampfer"]
        assert without_widow(setting(), FACE, "see the Donaudampfer", lines, 220) == lines

    def test_shaped_text_is_broken_by_what_draws_it(self):
        assert setting(smooth=TenPxLetters()).lines(FACE, "שלום" * 3, 50, 9) == [
            "שלוםש",
            "לוםשל",
            "ום",
        ]


class TestCut:
    def test_a_text_that_fits_is_whole(self):
        assert setting().cut(FACE, "Word", 100) == "Word"

    def test_else_it_ends_with_an_ellipsis_and_fits(self):
        on = setting()
        text = on.cut(FACE, FOX, 120)
        assert text == "The qui…" and on.width(FACE, text) <= 120

    def test_line_breaks_are_blanks(self):
        assert setting().cut(FACE, "A\nB", 100) == "A B"

    def test_shaped_text_is_cut_when_it_is_drawn(self):
        drawer = TenPxLetters()
        on = setting(smooth=drawer)
        assert on.cut(FACE, "שלום" * 9, 100) == "שלום" * 9
        [line] = on.run(FACE, "שלום" * 9, 0, 30, room=100)
        assert line.width == 100


class TestLegible:
    def test_a_script_without_a_font_is_named_instead_of_a_row_of_boxes(self):
        on = setting(smooth=TenPxLetters(lacking="文字"))
        assert on.legible("文字") == "Text in Chinese, which this device cannot show."
        assert on.missing == {ord("文"), ord("字")}

    def test_a_few_boxes_among_letters_stay(self):
        on = setting(smooth=TenPxLetters(lacking="文"))
        assert on.legible("The sign 文 means writing") == "The sign 文 means writing"

    def test_what_the_device_has_needs_no_font(self):
        on = setting(smooth=TenPxLetters(lacking="Привет"))
        assert on.legible("Привет") == "Привет"


class TestRun:
    def run(self, text, smooth=None, **where):
        on = setting(smooth=smooth)
        return on, list(on.run(FACE, text, 10, 50, **where))

    def test_a_line_is_a_text_on_its_baseline(self):
        on, drawn = self.run("Word", ink=ACCENT)
        assert drawn == [drawing.Text(10, 50, on.index("t20"), ACCENT, "Word", 0)]

    @pytest.mark.parametrize(("align", "x"), [("left", 10), ("middle", 45), ("right", 80)])
    def test_it_stands_left_in_the_middle_or_right_of_its_room(self, align, x):
        width = FACE.width("Word")
        on, [text] = self.run("Word", room=width + 70, align=align)
        assert text.x == x
        assert right(on, text) <= 10 + width + 70

    def test_without_a_side_it_begins_where_its_script_does(self):
        drawer = TenPxLetters()
        _, [line] = self.run("שלום", smooth=drawer, room=100)
        assert (line.x, line.width) == (70, 40)
        _, [text] = self.run("Word", smooth=drawer, room=100)
        assert text.x == 10

    def test_a_drawn_line_lies_on_the_baseline(self):
        _, [line] = self.run("שלום", smooth=TenPxLetters())
        assert (line.y, line.height, line.ink) == (50 - 24, 30, INK)

    def test_nothing_is_drawn_for_blanks(self):
        assert self.run(" \n ")[1] == []

    def test_a_line_is_drawn_once(self):
        drawer = TenPxLetters()
        on = setting(smooth=drawer)
        first, second = (next(on.run(FACE, "שלום", 0, y)) for y in (30, 60))
        assert (first.blob, first.index) == (second.blob, second.index) == (1, 0)
        assert len(drawer.drawn) == 1


def test_the_reach_of_a_line_is_the_faces_or_that_of_its_marks():
    on = setting(smooth=TenPxLetters())
    assert on.reach(FACE, "Word") == (27, 7)
    assert on.reach(metrics("t15"), "שלום") == (max(21, 19), max(6, 6))
    assert on.reach(FACE, "שלום") == (27, 7)


class TestFinish:
    def fitted(self, *words, smooth=None):
        return composed(smooth=smooth, blocks=tuple(TextBlock(text=each) for each in words))

    def test_lines_go_as_a_blob_numbered_from_0_in_the_order_they_are_shown(self):
        fitted = self.fitted("שלום", "Word", "חלב", smooth=TenPxLetters())
        [blob] = fitted.blobs
        lines = [
            item
            for page in fitted.card.pages
            for item in page.items
            if isinstance(item, drawing.Smooth)
        ]
        assert [line.index for line in lines] == [0, 1]
        assert blob.kind == "smooth"
        assert struct.unpack_from(">HHH", blob.data) == (2, lines[0].width, lines[0].height)
        sizes = [4 + (line.width + 3) // 4 * line.height for line in lines]
        assert len(blob.data) == 2 + sum(sizes)

    def test_characters_that_the_faces_lack_go_as_glyphs_of_each_face(self):
        fitted = self.fitted("Sign 文", smooth=TenPxLetters())
        [blob] = fitted.blobs
        [page] = fitted.card.pages
        [text] = [item for item in page.items if "文" in item.text]
        assert blob.kind == "type"
        assert struct.unpack_from(">IB", blob.data) == (ord("文"), text.face)
        assert len(blob.data) == 5 + 6

    def test_what_no_font_has_is_said_as_a_warning(self):
        fitted = self.fitted("A sign: 文, in words", smooth=TenPxLetters(lacking="文"))
        assert fitted.blobs == ()
        assert [warning.code for warning in fitted.warnings] == ["glyph"]
        assert "U+6587" in fitted.warnings[0].detail

    def test_a_card_in_the_devices_own_letters_needs_nothing(self):
        fitted = self.fitted("Привет, Ấỹ €", smooth=TenPxLetters())
        assert (fitted.blobs, fitted.card.resources, fitted.warnings) == ((), (), ())
        assert "".join(texts(fitted.card.pages[0].items)).startswith("Привет")
