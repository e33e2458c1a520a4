"""How timers are called and spoken of."""

from timers import wall, words
from timers.entry import FIELDS, Entry

DAY_BITS = 1, 2, 4, 8, 16, 32, 64  # Monday first
TODAY = 20577  # Monday, 2026-05-04


def entry(kind="timer", name="", total=0, clock=None):
    return Entry(1, kind, name, "running", 0, total, clock, 0, 0, 0)


def test_a_length_has_two_units_at_most_and_rounds_the_smaller_up():
    for seconds, text in (
        (-5, "0 seconds"),
        (0, "0 seconds"),
        (1, "1 second"),
        (59, "59 seconds"),
        (60, "1 minute"),
        (61, "1 minute 1 second"),
        (119, "1 minute 59 seconds"),
        (3599, "59 minutes 59 seconds"),
        (3600, "1 hour"),
        (3601, "1 hour 1 minute"),
        (3660, "1 hour 1 minute"),
        (5400, "1 hour 30 minutes"),
        (7141, "2 hours"),
        (7199.9, "2 hours"),
    ):
        assert words.length(seconds) == text, seconds
    assert words.length(600, "") == "10 minute"
    assert words.length(0, "") == "0 second"


def test_what_is_left_counts_down_with_hours_where_there_are_some():
    for seconds, text in (
        (-1, "0:00"),
        (5, "0:05"),
        (245, "4:05"),
        (3599, "59:59"),
        (3600, "1:00:00"),
        (3845, "1:04:05"),
        (36000, "10:00:00"),
    ):
        assert words.countdown(seconds) == text, seconds


def test_a_time_of_day_has_twelve_hours_and_its_half():
    for minute, text in (
        (0, "12:00 AM"),
        (1, "12:01 AM"),
        (60, "1:00 AM"),
        (425, "7:05 AM"),
        (719, "11:59 AM"),
        (720, "12:00 PM"),
        (780, "1:00 PM"),
        (1439, "11:59 PM"),
    ):
        assert words.time_of_day(minute) == text, minute


def test_a_day_is_today_tomorrow_or_its_name():
    assert [words.day(TODAY + ahead, TODAY) for ahead in (-1, 0, 1, 2, 6, 7)] == [
        "on Sunday",
        "today",
        "tomorrow",
        "on Wednesday",
        "on Sunday",
        "on Monday",
    ]


def test_days_that_have_a_name_of_their_own_are_called_by_it():
    assert words.repeats(0x7F) == "every day"
    assert words.repeats(0x1F) == "on weekdays"
    assert words.repeats(0x60) == "on weekends"
    assert words.repeats(0x11) == "every Monday and Friday"
    assert words.repeats(0x15) == "every Monday and Wednesday and Friday"
    for bits, name in zip(DAY_BITS, wall.WEEK):
        assert words.repeats(bits) == "every " + name[0].upper() + name[1:]


def test_an_entry_is_called_by_its_name_else_by_its_time_or_length():
    assert words.label(entry(name="pizza", total=600, clock=420)) == "pizza"
    assert words.label(entry(total=600, clock=420)) == "7:00 AM"
    assert words.label(entry(total=600, clock=0)) == "12:00 AM"
    assert words.label(entry(total=600)) == "10 minute"


def test_its_title_says_of_what_kind_it_is():
    assert words.title(entry(name="pizza")) == "the pizza timer"
    assert words.title(entry(total=600)) == "the 10 minute timer"
    assert words.title(entry("alarm", clock=420)) == "the 7:00 AM alarm"
    assert words.title(entry("reminder", "call mum")) == "the reminder: call mum"
    assert words.sentence("the pizza timer") == "The pizza timer"


def test_the_fields_of_an_entry_are_those_that_are_listed():
    listed = Entry(*FIELDS)
    assert [getattr(listed, name) for name in FIELDS] == list(FIELDS)
