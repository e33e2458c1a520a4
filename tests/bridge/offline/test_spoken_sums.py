"""Sums as people say them, written as the tool that calculates reads them."""

import pytest
from voxcard.assistants.offline.intents.formats.spoken_sums import spoken_sums
from voxcard.assistants.offline.intents.normalise import words
from voxcard.toolhub.builtin.arithmetic import calculate


def longest(said):
    """The longest sum at the beginning of `said`, if all of it is one."""
    sentence = words(said)
    sums = [text for length, text in spoken_sums(sentence, 0) if length == len(sentence)]
    return sums[0] if sums else None


@pytest.mark.parametrize(
    ("said", "written", "result"),
    [
        ("seven times eight", "7 * 8", "56"),
        ("7 x 8", "7 * 8", "56"),
        ("7 × 8", "7 * 8", "56"),
        ("10 - 4", "10 - 4", "6"),
        ("ten minus four minus three", "10 - 4 - 3", "3"),
        ("minus three times minus four", "-3 * -4", "12"),
        ("three minus minus four", "3 - -4", "7"),
        ("two plus three times four", "2 + 3 * 4", "14"),
        ("a hundred and twenty divided by four", "120 / 4", "30"),
        ("one thousand two hundred plus 1,300", "1200 + 1300", "2500"),
        ("three point five multiplied by two", "3.5 * 2", "7"),
        ("twenty percent of fifty", "20 % of 50", "10"),
        ("20% of 50 plus 1", "20 % of 50 + 1", "11"),
        ("half of ninety", "(1/2) of 90", "45"),
        ("two thirds of ninety", "(2/3) of 90", "60"),
        ("the square root of 144", "sqrt 144", "12"),
        ("nine squared", "9 ^ 2", "81"),
        ("two cubed plus one", "2 ^ 3 + 1", "9"),
        ("two to the power of ten", "2 ^ 10", "1024"),
    ],
)
def test_a_spoken_sum_is_written_and_has_its_result(said, written, result):
    assert longest(said) == written
    assert calculate(written).text == result


@pytest.mark.parametrize(
    "said",
    [
        "seven", "seven times", "times seven", "seven times eight times", "seven eight",
        "seven and eight", "seven times a week", "ten percent", "half", "half of", "of ninety",
        "plus", "square root", "the square root of", "seven over the moon", "two plus two is",
        "twenty percent of", "",
    ],
)  # fmt: skip
def test_what_is_no_whole_sum_is_none(said):
    assert longest(said) is None
