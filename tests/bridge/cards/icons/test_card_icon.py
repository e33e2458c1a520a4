"""Which icon a card and a row have, and which have none."""

import json
from pathlib import Path

import pytest
from voxcard.cards.dialects.codai import parser as codai
from voxcard.cards.icons.card_icon import icon_of_card, icon_of_item
from voxcard.cards.model import (
    Card,
    ChartBlock,
    DividerBlock,
    ImageBlock,
    ImageRef,
    KeyValueBlock,
    ListBlock,
    ListItem,
    MapBlock,
    MediaBlock,
    MetricBlock,
    Question,
    TableBlock,
    TextBlock,
)

from tools.checks.card_case import run

CASES = Path(__file__).parents[3] / "golden" / "cards"


def icon(*blocks, title="", **more):
    return icon_of_card(Card(id="a", dialect="test", title=title, blocks=blocks, **more))


def test_the_authors_own_emoji_comes_before_everything_else():
    chart = ChartBlock(summary="up", points=())
    assert icon(chart, title="🌧️ 비") == "rain"
    assert icon(chart, title="👨‍👩‍👧‍👦 ticket", question=Question(kind="choice")) == "people"
    # One that we have no icon for is not replaced by another picture.
    assert icon(chart, title="🤷 Parcel") is None


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        (ChartBlock(summary="up", points=()), "chart"),
        (MapBlock(pins=()), "place"),
        (MediaBlock(kind="audio", title="a", url=""), "music"),
        (MediaBlock(kind="video", title="a", url=""), "video"),
        (TableBlock(columns=(), rows=()), "table"),
        (ListBlock(items=(ListItem(title="a", mark="✓"), ListItem(title="b", mark="☐"))),
         "check_box"),
        (ListBlock(items=(ListItem(title="a", mark="✓"), ListItem(title="b"))), None),
        (MetricBlock(label="a", value="21", unit="°C"), "thermometer"),
        (MetricBlock(label="a", value="4.97", unit="RON"), "money"),
        (MetricBlock(label="a", value="5", unit="€"), "money"),
        (MetricBlock(label="a", value="5", unit="%"), None),
        (KeyValueBlock(rows=(("a", "b"),)), None),
        (TextBlock(text="Rain is expected in Bergen, take the car"), None),
        (TextBlock(text="Bergen: 11 °C, Light rain showers"), "showers"),
        (TextBlock(text="-3.5 °C, Snow"), "snow"),
        (TextBlock(text="Bergen: 11 °C, lovely"), None),
    ],
)  # fmt: skip
def test_a_card_has_the_icon_of_its_first_block(block, expected):
    assert icon(TextBlock(text="Heading", level=1), DividerBlock(), block) == expected


def test_text_before_a_block_is_what_the_card_is_about():
    assert icon(TextBlock(text="Dear all"), ChartBlock(summary="up", points=())) is None


def test_a_question_is_a_question_whatever_it_holds():
    assert icon(ListBlock(items=()), question=Question(kind="approval")) == "question"


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Parcel 7731", "parcel"), ("parcel", "parcel"), ("Invoice #2026-118", "document"),
        ("Invoice no. 9", "document"), ("Bus 41", "bus"), ("Flight RO 371", "plane"),
        ("Error: 404", "error"), ("Timer", "timer"),
        ("Parcel delivery terms", None), ("Bus tours of 1999", None), ("Weather", None),
        ("Warning signs", None), ("Order 1042", None), ("", None), ("Zbor RO 371", None),
    ],
)  # fmt: skip
def test_a_title_counts_where_it_is_one_plain_word_and_a_number(title, expected):
    assert icon(title=title) == expected


def test_a_title_in_another_language_is_not_read_as_english():
    assert icon(title="Alarm", locale="de-DE") is None
    assert icon(title="Alarm", locale="en-GB") == "alarm"
    assert icon(title="Parcel 7731", locale="ro") is None


def test_a_rows_emoji_becomes_its_icon_and_leaves_the_text():
    assert icon_of_item("☀️ Sunday") == ("sun", "Sunday")
    assert icon_of_item("🛒 Milk 🥛") == ("cart", "Milk 🥛")
    for text in ("Sunday ☀️", "🤷 Who knows", "🌧", "★★★☆☆ good", "天気"):
        assert icon_of_item(text) == (None, text)


def test_a_task_shows_its_state_and_a_number_keeps_its_place():
    assert icon_of_item("☀️ Sun cream", "✓") == ("check_box", "☀️ Sun cream")
    assert icon_of_item("Towel", "☐") == ("box", "Towel")
    assert icon_of_item("☀️ Sun cream", "4.") == (None, "☀️ Sun cream")


def test_the_weather_of_a_codai_card_is_known_by_its_symbol():
    block = {"type": "weather", "name": "Iași",
             "current": {"temperature": 3.5, "symbolCode": "lightsnow"}}  # fmt: skip
    card = codai.parse({"blocks": [block]}).cards[0]
    assert icon_of_card(card) == "snow"


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ("assistant_platform/01_full_card", "parcel"), ("codai/weather_symbol_code", "storm"),
        ("codai/35_map_on_watch_first_pins", "place"), ("codai/50_local_code_stays_local", "qr"),
        ("codai/timeline_all_future", "steps"), ("a2ui/icons_alone", "warning"),
        ("mcp_result/emoji_bullets", "check"), ("mcp_chat_cards/09_chart_scene_to_lines", "chart"),
        ("companion/01_simple_card", None), ("sidetalk/08_list_random", None),
        ("a2ui_examples/17_restaurant", None), ("a2ui_examples/05_product", None),
    ],
)  # fmt: skip
def test_a_card_of_each_dialect_has_the_icon_it_should(case, expected):
    source = json.loads((CASES / f"{case}.json").read_text(encoding="utf-8"))
    outcome = run(source["dialect"], source["input"])
    assert icon_of_card(outcome.card) == expected


def test_pictures_are_what_a_card_of_nothing_else_is_about():
    picture = ImageBlock(image=ImageRef(alt="A boat", url="https://a.example/b.png"))
    assert icon(TextBlock(text="Boats", level=1), picture, picture) == "photo"
    assert icon(picture, TextBlock(text="La Ceaun, open until ten")) is None
