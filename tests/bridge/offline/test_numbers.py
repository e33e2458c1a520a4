"""Numbers in spoken English: how many words are one number, and which."""

import pytest
from voxcard.assistants.offline.intents.numbers import (
    Number,
    has_alike,
    may_go_on,
    number,
    sound_alike,
    written,
)


def read(text, at=0):
    """(words, value, text) of the number at a word, or None."""
    found = number(text.split(), at)
    return found and (found.words, found.value, found.text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("zero", (1, 0)),
        ("nineteen", (1, 19)),
        ("twenty", (1, 20)),
        ("fourty", (1, 40)),
        ("nought", (1, 0)),
        ("naught", (1, 0)),
        ("ninety nine", (2, 99)),
        ("twenty one", (2, 21)),
        ("nineteen one", (1, 19)),
        ("twenty zero", (1, 20)),
        ("twenty ten", (1, 20)),
        ("ten twenty", (1, 10)),
        ("hundred", (1, 100)),
        ("a hundred", (2, 100)),
        ("a thousand", (2, 1000)),
        ("thousand and one", (3, 1001)),
        ("two thousand three hundred and four", (6, 2304)),
        ("two thousand and three hundred", (5, 2300)),
        ("zero hundred", (1, 0)),
        ("hundred thousand", (1, 100)),
        ("three hundred five", (3, 305)),
        ("three hundred and", (2, 300)),
        ("three hundred and lamps", (2, 300)),
        ("three hundred and one half", (5, 300.5)),
        ("three hundred and two thirds", (5, 300 + 2 / 3)),
        ("a lamp", None),
        ("lamp", None),
        ("and", None),
        ("a", None),
    ],
)
def test_words_are_one_number_as_far_as_they_belong_together(text, expected):
    found = read(text)
    assert (found and found[:2]) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5", (1, 5, "5")),
        ("007", (1, 7, "007")),
        ("1,042", (1, 1042, "1042")),
        ("1,042.50", (1, 1042.5, "1042.50")),
        ("1,04", None),
        ("5.0", (1, 5, "5.0")),
        ("5.5", (1, 5.5, "5.5")),
        ("1" * 15, (1, int("1" * 15), "1" * 15)),
        ("1" * 16, None),
        ("2 hundred", (2, 200, "200")),
        ("2 thousand five", (3, 2005, "2005")),
        ("2 lamps", (1, 2, "2")),
        ("3 point 5", (3, 3.5, "3.5")),
        ("3 point", (1, 3, "3")),
        ("3 point lamp", (1, 3, "3")),
        ("3 point 0", (3, 3, "3")),
    ],
)
def test_digits_are_a_number_and_a_scale_may_follow(text, expected):
    assert read(text) == expected


def test_a_whole_number_stays_one():
    for text in ("5.0", "3 point 0"):
        assert isinstance(read(text)[1], int)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("point five", (2, 0.5, "0.5")),
        ("point", None),
        ("point lamp", None),
        ("nineteen point two five", (4, 19.25, "19.25")),
        ("two point twenty five", (4, 2.25, "2.25")),
        ("two point oh five", (4, 2.05, "2.05")),
        ("two point 123456 7", (3, 2.123456, "2.123456")),
        ("two point 1234567", (1, 2, "2")),
        ("two point 1 2 3 4 5 6 7", (8, 2.123456, "2.123456")),
        ("two point 12345 67", (4, 2.1234567, "2.123457")),
        ("two hundred point five", (4, 200.5, "200.5")),
        ("two point ²", (1, 2, "2")),
        ("minus point five", (3, -0.5, "-0.5")),
    ],
)
def test_what_is_said_after_point_are_digits(text, expected):
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("half", Number(1, 0.5, "half", is_part=True)),
        ("quarter", Number(1, 0.25, "quarter", is_part=True)),
        ("third", None),
        ("a half", Number(2, 0.5, "half", is_part=True)),
        ("a third", None),
        ("one third", Number(2, 1 / 3, "third", is_part=True)),
        ("one half", Number(2, 0.5, "half", is_part=True)),
        ("two thirds", Number(2, 2 / 3, "0.666667", is_part=True)),
        ("three thirds", Number(1, 3, "3")),
        ("two half", Number(1, 2, "2")),
        ("three quarters", Number(2, 0.75, "0.75", is_part=True)),
        ("four quarters", Number(1, 4, "4")),
        ("zero thirds", Number(1, 0, "0")),
        ("½", Number(1, 0.5, "½", is_part=True)),
        ("2 ½", Number(2, 2.5, "2.5")),
        ("2 ¼ lamps", Number(2, 2.25, "2.25")),
        ("2 half", Number(1, 2, "2")),
        ("two and a half", Number(4, 2.5, "2.5")),
        ("two and half", Number(3, 2.5, "2.5")),
        ("two and ½ lamps", Number(3, 2.5, "2.5")),
        ("two and a third", Number(1, 2, "2")),
        ("two and one third", Number(4, 2 + 1 / 3, "2.333333")),
        ("2.5 and a half", Number(1, 2.5, "2.5")),
        ("two and lamp", Number(1, 2, "2")),
        ("two and", Number(1, 2, "2")),
        ("minus half", Number(2, -0.5, "-0.5", is_part=True)),
        ("minus two and a half", Number(5, -2.5, "-2.5")),
    ],
)
def test_a_fraction_is_a_number_or_a_part_of_one(text, expected):
    assert number(text.split(), 0) == expected


def test_a_sign_wants_a_number():
    assert read("minus five") == read("negative five") == read("- five") == (2, -5, "-5")
    for text in ("minus", "minus lamp", "minus minus five"):
        assert read(text) is None
    assert read("set minus 5", 1) == (2, -5, "-5")
    assert read("two hundred", 1) == (1, 100, "100")


def test_numbers_are_written_without_blanks_and_zeros():
    for value, text in ((60, "60"), (-19.5, "-19.5"), (2 / 3, "0.666667"), (3.0, "3")):
        assert written(value) == text


def test_numbers_made_of_one_digit_sound_alike():
    families = [{digit, 10 + digit, 10 * digit} for digit in range(3, 10)]
    for one in range(101):
        alike = {other for other in range(101) if sound_alike(one, other)}
        assert alike == next((each - {one} for each in families if one in each), set()), one
        assert has_alike(one) == bool(alike)


def test_a_number_goes_on_where_a_larger_one_begins_with_its_words():
    for high, go_on in (
        (100, {1, *range(20, 100, 10)}),
        (25, {20}),
        (None, set(range(1, 101))),
        (900, {*range(1, 10), *range(20, 100, 10), 100}),
    ):
        assert {value for value in range(101) if may_go_on(value, high)} == go_on, high
    assert may_go_on(-20, -100) and not may_go_on(-25, -100) and not may_go_on(90, 90)
