"""One list of tools and one way to call them; what a result means for the assistant."""

import asyncio
import base64
import json

import pytest
from fakes.tools import FakeDevice, says, tool
from hypothesis import given
from hypothesis import strategies as st
from voxcard.errors import VoxcardError
from voxcard.toolhub import outcome
from voxcard.toolhub.builtin import BridgeTool
from voxcard.toolhub.hub import Hub
from voxcard.toolhub.model import Picture, ToolOutcome, ToolSpec


async def no_picture(device_id, blob_id):
    raise VoxcardError("none")


def bridge_tool(name, call, **more):
    schema = {"type": "object", "properties": {}}
    spec = ToolSpec(name=name, description="", input_schema=schema, source="bridge", **more)
    return BridgeTool(spec=spec, call=call)


async def hello(device_id, arguments):
    return ToolOutcome(text=f"hello {device_id}")


async def broken(device_id, arguments):
    raise VoxcardError("There is no card to show yet.", "Ask for something first.")


def test_a_device_may_not_pass_for_the_bridge():
    async def run():
        hub = Hub(picture=no_picture, bridge=[bridge_tool("bridge.hello", hello)])
        device = FakeDevice([tool("bridge.hello"), tool("self.hello")], {"self.hello": says("me")})
        device.attach(hub)
        await hub.refresh("kitchen")
        assert [spec.name for spec in hub.specs("kitchen")] == ["self.hello", "bridge.hello"]
        assert (await hub.call("kitchen", "bridge.hello", {})).text == "hello kitchen"
        assert (await hub.call("kitchen", "self.hello", {})).text == "me"

    asyncio.run(run())


def test_a_tool_of_the_bridge_needs_no_device_and_fails_by_a_sentence():
    async def run():
        tools = [bridge_tool("bridge.hello", hello), bridge_tool("bridge.broken", broken)]
        hub = Hub(picture=no_picture, bridge=tools)
        assert (await hub.call("hall", "bridge.hello", {})).text == "hello hall"
        failed = await hub.call("hall", "bridge.broken", {})
        assert failed.is_error
        assert failed.text == "There is no card to show yet. Ask for something first."

    asyncio.run(run())


def test_an_unknown_tool_is_a_sentence_with_the_nearest_name():
    async def run():
        hub = Hub(picture=no_picture, bridge=[bridge_tool("bridge.get_time", hello)])
        outcome = await hub.call("hall", "bridge.get_tim", {})
        assert (outcome.text, outcome.is_error) == (
            "There is no tool bridge.get_tim. Did you mean bridge.get_time?",
            True,
        )
        outcome = await hub.call("hall", "zzz", {})
        assert outcome.text == "There is no tool zzz. List them with: voxcard tool list"

    asyncio.run(run())


def test_an_old_session_of_a_device_is_over_when_a_new_one_begins():
    async def run():
        hub = Hub(picture=no_picture)
        first, second = FakeDevice([tool("self.a")]), FakeDevice([tool("self.b")])
        first.attach(hub)
        await hub.refresh("kitchen")
        called = asyncio.Event()
        first.on_call = lambda params: called.set()
        calling = asyncio.create_task(hub.call("kitchen", "self.a", {}))
        await called.wait()
        second.attach(hub)
        assert (await calling).is_error
        await hub.refresh("kitchen")
        assert [spec.name for spec in hub.specs("kitchen")] == ["self.b"]
        await hub.refresh("nobody")
        await hub.stop()
        await hub.stop()

    asyncio.run(run())


READ = [
    ({"content": []}, "", False),
    (says("Just words."), "Just words.", False),
    (says("legacy", resultType="complete"), "legacy", False),
    (says("Date must be in the future.", isError=True), "Date must be in the future.", True),
    ({"content": [], "isError": True}, "a.b failed and did not say why.", True),
    ({"content": "x", "isError": "yes"}, "", False),
    (
        {"content": [{"type": "text", "text": "a"}, 5, {"type": "text", "text": "b"}]},
        "a\nb",
        False,
    ),
    (
        {"content": [], "structuredContent": {"total": 3, "items": ["a", "b", "c"]}},
        "total: 3\nitems: a, b, c",
        False,
    ),
    (
        {"structuredContent": {"on": True, "by": None, "at": {"lat": 1.5, "lon": 2}}},
        "on: yes\nby: none\nat: lat 1.5, lon 2",
        False,
    ),
    ({"structuredContent": [1, 2]}, "1, 2", False),
    (says("ok", structuredContent={"total": 3}), "ok", False),
    (
        {
            "resultType": "input_required",
            "inputRequests": {"q1": {"params": {"message": "Which day?"}}, "q2": 5},
        },
        "Which day?",
        False,
    ),
    (
        {
            "content": [
                {"type": "resource", "resource": {"mimeType": "text/plain", "text": "note"}},
                {"type": "resource", "resource": {"mimeType": "application/json", "text": "{}"}},
                {"type": "resource_link", "uri": "https://a.example", "name": "x"},
            ]
        },
        "note",
        False,
    ),
]


@pytest.mark.parametrize(("result", "text", "is_error"), READ)
def test_what_a_result_says(result, text, is_error):
    read = outcome.read("a.b", result)
    assert (read.text, read.is_error) == (text, is_error)
    assert read.result is result


def test_what_is_only_for_the_assistant_is_neither_shown_nor_spoken():
    content = [
        {"type": "text", "text": '{"raw":1}', "annotations": {"audience": ["assistant"]}},
        {"type": "text", "text": "Nice words", "annotations": {"audience": ["user"]}},
        {"type": "text", "text": "For both", "annotations": {"audience": ["user", "assistant"]}},
        {"type": "image", "data": "AAAA", "annotations": {"audience": ["assistant"]}},
    ]
    read = outcome.read("a.b", {"content": content})
    assert read.text == "Nice words\nFor both" and read.pictures == ()


def test_a_result_of_an_unknown_type_is_not_read():
    with pytest.raises(VoxcardError, match=r"a\.b sent a result of an unknown type"):
        outcome.read("a.b", says("x", resultType="teleported"))


def test_pictures_are_decoded_and_broken_ones_left_out():
    data = base64.b64encode(b"\x89PNG").decode()
    content = [
        {"type": "image", "data": data, "mimeType": "image/png"},
        {"type": "image", "data": "%%%", "mimeType": "image/png"},
        {"type": "image", "data": "é", "mimeType": "image/png"},
        {"type": "image", "mimeType": "image/png"},
        {"type": "image", "data": data},
    ]
    assert outcome.read("a.b", {"content": content}).pictures == (
        Picture(data=b"\x89PNG", mime_type="image/png"),
        Picture(data=b"\x89PNG", mime_type="application/octet-stream"),
    )


def test_long_structured_content_is_cut_and_says_so():
    lines = outcome.in_words({f"k{i}": i for i in range(50)}).splitlines()
    assert len(lines) == 41 and lines[-1] == "+10 more"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=15,
)
KEYS = st.sampled_from(
    ["content", "structuredContent", "isError", "resultType", "_meta", "inputRequests"]
)


@given(st.dictionaries(KEYS, JSON))
def test_any_result_is_an_outcome_or_the_one_error(result):
    try:
        assert isinstance(outcome.read("a.b", result).text, str)
    except VoxcardError:
        assert result["resultType"] not in ("complete", "input_required")


def test_an_outcome_of_a_failure_is_a_whole_result():
    failed = outcome.failed("No.")
    assert json.loads(json.dumps(failed.result)) == says("No.", isError=True)
