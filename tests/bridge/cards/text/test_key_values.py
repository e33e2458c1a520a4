"""Data in words: lines of keys and values, cut where they would never end."""

import pytest
from voxcard.cards.text.data.key_values import key_values, scalar

DEEP = {"a": {"b": {"c": {"d": {"e": {"f": 1}}}}}}


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (None, ""),
        ({"a": True, "b": None, "c": 1.5}, "a: yes\nb: none\nc: 1.5"),
        ({"a": [1, 2], "b": {"c": 3, "d": False}}, "a: 1, 2\nb: c 3, d no"),
        ([{"a": 1}, [2, 3]], "a 1\n2, 3"),
        ({"a": [{"b": 1}, {"b": 2}]}, "a: b 1; b 2"),
        (["a", "b"], "a, b"),
        (DEEP, "a: b c d e …"),
        ({"a": [[[[[1]]]]]}, "a: …"),
        ({"a": [[[[1]]]]}, "a: 1"),
        ({"a": list(range(10))}, "a: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9"),
        ({"a": list(range(11))}, "a: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, +1 more"),
        ({"a": [0] * 25}, "a: " + "0, " * 10 + "+15 more"),
        ({"a": "x " * 99 + "yz"}, "a: " + "x " * 99 + "yz"),
    ],
)
def test_data_in_words(data, text):
    assert key_values(data) == text


def test_more_than_thirty_lines_are_counted():
    rows = {f"k{number}": number for number in range(31)}
    lines = key_values(rows).splitlines()
    assert lines[29:] == ["k29: 29", "+1 more"]
    assert key_values(dict(list(rows.items())[:30])).splitlines()[-1] == "k29: 29"
    assert key_values([[number] for number in range(32)]).splitlines()[-1] == "+2 more"


def test_a_value_of_over_two_hundred_characters_is_cut():
    (line,) = key_values({"a": "x " * 150}).splitlines()
    assert line == "a: " + "x " * 99 + "x…"
    assert len(line) == 3 + 200


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "yes"),
        (False, "no"),
        (None, "none"),
        (0, "0"),
        (10**30 - 1, "9" * 30),
        (10**30, "…"),
        (-(10**30), "…"),
        (1 / 3, "0.3333333333"),
        (-1.0, "-1"),
        (-0.0, "0"),
        (1e10, "10000000000"),
        (12345678901.5, "12345678902"),
        (9_999_999_999.25, "9999999999"),
        (9_999_999_999.5, "10000000000"),
        (1e16, "1e+16"),
        (float("nan"), "none"),
        (float("inf"), "none"),
        (" a ", "a"),
        ("A" * 99, "A" * 99),
        ("A" * 100, "…"),
        ("A" * 99 + " ", "A" * 99),
        ("data:image/png;base64,AA", "…"),
        ("DATA:x", "…"),
        ("date: x", "date: x"),
    ],
)
def test_a_single_value_in_words(value, text):
    assert scalar(value) == text


def test_a_text_alone_is_cut_at_four_thousand_characters():
    assert scalar("abc " * 1001) == ("abc " * 1000).strip()
