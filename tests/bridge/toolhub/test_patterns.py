"""Patterns of foreign schemas: ECMA-262 as far as linear time goes, and never longer."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from voxcard.toolhub import patterns

ROWS = [
    (r"^[a-z]+$", "abc", True),
    (r"^[a-z]+$", "abc\n", False),
    (r"b", "abc", True),
    (r"^b", "abc", False),
    (r"", "", True),
    (r"^\d{4}-\d\d-\d\d$", "2026-03-01", True),
    (r"^\d+$", "٣", False),
    (r"^\w+@\w+\.\w+$", "a@b.de", True),
    (r"^.$", "é", True),
    (r"^.$", "\U0001f600", True),
    (r"^\u00e9$", "é", True),
    (r"^\\u00e9$", r"\u00e9", True),
    (r"^\ud83d\ude00$", "\U0001f600", True),
    (r"^[\u0041-\u005a]+$", "AZ", True),
    (r"^\p{L}+$", "Küche", True),
    (r"^[\p{L}\p{N} .'-]{1,64}$", "Salón 2", True),
    (r"^(?:a|b)*?c$", "ababc", True),
    (r"^(?<year>\d{4})$", "2026", True),
    (r"^a\/b$", "a/b", True),
    (r"a", "\ud800a", True),
]


@pytest.mark.parametrize(("pattern", "text", "expected"), ROWS)
def test_a_pattern_is_found_anywhere_in_the_text(pattern, text, expected):
    assert patterns.matches(pattern, text) is expected
    assert patterns.is_readable(pattern)


UNREADABLE = ["(", "[", "a{2,1}", "(?=a)b", "(?<!a)b", r"(a)\1", "a{5000}", "\ud800", "a" * 1001]


@pytest.mark.parametrize("pattern", UNREADABLE)
def test_what_is_no_pattern_or_needs_more_than_linear_time_tells_nothing(pattern):
    assert patterns.matches(pattern, "a") is None
    assert not patterns.is_readable(pattern)


def test_a_pattern_has_up_to_1000_characters_and_100_letters_of_any_script():
    for pattern in ("a" * 1000, r"\pL{100}"):
        assert patterns.is_readable(pattern)
    for pattern in ("a" * 1001, r"\pL{150}"):
        assert not patterns.is_readable(pattern)


def test_a_text_of_any_length_is_not_searched():
    assert patterns.matches("a", "a" * patterns.TEXT_MAX) is True
    assert patterns.matches("a", "a" * (patterns.TEXT_MAX + 1)) is None


GREEDY = [
    r"^(a+)+$",
    r"^(a|a)*$",
    r"(x+x+)+y",
    r"((\d?){12}){12}y",
    r"((\d?){30}){30}y",
    r"(.*)(.*)(.*)(.*)!",
    r"[ab]*a[ab]{200}c",
    r"(((a?){10}){10}){10}y",
]
TEXTS = ["a" * 2000 + "!", "1" * 2001, "ab" * 1000, "x" * 2000, " " * 2000]


@pytest.mark.parametrize("pattern", GREEDY)
def test_no_pattern_takes_more_than_linear_time(pattern):
    # Python's own re needs minutes. These are CPU seconds: a busy machine adds none.
    started = time.process_time()
    answers = [patterns.matches(pattern, text) for text in TEXTS]
    assert time.process_time() - started < 5
    assert None not in answers


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_pattern_and_any_text_have_an_answer(pattern, text):
    answer = patterns.matches(pattern, text)
    assert answer in (True, False, None)
    assert patterns.is_readable(pattern) == (answer is not None)
