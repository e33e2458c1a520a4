"""The age in a footer: the largest unit that fits, cut off and not rounded."""

import pytest
from voxcard.cards.text.age import age

THEN = "2026-11-30T12:00:00+00:00"
NOON = 1_796_040_000.0  # the same in seconds since 1970


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-500.0, "now"),
        (0.0, "now"),
        (59.9, "now"),
        (60.0, "1m"),
        (119.9, "1m"),
        (120.0, "2m"),
        (3599.9, "59m"),
        (3600.0, "1h"),
        (7199.9, "1h"),
        (86_399.9, "23h"),
        (86_400.0, "1d"),
        (172_799.9, "1d"),
        (864_000.0, "10d"),
    ],
)
def test_an_age_is_told_in_its_largest_unit(seconds, words):
    assert age(THEN, NOON + seconds) == words


def test_a_time_without_a_zone_is_utc_and_what_is_no_time_has_no_age():
    assert age("2026-11-30T12:00:00", NOON + 60) == "1m"
    assert age("2026-11-30T13:00:00+01:00", NOON + 60) == "1m"
    for wrong in ("", "yesterday", "2026-99-99"):
        assert age(wrong, NOON) == ""
