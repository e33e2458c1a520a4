"""The tools of timers, alarms and reminders: what they take, do and say."""

from fakes.device.timers import Kept
from toolbox import registry, timers
from toolbox.registry import arguments
from voxwire.card import text_line


def home():
    return Kept()


async def test_every_tool_fits_its_page_and_says_what_it_destroys():
    tools = list(timers.tools(None))
    names = [tool.name for tool in tools]
    assert names == [
        "self.timer.start", "self.timer.add_time", "self.timer.pause", "self.timer.resume",
        "self.alarm.set", "self.reminder.set", "self.timer.list", "self.timer.cancel",
        "self.timer.cancel_all", "self.timer.stop", "self.timer.snooze",
    ]  # fmt: skip
    destructive = {tool.name: tool.destructive for tool in tools}
    assert destructive["self.timer.cancel_all"] is True
    assert destructive["self.timer.cancel"] is False
    entry = registry.entry(tools[0])
    assert entry["inputSchema"]["properties"]["seconds"]["format"] == "duration"
    assert entry["inputSchema"]["required"] == ["seconds"]
    sizes = [registry.size_of(registry.entry(tool)) for tool in tools]
    assert max(sizes) < 1200, sizes


async def test_a_timer_is_set_listed_and_cancelled():
    kept = home()
    assert kept.says("timer.start", seconds=600, label="pizza") == (
        "The pizza timer is set for 10 minutes."
    )
    assert kept.says("timer.start", seconds=5400) == "The 1 hour 30 minute timer is set."
    kept.wait(65)
    assert kept.says("timer.list") == (
        "The pizza timer has 8 minutes 55 seconds left."
        " The 1 hour 30 minute timer has 1 hour 29 minutes left."
    )
    assert kept.says("timer.list", which="pizza") == (
        "The pizza timer has 8 minutes 55 seconds left."
    )
    assert kept.says("timer.cancel", which="pizza") == "The pizza timer is cancelled."
    assert kept.says("timer.cancel") == "The 1 hour 30 minute timer is cancelled."
    assert kept.says("timer.list") == "There is no timer or alarm."


async def test_which_one_is_asked_with_the_names_as_data():
    kept = home()
    kept.call("timer.start", seconds=600, label="pizza")
    kept.call("timer.start", seconds=300, label="egg")
    text, structured = kept.call("timer.pause")
    assert (text, structured) == ("error: Which timer: egg or pizza?", {"which": ["egg", "pizza"]})
    assert kept.says("timer.pause", which="egg") == (
        "The egg timer is paused with 5 minutes left."
    )
    assert kept.says("timer.resume", which="egg") == "The egg timer goes on, 5 minutes left."
    assert kept.says("timer.add_time", which="egg", seconds=120) == (
        "The egg timer has 7 minutes left."
    )
    assert kept.says("timer.add_time", which="egg", seconds=60, less=True) == (
        "The egg timer has 6 minutes left."
    )
    assert kept.says("timer.cancel_all", kind="timer") == "2 timers cancelled."
    assert kept.says("timer.cancel_all") == "There is no timer or alarm."


async def test_an_alarm_says_when_it_rings():
    kept = home()
    assert kept.says("alarm.set", time="7:00?", wakes=True) == (
        "The alarm is set for 7:00 AM tomorrow."
    )
    assert kept.says("alarm.set", time="06:30", days=["weekdays"], label="work") == (
        "The alarm is set for 6:30 AM on weekdays."
    )
    assert kept.says("timer.list", kind="alarm") == (
        "The work alarm is set for 6:30 AM on weekdays. The alarm is set for 7:00 AM tomorrow."
    )
    assert kept.says("alarm.set", time="25:00").startswith("error: time must be HH:MM")
    assert kept.says("alarm.set", time="08:00", day="today") == (
        "error: That time has passed today."
    )
    kept.clock = None
    assert kept.says("alarm.set", time="08:00").startswith("error: The time is not known yet.")


async def test_a_reminder_is_shown_when_it_is_due():
    kept = home()
    assert kept.says("reminder.set", text="call mum", time="5:00?") == (
        "I will remind you at 5:00 PM today."
    )
    assert kept.says("reminder.set", text="turn the roast", seconds=60) == (
        "I will remind you in 1 minute."
    )
    assert kept.says("reminder.set", text="x").startswith("error: A reminder needs")
    assert kept.says("reminder.set", text="x", time="5:00?", seconds=3).startswith("error: A rem")
    kept.wait(60)
    (card,) = kept.view.cards
    assert card.id == "" and card.pages[0].lines == (text_line("turn the roast"),)
    assert kept.view.rings == ("Reminder", "Turn the roast")
    assert kept.says("timer.stop") == "Okay."
    assert kept.says("timer.stop") == "Nothing rings."


async def test_what_rings_is_snoozed():
    kept = home()
    kept.call("timer.start", seconds=1)
    assert kept.says("timer.snooze") == "error: Nothing rings."
    kept.wait(1)
    assert kept.says("timer.snooze", minutes=1) == "Again in a minute."
    kept.wait(59)
    assert not kept.timers.is_ringing
    kept.wait(1)
    assert kept.timers.is_ringing


async def test_arguments_out_of_range_are_refused_with_the_range():
    tools = {tool.name: tool for tool in timers.tools(None)}
    for name, wrong in (
        ("self.timer.start", {"seconds": 0}),
        ("self.timer.start", {"seconds": 604801}),
        ("self.timer.start", {"seconds": 1.5}),
        ("self.timer.start", {"seconds": 60, "label": "x" * 41}),
        ("self.reminder.set", {"text": "", "seconds": 60}),
        ("self.alarm.set", {"time": "07:00", "days": ["someday"]}),
        ("self.timer.snooze", {"minutes": 61}),
    ):
        try:
            arguments(tools[name], wrong)
        except registry.ArgumentError:
            continue
        raise AssertionError((name, wrong))


async def test_the_longest_list_fits_into_a_message():
    kept = home()
    for number in range(16):
        kept.call("reminder.set", text="€" * 120, seconds=60 + number)
    text, structured = kept.call("timer.list")
    content = {"content": [{"type": "text", "text": text}], "structuredContent": structured}
    assert text.endswith("And 8 more.")
    assert registry.size_of(content) < 7900, registry.size_of(content)
    size = registry.size_of({"type": "timers", "entries": kept.told[-1]})
    assert size < 8000, size
