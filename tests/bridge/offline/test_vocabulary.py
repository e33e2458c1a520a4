"""Words that may be misheard, fillers, and the words of which each letter counts."""

import pytest
from voxcard.assistants.offline.intents.normalise import words
from voxcard.assistants.offline.intents.vocabulary import Vocabulary

LANGUAGE = {
    "fillers": "please, could you, if you do not mind",
    "optional": "the",
    "hesitations": "um",
    "exact": "on, off, left, right, bright",
    "unstressed": "right",
    "prefixes": "un, in, de",
    "cancels": "never mind",
    "yes": "yes, of course",
    "no": "no",
    "former": "the first",
    "latter": "the second",
    "neither": "none of them",
    "corrections": "no, i said",
    "joins": "and, and then",
    "defers": "wake",
    "sequels": "then",
    "lasts": "timer",
    "pronouns": "it",
    "open_ends": "to",
    "not_in_names": "volume",
    "after_names": "on",
    "articles": "the, a",
    "risky": "delete, shut down",
    "harmless": "show",
    "particle_verbs": "turn",
    "particles": "on, off",
}
VOCABULARY = Vocabulary.of(LANGUAGE)


def test_the_words_of_a_language_are_read_from_its_file():
    assert VOCABULARY.fillers == {
        ("please",), ("could", "you"), ("if", "you", "do", "not", "mind"),
    }  # fmt: skip
    assert VOCABULARY.yes == {("yes",), ("of", "course")}
    assert VOCABULARY.joins == {("and",), ("and", "then")}
    assert VOCABULARY.risky == {("delete",), ("shut", "down")}
    assert sorted(VOCABULARY.exact) == ["bright", "left", "off", "on", "right"]


@pytest.mark.parametrize(
    ("text", "at", "lengths"),
    [
        ("please now", 0, [1]),
        ("now please", 1, [1]),
        ("could you please", 0, [2]),
        ("could", 0, []),
        ("if you do not mind", 0, [5]),
        ("if you do not", 0, []),
        ("now", 0, []),
    ],
)
def test_a_filler_is_some_words_long(text, at, lengths):
    assert VOCABULARY.fillers_at(words(text), at) == lengths


def test_words_are_a_filler_when_all_of_them_are():
    for text, is_filler in (
        ("", True),
        ("please", True),
        ("could you please", True),
        ("please could you", True),
        ("could you now", False),
        ("please now please", False),
        ("could please", False),
    ):
        assert VOCABULARY.is_filler(words(text)) is is_filler, text


def test_an_article_before_a_name_is_no_part_of_it():
    for text, name in (("the lamp", "lamp"), ("a", ""), ("lamp the", "lamp the"), ("", "")):
        found = VOCABULARY.without_article(words(text))
        assert " ".join(word.text for word in found) == name


@pytest.mark.parametrize(
    ("word", "meant", "may_be"),
    [
        ("lampe", "lamp", True),
        ("lamps", "lamp", True),
        ("lam", "lamp", False),  # in a short word each letter counts
        ("lamp", "lam", False),
        ("lime", "lamp", False),
        ("lights", "right", False),
        ("left", "lefts", False),
        ("l4mp", "lamp", False),
        ("lamp", "la-mp", False),
        ("abcd", "abce", True),  # three of four letters are the same
        ("abcd", "abef", False),
        ("lock", "unlock", False),
        ("unlock", "lock", False),
        ("increase", "decrease", False),
        ("umute", "mute", False),  # no farther from "unmute"
        ("mutee", "mute", True),
        ("undo", "undoo", True),
    ],
)
def test_a_word_may_be_misheard_for_one_that_is_like_it(word, meant, may_be):
    assert (VOCABULARY.alike(word, meant) > 0) is may_be


def test_how_alike_two_words_are_is_a_share_of_their_letters():
    assert VOCABULARY.alike("volume", "volume") == 1.0
    assert VOCABULARY.alike("abcd", "abce") == 0.75


@pytest.mark.parametrize(
    ("first", "taken", "turns"),
    [
        ("lock the door", "unlock the door", True),
        ("turn it on", "turn it off", True),
        ("turn it on", "turn it", True),
        ("turn it", "turn it on", False),
        ("turn right", "turn", False),  # often not heard, or heard too much
        ("turn left", "turn lefty", False),
        ("turn it on on", "turn it on", True),
        ("the lamp", "a lamp", False),
        ("the", "the", False),
    ],
)
def test_taking_other_words_must_not_turn_a_sentence(first, taken, turns):
    assert VOCABULARY.turns(first.split(), taken.split()) is turns


@pytest.mark.parametrize(
    ("word", "meant", "close"),
    [
        ("abcdef", "abcdex", True),
        ("abcdef", "abcdxy", False),
        ("abcdefg", "abcdexy", True),
        ("abcdefg", "abcdxyz", False),
        ("abc", "abcd", True),
        ("bcd", "abcd", True),
        ("", "a", True),
        ("", "ab", False),
        ("ba", "ab", False),
    ],
)
def test_one_letter_may_differ_and_two_in_a_word_of_seven(word, meant, close):
    assert VOCABULARY.is_close(word, meant) is close


def test_a_word_knows_its_place_its_number_and_its_sign():
    text = "Set $5 to half, it's -18%"
    found = [(word.text, text[word.start : word.end], word.number) for word in words(text)]
    assert found == [
        ("set", "Set", None),
        ("5", "$5", 5),
        ("dollars", "$5", None),
        ("to", "to", None),
        ("half", "half", 0.5),
        ("it", "it's", None),
        ("is", "it's", None),
        ("-18", "-18", -18),
        ("percent", "%", None),
    ]
    assert [word.is_part for word in words("half 1")] == [True, False]
    assert [word.number for word in words("one oh two")] == [1, 0, 2]
