"""The time and the date of the idle face, as places write them."""

import languages
from screen.type import clock

DAY = 20787  # Monday, 2026-11-30


def test_a_day_is_a_month_and_a_number_in_every_kind_of_year():
    for day, expected in (
        (0, (0, 1)),
        (58, (1, 28)),
        (59, (2, 1)),
        (DAY, (10, 30)),
        (DAY + 31, (11, 31)),
        (DAY + 32, (0, 1)),
        (19782, (1, 29)),  # 2024
        (19783, (2, 1)),
        (47540, (1, 28)),  # 2100, no leap year
        (47541, (2, 1)),
    ):
        assert clock.month_and_day(day) == expected, day


def test_a_place_writes_twelve_or_twenty_four_hours():
    for locale, minute, expected in (
        ("en", 0, ("12:00", "AM")),
        ("en-US", 22 * 60 + 41, ("10:41", "PM")),
        ("en_AU", 12 * 60 + 5, ("12:05", "PM")),
        ("en-GB", 22 * 60 + 41, ("22:41", "")),
        ("de", 7 * 60, ("7:00", "")),
        ("fr-CA", 13 * 60, ("13:00", "")),
    ):
        assert clock.time_of_day(minute, locale) == expected, locale


def test_the_date_is_in_the_language_and_order_of_the_place():
    for locale, expected, short in (
        ("en-GB", "Monday, 30 Nov", "Mon, 30 Nov"),
        ("en-US", "Monday, Nov 30", "Mon, Nov 30"),
        ("de-CH", "Montag, 30. Nov.", "Mo, 30. Nov."),
        ("fr", "lundi 30 nov.", "lun. 30 nov."),
        ("ro", "luni, 30 nov.", "lun., 30 nov."),
        ("ko", "11월 30일 월요일", "11월 30일 월"),
    ):
        languages.use(locale)
        try:
            assert clock.date(DAY, locale) == expected
            assert clock.date(DAY, locale, short=True) == short
            assert len({clock.date(DAY + day, locale) for day in range(365)}) == 365
        finally:
            languages.use("en")


def test_a_clock_goes_on_over_midnight_and_knows_nothing_before_it_is_set():
    watch = clock.Clock()
    watch.tick(5000)
    assert watch.now is None
    watch.set(DAY * 86400 + 86399)
    assert watch.now == (DAY, 1439) and watch.wait_ms() == 1000
    watch.tick(1000)
    assert watch.now == (DAY + 1, 0) and watch.wait_ms() == 60000
    watch.tick(3 * 86400000)
    assert watch.now == (DAY + 4, 0)
