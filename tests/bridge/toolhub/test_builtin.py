"""The bridge's own tools."""

import asyncio
from datetime import datetime

import pytest
from voxcard.errors import VoxcardError
from voxcard.toolhub import builtin

NOON = datetime(2026, 3, 3, 14, 5, 9)


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
    assert outcome.structured == {"time": "2026-03-03T14:05:09"}
    assert outcome.result["structuredContent"] == outcome.structured


def test_each_takes_nothing_and_brings_its_sentences():
    for tool in tools().values():
        assert tool.spec.source == "bridge" and tool.spec.scope == "ai"
        assert tool.spec.input_schema["additionalProperties"] is False
        assert tool.spec.sentences["en"] and tool.spec.description
