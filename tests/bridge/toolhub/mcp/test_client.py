"""MCP servers over stdio and HTTP: listed, called, and brought back when they fail."""

import asyncio
import contextlib
import dataclasses
import json
import socket
import sys
from pathlib import Path

import pytest
import uvicorn
from mcp_types import Tool, ToolAnnotations
from voxcard.config import McpServer
from voxcard.errors import VoxcardError
from voxcard.toolhub.hub import Hub
from voxcard.toolhub.mcp import transport
from voxcard.toolhub.mcp.client import McpClient
from voxcard.toolhub.mcp.questions import Caller
from voxcard.toolhub.mcp.tool_list import is_destructive

from examples import orders_server

ROOT = Path(__file__).parents[4]
BACK_OFF_S = (0.01, 0.05)
HANG_S = 300  # far beyond what a busy machine needs: a test that hangs ends


async def no_picture(device_id, blob_id):
    raise VoxcardError("none")


def orders(**more):
    return McpServer(
        name="orders",
        command=sys.executable,
        args=("orders_server.py",),
        folder=ROOT / "examples",
        **more,
    )


def fake(tmp_path, name="fake", mode=""):
    script = str(ROOT / "tests" / "fakes" / "servers" / "mcp_server.py")
    args = (script, str(tmp_path / f"{name}.starts"), mode)
    return McpServer(name=name, command=sys.executable, args=args, folder=tmp_path)


def starts(tmp_path, name="fake"):
    return len((tmp_path / f"{name}.starts").read_text())


async def with_running_hub(servers, talk, limit_s=HANG_S, **options):
    """`talk(hub, changed)` with every server connected, or having failed once."""
    changed = asyncio.Event()
    options = {"connect_limit_s": HANG_S, "probe_limit_s": HANG_S, **options}
    clients = [McpClient(each, back_off_s=BACK_OFF_S, **options) for each in servers]
    hub = Hub(picture=no_picture, servers=clients, on_change=changed.set, limit_s=limit_s)
    await hub.start()
    try:
        async with asyncio.timeout(HANG_S):
            await hub.settled()
            await talk(hub, changed)
    finally:
        await hub.stop()


def with_hub(servers, talk, **options):
    asyncio.run(with_running_hub(servers, talk, **options))


async def until_listed(hub, changed, name):
    while name not in [spec.name for spec in hub.specs("d")]:
        changed.clear()
        await changed.wait()


async def until_answered(hub, changed, name):
    changed.clear()
    while (outcome := await hub.call("d", name, {"order": 7})).is_error:
        await changed.wait()
        changed.clear()
    return outcome


def test_the_example_server_answers_with_text_and_its_card():
    async def talk(hub, changed):
        specs = {spec.name: spec for spec in hub.specs("d")}
        assert list(specs) == ["orders.where_is_order", "orders.cancel_order"]
        where = specs["orders.where_is_order"]
        assert where.source == "orders" and where.description == "Say where an order is."
        assert "track [my] order {order}" in where.sentences["en"]
        assert where.input_schema["properties"]["order"]["type"] == "integer"
        outcome = await hub.call("d", "orders.where_is_order", {"order": 1042})
        assert outcome.text == "Order 1042, desk lamp, is on its way, due tomorrow."
        assert not outcome.is_error
        card = outcome.result["_meta"]["assistant_platform"]["card"]
        assert (card["title"], card["subtitle"]) == ("Order 1042", "Desk lamp")
        link, message = card["actions"]
        assert link["url"] == "https://orders.example.com/1042" and len(link["url"]) <= 53
        assert message["text"] == "Cancel order 1042"
        outcome = await hub.call("d", "orders.cancel_order", {"order": 1042})
        assert outcome.text == "Order 1042 is cancelled."
        outcome = await hub.call("d", "orders.where_is_order", {"order": 1042.0})
        assert outcome.text == "Order 1042, desk lamp, is cancelled."
        outcome = await hub.call("d", "orders.where_is_order", {"order": "soon"})
        assert outcome.is_error
        assert outcome.text == 'order must be a whole number, not "soon".'

    with_hub([orders()], talk)


def test_a_server_of_an_older_revision_is_listed_page_by_page_and_keeps_its_meta(tmp_path):
    async def talk(hub, changed):
        names = [spec.name for spec in hub.specs("d")]
        assert len(names) == 10 and names[-1] == "fake.deaf"
        outcome = await hub.call("d", "fake.echo", {"a": "Grüße"})
        assert outcome.text == '{"a": "Gr\\u00fc\\u00dfe"}'
        assert outcome.result["_meta"]["kept"] == {"deep": [1]}
        outcome = await hub.call("d", "fake.structured", {})
        assert outcome.text == "total: 3\nitems: a, b"

    with_hub([fake(tmp_path)], talk)


def test_a_tools_annotations_say_whether_a_call_can_be_undone():
    for hints, destructive in (
        (None, None),
        (ToolAnnotations(), None),
        (ToolAnnotations(read_only_hint=True, destructive_hint=True), False),
        (ToolAnnotations(destructive_hint=True), True),
        (ToolAnnotations(destructive_hint=False), False),
    ):
        tool = Tool(name="t", input_schema={"type": "object"}, annotations=hints)
        assert is_destructive(tool) is destructive


def test_progress_of_a_server_becomes_a_line(tmp_path):
    async def talk(hub, changed):
        lines = []
        outcome = await hub.call("d", "fake.progress", {}, on_progress=lines.append)
        assert (outcome.text, lines) == ("whole", ["half way"])

    with_hub([fake(tmp_path)], talk)


def test_a_list_that_changed_is_read_again(tmp_path):
    async def talk(hub, changed):
        await hub.call("d", "fake.grow", {})
        await until_listed(hub, changed, "fake.grown")

    with_hub([fake(tmp_path)], talk)


def test_a_call_that_is_given_up_is_cancelled_at_the_server(tmp_path):
    async def talk(hub, changed):
        calling = asyncio.create_task(hub.call("d", "fake.hang", {}))
        await asyncio.sleep(0)  # the call begins
        while json.loads((await hub.call("d", "fake.running", {})).text) == []:
            pass
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling
        while not (given_up := json.loads((await hub.call("d", "fake.cancelled", {})).text)):
            pass
        assert len(given_up) == 1 and starts(tmp_path) == 1

    with_hub([fake(tmp_path)], talk)


def test_a_server_may_have_a_limit_of_its_own(tmp_path):
    async def talk(hub, changed):
        outcome = await hub.call("d", "fake.hang", {})
        assert "did not answer within 0.5 seconds" in outcome.text

    with_hub([dataclasses.replace(fake(tmp_path), limit_s=0.5)], talk)


def test_a_server_that_dies_says_so_comes_back_and_disturbs_no_other(tmp_path):
    async def talk(hub, changed):
        outcome = await hub.call("d", "fake.die", {})
        assert outcome.is_error
        assert outcome.text == (
            "The tool server fake stopped before it answered. Try again in a moment."
        )
        other = await hub.call("d", "orders.where_is_order", {"order": 2001})
        assert other.text == "Order 2001, coffee, 1 kg, is delivered."
        assert "fake.echo" in [spec.name for spec in hub.specs("d")]
        outcome = await until_answered(hub, changed, "fake.echo")
        assert outcome.text == '{"order": 7}' and starts(tmp_path) == 2

    with_hub([fake(tmp_path), orders()], talk)


def test_a_server_that_no_longer_answers_is_started_again(tmp_path):
    short = dataclasses.replace(fake(tmp_path), limit_s=0.5)

    async def talk(hub, changed):
        outcome = await hub.call("d", "fake.deaf", {})
        assert "did not answer within 0.5 seconds" in outcome.text
        while (outcome := await hub.call("d", "fake.echo", {"order": 7})).is_error:
            assert outcome.text.startswith(("The tool did not answer", "The tool server fake "))
        assert outcome.text == '{"order": 7}' and starts(tmp_path) >= 2

    with_hub([short], talk, probe_limit_s=0.5)


def test_a_server_that_never_starts_is_a_sentence_and_holds_up_nobody(tmp_path):
    missing = McpServer(name="gone", command="no-such-program-here", folder=tmp_path)

    async def talk(hub, changed):
        assert [spec.source for spec in hub.specs("d")] == ["orders", "orders"]
        outcome = await hub.call("d", "gone.anything", {})
        assert outcome.text.startswith("There is no tool gone.anything.")
        outcome = await hub.call("d", "orders.where_is_order", {"order": 7})
        assert outcome.text == "I know no order 7."

    with_hub([missing, orders()], talk)


def test_a_server_that_is_mute_gives_up_its_attempt(tmp_path):
    async def talk(hub, changed):
        assert hub.specs("d") == []

    with_hub([fake(tmp_path, mode="mute")], talk, connect_limit_s=0.2)


def test_a_stop_is_not_lost_when_the_server_dies_at_that_moment(tmp_path, monkeypatch):
    entered = asyncio.Event()

    @contextlib.asynccontextmanager
    async def dying(server, on_end, **limits):
        entered.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise OSError("died") from None  # as a task group does whose child fails
        yield

    async def run():
        monkeypatch.setattr(transport, "connect", dying)
        client = McpClient(fake(tmp_path), back_off_s=BACK_OFF_S)
        hub = Hub(picture=no_picture, servers=[client])
        async with asyncio.timeout(HANG_S):
            await hub.start()
            await entered.wait()
            await hub.stop()
            entered.clear()
            # Nor where nobody closes it first, as when the whole program ends.
            running = asyncio.create_task(McpClient(fake(tmp_path)).run(lambda: None))
            await entered.wait()
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running

    asyncio.run(run())


def test_calling_a_server_that_is_away_says_why(tmp_path):
    async def run():
        server = McpClient(fake(tmp_path))
        with pytest.raises(VoxcardError) as caught:
            async with asyncio.timeout(None) as limit:
                await server.call("echo", {}, Caller("d", limit, 1.0))
        assert str(caught.value) == (
            "The tool server fake is not there (still starting). Try again in a moment."
        )

    asyncio.run(run())


class Web:
    """The example server over HTTP on a free port; remembers the headers it saw."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}/mcp"
        self.seen = set()

    async def __call__(self, scope, receive, send):
        self.seen |= {value for key, value in scope.get("headers", ()) if key == b"x-key"}
        await self.app(scope, receive, send)

    @contextlib.asynccontextmanager
    async def running(self):
        self.app = orders_server.server.streamable_http_app()
        config = uvicorn.Config(
            self, log_level="warning", lifespan="on", timeout_graceful_shutdown=1
        )
        server = uvicorn.Server(config)
        server.install_signal_handlers = lambda: None
        serving = asyncio.create_task(server.serve(sockets=[self.socket.dup()]))
        try:
            yield
        finally:
            server.should_exit = True
            await serving


def test_a_server_over_http_gets_its_headers_and_answers():
    async def run():
        web = Web()
        config = McpServer(name="web", url=web.url, headers={"X-Key": "k-1"})

        async def talk(hub, changed):
            outcome = await hub.call("d", "web.where_is_order", {"order": 1043})
            assert outcome.text == "Order 1043, two chairs, is being packed, due Friday."
            assert outcome.result["_meta"]["assistant_platform"]["card"]["title"] == "Order 1043"
            assert web.seen == {b"k-1"}

        async with web.running():
            await with_running_hub([config], talk)
        web.socket.close()

    asyncio.run(run())


def test_a_server_over_http_that_was_away_is_found_again():
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    config = McpServer(name="web", url=f"http://127.0.0.1:{port}/mcp", limit_s=5.0)

    async def talk(hub, changed):
        assert hub.specs("d") == []
        for _ in range(2):
            program = await asyncio.create_subprocess_exec(
                sys.executable, str(ROOT / "examples" / "orders_server.py"), "--port", port
            )
            try:
                outcome = await until_answered(hub, changed, "web.where_is_order")
            finally:
                program.kill()
                await program.wait()
            assert outcome.text == "I know no order 7."
            outcome = await hub.call("d", "web.where_is_order", {"order": 7})
            assert outcome.is_error

    with_hub([config], talk, probe_limit_s=2.0)


def test_all_servers_share_one_tls_context():
    """Reading the authorities takes 50 ms: not at every attempt to reach a server that is away."""

    async def run():
        assert await transport.tls() is await transport.tls()

    asyncio.run(run())


INT = {"type": "integer"}
DEEP = INT
for _ in range(25):
    DEEP = {"anyOf": [DEEP]}
HOSTILE = [
    {"name": "null", "inputSchema": {"properties": {"a": {**INT, "minimum": None}}}},
    {"name": "enum", "inputSchema": {"properties": {"a": {"enum": None}}}},
    {"name": "id", "inputSchema": {"$id": 5}},
    {"name": "none"},
    {"name": "properties", "inputSchema": {"type": "object", "properties": {"a": 5}}},
    {"name": "required", "inputSchema": {"type": "object", "required": "a"}},
    {"name": "output", "inputSchema": {"type": "object"}, "outputSchema": {"type": "string"}},
    {"name": "extras", "description": 5, "title": [], "annotations": 5, "icons": "x"},
    {"name": "deep", "inputSchema": {"properties": {"a": DEEP}}},
    {
        "name": "huge",
        "inputSchema": {"properties": {"a": {"type": "integer", "maximum": 10**400}}},
    },
    {"name": "greedy", "inputSchema": {"properties": {"a": {"pattern": "^(a+)+$"}}}},
    {"name": "x\u001b[2J", "inputSchema": {}},
    {"name": "n" * 200, "inputSchema": {}},
    {"name": 5},
    {"inputSchema": {}},
    "no tool",
    None,
]


CALLABLE = [
    "null", "enum", "id", "none", "properties", "required", "output", "extras", "deep", "huge",
]  # fmt: skip


def test_hostile_tools_cost_neither_each_other_nor_the_good_one(tmp_path, caplog):
    meta = {"_meta": {"voxcard/sentences": {"en": ["do it"]}}}
    tools = [{**each, **meta} if isinstance(each, dict) else each for each in HOSTILE]
    (tmp_path / "tools.json").write_text(json.dumps(tools))

    async def talk(hub, changed):
        names = [spec.name.removeprefix("fake.") for spec in hub.specs("d")]
        assert names[10:] == [*CALLABLE, "greedy"]
        silent = {spec.name for spec in hub.specs("d") if not spec.sentences}
        assert {"fake.null", "fake.enum", "fake.deep"} <= silent
        for name in CALLABLE:
            outcome = await hub.call("d", f"fake.{name}", {"a": 1})
            assert (outcome.text, outcome.is_error) == ('{"a": 1}', False)
        outcome = await hub.call("d", "fake.greedy", {"a": "a" * 30 + "!"})
        assert outcome.text.startswith('a must be text that matches "^(a+)+$", not "aaa')
        assert (await hub.call("d", "fake.echo", {})).text == "{}"

    with_hub([fake(tmp_path, mode=str(tmp_path / "tools.json"))], talk)
    warnings = [line for line in caplog.messages if line.startswith("tool server fake: tool ")]
    unused = "; its sentences are not used"
    assert [line.removeprefix("tool server fake: tool ") for line in warnings] == [
        f"null: argument a: minimum is no number{unused}",
        f"enum: argument a: enum is no list of values{unused}",
        "none and 1 more: inputSchema is no object, or has more than 100000 characters (4000000 of"
        " all tools) or 64 levels, or half characters; its arguments are not checked",
        f"properties: argument a: it is no schema{unused}",
        f"required: required is no list of names{unused}",
        f"deep: argument a: its schema is too large, or nested too deep{unused}",
        "x and 5 more: left out: a name has 1 to 128 printable characters",
    ]


def test_twenty_thousand_tools_are_cut_and_a_mistyped_name_is_answered(tmp_path):
    tools = [
        {"name": str(at).rjust(120, "x"), "inputSchema": {"type": "object"}}
        for at in range(20_000)
    ]
    (tmp_path / "tools.json").write_text(json.dumps(tools))

    async def talk(hub, changed):
        assert len(hub.specs("d")) == 1000
        outcome = await hub.call("d", "fake.ecko", {})
        assert outcome.text == "There is no tool fake.ecko. Did you mean fake.echo?"

    with_hub([fake(tmp_path, mode=str(tmp_path / "tools.json"))], talk)
