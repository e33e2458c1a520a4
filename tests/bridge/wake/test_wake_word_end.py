"""Where a word ended: nothing after it may be cut off, little of it may stay."""

import math

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from voxcard.wake.word_end import RATE_HZ, SEARCH_MS, SILENCE_DB, end_of_word, level_db

LAG_MS = 170


def sound(*pieces):
    """pcm16 of (ms, level) pieces."""
    parts = [numpy.full(ms * RATE_HZ // 1000, level, "<i2") for ms, level in pieces]
    return numpy.concatenate(parts).tobytes()


def end_ms(pcm, lag_ms=LAG_MS):
    return end_of_word(pcm, lag_ms) * 1000 / 2 / RATE_HZ


@pytest.mark.parametrize(
    ("pieces", "end"),
    [
        # The model is sure 130 ms after the word's last sound: the pause is cut at its start.
        (((700, 5000), (130, 20)), 700),
        (((700, 5000), (60, 20), (70, 6000)), 700),
        # No pause: the earliest end, for the command may have begun there.
        (((700, 5000), (130, 6000)), 660),
        # A pause that begins later than a word can end is one in the command.
        (((700, 5000), (100, 6000), (30, 20)), 660),
        (((100, 5000),), 0),
    ],
)
def test_it_ends_at_the_first_pause_after_the_earliest_end_or_there(pieces, end):
    assert end_ms(sound(*pieces)) == end


@given(st.binary(max_size=8000), st.integers(0, 400))
def test_it_is_a_whole_sample_never_later_than_a_search_after_the_earliest_end(noise, lag_ms):
    pcm = noise[: len(noise) // 2 * 2]
    end = end_of_word(pcm, lag_ms)
    earliest = max(0, len(pcm) // 2 - lag_ms * RATE_HZ // 1000)
    assert end % 2 == 0
    assert earliest <= end // 2 <= min(len(pcm) // 2, earliest + SEARCH_MS * RATE_HZ // 1000)


def test_the_level_is_that_of_the_loudest_300_ms():
    quiet, loud = (1000, 33), (300, 3277)
    assert math.isclose(level_db(sound(loud)), -20, abs_tol=0.01)
    assert level_db(sound(quiet, loud, quiet)) == level_db(sound(loud))
    assert level_db(sound((1000, 0))) == level_db(b"") == SILENCE_DB
