"""Hours of the wall clock in which only what is urgent is announced."""

import re
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from voxcard.announce.quiet_hours import QuietHours, parse_hours

ZONE = timezone(timedelta(hours=2))


def at(hour, minute=0, day=10):
    return datetime(2026, 5, day, hour, minute, 30, tzinfo=ZONE)


def test_a_span_over_midnight_is_quiet_on_both_sides_of_it():
    night = parse_hours("22:00-07:00")
    assert [hour for hour in range(24) if night.contains(at(hour))] == [
        0, 1, 2, 3, 4, 5, 6, 22, 23,
    ]  # fmt: skip
    assert night.contains(at(6, 59)) and not night.contains(at(7, 0))
    assert night.contains(at(22, 0)) and not night.contains(at(21, 59))
    assert night.end(at(23, 30)) == at(7, 0, 11).replace(second=0)
    assert night.end(at(1, 30)) == at(7, 0).replace(second=0)


def test_a_span_of_the_day_is_quiet_within_it_alone():
    nap = parse_hours("13:00 - 14:30")
    assert [hour for hour in range(24) if nap.contains(at(hour))] == [13, 14]
    assert nap.end(at(13, 5)) == at(14, 30).replace(second=0)


@pytest.mark.parametrize(
    "text",
    ["", "22-7", "22:00", "24:00-07:00", "22:60-07:00", "07:00-07:00", "7:00-07:00", "-1:00-2:00",
     "22:00-07:00-08:00", "٢٢:00-07:00", "22:00–07:00"],
)  # fmt: skip
def test_what_is_no_span_is_refused(text):
    with pytest.raises(ValueError, match=f"^{re.escape(text)}$"):
        parse_hours(text)


@given(st.integers(0, 1439), st.integers(0, 1439), st.integers(0, 1439))
def test_a_minute_is_quiet_just_when_the_end_comes_before_the_next_start(start, end, minute):
    if start == end:
        return
    hours = QuietHours(start, end)
    now = at(minute // 60, minute % 60)
    to_end, to_start = (end - minute) % 1440, (start - minute) % 1440
    quiet = to_start == 0 or (0 < to_end < to_start)
    assert hours.contains(now) is quiet
    if quiet:
        ends = hours.end(now)
        assert now < ends <= now + timedelta(days=1)
        assert not hours.contains(ends)
