"""Every assistant's WebSocket: its key is in no log, and its end does not need the server."""

import asyncio
import json
import logging
from contextlib import asynccontextmanager

import pytest
from voxcard.assistants import websocket
from voxcard.assistants.home_assistant import link as home_assistant
from voxcard.assistants.home_assistant.problems import HomeSubject
from voxcard.assistants.pipeline.server_problem import Subject
from voxcard.assistants.realtime.wire.connection import Connection as Realtime
from voxcard.assistants.xiaozhi import server_problem as xiaozhi
from voxcard.assistants.xiaozhi.bootstrap.identity import Identity
from voxcard.assistants.xiaozhi.bootstrap.ota import Place
from voxcard.assistants.xiaozhi.wire.connection import open_connection
from voxcard.config import Secret, Server
from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed, InvalidStatus

KEY = "key-that-nobody-sees"
KINDS = ["home_assistant", "realtime", "xiaozhi"]
HELLO = {"type": "hello", "transport": "websocket", "session_id": "s"}
GREETINGS = {
    "home_assistant": [{"type": "auth_required"}, {"type": "auth_ok", "ha_version": "2026.11.0"}],
    "realtime": [{"type": "session.created", "event_id": "e", "session": {"type": "realtime"}}],
    "xiaozhi": [HELLO],
}

UNKNOWN = json.dumps({"type": "unknown", "text": "x" * 200_000})


def run(conversation):
    async def limited():
        async with asyncio.timeout(30):
            return await conversation()

    return asyncio.run(limited())


class Flood:
    """Greets, then sends and never reads again; `over` once its connection is gone."""

    def __init__(self, kind):
        self.kind = kind
        self.begun, self.over = asyncio.Event(), asyncio.Event()
        self.asked = ""  # all that came with the request

    async def serve(self, socket):
        self.asked = socket.request.path + str(socket.request.headers)
        try:
            for greeting in GREETINGS[self.kind]:
                await socket.send(json.dumps(greeting))
                if greeting["type"] in ("auth_required", "hello"):
                    self.asked += await socket.recv()
            socket.transport.pause_reading()
            self.begun.set()
            while True:
                await socket.send(UNKNOWN)
                await asyncio.sleep(0)
        except (ConnectionClosed, ConnectionError):
            self.over.set()


@asynccontextmanager
async def serving(handler, **more):
    quiet = logging.getLogger("stand-in")  # what is looked at is the client's log
    quiet.setLevel(logging.CRITICAL)
    async with serve(handler, "127.0.0.1", 0, logger=quiet, compression=None, **more) as server:
        yield server.sockets[0].getsockname()[1]


@asynccontextmanager
async def connected(kind, port):
    """A connection of `kind`, closed as its owner closes it."""
    server = Server(url=f"ws://127.0.0.1:{port}", model="m", key=Secret(value=KEY))
    if kind == "realtime":
        connection = await Realtime.open(server, Subject("It", "url", server), 5, None)
        yield
        await connection.close()
    elif kind == "xiaozhi":
        device = Identity(device="02:00:00:00:00:01", client="c")
        place = Place(url=f"{server.url}/?token={KEY}", token=server.key)
        subject = xiaozhi.Subject("mine", server)
        connection = await open_connection(place, device, subject, 1, None)
        yield
        await connection.close()
    else:
        subject = HomeSubject("mine", server)
        link = home_assistant.Link(subject, f"http://127.0.0.1:{port}", server.key)
        await link.start()
        await link.connection()
        yield
        await link.stop()


@pytest.mark.parametrize("kind", KINDS)
def test_a_server_that_only_sends_does_not_keep_a_connection(kind):
    async def conversation():
        flood = Flood(kind)
        async with serving(flood.serve) as port:
            async with connected(kind, port):
                await flood.begun.wait()
            async with asyncio.timeout(5):
                await flood.over.wait()

    run(conversation)


@pytest.mark.parametrize("kind", KINDS)
def test_what_proves_who_asks_is_in_no_log(kind, caplog):
    caplog.set_level(logging.DEBUG)
    flood = Flood(kind)

    async def conversation():
        async with serving(flood.serve) as port, connected(kind, port):
            await flood.begun.wait()

    run(conversation)
    assert KEY in flood.asked
    assert KEY not in caplog.text


def test_no_redirect_is_told_the_key():
    async def conversation():
        asked = []

        def elsewhere(connection, request):
            asked.append(request.path)
            response = connection.respond(302, "")
            response.headers["Location"] = "/other"
            return response

        async with serving(lambda socket: None, process_request=elsewhere) as port:
            with pytest.raises(InvalidStatus):
                await websocket.opened(
                    f"ws://127.0.0.1:{port}/", open_s=5, close_s=1, message_max=1000
                )
        assert asked == ["/"]

    run(conversation)


def test_a_socket_is_closed_twice_and_at_a_cancelled_close():
    async def conversation():
        flood = Flood("xiaozhi")
        async with serving(flood.serve) as port:
            url = f"ws://127.0.0.1:{port}/"
            socket = await websocket.opened(url, open_s=5, close_s=60, message_max=1 << 20)
            await socket.send("hello")
            await flood.begun.wait()
            closing = asyncio.create_task(websocket.close(socket, 60))
            await asyncio.wait([closing], timeout=0.05)
            assert not closing.done()
            closing.cancel()
            await asyncio.gather(closing, return_exceptions=True)
            async with asyncio.timeout(5):
                await flood.over.wait()
            await websocket.close(socket, 1)

    run(conversation)
