"""One list of tools and one way to call them; what a result means for the assistant."""

import asyncio
import threading

import pytest
from fakes.tools import FakeDevice, says, tool
from voxcard.errors import VoxcardError
from voxcard.toolhub.builtin.bridge_tool import BridgeTool
from voxcard.toolhub.hub import Hub
from voxcard.toolhub.model import ToolOutcome, ToolSpec
from voxcard.toolhub.schema.validation import Validation


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


class BrokenServer:
    """A tool server that raises wherever it is told to."""

    name = "lab"
    limit_s = None

    def __init__(self, error=None, result=None):
        schema = {"type": "object", "properties": {"a": {"type": "integer"}}}
        self.specs = (ToolSpec(name="lab.t", description="", input_schema=schema, source="lab"),)
        self.error = error
        self.result = result
        self.doubted = 0

    async def call(self, tool, arguments, caller, on_progress):
        if self.error is not None:
            raise self.error
        return self.result

    def doubt(self):
        self.doubted += 1


class Raises(dict):
    """A result or an argument that cannot be looked at."""

    def get(self, *args):
        raise ZeroDivisionError

    items = keys = values = __iter__ = __len__ = get


BROKEN = "Something went wrong here. Please try again."
ERRORS = [ZeroDivisionError(), RecursionError(), AttributeError("x"), OSError(5, "x"), KeyError(5)]


@pytest.mark.parametrize("error", ERRORS, ids=repr)
def test_whatever_a_server_or_a_tool_of_the_bridge_raises_is_an_outcome(error, caplog):
    async def breaks(device_id, arguments):
        raise error

    async def run():
        hub = Hub(
            picture=no_picture,
            servers=[BrokenServer(error)],
            bridge=[bridge_tool("bridge.breaks", breaks), bridge_tool("bridge.hello", hello)],
        )
        for name in ("lab.t", "bridge.breaks"):
            outcome = await hub.call("hall", name, {})
            assert (outcome.text, outcome.is_error) == (BROKEN, True)
        assert (await hub.call("hall", "bridge.hello", {})).text == "hello hall"

    asyncio.run(run())
    assert [line for line in caplog.messages if "failed" in line] == [
        "hall: lab.t failed",
        "hall: bridge.breaks failed",
    ]


PARTS = [
    "voxcard.toolhub.hub.no_such_tool",
    "voxcard.toolhub.hub.whole_numbers",
    "voxcard.toolhub.hub.outcome.read",
    "voxcard.toolhub.hub.reaches",
    "voxcard.toolhub.hub.Caller",
    "voxcard.toolhub.schema.validation.Validation.refusal",
    "voxcard.toolhub.hub.Hub._all",
    "voxcard.toolhub.hub.Hub._limit",
]


@pytest.mark.parametrize("part", PARTS)
def test_whatever_part_of_a_call_raises_the_call_is_an_outcome(part, monkeypatch):
    def broken(*args):
        raise ZeroDivisionError

    async def run():
        hub = Hub(picture=no_picture, servers=[BrokenServer(result=says("ok"))])
        assert (await hub.call("hall", "lab.t", {"a": 1})).text == "ok"
        monkeypatch.setattr(part, broken)
        name = "lab.x" if part.endswith("no_such_tool") else "lab.t"
        outcome = await hub.call("hall", name, {"a": 1})
        assert (outcome.text, outcome.is_error) == (BROKEN, True)

    asyncio.run(run())


def test_a_result_or_arguments_that_cannot_be_looked_at_are_an_outcome():
    async def run():
        hub = Hub(picture=no_picture, servers=[BrokenServer(result=Raises())])
        assert (await hub.call("hall", "lab.t", {"a": 1})).text == BROKEN
        assert (await hub.call("hall", "lab.t", Raises())).text == BROKEN

    asyncio.run(run())


def test_a_tool_that_raises_a_timeout_is_told_as_one_and_its_server_doubted():
    async def run():
        server = BrokenServer(TimeoutError())
        hub = Hub(picture=no_picture, servers=[server], limit_s=7)
        outcome = await hub.call("hall", "lab.t", {})
        assert outcome.text == "The tool did not answer within 7 seconds. Try again in a moment."
        assert server.doubted == 1

    asyncio.run(run())


def test_a_call_that_is_cancelled_is_cancelled_and_no_outcome():
    async def run():
        started = asyncio.Event()

        async def waits(device_id, arguments):
            started.set()
            await asyncio.Event().wait()

        hub = Hub(picture=no_picture, bridge=[bridge_tool("bridge.waits", waits)])
        calling = asyncio.create_task(hub.call("hall", "bridge.waits", {}))
        await started.wait()
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling

    asyncio.run(run())


def test_texts_of_others_cannot_act_on_a_terminal_or_write_a_log_line(caplog):
    nasty = "\x1b[2JIt\x07 is\u202e on.\r\n2026-01-01 WARNING forged\ud800"

    async def run():
        lines = []
        device = FakeDevice([tool("self.a"), tool("self.b")])
        device.answers = {"self.a": says(nasty), "self.b": ValueError(nasty)}
        hub = Hub(picture=no_picture, servers=[BrokenServer(VoxcardError(nasty))])
        device.attach(hub)
        device.on_call = lambda params: device.notify(
            "notifications/progress",
            progressToken=params["_meta"]["progressToken"],
            progress=1,
            message=nasty,
        )
        await hub.refresh("kitchen")
        done = await hub.call("kitchen", "self.a", {}, on_progress=lines.append)
        assert done.text == "It is on.\n2026-01-01 WARNING forged\ufffd"
        assert lines == ["It is on. 2026-01-01 WARNING forged\ufffd"]
        for name in ("self.b", "lab.t"):
            failed = await hub.call("kitchen", name, {}, on_progress=lines.append)
            assert failed.text == "It is on.\n2026-01-01 WARNING forged\ufffd"

    asyncio.run(run())
    assert caplog.messages and all(line.isprintable() for line in caplog.messages)


def test_whoever_is_told_of_progress_cannot_disturb_the_call():
    def breaks(line):
        raise ZeroDivisionError

    async def run():
        device = FakeDevice([tool("self.a")], {"self.a": says("done")})
        device.on_call = lambda params: device.notify(
            "notifications/progress",
            progressToken=params["_meta"]["progressToken"],
            progress=1,
        )
        hub = Hub(picture=no_picture)
        device.attach(hub)
        await hub.refresh("kitchen")
        assert (await hub.call("kitchen", "self.a", {}, on_progress=breaks)).text == "done"

    asyncio.run(run())


def test_a_device_that_leaves_while_its_call_is_checked_is_told_as_gone():
    async def run():
        hub = Hub(picture=no_picture)
        device = FakeDevice([tool("self.a")], {"self.a": says("done")})
        device.attach(hub)
        await hub.refresh("kitchen")
        calling = asyncio.create_task(hub.call("kitchen", "self.a", {}))
        await asyncio.sleep(0)
        hub.detach("kitchen")
        assert (await calling).text == "kitchen went away. Try again when it is back."

    asyncio.run(run())


def test_a_check_that_takes_long_keeps_no_other_device_waiting(monkeypatch):
    """The loop serves others while a schema is checked: it is checked in a thread."""
    checking, go_on = threading.Event(), threading.Event()
    refusal = Validation.refusal

    def slow(self, spec, arguments):
        if spec.name == "lab.t":
            checking.set()
            assert go_on.wait(60)
        return refusal(self, spec, arguments)

    async def run():
        monkeypatch.setattr(Validation, "refusal", slow)
        hub = Hub(
            picture=no_picture,
            servers=[BrokenServer(result=says("ok"))],
            bridge=[bridge_tool("bridge.hello", hello)],
        )
        slow_call = asyncio.create_task(hub.call("hall", "lab.t", {}))
        await asyncio.to_thread(checking.wait, 60)
        assert (await hub.call("attic", "bridge.hello", {})).text == "hello attic"
        assert not slow_call.done()
        go_on.set()
        assert (await slow_call).text == "ok"

    asyncio.run(run())
