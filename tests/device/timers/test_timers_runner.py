"""A device's timers while time goes by, without power, and with flash that fails."""

import asyncio
import os

import vfs
from fakes.device.board import Flash
from fakes.device.display import Display
from fakes.device.timers import NINE, Kept
from fakes.device.timers import View as FakeView
from no_screen import NoScreen
from screen.view import View
from timers.entry import RING_S


def words_on(view):
    return [item.what for item in view.picture() if item.kind in ("text", "bold")]


async def test_what_rings_is_seen_heard_and_told_and_a_press_ends_it():
    kept = Kept()
    kept.call("timer.start", seconds=2, label="tea")
    assert kept.view.rows == (("0:02", "tea"),)
    kept.wait(2)
    assert kept.view.rings == ("Timer", "Tea") and kept.observed == [{"ringing": True}]
    assert kept.told[-1][0]["state"] == "ringing"
    assert kept.said == [("timer", "rings: the tea timer")]
    await asyncio.sleep_ms(50)
    assert kept.ring.rounds[:2] == ["timer", "timer"]
    assert kept.timers.silence() is True
    assert kept.view.rings is None and kept.observed[-1] == {"ringing": False}
    assert kept.told[-1] == []
    rounds = len(kept.ring.rounds)
    await asyncio.sleep_ms(50)
    assert len(kept.ring.rounds) == rounds
    assert kept.timers.silence() is False, "the next press is for what it always is"


async def test_nobody_there_it_gives_up_and_says_so_until_a_press():
    kept = Kept()
    kept.call("timer.start", seconds=1, label="tea")
    kept.wait(1 + RING_S)
    assert kept.view.rings is None and kept.view.rows == (("missed", "tea"),)
    assert kept.said[-1] == ("timer", "missed: the tea timer")
    assert kept.timers.silence() is False
    assert kept.view.rows == ()


async def test_time_without_power_has_passed():
    kept = Kept()
    kept.call("timer.start", seconds=600, label="pizza")
    kept.wait(60)
    kept.cut(100)
    kept.wait(1)
    assert kept.view.rows == (("7:19", "pizza"),)


async def test_without_network_a_timer_goes_on_and_the_clock_puts_it_right():
    kept = Kept()
    kept.call("timer.start", seconds=600, label="pizza")
    kept.call("alarm.set", time="09:30")
    clock = kept.cut(120, has_clock=False)
    kept.wait(10)
    assert kept.view.rows == (("9:50", "pizza"), ("9:30 AM", "Alarm"))
    kept.clock = clock + 10
    kept.wait(1)
    assert kept.view.rows[0] == ("7:49", "pizza")
    assert kept.told[-1][0]["left"] == 469, "the bridge hears of it"
    kept.cut(0)
    kept.wait(1)
    assert kept.view.rows[0] == ("7:48", "pizza"), "once"


async def test_what_was_due_without_power_rings_late_or_was_missed():
    kept = Kept()
    kept.call("timer.start", seconds=60, label="tea")
    kept.cut(300)
    kept.wait(1)
    assert kept.view.rings == ("Timer", "Tea")
    kept.timers.silence()
    kept.call("timer.start", seconds=60, label="tea")
    kept.cut(7200)
    kept.wait(1)
    assert kept.view.rings is None and kept.view.rows == (("missed", "tea"),)


async def test_a_long_timer_loses_minutes_at_most_where_the_clock_is_lost():
    kept = Kept()
    kept.clock = None
    kept.call("timer.start", seconds=3600, label="roast")
    kept.wait(700)
    kept.cut(0, has_clock=False) if kept.clock else kept.start()
    kept.wait(1)
    assert kept.view.rows == (("49:59", "roast"),)


async def test_it_ends_with_the_last_and_leaves_no_file():
    kept = Kept()
    kept.call("timer.start", seconds=60)
    os.stat(kept.path)
    kept.call("timer.cancel")
    await asyncio.sleep_ms(10)
    assert kept.ended == 1
    try:
        os.stat(kept.path)
    except OSError:
        return
    raise AssertionError("the file is there")


async def test_a_file_that_is_damaged_is_said_and_set_aside():
    for text in ("{", '{"entries": 3}', "[]", ""):
        kept = Kept()
        with open(kept.path, "w") as file:
            file.write(text)
        kept.start()
        assert kept.said == [("error", "Timers and alarms were lost: their file was damaged.")], (
            text
        )
        assert kept.says("timer.start", seconds=60) == "The 1 minute timer is set."


async def test_a_timer_that_cannot_be_stored_runs_and_says_so():
    kept = Kept("/nowhere/timers.json")
    text = kept.says("timer.start", seconds=1)
    assert text.startswith("error: The 1 second timer is set. But a power cut loses it")
    kept.wait(1)
    assert kept.timers.is_ringing


async def test_a_reminder_rings_at_once_and_its_card_stays_on_a_real_screen():
    cards = []
    kept = Kept(view=lambda: View(Display(), on_card_event=lambda *event: cards.append(event)))
    kept.view.set_state("ready")
    kept.call("reminder.set", text="turn the roast", seconds=2)
    kept.wait(2)
    assert kept.said == [("timer", "rings: the reminder: turn the roast")]
    assert "Turn the roast" in words_on(kept.view) and kept.observed == [{"ringing": True}]
    assert kept.timers.silence() is True
    assert "turn the roast" in words_on(kept.view)
    assert kept.view.activate() is True
    assert "turn the roast" not in words_on(kept.view)
    assert cards == [], "the bridge knows of no such card"


async def test_a_reminder_rings_where_there_is_no_screen():
    kept = Kept(view=NoScreen)
    kept.call("reminder.set", text="turn the roast", seconds=2)
    kept.wait(2)
    assert kept.said == [("timer", "rings: the reminder: turn the roast")]
    assert kept.observed == [{"ringing": True}] and kept.told[-1][0]["state"] == "ringing"


async def test_a_reminder_whose_card_has_no_room_rings_all_the_same():
    class Full(FakeView):
        def show_card(self, card):
            raise MemoryError

    kept = Kept(view=Full)
    kept.call("reminder.set", text="turn the roast", seconds=2)
    kept.wait(2)
    assert kept.view.rings == ("Reminder", "Turn the roast")
    assert kept.said == [("timer", "rings: the reminder: turn the roast")]
    assert kept.told[-1][0]["state"] == "ringing"


async def test_a_look_that_fails_costs_no_alarm():
    kept = Kept()
    kept.call("timer.start", seconds=1)
    failures = [1]
    look = kept.timers.book.tick

    def tick(now):
        if failures:
            raise MemoryError(failures.pop())
        return look(now)

    kept.timers.book.tick = tick
    kept.now_ms += 1000
    await asyncio.sleep_ms(1100)
    kept.timers._changed.set()
    await asyncio.sleep_ms(10)
    assert kept.timers.is_ringing


class Mounted:
    def __init__(self, flash):
        self.flash = flash

    def __enter__(self):
        vfs.mount(vfs.VfsLfs2(self.flash), "/flash")

    def __exit__(self, *_):
        vfs.umount("/flash")


def of_flash(flash):
    with Mounted(flash):
        return sorted([each.name for each in Kept("/flash/timers.json").timers.book.entries])


async def test_power_may_fail_at_any_write_of_every_change():
    changes = (
        ("timer.start", {"seconds": 60, "label": "new"}, ["new", "old", "older"]),
        ("timer.pause", {"which": "old"}, ["old", "older"]),
        ("timer.cancel", {"which": "old"}, ["older"]),
        ("timer.cancel_all", {}, []),
    )
    before = Flash()
    vfs.VfsLfs2.mkfs(before)
    with Mounted(before):
        kept = Kept("/flash/timers.json")
        kept.call("timer.start", seconds=600, label="old")
        kept.call("timer.start", seconds=900, label="older")
    for tool, arguments, names in changes:
        outcomes, writes = [], 0
        while True:
            flash = before.copy()
            with Mounted(flash):
                kept = Kept("/flash/timers.json")
                flash.writes = writes
                text = kept.says(tool, **arguments)
                whole = not flash.is_dead
                flash.writes = None
            found = of_flash(flash)
            assert found in (["old", "older"], names), (tool, writes, found)
            assert not whole or found == names, "said and not kept"
            assert whole or text.startswith("error:") or found == names, (tool, writes, text)
            outcomes.append(found)
            if whole:
                break
            writes += 1
        assert len(outcomes) > 1


def test_nine_is_nine():
    assert NINE % 86400 == 7 * 3600
