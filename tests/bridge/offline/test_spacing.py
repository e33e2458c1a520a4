"""Compound words, joined or parted as the home writes them; and units of numbers."""

import pytest
from voxcard.assistants.offline.intents.normalise import words
from voxcard.assistants.offline.intents.sentences import sentence_files
from voxcard.assistants.offline.intents.spacing import respaced
from voxcard.assistants.offline.intents.units import unit_lengths, units
from voxcard.toolhub.schema import Argument

VOCABULARY = sentence_files.language("en").words
KNOWN = {"wifi", "floor", "lamp", "unmute", "bed", "room", "tea", "pot", "to", "day", "ab", "set"}


def spaced(text):
    """Each word with its place in the text."""
    respelled = respaced(words(text), KNOWN, VOCABULARY)
    return [(word.text, word.start, word.end) for word in respelled]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("wi fi", [("wifi", 0, 5)]),
        ("the wi fi off", [("the", 0, 3), ("wifi", 4, 9), ("off", 10, 13)]),
        ("floorlamp", [("floor", 0, 5), ("lamp", 5, 9)]),
        ("set floorlamp", [("set", 0, 3), ("floor", 4, 9), ("lamp", 9, 13)]),
        ("teapot", [("tea", 0, 3), ("pot", 3, 6)]),
        ("floor lamp", [("floor", 0, 5), ("lamp", 6, 10)]),
        ("un mute", [("un", 0, 2), ("mute", 3, 7)]),  # a prefix turns the word
        ("today", [("today", 0, 5)]),  # always heard as itself
        ("abday", [("abday", 0, 5)]),  # a half has three letters
        ("dayab", [("dayab", 0, 5)]),
        ("daytea", [("day", 0, 3), ("tea", 3, 6)]),
        ("lampfloors", [("lampfloors", 0, 10)]),
        ("wi", [("wi", 0, 2)]),
        ("", []),
    ],
)
def test_a_word_is_joined_or_parted_where_that_makes_words_of_the_home(text, expected):
    assert spaced(text) == expected


def test_a_word_that_was_written_otherwise_is_not_parted():
    assert [text for text, _, _ in spaced("tea'pot")] == ["teapot"]
    assert [text for text, _, _ in spaced("sixty")] == ["60"]


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        ({"name": "minutes"}, {"minute", "minutes"}),
        ({"name": "wait_seconds"}, {"second", "seconds"}),
        ({"name": "litres"}, {"litre", "litres", "liter", "liters"}),
        ({"name": "celsius"}, {"degree", "degrees", "celsius", "c"}),
        ({"name": "t", "description": "in °F"}, {"degree", "degrees", "fahrenheit", "f"}),
        ({"name": "t", "title": "Kelvin"}, {"degree", "degrees", "kelvin"}),
        ({"name": "t", "description": "Celsius or Fahrenheit"}, set()),
        ({"name": "t", "description": "℃ or °C"}, {"degree", "degrees", "celsius", "c"}),
        ({"name": "level"}, set()),
        ({"name": "minuteman"}, set()),
    ],
)
def test_an_argument_counts_in_what_it_says(argument, expected):
    assert units(Argument(kind="number", **argument)) == expected


def test_as_many_words_are_the_unit_as_follow_each_other():
    unit = frozenset(("degrees", "celsius"))
    assert unit_lengths(words("5 degrees celsius now"), 1, unit) == [0, 1, 2]
    assert unit_lengths(words("5 now degrees"), 1, unit) == [0]
    assert unit_lengths(words("5"), 1, unit) == [0]
    assert unit_lengths(words("degrees 5"), 0, unit) == [0, 1]
