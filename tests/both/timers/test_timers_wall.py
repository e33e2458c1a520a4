"""The wall clock: days, the change of the offset, what a time without its half means."""

from timers import wall
from timers.wall import Zone

# Central Europe in 2026: forward on 29 March at 01:00 UTC, back on 25 October at 01:00 UTC.
SPRING = Zone(3600, 1774746000, 7200)
AUTUMN = Zone(7200, 1792890000, 3600)
SUNDAY = 20541  # 2026-03-29
OCTOBER = 20751  # 2026-10-25


def test_days_and_minutes_are_local():
    assert wall.local_of(SPRING, 1774746000 - 60) == (SUNDAY, 119)
    assert wall.local_of(SPRING, 1774746000) == (SUNDAY, 180)
    assert wall.weekday(SUNDAY) == wall.weekday(OCTOBER) == 6
    assert wall.local_of(Zone(-18000, None, 0), 3600) == (-1, 20 * 60)


def test_an_alarm_after_the_change_rings_at_its_time_of_day():
    seven = wall.unix_of(SPRING, SUNDAY, 420)
    assert seven - wall.unix_of(SPRING, SUNDAY - 1, 420) == 23 * 3600
    assert wall.local_of(SPRING, seven) == (SUNDAY, 420)
    assert wall.unix_of(AUTUMN, OCTOBER, 420) - wall.unix_of(AUTUMN, OCTOBER - 1, 420) == 25 * 3600


def test_a_minute_that_is_left_out_comes_as_much_later():
    assert wall.local_of(SPRING, wall.unix_of(SPRING, SUNDAY, 150)) == (SUNDAY, 210)


def test_a_minute_that_comes_twice_is_the_first():
    due = wall.unix_of(AUTUMN, OCTOBER, 150)
    assert due < 1792890000
    assert wall.local_of(AUTUMN, due) == wall.local_of(AUTUMN, due + 3600) == (OCTOBER, 150)


def test_the_next_day_of_an_alarm():
    saturday_noon = wall.unix_of(SPRING, SUNDAY - 1, 720)
    next_day = lambda *more: wall.next_day(SPRING, saturday_noon, *more)  # noqa: E731
    assert next_day(721, 0) == SUNDAY - 1
    assert next_day(720, 0) == SUNDAY, "this very minute has begun"
    assert next_day(420, wall.days_of(["weekdays"])) == SUNDAY + 1
    assert next_day(800, wall.days_of(["weekends"])) == SUNDAY - 1
    assert next_day(420, wall.days_of(["saturday"])) == SUNDAY + 6


def test_every_way_to_write_a_time():
    assert wall.parse_time("07:30") == (450, False)
    assert wall.parse_time("7:30?") == (450, True)
    assert wall.parse_time("00:00") == (0, False) and wall.parse_time("23:59") == (1439, False)
    for text in ("", "7", "7:3", "24:00", "7:60", "-1:00", "13:00?", "0:30?", "7:30??", "x:30",
                 "7:30 ", "123:00", ":30", "7:", "7:3a"):  # fmt: skip
        assert wall.parse_time(text) is None, text


def test_a_time_without_its_half_of_the_day_is_none_of_the_night():
    seven, five, noon, one = 420, 300, 720, 60
    assert wall.halves(seven, False)[0] == seven
    assert wall.halves(five, False)[0] == five + 720
    assert wall.halves(noon, False)[0] == noon
    assert wall.halves(five, True) == (five,), "somebody is woken in the morning"
    assert wall.halves(one, True)[0] == one + 720


def test_days_are_named():
    assert wall.day_of("today", SUNDAY) == SUNDAY
    assert wall.day_of("tomorrow", SUNDAY) == SUNDAY + 1
    assert wall.day_of("sunday", SUNDAY) == SUNDAY
    assert wall.day_of("saturday", SUNDAY) == SUNDAY + 6
    assert wall.days_of(["monday", "daily"]) == 0x7F
    assert wall.days_of([]) == 0
