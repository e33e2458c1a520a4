"""A connected socket on the loop, over a client library that only notes what is asked of it."""

import asyncio
import socket

import pytest
from voxcard.link.mqtt.buffered_socket import BufferedSocket
from voxcard.link.mqtt.transport import Transport

LIMIT_S = 60


class Library:
    """Reads what comes, writes what it was given; raises `error` if there is one."""

    def __init__(self):
        self.unsent = []
        self.error = None
        self.opened = None
        self.read = asyncio.Queue()
        self.writes = 0

    def loop_read(self):
        if self.error is not None:
            raise self.error
        self.read.put_nowait(self.opened.recv(1))

    def loop_write(self):
        self.writes += 1
        if self.error is not None:
            raise self.error
        while self.unsent:
            self.opened.send(self.unsent.pop(0))

    def want_write(self):
        return bool(self.unsent)


class Connection:
    """A transport over one end of a socket pair; a test has the other end, `peer`."""

    def __init__(self):
        inner, self.peer = socket.socketpair()
        inner.setblocking(False)
        self.peer.setblocking(False)
        self.library = Library()
        self.opened = self.library.opened = BufferedSocket(inner)
        # Unix sockets have no such option.
        self.opened.recv = lambda size: inner.recv(size)
        self.errors, self.writable = [], asyncio.Queue()
        self.failed_once = asyncio.Event()
        self.transport = Transport(
            self.library,
            on_writable=lambda: self.writable.put_nowait(True),
            on_error=self.failed,
        )

    def failed(self, error):
        self.errors.append(error)
        self.failed_once.set()
        self.transport.detach()

    async def __aenter__(self):
        self.transport.attach(self.opened)
        return self

    async def __aexit__(self, *_):
        self.transport.detach()
        self.opened.inner.close()
        self.peer.close()

    def fill(self):
        """Write until the kernel takes no more."""
        while not self.transport.blocked:
            self.library.unsent.append(bytes(60_000))
            self.transport.flush()

    async def drain(self):
        while not self.writable.qsize():
            await asyncio.get_running_loop().sock_recv(self.peer, 1 << 20)


def run(conversation):
    async def limited():
        async with asyncio.timeout(LIMIT_S), Connection() as connection:
            await conversation(connection)

    asyncio.run(limited())


def test_what_comes_is_read_piece_by_piece():
    async def conversation(connection):
        connection.peer.send(b"ab")
        assert [await connection.library.read.get() for _ in range(2)] == [b"a", b"b"]

    run(conversation)


def test_what_is_asked_for_in_one_turn_of_the_loop_is_written_at_once():
    async def conversation(connection):
        before = connection.library.writes
        for piece in (b"a", b"b"):
            connection.library.unsent.append(piece)
            connection.transport.request_flush()
        assert await asyncio.get_running_loop().sock_recv(connection.peer, 10) == b"ab"
        assert connection.library.writes == before + 1

    run(conversation)


def test_a_full_socket_is_blocked_until_the_kernel_takes_more():
    async def conversation(connection):
        connection.fill()
        while connection.writable.qsize():
            connection.writable.get_nowait()
        await connection.drain()
        assert not connection.transport.blocked

    run(conversation)


def test_a_new_connection_is_not_blocked_by_the_last_one():
    async def conversation(connection):
        connection.fill()
        connection.transport.detach()
        async with Connection() as other:
            connection.library.opened = other.opened
            connection.library.unsent.clear()
            connection.transport.attach(other.opened)
            assert not connection.transport.blocked
            connection.transport.detach()

    run(conversation)


@pytest.mark.parametrize("way", ["reading", "writing"])
def test_what_reading_or_writing_raises_is_reported_and_nothing_more_is_done(way):
    async def conversation(connection):
        connection.library.error = error = KeyError("odd")
        if way == "writing":
            connection.transport.flush()
        else:
            connection.peer.send(b"a")
            await connection.failed_once.wait()
        writes = connection.library.writes
        connection.transport.flush()
        connection.transport.request_flush()
        assert connection.errors == [error] and connection.library.writes == writes

    run(conversation)


def test_before_a_connection_and_after_it_nothing_is_written():
    async def conversation(connection):
        connection.transport.detach()
        connection.transport.detach()
        writes = connection.library.writes
        connection.transport.flush()
        assert connection.library.writes == writes

    run(conversation)
