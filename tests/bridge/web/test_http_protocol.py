"""Connections that ask for nothing shut nobody out."""

import asyncio
import contextlib

import pytest
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from voxcard.web import http_protocol
from voxcard.web.http_protocol import CONNECTIONS_MAX
from voxcard.web.server import WebServer

LIMIT_S = 30
GET = b"GET /page HTTP/1.1\r\nHost: a\r\n\r\n"


class Site:
    """A web server with one page; `held` are requests for /slow that wait for `release`."""

    def __init__(self):
        self.release = asyncio.Event()
        self.held = asyncio.Semaphore(0)
        routes = [Route("/page", self.page), Route("/slow", self.slow)]
        self.server = WebServer(routes, "127.0.0.1", 0)
        self.writers = []

    async def page(self, request):
        return PlainTextResponse("here")

    async def slow(self, request):
        self.held.release()
        await self.release.wait()
        return PlainTextResponse("late")

    async def connect(self, sent=b""):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port)
        self.writers.append(writer)
        writer.write(sent)
        return reader, writer

    async def get(self):
        """The status line of the page over a new connection; empty when it is shut out."""
        reader, _ = await self.connect(GET)
        with contextlib.suppress(ConnectionError):
            return await reader.readline()
        return b""

    async def __aenter__(self):
        await self.server.start()
        return self

    async def __aexit__(self, *_):
        self.release.set()
        for writer in self.writers:
            writer.close()
        await self.server.stop()


def run(conversation):
    async def limited():
        async with asyncio.timeout(LIMIT_S):
            await conversation()

    asyncio.run(limited())


async def ended(reader):
    """Whether the server closed the connection; waits until it does."""
    with contextlib.suppress(ConnectionError):
        return await reader.read() == b""
    return True


def test_more_silent_connections_than_there_are_places_shut_nobody_out():
    async def conversation():
        async with Site() as site:
            for _ in range(3 * CONNECTIONS_MAX):
                await site.connect()
            assert await site.get() == b"HTTP/1.1 200 OK\r\n"

    run(conversation)


@pytest.mark.parametrize(
    "beginning",
    [b"", b"G", b"GET /page HTTP/1.1\r\nHost: a\r\n"],
    ids=["silent", "a letter", "half a head"],
)
def test_a_connection_without_a_whole_request_is_closed_in_time(monkeypatch, beginning):
    monkeypatch.setattr(http_protocol, "REQUEST_S", 0.05)

    async def conversation():
        async with Site() as site:
            reader, _ = await site.connect(beginning)
            assert await ended(reader)

    run(conversation)


def test_a_request_that_comes_letter_by_letter_is_closed_in_time_too(monkeypatch):
    monkeypatch.setattr(http_protocol, "REQUEST_S", 0.05)

    async def conversation():
        async with Site() as site:
            reader, writer = await site.connect(b"GET /page HTTP/1.1\r\n")
            closed = asyncio.create_task(ended(reader))
            while not closed.done():
                writer.write(b"X: y\r\n")
                await asyncio.sleep(0.005)
            assert closed.result()

    run(conversation)


def test_after_an_answer_the_next_request_has_as_long(monkeypatch):
    monkeypatch.setattr(http_protocol, "REQUEST_S", 1.0)

    async def conversation():
        async with Site() as site:
            reader, _ = await site.connect(GET)
            answer = await reader.read()  # until it is closed
            assert answer.startswith(b"HTTP/1.1 200 OK") and answer.endswith(b"here")

    run(conversation)


def test_a_body_that_never_ends_does_not_hold_the_connection(monkeypatch):
    monkeypatch.setattr(http_protocol, "REQUEST_S", 1.0)

    async def conversation():
        async with Site() as site:
            head = b"POST /page HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n"
            reader, _ = await site.connect(head)
            assert (await reader.read()).startswith(b"HTTP/1.1 405")

    run(conversation)


def test_requests_that_are_being_answered_keep_their_places():
    async def conversation():
        async with Site() as site:
            slow = b"GET /slow HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            readers = [(await site.connect(slow))[0] for _ in range(CONNECTIONS_MAX)]
            for _ in readers:
                await site.held.acquire()
            assert await site.get() == b""
            site.release.set()
            answers = [await reader.read() for reader in readers]
            assert all(answer.endswith(b"late") for answer in answers)
            assert await site.get() == b"HTTP/1.1 200 OK\r\n"

    run(conversation)


def test_a_head_that_never_ends_is_refused():
    async def conversation():
        async with Site() as site:
            reader, writer = await site.connect(b"GET /page HTTP/1.1\r\n")
            writer.write(b"X-Long: " + b"x" * 100_000)
            assert (await reader.readline()) == b"HTTP/1.1 400 Bad Request\r\n"

    run(conversation)
