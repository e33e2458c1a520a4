"""What MCP servers ask while they work on a call, and the layouts their results name."""

import asyncio
import socket
import sys
from pathlib import Path

import uvicorn
from mcp import Client
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from pydantic import BaseModel
from voxcard.config import McpServer
from voxcard.errors import VoxcardError
from voxcard.toolhub.hub import Hub
from voxcard.toolhub.mcp.client import McpClient
from voxcard.toolhub.mcp.questions import Caller, Questions

FAKES = Path(__file__).parents[3] / "fakes"
LIMIT_S = 0.5


async def no_picture(device_id, blob_id):
    raise VoxcardError("none")


def modern(tmp_path):
    args = (str(FAKES / "servers" / "asking_server.py"),)
    return McpServer(name="cafe", command=sys.executable, args=args, folder=tmp_path)


def legacy(tmp_path):
    args = (str(FAKES / "servers" / "mcp_server.py"), str(tmp_path / "starts"))
    return McpServer(name="old", command=sys.executable, args=args, folder=tmp_path)


class Person:
    """Answers questions with `answer`; while `hand` is not set, nothing."""

    def __init__(self, **answer):
        self.answer = answer
        self.asked = []
        self.came = asyncio.Event()
        self.withdrawn = asyncio.Event()
        self.hand = asyncio.Event()
        self.hand.set()

    async def __call__(self, device_id, server, params):
        self.asked.append((device_id, server, params["message"]))
        self.came.set()
        try:
            await self.hand.wait()
        except asyncio.CancelledError:
            self.withdrawn.set()
            raise
        return self.answer


def with_hub(server, person, talk, limit_s=20.0):
    async def run():
        client = McpClient(server, elicit=person)
        hub = Hub(picture=no_picture, servers=[client], limit_s=limit_s)
        await hub.start()
        try:
            async with asyncio.timeout(30):
                await hub.settled()
                await talk(hub)
        finally:
            await hub.stop()

    asyncio.run(run())


def test_a_question_goes_to_the_device_of_the_call_and_its_answer_back(tmp_path):
    person = Person(action="accept", content={"milk": "oat"})

    async def talk(hub):
        outcome = await hub.call("kitchen", "cafe.coffee", {})
        assert outcome.text == "accept {'milk': 'oat'}"
        assert person.asked == [("kitchen", "cafe", "Which milk?")]

    with_hub(modern(tmp_path), person, talk)


def test_a_no_is_told_to_the_server(tmp_path):
    async def talk(hub):
        assert (await hub.call("kitchen", "cafe.coffee", {})).text == "decline None"
        assert (await hub.call("kitchen", "cafe.pay", {})).text == "decline"

    with_hub(modern(tmp_path), Person(action="decline"), talk)


def test_a_server_of_an_older_revision_asks_too(tmp_path):
    person = Person(action="accept", content={"sure": True})

    async def talk(hub):
        outcome = await hub.call("hall", "old.ask", {})
        assert outcome.text == '{"action": "accept", "content": {"sure": true}}'
        assert person.asked == [("hall", "old", "Really?")]

    with_hub(legacy(tmp_path), person, talk)


def test_nobody_is_asked_when_a_question_may_be_of_either_of_two_devices(tmp_path):
    person = Person(action="accept", content={"sure": True})

    async def talk(hub):
        other = asyncio.create_task(hub.call("kitchen", "old.hang", {}))
        await asyncio.sleep(0)
        outcome = await hub.call("hall", "old.ask", {})
        assert outcome.text == '{"action": "decline"}'
        assert person.asked == []
        other.cancel()

    with_hub(legacy(tmp_path), person, talk)


def test_over_http_an_older_question_comes_in_the_context_of_its_call():
    """Two devices call at once, through one client that speaks as before 2026-07-28."""
    server, both = MCPServer("cafe"), asyncio.Barrier(2)

    class Sure(BaseModel):
        sure: bool

    @server.tool()
    async def order(what: str, ctx: Context) -> str:
        await both.wait()
        answer = await ctx.elicit(f"Order {what}?", Sure)
        return answer.action

    async def call(client, questions, device_id, what):
        async with asyncio.timeout(LIMIT_S * 20) as limit:
            with questions.during(Caller(device_id, limit, LIMIT_S * 20)):
                await client.call_tool("order", {"what": what})

    async def run():
        person = Person(action="decline")
        questions = Questions("cafe", person)
        served = socket.create_server(("127.0.0.1", 0))
        options = {"log_level": "warning", "lifespan": "on", "timeout_graceful_shutdown": 1}
        web = uvicorn.Server(uvicorn.Config(server.streamable_http_app(), **options))
        web.install_signal_handlers = lambda: None
        serving = asyncio.create_task(web.serve(sockets=[served]))
        url = f"http://127.0.0.1:{served.getsockname()[1]}/mcp"
        try:
            answer = questions.answer
            async with Client(url, mode="legacy", elicitation_callback=answer) as client:
                await asyncio.gather(
                    call(client, questions, "kitchen", "tea"),
                    call(client, questions, "hall", "milk"),
                )
        finally:
            web.should_exit = True
            await serving
            served.close()
        assert sorted(person.asked) == [
            ("hall", "cafe", "Order milk?"),
            ("kitchen", "cafe", "Order tea?"),
        ]

    asyncio.run(run())


def test_the_time_of_a_call_rests_while_a_person_thinks(tmp_path):
    person = Person(action="decline")
    person.hand.clear()

    async def talk(hub):
        call = asyncio.create_task(hub.call("kitchen", "cafe.coffee", {}))
        await person.came.wait()
        asyncio.get_running_loop().call_later(2 * LIMIT_S, person.hand.set)
        assert (await call).text == "decline None"

    with_hub(modern(tmp_path), person, talk, limit_s=LIMIT_S)


def test_a_question_goes_with_the_call_that_is_given_up(tmp_path):
    person = Person(action="decline")
    person.hand.clear()

    async def talk(hub):
        call = asyncio.create_task(hub.call("kitchen", "old.ask", {}))
        await person.came.wait()
        call.cancel()
        await person.withdrawn.wait()
        assert not (await hub.call("kitchen", "old.cancelled", {})).is_error

    with_hub(legacy(tmp_path), person, talk)


def test_a_server_that_asks_without_end_is_declined(tmp_path):
    person = Person(action="accept", content={"sure": False})

    async def talk(hub):
        assert (await hub.call("kitchen", "cafe.nag", {})).text == "declined at last"
        assert len(person.asked) == 5

    with_hub(modern(tmp_path), person, talk)


LAYOUT = "a2ui://cafe/tides"


def test_a_layout_is_read_once_from_the_server_of_the_tool_that_names_it(tmp_path):
    async def talk(hub):
        assert hub.tool_meta("cafe.tides") == {"ui": {"resourceUri": LAYOUT}}
        assert (await hub.call("kitchen", "cafe.tides", {})).text == "High water at 4."
        for _ in range(2):
            assert '"surfaceId": "tides"' in await hub.resource("cafe.tides", LAYOUT)
        assert (await hub.call("kitchen", "cafe.times_read", {})).text == "1"

    with_hub(modern(tmp_path), Person(), talk)


def test_layouts_that_changed_are_read_again(tmp_path):
    async def talk(hub):
        await hub.resource("cafe.tides", LAYOUT)
        await hub.call("kitchen", "cafe.change", {})
        while (await hub.call("kitchen", "cafe.times_read", {})).text != "2":
            await hub.resource("cafe.tides", LAYOUT)

    with_hub(modern(tmp_path), Person(), talk)


def test_a_layout_that_is_too_large_costs_no_answer(tmp_path):
    async def talk(hub):
        assert (await hub.call("kitchen", "cafe.huge_tides", {})).text == "High water at 4."
        uri = hub.tool_meta("cafe.huge_tides")["ui"]["resourceUri"]
        assert await hub.resource("cafe.huge_tides", uri) is None

    with_hub(modern(tmp_path), Person(), talk)


def test_a_layout_of_another_server_is_not_to_be_had(tmp_path):
    async def talk(hub):
        assert await hub.resource("old.echo", LAYOUT) is None
        assert await hub.resource("self.echo", LAYOUT) is None
        assert hub.tool_meta("self.echo") == {} == hub.tool_meta("cafe.no_such_tool")

    async def run():
        servers = [McpClient(modern(tmp_path)), McpClient(legacy(tmp_path))]
        hub = Hub(picture=no_picture, servers=servers)
        await hub.start()
        try:
            async with asyncio.timeout(30):
                await hub.settled()
                await talk(hub)
                assert (await hub.call("kitchen", "cafe.times_read", {})).text == "0"
        finally:
            await hub.stop()

    asyncio.run(run())
