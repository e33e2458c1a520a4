"""The rules of timers, alarms and reminders: what can be done, what happens when."""

from timers import entry as states
from timers.book import Book
from timers.entry import BookError, Now
from timers.wall import Zone, days_of, local_of, unix_of

MONDAY = 20577  # 2026-05-04
PARIS = Zone(7200, None, 0)
NINE = unix_of(PARIS, MONDAY, 540)  # Monday morning at nine


def at(seconds, steady=1000):
    """So long after Monday at nine."""
    return Now(steady + seconds, NINE + seconds)


def book():
    new = Book()
    new.zone = PARIS
    return new


def refused(act, *arguments):
    try:
        act(*arguments)
    except BookError as error:
        return error
    raise AssertionError("was done")


def names(happened):
    return [(what, entry.name) for what, entry in happened]


def test_a_timer_rings_when_its_time_is_over_and_not_before():
    timers = book()
    timers.add_timer(600, "pizza", at(0))
    assert timers.tick(at(599)) == []
    assert names(timers.tick(at(600))) == [("ring", "pizza")]
    assert timers.tick(at(601)) == [], "once"


def test_a_timer_needs_no_clock_and_does_not_notice_when_it_is_set():
    timers = book()
    timers.add_timer(60, "", Now(5, None))
    assert timers.tick(Now(64, NINE)) == []
    assert names(timers.tick(Now(65, None))) == [("ring", "")]


def test_what_rings_gives_up_after_a_while_and_says_that_nobody_came():
    timers = book()
    timers.add_timer(60, "tea", at(0))
    timers.tick(at(60))
    assert timers.tick(at(60 + states.RING_S - 1)) == []
    assert names(timers.tick(at(60 + states.RING_S))) == [("missed", "tea")]
    assert [each.state for each in timers.entries] == ["missed"]
    timers.tick(at(60 + states.RING_S + states.FORGET_S))
    assert timers.entries == []


def test_stop_silences_all_that_rings_and_what_was_missed():
    timers = book()
    for seconds in (1, 2, 600):
        timers.add_timer(seconds, str(seconds), at(0))
    timers.tick(at(3))
    assert sorted(each.name for each in timers.stop(at(3))) == ["1", "2"]
    assert [each.name for each in timers.entries] == ["600"]
    assert timers.stop(at(4)) == []


def test_a_pause_keeps_what_is_left():
    timers = book()
    pizza = timers.pause(timers.add_timer(600, "pizza", at(0)), at(100))
    assert timers.tick(at(9000)) == [] and states.left(pizza, at(9000)) == 500
    assert refused(timers.pause, pizza, at(9000)).text == "The pizza timer is not running."
    pizza = timers.resume(pizza, at(9000))
    assert refused(timers.resume, pizza, at(9000)).text == "The pizza timer is not paused."
    assert timers.tick(at(9499)) == [] and names(timers.tick(at(9500))) == [("ring", "pizza")]


def test_time_is_added_to_what_runs_pauses_or_rings():
    timers = book()
    tea = timers.add_time(timers.add_timer(60, "tea", at(0)), 120, at(30))
    assert states.left(tea, at(30)) == 150
    tea = timers.add_time(timers.pause(tea, at(30)), -100, at(40))
    assert states.left(tea, at(90)) == 50
    tea = timers.resume(tea, at(90))
    timers.tick(at(140))
    (tea,) = timers.entries
    assert tea.state == "ringing"
    tea = timers.add_time(tea, 60, at(150))
    assert (tea.state, states.left(tea, at(150))) == ("running", 60)


def test_a_timer_cannot_be_shortened_to_nothing_or_grow_for_ever():
    timers = book()
    tea = timers.add_timer(60, "tea", at(0))
    assert "would be over" in refused(timers.add_time, tea, -60, at(0)).text
    assert "would be over" not in str(timers.add_time(tea, -59, at(0)))
    refused(timers.add_time, tea, states.SECONDS_MAX, at(0))


def test_one_alone_needs_no_name_and_several_are_asked_about():
    timers = book()
    assert refused(timers.pick, "timer", "", at(0)).text == "There is no timer."
    pizza = timers.add_timer(600, "pizza", at(0))
    assert timers.pick("timer", "", at(0)) == pizza
    timers.add_timer(300, "", at(0))
    error = refused(timers.pick, "timer", "", at(0))
    assert error.text == "Which timer: 5 minute or pizza?"
    assert error.options == ("5 minute", "pizza")
    assert timers.pick("timer", "pizza", at(0)) == pizza
    assert timers.pick("timer", "PIZZA ", at(0)) == pizza
    assert timers.pick("timer", "5 minutes", at(0)).total == 300
    assert timers.pick("timer", str(pizza.id), at(0)) == pizza
    assert "There is no egg timer" in refused(timers.pick, "timer", "egg", at(0)).text


def test_two_of_one_name_are_told_apart_by_what_is_left():
    timers = book()
    timers.add_timer(600, "egg", at(0))
    timers.add_timer(600, "egg", at(60))
    error = refused(timers.pick, "timer", "egg", at(60))
    assert error.text == "Which timer: 9 minutes left or 10 minutes left?"


def test_a_word_of_a_name_is_enough_where_it_is_the_only_one():
    timers = book()
    rice = timers.add_timer(600, "brown rice", at(0))
    timers.add_timer(600, "brown bread", at(0))
    assert timers.pick("timer", "rice", at(0)) == rice
    assert refused(timers.pick, "timer", "brown", at(0)).options == ("brown rice", "brown bread")


def test_sixteen_at_a_time_of_which_the_missed_make_room():
    timers = book()
    for number in range(16):
        timers.add_timer(60 + number, str(number), at(0))
    error = refused(timers.add_timer, 60, "one more", at(0))
    assert error.text == "There are 16 timers and alarms already: cancel one first."
    timers.tick(at(60))
    timers.tick(at(60 + states.RING_S))
    assert "missed" in [each.state for each in timers.entries]
    timers.add_timer(60, "one more", at(60 + states.RING_S))
    assert len(timers.entries) == 16


def test_all_of_one_kind_are_cancelled():
    timers = book()
    timers.add_timer(60, "a", at(0))
    timers.add_alarm((600, False), "b", at(0))
    timers.add_timer(60, "call mum", at(0), kind="reminder")
    assert timers.cancel_all("timer", at(0)) == 1
    assert [each.name for each in timers.entries] == ["b", "call mum"]
    assert timers.cancel_all("", at(0)) == 2 and timers.entries == []


def set_at(text_minute, is_open=True, now=0, **values):
    """(day from Monday, minute) of an alarm that is set then."""
    timers = book()
    alarm = timers.add_alarm((text_minute, is_open), "", at(now), **values)
    assert local_of(PARIS, alarm.due) == (alarm.day, alarm.clock)
    return alarm.day - MONDAY, alarm.clock


def test_an_alarm_is_the_next_such_time():
    assert set_at(600, False) == (0, 600)
    assert set_at(540, False) == (1, 540), "nine has begun"
    assert set_at(420, False) == (1, 420)
    assert set_at(420, False, day="tomorrow") == (1, 420)
    assert set_at(420, False, day="friday") == (4, 420)
    assert set_at(420, False, day="monday") == (7, 420)
    assert set_at(600, False, day="monday") == (0, 600)


def test_a_time_that_has_passed_is_no_time_of_today():
    text = refused(lambda: set_at(420, False, day="today")).text
    assert text == "That time has passed today."


def test_without_its_half_of_the_day_it_is_the_next_on_a_clock_face():
    afternoon = 5 * 3600
    assert set_at(7 * 60) == (0, 19 * 60), "nine in the morning: seven is in the evening"
    assert set_at(10 * 60) == (0, 10 * 60)
    assert set_at(5 * 60, now=afternoon) == (0, 17 * 60)
    assert set_at(1 * 60, now=afternoon) == (1, 13 * 60), "none of the night"
    assert set_at(5 * 60, day="tomorrow") == (1, 17 * 60)
    assert set_at(8 * 60, day="tomorrow") == (1, 8 * 60)


def test_somebody_is_woken_in_the_morning():
    assert set_at(7 * 60, wakes=True) == (1, 7 * 60)
    assert set_at(5 * 60, wakes=True) == (1, 5 * 60)
    assert set_at(2 * 60, now=4 * 3600, wakes=True) == (0, 14 * 60), "a nap"


def test_an_alarm_of_weekdays_rings_on_each_and_on_no_other():
    timers = book()
    timers.add_alarm((450, False), "", at(0), days=days_of(["weekdays"]))
    rung, now = [], 0
    for _ in range(7):
        (alarm,) = timers.entries
        now = alarm.due - NINE
        assert names(timers.tick(at(now))) == [("ring", "")]
        rung.append(alarm.day - MONDAY)
        timers.stop(at(now + 5))
    assert rung == [1, 2, 3, 4, 7, 8, 9]


def test_an_alarm_that_nobody_stops_rings_the_next_day_too():
    timers = book()
    timers.add_alarm((600, False), "work", at(0), days=days_of(["daily"]))
    timers.tick(at(3600))
    assert names(timers.tick(at(3600 + states.RING_S))) == [("missed", "work")]
    assert sorted(each.state for each in timers.entries) == ["missed", "running"]
    assert names(timers.tick(at(3600 + 86400))) == [("ring", "work")]


def test_a_change_of_the_offset_leaves_the_time_of_day():
    timers = book()
    alarm = timers.add_alarm((600, False), "", at(0))
    timers.set_zone(Zone(3600, None, 0), at(0))
    assert timers.entries[0].due == alarm.due + 3600


def test_a_snooze_is_silent_and_rings_again():
    timers = book()
    timers.add_alarm((600, False), "", at(0), days=days_of(["daily"]))
    timers.tick(at(3600))
    assert len(timers.snooze(states.SNOOZE_S, at(3610))) == 1
    timers.set_zone(Zone(7201, None, 0), at(3611))
    assert timers.tick(at(3610 + 539)) == []
    assert names(timers.tick(at(3610 + 540))) == [("ring", "")]
    timers.stop(at(5000))
    assert timers.entries[0].due == NINE + 3600 + 86400 - 1


def test_an_alarm_without_a_clock_is_refused_and_one_that_loses_it_waits():
    timers = book()
    error = refused(timers.add_alarm, (600, False), "", Now(0, None))
    assert error.text.startswith("The time is not known yet.")
    alarm = timers.add_alarm((600, False), "", at(0))
    assert timers.tick(Now(99999, None)) == [] and states.left(alarm, Now(9, None)) is None
    assert names(timers.tick(at(3601))) == [("ring", "")]


def test_what_was_due_long_ago_is_missed_and_does_not_ring():
    timers = book()
    timers.add_alarm((600, False), "late", at(0))
    assert names(timers.tick(at(3600 + states.LATE_S))) == [("ring", "late")]
    timers = book()
    timers.add_alarm((600, False), "missed", at(0))
    assert names(timers.tick(at(3600 + states.LATE_S + 1))) == [("missed", "missed")]


def test_every_move_leads_to_a_state_and_no_other_is_made():
    events = sorted({event for _, event in states.MOVES})
    assert events == ["add", "due", "expire", "late", "pause", "resume", "snooze"]
    for state, event in states.MOVES:
        assert state in states.STATES and states.MOVES[state, event] in states.STATES
    assert not [event for state, event in states.MOVES if state == "missed"]
