"""Paragraphs and gaps as rows: where lines break, how they stand, what is left away."""

from dataclasses import replace

import pytest
from fakes.cards.type_sheets import TenPxLetters, items, right, sheet, texts
from voxcard.cards.compose.rows import Blank, Gap, Paragraph, Rule, moved, note
from voxcard.cards.type.frame import chord
from voxwire.type import drawing
from voxwire.type.roles import ACCENT, DIM, INK, TRACK

FOX = "The quick brown fox jumps over the lazy dog"
ROUND_FOX = f"{FOX} and back again for the ball"


def rows(part, on, y=10):
    return list(part.rows(on, y))


def test_a_paragraph_is_broken_at_word_ends_into_rows_a_line_high():
    on = sheet()
    assert [(row.height, texts(row.items)) for row in rows(Paragraph(text=FOX), on)] == [
        (31, ["The quick brown"]),
        (31, ["fox jumps over"]),
        (31, ["the lazy dog"]),
    ]
    assert on.face("body").pitch == 31


def test_lines_begin_at_the_margin_of_a_rectangular_panel_and_stay_inside_it():
    on = sheet()
    drawn = items(Paragraph(text=FOX), on)
    assert [item.x for item in drawn] == [10, 10, 10]
    assert [item.y for item in drawn] == [36, 67, 98]  # baselines
    assert max(right(on, item) for item in drawn) <= 230


def test_line_breaks_of_a_text_are_kept_and_empty_lines_left_away():
    assert texts(items(Paragraph(text="One\n\n  \nTwo"), sheet())) == ["One", "Two"]


def test_the_last_word_does_not_stand_alone():
    # "jumps over" would fit behind "fox"; then "again" were alone.
    drawn = items(Paragraph(text="fox jumps over again"), sheet())
    assert texts(drawn) == ["fox jumps", "over again"]


def test_the_last_word_does_not_stand_alone_on_a_round_panel():
    on = sheet("240x240-round", top=60, next_top=60)
    drawn = items(Paragraph(text="over everything around lazy back brown"), on, 60)
    assert texts(drawn) == ["over everything", "around lazy", "back brown"]


def test_a_word_alone_stays_where_the_line_before_has_but_two():
    assert texts(items(Paragraph(text="Understanding everything"), sheet())) == [
        "Understanding",
        "everything",
    ]


def test_further_lines_stand_in_by_the_mark_before_the_first():
    drawn = items(Paragraph(text="• A mark stands before the first line of it", hang=2), sheet())
    assert texts(drawn) == ["• A mark stands", "   before the first", "   line of it"]


def test_each_line_on_a_round_panel_is_as_wide_as_its_chord_and_in_its_middle():
    on = sheet("240x240-round")
    drawn = items(Paragraph(text=ROUND_FOX), on)
    assert texts(drawn) == [
        "The",
        "quick brown",
        "fox jumps over the",
        "lazy dog and back",
        "again for the ball",
    ]
    for number, item in enumerate(drawn):
        x, width = chord(on.setting.screen, 10 + 25 * number, 25)
        assert x <= item.x and right(on, item) <= x + width
        assert abs((item.x - x) - (x + width - right(on, item))) <= 1, item


@pytest.mark.parametrize("name", ["240x240", "240x240-round"])
def test_a_word_wider_than_its_line_is_broken_with_a_hyphen(name):
    word = "Donaudampfschifffahrtsgesellschaft"
    on = sheet(name, top=60, next_top=60)
    *starts, end = texts(items(Paragraph(text=word), on, 60))
    assert starts and all(start.endswith("-") for start in starts)
    assert "".join(start[:-1] for start in starts) + end == word


@pytest.mark.parametrize("name", ["240x240", "240x240-round"])
def test_the_rest_of_a_broken_word_is_no_widow(name):
    on = sheet(name, top=60, next_top=60)
    text = "See the new Donaudampfschifffahrt"
    said = texts(items(Paragraph(text=text), on, 60))
    assert len(said) == 3 and said[-1].isalpha()
    assert f"{said[-2].removesuffix('-')}{said[-1]}".endswith("Donaudampfschifffahrt")


def test_ideographs_fill_a_narrow_chord_instead_of_skipping_it():
    on = sheet("240x240-round")
    assert texts(items(Paragraph(text="订单已发货明天送达配送中"), on)) == [
        "订单",
        "已发货明天送达配送",
        "中",
    ]


def test_a_text_with_a_most_of_lines_ends_with_an_ellipsis():
    drawn = items(Paragraph(text=FOX, lines_max=2), sheet())
    assert texts(drawn) == ["The quick brown", "fox jumps over t…"]
    assert texts(items(Paragraph(text=FOX, lines_max=3), sheet()))[-1] == "the lazy dog"


def test_a_text_of_more_pages_than_wanted_is_broken_no_further_than_shows_that():
    on = replace(sheet(), pages_max=2)
    assert on.height_max == 440
    drawn = rows(Paragraph(text="word " * 5000), on)
    assert len(drawn) == 440 // 31 + 3  # of which each page ends with none
    assert sum(row.height for row in drawn) > on.height_max


@pytest.mark.parametrize(("role", "cap"), [("caption", 15), ("body", 20), ("headline", 28)])
def test_a_role_names_the_face(role, cap):
    on = sheet()
    [row] = rows(Paragraph(text="Word", role=role), on)
    assert row.height == on.face(role).pitch
    assert on.face(role).cap == cap


def test_a_face_may_be_named_instead_of_a_role():
    on = sheet()
    [item] = items(Paragraph(text="Word", face="b16", ink=ACCENT), on)
    assert (on.setting.screen.faces[item.face], item.ink) == ("b16", ACCENT)


def test_what_stays_with_the_row_after_it_says_so():
    assert [row.keep for row in rows(Paragraph(text="Head", keep=True), sheet())] == [True]
    assert [row.keep for row in rows(Paragraph(text="Body"), sheet())] == [False]


def test_a_line_that_the_bridge_draws_has_the_height_that_its_marks_take():
    drawer = TenPxLetters()
    on = sheet(smooth=drawer)
    [row] = rows(Paragraph(text="สวัสดี"), on)
    [line] = row.items
    # 20 px of capitals, 4 more above and 6 below; the face's own line reaches 27 and 7.
    assert isinstance(line, drawing.Smooth)
    assert (line.width, line.height) == (60, 30)
    assert row.height == 34
    assert line.y + 24 == 27  # on the baseline


def test_right_to_left_lines_begin_at_the_right():
    drawer = TenPxLetters()
    on = sheet(smooth=drawer)
    [line] = items(Paragraph(text="שלום"), on)
    assert (line.x, right(on, line)) == (190, 230)
    assert set(drawer.drawn) == {("t20", "שלום", True)}


def test_a_gap_is_a_share_of_the_styles_air():
    assert [row.height for row in rows(Gap(), sheet())] == [8]
    assert [row.height for row in rows(Gap(share=50), sheet())] == [4]


def test_a_rule_is_a_hairline_from_margin_to_margin():
    [row] = rows(Rule(), sheet())
    assert row.items == (drawing.Box(10, 4, 220, 1, TRACK, 0),)


def test_what_has_no_words_takes_no_row():
    assert rows(Blank(), sheet()) == []
    assert rows(Paragraph(text=" \n "), sheet()) == []


def test_a_remark_is_small_and_dim():
    on = sheet()
    [item] = items(note("+3 more"), on)
    assert (on.setting.screen.faces[item.face], item.ink) == ("t15", DIM)
    [item] = items(Paragraph(text="Word"), on)
    assert item.ink == INK


def test_what_is_true_of_a_block_is_found_out_once_on_each_sheet():
    on, asked = sheet(), []
    first, second = ["rows"], ["rows"]
    for block in (first, second, first):
        assert on.once(block, lambda on: asked.append(on) or len(asked)) == 1 + (block is second)
    assert replace(on, pages_max=2).once(first, lambda on: "anew") == "anew"


def test_items_move_down_with_their_row():
    box = drawing.Box(1, 2, 3, 4, INK, 0)
    assert list(moved((box,), 10)) == [drawing.Box(1, 12, 3, 4, INK, 0)]
