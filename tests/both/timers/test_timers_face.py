"""What is told of timers: the rows of the idle face, what rings, the bridge's copy."""

from timers import face
from timers.book import Book
from timers.entry import RING_S, Now, with_
from timers.wall import Zone, unix_of

PARIS = Zone(7200, None, 0)
MONDAY = 20577  # 2026-05-04
NINE = unix_of(PARIS, MONDAY, 540)  # in the morning


def at(seconds):
    """So long after Monday at nine."""
    return Now(1000 + seconds, NINE + seconds)


def book():
    new = Book()
    new.zone = PARIS
    return new


def test_nothing_is_told_of_an_empty_book():
    assert face.rows(book(), at(0)) == ()
    assert face.ringing(book()) is None
    assert face.report(book(), at(0)) == []


def test_a_row_says_what_is_left_or_when_and_what_it_is():
    timers = book()
    timers.add_timer(600, "pizza", at(0))
    timers.add_timer(7200, "", at(0))
    timers.add_alarm((600, False), "", at(0))
    timers.add_alarm((610, False), "post", at(0), "reminder")
    assert face.rows(timers, at(55)) == (
        ("9:05", "pizza"),
        ("10:00 AM", "Alarm"),
        ("10:10 AM", "post"),
        ("1:59:05", "Timer"),
    )


def test_a_pause_is_seen_and_what_is_snoozed_counts_down():
    timers = book()
    timers.pause(timers.add_timer(600, "pizza", at(0)), at(10))
    timers.add_alarm((541, False), "", at(0))
    timers.tick(at(60))
    timers.snooze(300, at(60))
    assert face.rows(timers, at(70)) == (("4:50", "Alarm"), ("|| 9:50", "pizza"))


def test_a_snoozed_alarm_whose_clock_is_lost_shows_no_time_left():
    timers = book()
    timers.add_alarm((541, False), "", at(0))
    timers.add_alarm((541, False), "school", at(0))
    timers.tick(at(60))
    timers.snooze(300, at(60))
    assert face.rows(timers, Now(5, None)) == (("?", "9:01 AM"), ("?", "school"))


def test_the_missed_are_first_and_six_rows_are_shown():
    timers = book()
    timers.add_timer(5, "tea", at(0))
    timers.tick(at(5))
    timers.tick(at(5 + RING_S))
    for number in range(7):
        timers.add_timer(3600 + number, str(number), at(5 + RING_S))
    rows = face.rows(timers, at(5 + RING_S))
    assert rows[0] == ("missed", "tea")
    assert [name for _, name in rows] == ["tea", "0", "1", "2", "3", "4"]


def test_what_began_to_ring_last_is_shown():
    timers = book()
    timers.add_timer(5, "pasta", at(0))
    timers.add_alarm((541, False), "", at(0))
    assert face.ringing(timers) is None
    timers.tick(at(5))
    assert face.ringing(timers) == ("timer", "Timer", "Pasta")
    timers.tick(at(60))
    assert face.ringing(timers) == ("alarm", "Alarm", "9:01 AM")
    timers.entries.reverse()
    assert face.ringing(timers) == ("alarm", "Alarm", "9:01 AM")
    assert face.ringing(one("reminder", "call mum")) == ("reminder", "Reminder", "Call mum")


def one(kind, name):
    """A book with one of this name, which rings."""
    timers = book()
    timers.add_timer(1, name, at(0), kind)
    timers.tick(at(1))
    return timers


def test_the_bridge_is_told_what_it_keeps():
    timers = book()
    timers.add_timer(600, "", at(0))
    timers.add_alarm((425, False), "school", at(0), days=0x1F)
    assert face.report(timers, at(10)) == [
        {"id": 1, "kind": "timer", "label": "10 minute", "state": "running", "left": 590},
        {
            "id": 2,
            "kind": "alarm",
            "label": "school",
            "state": "running",
            "left": 22 * 3600 + 300 - 10,
            "time": "07:05",
            "repeats": "on weekdays",
        },
    ]


def test_what_is_over_has_nothing_left_and_without_a_clock_it_is_not_said():
    timers = book()
    alarm = timers.add_alarm((541, False), "", at(0))
    assert face.reported(alarm, at(61))["left"] == 0
    assert "left" not in face.reported(alarm, Now(5, None))
    assert face.reported(with_(alarm, clock=1439), at(0))["time"] == "23:59"


def test_a_name_is_cut_but_for_the_one_that_rings_last():
    timers = book()
    for seconds in (1, 2, 600):
        timers.add_timer(seconds, "n" * 100, at(0))
    timers.tick(at(1))
    timers.tick(at(2))
    labels = [len(each["label"]) for each in face.report(timers, at(2))]
    assert labels == [face.NAME_MAX, 100, face.NAME_MAX]
