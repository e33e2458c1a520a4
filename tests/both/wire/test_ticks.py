"""Elapsed time: a counter that wraps at 2**30, a time that lies ahead."""

from voxwire.ticks import elapsed_ms

WRAP = 1 << 30


def test_elapsed_time_is_the_difference():
    assert elapsed_ms(1500, 1000) == 500
    assert elapsed_ms(1000, 1000) == 0


def test_a_time_that_lies_ahead_has_not_passed():
    assert elapsed_ms(1000, 1001) == 0
    assert elapsed_ms(WRAP - 5, 3) == 0
    assert elapsed_ms(0, WRAP // 2) == 0


def test_the_counter_may_wrap_between_two_readings():
    assert elapsed_ms(3, WRAP - 5) == 8
    assert elapsed_ms(0, WRAP - 1) == 1
    assert elapsed_ms(WRAP // 2 - 2, WRAP - 1) == WRAP // 2 - 1


def test_a_time_over_six_days_ago_counts_as_now():
    assert elapsed_ms(WRAP // 2, 0) == 0
