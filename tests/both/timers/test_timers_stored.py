"""What is stored of timers, and what of it a start without power before it makes."""

import json

from timers import stored
from timers.book import Book
from timers.entry import FIELDS, Now, left
from timers.wall import Zone, days_of, unix_of
from voxwire.errors import WireError

PARIS = Zone(7200, 1792890000, 3600)
NINE = unix_of(PARIS, 20577, 540)


def book():
    new = Book()
    new.zone = PARIS
    return new


def restarted(timers, saved, loaded):
    """The book after a power cut between two moments, through JSON."""
    text = json.dumps(stored.dump(timers, saved))
    again, broken = stored.load(json.loads(text), loaded)
    assert broken == 0
    return again


def full():
    timers = book()
    now = Now(1000, NINE)
    timers.add_timer(600, "pizza", now)
    timers.pause(timers.add_timer(300, "", now), now)
    timers.add_alarm((600, False), "work", now, days=days_of(["weekdays"]))
    timers.add_timer(10, "egg", now)
    timers.tick(Now(1010, NINE + 10))
    return timers


def test_all_of_it_is_read_as_it_was():
    timers, now = full(), Now(1011, NINE + 11)
    again = restarted(timers, now, now)
    assert again.entries == timers.entries
    assert (again.zone, again.last_id) == (PARIS, 4)


def test_time_without_power_has_passed_when_the_clock_is_known_at_once():
    again = restarted(full(), Now(1011, NINE + 11), Now(3, NINE + 71))
    assert again.tick(Now(3, NINE + 71)) == []
    pizza = again.pick("timer", "pizza", Now(3, NINE + 71))
    assert left(pizza, Now(3, NINE + 71)) == 600 - 71
    assert left(again.pick("timer", "5 minute", Now(3, NINE)), Now(3, NINE)) == 300, "paused"


def test_without_a_clock_it_goes_on_and_is_put_right_when_the_clock_comes():
    again = restarted(full(), Now(1011, NINE + 11), Now(3, None))
    again.tick(Now(13, None))
    assert left(again.pick("timer", "pizza", Now(13, None)), Now(13, None)) == 589 - 10
    again.tick(Now(23, NINE + 111))
    now = Now(23, NINE + 111)
    assert left(again.pick("timer", "pizza", now), now) == 600 - 111


def test_what_was_changed_since_the_start_is_not_put_right():
    again = restarted(full(), Now(1011, NINE + 11), Now(3, None))
    now = Now(13, None)
    again.resume(again.pick("timer", "5 minute", now), now)
    again.add_timer(60, "new", now)
    later = Now(23, NINE + 211)
    again.tick(later)
    assert left(again.pick("timer", "5 minute", later), later) == 290
    assert left(again.pick("timer", "new", later), later) == 50


def test_what_rang_rings_on_and_what_was_due_long_ago_was_missed():
    again = restarted(full(), Now(1011, NINE + 11), Now(3, NINE + 71))
    assert [each.state for each in again.entries if each.name == "egg"] == ["ringing"]
    hour = Now(3, NINE + 7200)
    again = restarted(full(), Now(1011, NINE + 11), hour)
    missed = sorted([entry.name for what, entry in again.tick(hour) if what == "missed"])
    assert missed == ["egg", "pizza", "work"]


def test_a_clock_that_was_set_back_does_not_make_a_timer_longer():
    again = restarted(full(), Now(1011, NINE + 11), Now(3, NINE - 99999))
    now = Now(3, NINE - 99999)
    again.tick(now)
    assert left(again.pick("timer", "pizza", now), now) == 589


def test_what_cannot_be_read_is_left_out_and_counted():
    data = stored.dump(full(), Now(1011, NINE + 11))
    good = data["entries"][0]
    for field in FIELDS:
        if field == "clock":
            continue
        for value in (None, [], "x" * 121, -(2**40), 2**40, True):
            data["entries"] = [dict(good, **{field: value}), dict(good, id=77)]
            again, broken = stored.load(data, Now(0, None))
            assert (len(again.entries), broken) == (1, 1), (field, value)
    data["entries"] = [good, good, 3, None, dict(good, id=5, kind="alarm")]
    again, broken = stored.load(data, Now(0, None))
    assert (len(again.entries), broken) == (1, 4)
    data["entries"] = [dict(good, id=number) for number in range(1, 40)]
    assert len(stored.load(data, Now(0, None))[0].entries) == 16


def test_what_is_no_file_of_timers_is_refused():
    for data in (
        None,
        [],
        {},
        {"entries": []},
        dict(stored.dump(book(), Now(0, None)), offset=1.5),
    ):
        try:
            stored.load(data, Now(0, None))
        except WireError:
            continue
        raise AssertionError(data)
