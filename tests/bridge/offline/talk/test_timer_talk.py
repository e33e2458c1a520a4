"""Talking of timers: times as people say them, which one is meant, what is asked first."""

import asyncio

import pytest
from fakes import home
from fakes.offline.offline_talk import asks, calls, offline, parts, spoken
from fakes.offline.timer_tools import TIMER_TOOLS
from voxcard.assistants import Heard, ToolReply
from voxcard.assistants.offline.intents.formats.clock_times import clock_times
from voxcard.assistants.offline.intents.normalise import words

TOOLS = (*home.TOOLS, *TIMER_TOOLS)
WHICH = ToolReply(
    text="Which timer: egg, pizza or 10 minute?",
    is_error=True,
    structured={"which": ["egg", "pizza", "10 minute"]},
)
OK = ToolReply(text="The egg timer is cancelled.")


def talk(*turns):
    """The parts of turns that follow each other: (text, outcomes of its calls)."""

    async def run():
        assistant = offline()
        await assistant.start()
        try:
            conversation = assistant.conversation(home.place, lambda: TOOLS)
            return [await parts(conversation, Heard(text=text), *done) for text, *done in turns]
        finally:
            await assistant.stop()

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("said", "times"),
    [
        ("seven", {"7:00?"}),
        ("seven o'clock", {"7:00?"}),
        ("7 am", {"7:00?", "07:00"}),
        ("7 p.m.", {"7:00?", "19:00"}),
        ("twelve pm", {"12:00?", "12:00"}),
        ("twelve am", {"12:00?", "00:00"}),
        ("twelve at night", {"12:00?", "00:00"}),
        ("eight tonight", {"8:00?", "20:00"}),
        ("one tonight", {"1:00?"}),
        ("two in the afternoon", {"2:00?", "14:00"}),
        ("half past six", {"6:30?"}),
        ("a quarter to one", {"12:45?"}),
        ("five to twelve", {"11:55?", "5:00?"}),
        ("twenty minutes after nine", {"9:20?"}),
        ("six thirty", {"6:30?", "6:00?"}),
        ("6:05", {"6:05?", "6:00?"}),
        ("six oh five", {"6:05?", "6:00?"}),
        ("06:05", {"06:05"}),
        ("630", {"6:30?"}),
        ("1830", {"18:30"}),
        ("18:30", {"18:30"}),
        ("0 30", {"00:30"}),
        ("noon", {"12:00"}),
        ("midnight", {"00:00"}),
        ("half seven", set()),
        ("25", set()),
        ("7.5", set()),
        ("minus seven", set()),
        ("sixty past six", set()),
        ("quarter past thirteen", set()),
        ("soon", set()),
    ],
)
def test_times_of_day(said, times):
    assert {each.text for each in clock_times(words(said), 0)} == times


def test_a_tool_that_cannot_tell_which_one_is_answered_with_a_name():
    for answer, which in (
        ("the pizza one", "pizza"),
        ("pizza", "pizza"),
        ("the egg timer", "egg"),
        ("ten minutes", "10 minute"),
        ("the ten minute one", "10 minute"),
    ):
        first, second = talk(("cancel the timer", WHICH), (answer, OK))
        assert spoken(first) == "Which timer: egg, pizza or 10 minute?" and asks(first)
        wanted = [("self.timer.cancel", {"kind": "timer", "which": which})] if which else []
        assert calls(second) == wanted, answer


def test_an_answer_that_names_none_or_several_does_nothing():
    for answer in ("the soup one", "the egg and the pizza one", "all of them", "yes", "the one"):
        _, second = talk(("cancel the timer", WHICH), (answer, OK))
        assert calls(second) == [], answer
    _, second = talk(("cancel the timer", WHICH), ("never mind", OK))
    assert calls(second) == [] and spoken(second) == "Okay."


def test_after_the_question_a_command_is_a_command():
    _, second = talk(("cancel the timer", WHICH), ("set the volume to sixty", OK))
    assert calls(second) == [("self.audio_speaker.set_volume", {"volume": 60})]


def test_a_tool_that_names_nonsense_asks_nothing():
    for which in (None, "egg", [1], {}):
        odd = ToolReply(text="Which one?", is_error=True, structured={"which": which})
        (first,) = talk(("cancel the timer", odd))
        assert not asks(first)


def test_a_timer_without_its_length_is_asked_about():
    first, second = talk(("set a timer",), ("ten minutes", OK))
    assert spoken(first) == "For how long?" and asks(first)
    assert calls(second) == [("self.timer.start", {"seconds": 600})]
    first, second = talk(("wake me at",), ("half past six", OK))
    assert calls(second) == [("self.alarm.set", {"time": "6:30?", "wakes": True})]


def test_what_the_device_says_is_said_as_people_say_it():
    done = ToolReply(text="The alarm is set for 7:00 AM tomorrow.")
    (first,) = talk(("wake me at seven", done))
    assert spoken(first) == "The alarm is set for 7:00 AM tomorrow."
