"""Which words of a sentence can be a name or an id, and not the rest of the sentence."""

import pytest
from voxcard.assistants.offline.intents.names import (
    WORDS_MAX,
    Surroundings,
    count_numbers,
    ends_in_filler,
    holds_request,
    is_name,
    one_id,
)
from voxcard.assistants.offline.intents.normalise import words
from voxcard.assistants.offline.intents.sentences import sentence_files

VOCABULARY = sentence_files.language("en").words
HOME = ("turn", "set", "play")
MIDDLE = Surroundings(("list", "to"), ends=False, openings=HOME)
END = Surroundings((), ends=True, openings=HOME)


@pytest.mark.parametrize(
    ("text", "in_the_middle", "at_the_end"),
    [
        ("Anna", True, True),
        ("the old mill", True, True),
        ("a b c d e f", True, True),
        ("a b c d e f g", False, False),  # seven words
        ("Anna tomorrow", False, False),
        ("not Anna", False, False),
        ("um Anna", False, False),
        ("milk list", False, True),
        ("Anna in Rome", True, False),
        ("Anna with Bob", True, False),
        ("bread and butter", True, True),
        ("bread and salted butter", True, False),
        ("bread and turn", False, False),
        ("bread and", False, False),
        ("salt and pepper and oil", True, False),
        ("mum at 6", False, False),
        ("flat 6", True, True),
    ],
)
def test_a_name_is_short_and_holds_nothing_of_the_rest(text, in_the_middle, at_the_end):
    span = words(text)
    assert is_name(span, MIDDLE, VOCABULARY) is in_the_middle
    assert is_name(span, END, VOCABULARY) is at_the_end


def test_a_name_has_six_words_at_most():
    assert WORDS_MAX == 6
    assert is_name(words(" ".join("abcdef")), END, VOCABULARY)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("yesterday and turn off the light", True),
        ("yesterday then set it", True),
        ("yesterday and turn", False),  # a title may end so
        ("come and get it", False),
        ("yesterday turn off the light", False),
        ("you and delete it", True),  # what cannot be undone begins a request too
        ("", False),
    ],
)
def test_a_request_may_follow_a_title(text, expected):
    assert holds_request(words(text), END, VOCABULARY) is expected


@pytest.mark.parametrize(
    ("text", "at", "length", "expected"),
    [
        ("rome right now", 0, 1, False),
        ("rome right now", 0, 2, True),
        ("rome right now", 0, 3, True),
        ("rome please", 0, 1, False),
        ("rome please", 0, 2, True),
        ("please rome", 0, 2, False),
        ("in rome right now", 1, 2, True),
    ],
)
def test_a_name_does_not_end_within_a_filler(text, at, length, expected):
    assert ends_in_filler(words(text), at, length, VOCABULARY) is expected


def test_numbers_that_follow_each_other_are_counted():
    assert count_numbers(words("ten 42 lamps 7"), 0) == 2
    assert count_numbers(words("ten 42 lamps 7"), 3) == 1
    assert count_numbers(words("lamps 7"), 0) == 0
    assert count_numbers(words("7 2.5"), 0) == 1
    assert count_numbers(words("7"), 1) == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10 42", "1042"),
        ("1042", "1042"),
        ("1042 1043", ""),  # two of them
        ("104 105", "104105"),
        ("104 1043", "1041043"),
        ("1042 105", "1042105"),
        ("1042 1043 1044", "104210431044"),
        ("", ""),
    ],
)
def test_groups_of_digits_are_one_id_but_not_two_long_ones(text, expected):
    assert one_id(words(text)) == expected
