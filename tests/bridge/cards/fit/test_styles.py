"""Large values, headlines, and fields in two columns, on screens of cells that draw them."""

import json
from itertools import count
from pathlib import Path

import pytest
from fakes.device.screens import screen_of
from voxcard.cards.drawing.drawer import Drawer
from voxcard.cards.fit.fit import fit, wire_bytes
from voxcard.cards.model import (
    Action,
    Card,
    KeyValueBlock,
    MetricBlock,
    Play,
    TableBlock,
    TextBlock,
)
from voxwire import card as wire
from voxwire.capability import BLOCKS

from tools.checks import card_case

CASES = Path(__file__).parents[3] / "golden" / "cards"
FONT = ((32, 0x24F), (0x2022, 0x2026))
SMALL = screen_of(128, 64, 1, "rect", 0, (6, 12), FONT, BLOCKS)  # 21 cells; 3 rows, 4 untitled
TALL = screen_of(80, 160, 16, "rect", 0, (6, 12), FONT, BLOCKS)  # 13 cells, 11 rows
PANEL = screen_of(240, 240, 16, "rect", 116, (8, 16), FONT, BLOCKS)
STYLES = ("big", "fields")
BLANK = wire.text_line("")


def fitted(screen=SMALL, drawer=None, mode="full", **fields):
    card = Card(id="c", dialect="x", **fields)
    return fit(card, screen, now=0, mode=mode, next_blob=count(1).__next__, drawer=drawer).card


def lines(screen=SMALL, **fields):
    """The lines of the first page."""
    return list(fitted(screen, **fields).pages[0].lines)


def plain(*texts):
    return [wire.text_line(text) for text in texts]


def metric(label="Rain", value="4", unit="°C", delta=""):
    return MetricBlock(label=label, value=value, unit=unit, delta=delta)


def rows(*pairs):
    return (KeyValueBlock(rows=pairs),)


def without(screen, *styles):
    return screen._replace(blocks=tuple(each for each in screen.blocks if each not in styles))


def test_a_value_is_large_with_its_change_beside_it_and_its_label_below_the_title():
    shown = lines(title="Oslo", blocks=(metric("Light rain", delta="-2"),))
    assert shown == [wire.big("4 °C"), wire.field("", "-2"), *plain("Light rain")]


def test_without_a_title_the_label_stands_over_the_value():
    assert lines(blocks=(metric(),)) == [*plain("Rain"), wire.big("4 °C"), BLANK]


def test_a_label_stands_beside_its_value_where_nothing_else_does():
    shown = lines(title="Oslo", blocks=(metric("Light rain"),))
    assert shown == [wire.big("4 °C"), wire.field("", "Light rain")]
    longer = lines(title="Oslo", blocks=(metric("Light rain, 5 m/s"),))
    assert longer == [wire.big("4 °C"), BLANK, *plain("Light rain, 5 m/s")]


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Weather in Oslo", [wire.big("-4 °C"), wire.field("", "Snow")]),
        ("Weather", [wire.big("-4 °C"), wire.field("", "Oslo, Snow")]),
        ("", [wire.text_line("Oslo, Snow"), wire.big("-4 °C"), BLANK]),
    ],
)
def test_weather_that_a_card_begins_with_is_a_value(title, expected):
    sentence = TextBlock(text="Oslo: -4 °C, Snow", markdown=True)
    wind = rows(("Wind", "5 m/s"))
    assert lines(title=title, blocks=(sentence, *wind))[: len(expected)] == expected
    assert lines(title=title, blocks=(*wind, sentence))[-1] == wire.text_line("Oslo: -4 °C, Snow")


def test_a_label_that_the_title_says_is_said_once():
    assert lines(title="Rain", blocks=(metric(),)) == [wire.big("4 °C"), BLANK]


@pytest.mark.parametrize(
    ("value", "unit", "delta", "expected"),
    [
        ("12345678", "€", "", [wire.big("12345678 €"), BLANK]),
        ("123456789", "€", "", [wire.big("123456789"), wire.field("", "€")]),
        ("123456789", "€", "+3", [wire.big("123456789"), BLANK, wire.text_line("€ · +3")]),
        ("1234567890", "", "", [wire.big("1234567890"), BLANK]),
        ("12345678", "€", "+3", [wire.big("12345678 €"), BLANK, wire.text_line("+3")]),
        ("1234567", "€", "+3 ▲", [wire.big("1234567 €"), BLANK, wire.text_line("+3 ▲")]),
        ("123456", "€", "+3 ▲", [wire.big("123456 €"), wire.field("", "+3 ▲")]),
        ("4", "°C", "\U0001f321", [wire.big("4 °C"), BLANK, wire.text_line("\U0001f321")]),
    ],
)
def test_a_value_takes_half_the_cells_at_most_and_its_unit_joins_it_where_it_can(
    value, unit, delta, expected
):
    assert lines(title="Rain", blocks=(metric("Rain", value, unit, delta),)) == expected


@pytest.mark.parametrize(
    "block",
    [
        metric(value="12345678901", unit=""),
        metric(value=""),
    ],
)
def test_a_value_without_room_is_said_as_before(block):
    expected = lines(without(SMALL, *STYLES), title="T", blocks=(block,))
    shown = lines(without(SMALL, "fields"), title="T", blocks=(block,))
    assert shown == expected and {line.style for line in shown} == {""}


def test_a_label_may_take_two_rows_and_no_third():
    shown = lines(TALL, title="T", blocks=(metric("Consumption today"),))
    assert shown == [wire.big("4 °C"), BLANK, *plain("Consumption", "today")]
    long = lines(TALL, title="T", blocks=(metric("Consumption of the whole house"),))
    assert {line.style for line in long} == {""}


def test_a_label_without_room_under_its_value_is_on_the_next_page():
    block = metric("NWND, Oslo Børs", "412.60", "kr", "+7.20 (1.8 %)")
    pages = fitted(title="Novo Wind", blocks=(block,)).pages
    assert [list(page.lines) for page in pages] == [
        [wire.big("412.60 kr"), BLANK, wire.text_line("+7.20 (1.8 %)")],
        plain("NWND, Oslo Børs"),
    ]


def test_only_the_value_that_opens_a_card_is_large():
    shown = lines(TALL, title="T", blocks=(metric("T"), metric("Wind", "3", "m/s")))
    assert shown == [wire.big("4 °C"), BLANK, wire.field("Wind", "3 m/s")]
    after = lines(title="T", blocks=(TextBlock(text="Now"), metric()))
    assert after == [*plain("Now"), wire.field("Rain", "4 °C")]
    scenes = Play(scenes=((metric(),),), durations_ms=(2000,))
    assert lines(title="T", play=scenes, blocks=(metric(),)) == [wire.field("Rain", "4 °C")]


def test_two_rows_of_text_have_no_room_for_a_value():
    low = SMALL._replace(height=32)
    assert lines(low, title="T", blocks=(metric(),)) == [wire.field("Rain", "4 °C")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Yes.", ["Yes."]),
        ("Open until nine.", ["Open until", "nine."]),
        ("abcdefghij abcdefghij", ["abcdefghij", "abcdefghij"]),
        ("Guest Wi-Fi", ["Guest", "Wi-Fi"]),
    ],
)
def test_a_short_sentence_is_a_headline(text, expected):
    shown = lines(blocks=(TextBlock(text=text),))
    assert shown == [line for each in expected for line in (wire.big(each), BLANK)]


@pytest.mark.parametrize(
    "text",
    [
        "abcdefghijk",  # would be cut
        "abcdefghij abcdefghij a",
        "one\ntwo",
        "[picture] Lake",
        "- one",
        "| a | b |\n|---|---|\n| 1 | 2 |",
    ],
)
def test_other_texts_are_no_headline(text):
    shown = lines(blocks=(TextBlock(text=text, markdown=True),))
    assert "b" not in {line.style for line in shown}


def test_a_headline_stands_alone():
    yes = TextBlock(text="Yes.")
    copied = Action(id="c", label="Copy", kind="copy", text="x")
    for fields in (
        {"blocks": (yes, TextBlock(text="No."))},
        {"blocks": (yes,), "subtitle": "Hm"},
        {"blocks": (yes,), "actions": (copied,)},
        {"blocks": rows(("", "Yes."))},
        {"play": Play(scenes=((yes,),), durations_ms=(2000,))},
    ):
        assert {line.style for line in lines(**fields)} == {""}


def test_a_headline_has_one_line_under_a_title_where_two_have_no_room():
    assert lines(title="Door", blocks=(TextBlock(text="Locked"),)) == [wire.big("Locked"), BLANK]
    assert lines(title="Door", blocks=(TextBlock(text="Locked since noon"),)) == plain(
        "Locked since noon"
    )


def test_a_title_that_is_all_there_is_becomes_a_headline():
    assert fitted(title="Window open").pages == (
        wire.TextPage("", (wire.big("Window"), BLANK, wire.big("open"), BLANK), 0),
    )
    [page] = fitted(title="The windows are open").pages
    assert page.title == "The windows are open" and page.lines == ()


def test_rows_are_fields_if_each_of_them_has_a_row_with_two_cells_between():
    assert lines(title="T", blocks=rows(("Due", "9–11"), ("Total", ""))) == [
        wire.field("Due", "9–11"),
        wire.field("Total", "–"),
    ]
    assert lines(title="T", blocks=rows(("a" * 10, "b" * 9))) == [wire.field("a" * 10, "b" * 9)]
    long = lines(title="T", blocks=rows(("Due", "9–11"), ("a" * 10, "b" * 10)))
    assert long == plain("Due: 9–11", "a" * 10 + ":", "b" * 10)
    assert lines(title="T", blocks=rows(("a", "b\nc"), ("d", "e"))) == plain("a: b", "c", "d: e")


def test_a_value_without_a_name_stays_at_the_left():
    shown = lines(title="T", blocks=rows(("Due", "9–11"), ("", "or later")))
    assert shown == [wire.field("Due", "9–11"), *plain("or later")]


def test_a_value_whose_width_the_device_does_not_know_is_not_flush():
    assert lines(title="T", blocks=rows(("Sky", "\U0001f321"))) == plain("Sky: \U0001f321")
    named = lines(title="T", blocks=rows(("\U0001f321", "4")))
    assert named == [wire.field("\U0001f321", "4")]


def test_a_table_of_two_columns_has_its_names_over_them():
    table = TableBlock(columns=("Time", "Height"), rows=(("06:12", "4 m"), ("12:30",)))
    assert lines(title="T", blocks=(table,)) == [
        wire.field("Time", "Height"),
        wire.field("06:12", "4 m"),
        wire.field("12:30", "–"),
    ]
    unnamed = TableBlock(columns=("Time", ""), rows=(("06:12", "4 m"),))
    assert lines(title="T", blocks=(unnamed,)) == [*plain("Time ·"), wire.field("06:12", "4 m")]


@pytest.mark.parametrize("text", ["حرارة", "नमस्ते", "אבג"])
def test_texts_that_the_bridge_draws_stay_strips(text):
    drawer = Drawer(SMALL.cell)
    for blocks in (
        (TextBlock(text=text),),
        rows((text, "4")),
        rows(("a", text)),
        (metric(text),),
    ):
        shown = lines(drawer=drawer, title="T", blocks=blocks)
        assert {line.style for line in shown} <= {"s", "sr"}, shown


def test_digits_of_a_card_from_the_right_stay_on_that_side():
    shown = lines(drawer=Drawer(SMALL.cell), direction="rtl", blocks=rows(("1", "2")))
    assert {line.style for line in shown} == {"sr"}


def test_a_screen_gets_only_the_styles_that_it_draws():
    card = {"title": "T", "blocks": (metric(), *rows(("Due", "9–11")))}
    assert lines(without(TALL, *STYLES), **card) == plain("Rain: 4 °C", "Due: 9–11")
    both = lines(TALL, **card)
    assert [line.style for line in both] == ["b", "f", "f"]
    assert lines(TALL, mode="text", **card) == both


@pytest.mark.parametrize("screen", [SMALL, TALL, PANEL], ids=["128x64", "80x160", "240x240"])
def test_styles_cost_no_card_more_than_a_page_and_leave_nothing_out(screen):
    styled = 0
    for path in sorted(CASES.rglob("*.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        for card in card_case.run(case["dialect"], case["input"]).cards:
            before, after = (
                fit(card, each, now=card_case.NOW, next_blob=count(1).__next__)
                for each in (without(screen, *STYLES), screen)
            )
            assert len(after.card.pages) <= len(before.card.pages) + 1, path.stem
            assert after.left_out <= before.left_out, path.stem
            assert wire_bytes(after.card) <= wire_bytes(before.card) + 100 or after.left_out == 0
            styled += before.card != after.card
    assert styled > 50
