"""The bridge's own tools."""

import asyncio
import zoneinfo
from datetime import UTC, datetime

import pytest
from voxcard.errors import VoxcardError
from voxcard.toolhub import builtin
from voxcard.toolhub.builtin import times

NOON = datetime(2026, 3, 3, 14, 5, 9, tzinfo=UTC)


def tools(title="Order 1042"):
    async def show_last_card(device_id):
        if device_id == "new":
            raise VoxcardError("There is no card to show yet.")
        return title

    tools = builtin.tools(show_last_card=show_last_card, now=lambda: NOON)
    return {tool.spec.name: tool for tool in tools}


def test_the_last_card_is_shown_and_named():
    call = tools()["bridge.show_last_card"].call
    outcome = asyncio.run(call("kitchen", {}))
    assert outcome.text == "Here is Order 1042 again."
    assert outcome.result["content"][0]["text"] == outcome.text
    outcome = asyncio.run(tools(title="")["bridge.show_last_card"].call("kitchen", {}))
    assert outcome.text == "Here it is again."


def test_without_a_card_the_tool_fails_by_a_sentence():
    with pytest.raises(VoxcardError, match="There is no card to show yet"):
        asyncio.run(tools()["bridge.show_last_card"].call("new", {}))


def test_the_time_is_the_homes():
    outcome = asyncio.run(tools()["bridge.get_time"].call("kitchen", {}))
    assert outcome.text == "It is 14:05 on Tuesday, 3 March 2026."
    assert outcome.structured == {"time": "2026-03-03T14:05:09+00:00"}
    assert outcome.result["structuredContent"] == outcome.structured


@pytest.mark.parametrize(
    ("place", "text", "time"),
    [
        ("Tokyo", "It is 11:05 PM on Tuesday in Tokyo.", "2026-03-03T23:05:09+09:00"),
        ("Sydney", "It is 1:05 AM on Wednesday in Sydney.", "2026-03-04T01:05:09+11:00"),
        ("kathmandu", "It is 7:50 PM on Tuesday in Kathmandu.", "2026-03-03T19:50:09+05:45"),
        (
            "Seattle",
            "It is 6:05 AM on Tuesday in Seattle.",
            "2026-03-03T06:05:09-08:00",
        ),
        ("são paulo", "It is 11:05 AM on Tuesday in São Paulo.", "2026-03-03T11:05:09-03:00"),
        ("the UK", "It is 2:05 PM on Tuesday in the United Kingdom.", "2026-03-03T14:05:09+00:00"),
        ("Germany", "It is 3:05 PM on Tuesday in Germany.", "2026-03-03T15:05:09+01:00"),
        (
            "Holland",
            "It is 3:05 PM on Tuesday in the Netherlands.",
            "2026-03-03T15:05:09+01:00",
        ),
        ("Spain", "It is 3:05 PM on Tuesday in Spain.", "2026-03-03T15:05:09+01:00"),
        ("UTC", "It is 2:05 PM on Tuesday in UTC.", "2026-03-03T14:05:09+00:00"),
    ],
)
def test_the_time_elsewhere(place, text, time):
    outcome = asyncio.run(tools()["bridge.get_time"].call("kitchen", {"place": place}))
    assert (outcome.text, outcome.structured) == (text, {"time": time})


@pytest.mark.parametrize(
    ("place", "problem"),
    [
        ("Gotham", "I do not know where Gotham is"),
        ("the United States", "The United States has more than one time. Name a city there."),
        ("../../etc/passwd", "I do not know where"),
        ("Etc/GMT+5", "I do not know where"),
        ("wake", "I do not know where"),
    ],
)
def test_a_place_that_is_unknown_or_has_several_times_is_refused(place, problem):
    with pytest.raises(VoxcardError, match=problem):
        asyncio.run(tools()["bridge.get_time"].call("kitchen", {"place": place}))


def test_without_data_of_zones_the_tool_says_what_to_install(monkeypatch):
    def missing(key):
        raise zoneinfo.ZoneInfoNotFoundError(key)

    monkeypatch.setattr(times, "ZoneInfo", missing)
    with pytest.raises(VoxcardError, match="Install its package tzdata"):
        asyncio.run(tools()["bridge.get_time"].call("kitchen", {"place": "Tokyo"}))


def test_sums_are_calculated():
    call = tools()["bridge.calculate"].call
    outcome = asyncio.run(call("kitchen", {"expression": "7 * 8"}))
    assert (outcome.text, outcome.structured) == ("That is 56.", {"result": "56", "exact": True})
    outcome = asyncio.run(call("kitchen", {"expression": "1 / 3"}))
    assert outcome.text == "That is about 0.3333."
    with pytest.raises(VoxcardError, match="Nothing can be divided by zero"):
        asyncio.run(call("kitchen", {"expression": "1 / 0"}))


def test_each_brings_its_sentences():
    for tool in tools().values():
        assert tool.spec.source == "bridge" and tool.spec.scope == "ai"
        assert tool.spec.input_schema["additionalProperties"] is False
        assert tool.spec.sentences["en"] and tool.spec.description
