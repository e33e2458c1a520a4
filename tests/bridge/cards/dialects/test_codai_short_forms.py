"""The assistant's short forms: each gives a card, or a refusal at the argument to change."""

import jsonschema
import pytest
from voxcard.cards.dialects.codai.short_forms import SHORT_FORMS, parse
from voxcard.cards.model import (
    Action,
    CardRefused,
    ChartBlock,
    ListBlock,
    ListItem,
    QrBlock,
    Question,
    TextBlock,
)
from voxcard.cards.text.twins import complete

GOOD = {
    "show_text": {"title": "Note", "text": "Buy **milk**"},
    "show_qr": {"data": "WIFI:S:home;;", "caption": "Guest Wi-Fi", "secret": True},
    "show_list": {"items": ["Milk", {"title": "Bread", "detail": "two"}], "ordered": True},
    "show_choices": {"question": "Which?", "options": ["Red", {"label": "Blue", "value": "#00f"}]},
    "show_chart": {"summary": "It rains less.", "points": [{"label": "Mon", "value": 3}],
                   "kind": "line", "unit": "mm"},
    "ask_approval": {"question": "Unlock the door?", "details": "Front door", "danger": True},
}  # fmt: skip


def made(name):
    return parse(name, GOOD[name], "own:1").cards[0]


def test_there_is_a_short_form_for_each_common_card():
    assert set(SHORT_FORMS) == set(GOOD)


@pytest.mark.parametrize("name", sorted(GOOD))
def test_a_forms_schema_takes_what_the_form_takes(name):
    jsonschema.Draft202012Validator.check_schema(SHORT_FORMS[name].input_schema)
    plain = {**GOOD[name]}
    for key in ("items", "options"):
        if key in plain:
            plain[key] = [each for each in plain[key] if isinstance(each, dict)]
    jsonschema.validate(plain, SHORT_FORMS[name].input_schema)
    assert made(name).id == "own:1"


def test_what_each_form_shows():
    assert (made("show_text").title, made("show_text").blocks) == (
        "Note", (TextBlock(text="Buy **milk**", markdown=True),),
    )  # fmt: skip
    assert made("show_qr").blocks == (
        QrBlock(data="WIFI:S:home;;", caption="Guest Wi-Fi", local_only=True),
    )
    assert made("show_list").blocks == (
        ListBlock(items=(ListItem(title="Milk", mark="1."),
                         ListItem(title="Bread", detail="two", mark="2."))),
    )  # fmt: skip
    assert made("show_chart").blocks == (
        ChartBlock(summary="It rains less.", points=(("Mon", 3.0),), kind="line", unit="mm"),
    )


def test_a_choice_answers_with_its_value():
    card = made("show_choices")
    assert card.question == Question(kind="choice", prompt="Which?")
    assert [(each.id, each.text) for each in card.actions] == [
        ("choice.0", "Red"), ("choice.1", "#00f"),
    ]  # fmt: skip
    assert complete(card).twin.speak == "Which? You can say: Red, or Blue."


def test_a_dangerous_approval_is_asked_twice():
    assert made("ask_approval").actions == (
        Action(id="allow", label="Allow", kind="control", text="allow", style="danger",
               confirm="Unlock the door?"),
        Action(id="deny", label="Deny", kind="control", text="deny", style="secondary"),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "arguments", "why"),
    [
        ("show_text", {}, "text: is missing"),
        ("show_text", {"text": " "}, "text: is empty"),
        ("show_text", {"text": "x", "title": 1}, "title: must be text"),
        ("show_text", {"text": "x", "title": "t" * 121}, "title: has 121 characters, the limit"),
        ("show_text", {"text": "x" * 33_000}, "card exceeds 32768 bytes"),
        ("show_qr", {"data": "x"}, "caption: is missing"),
        ("show_qr", {"data": "http://a.example", "caption": "c"}, "data: must be an https link"),
        ("show_list", {}, "items: is missing"),
        ("show_list", {"items": []}, "items: is empty; give at least one"),
        ("show_list", {"items": "a, b"}, "items: must be a list"),
        ("show_list", {"items": ["a"] * 51}, "items: has 51 entries, the limit is 50"),
        ("show_list", {"items": [3]}, "items.0: must be text or an object with title"),
        ("show_list", {"items": [{"detail": "x"}]}, "items.0.title: is missing"),
        (
            "show_list",
            {"items": ["a", {"title": "b", "url": "http://b.example"}]},
            "items.1.url: must be an https link",
        ),
        ("show_choices", {"question": "?", "options": []}, "options: is empty"),
        ("show_choices", {"question": "?", "options": ["a"] * 7}, "options: has 7 entries"),
        ("show_choices", {"options": ["a"]}, "question: is missing"),
        ("show_chart", {"points": [{"label": "a", "value": 1}]}, "summary: is missing"),
        (
            "show_chart",
            {"points": [{"label": "a", "value": "much"}], "summary": "s"},
            "points.0.value: must be a number",
        ),
        ("show_chart", {"kind": "radar"}, "kind: must be bar, line or pie"),
        ("ask_approval", {}, "question: is missing"),
    ],
)
def test_a_refusal_names_the_argument_to_change(name, arguments, why):
    with pytest.raises(CardRefused) as refused:
        parse(name, arguments)
    assert str(refused.value).startswith(why)
