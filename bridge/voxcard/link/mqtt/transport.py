"""Socket I/O of the client library on the asyncio loop.

paho is driven by its socket hooks: no thread per connection and no thread hop per frame (a hop
costs 70 % more CPU and halves the number of devices a core can serve).
"""

import asyncio
import socket
from collections.abc import Callable
from typing import Protocol

from voxcard.link.mqtt.buffered_socket import BufferedSocket


class Packets(Protocol):
    """The client library, as far as it reads and writes packets."""

    def loop_read(self) -> object:
        """Read one packet."""

    def loop_write(self) -> object:
        """Write every packet that waits."""

    def want_write(self) -> bool:
        """Whether packets wait."""


class Transport:
    """Reads when the socket is readable, writes once a turn of the loop.

    `on_writable()` is called whenever everything was written, `on_error(error)` when reading or
    writing raised: the library may have read or written half of a packet, so that only a new
    connection is sound. `blocked`: the socket took less than it was given.
    """

    def __init__(
        self,
        packets: Packets,
        *,
        on_writable: Callable[[], None],
        on_error: Callable[[Exception], None],
    ) -> None:
        self.blocked = False
        self._packets = packets
        self._on_writable = on_writable
        self._on_error = on_error
        self._socket: BufferedSocket | None = None
        self._flush_is_due = False

    def opened(self, _client: object, _data: object, opened: object) -> None:
        """paho's on_socket_open, in the thread that connects."""
        assert isinstance(opened, BufferedSocket)
        # Without it Nagle and delayed acknowledgements add spikes of 40 ms.
        opened.inner.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def attach(self, opened: BufferedSocket) -> None:
        """Serve `opened` from now on."""
        self.blocked = False
        self._socket = opened
        asyncio.get_running_loop().add_reader(opened.fileno(), self._readable)
        self.flush()

    def detach(self) -> None:
        """Leave the socket alone; safe to call twice."""
        if self._socket is None:
            return
        loop, number = asyncio.get_running_loop(), self._socket.fileno()
        self._socket = None
        loop.remove_reader(number)
        loop.remove_writer(number)

    def request_flush(self) -> None:
        """Flush in this turn of the loop, so that all of its packets leave together.

        While connecting, in a worker thread, nothing is attached yet; `attach` flushes.
        """
        if self._socket is not None and not self._flush_is_due:
            self._flush_is_due = True
            asyncio.get_running_loop().call_soon(self.flush)

    def flush(self) -> None:
        """Write what waits, as much as the socket takes."""
        try:
            self._write()
        except Exception as error:
            self._on_error(error)

    def _readable(self) -> None:
        try:
            self._packets.loop_read()
            while self._socket is not None and self._socket.has_read():
                self._packets.loop_read()
        except Exception as error:
            self._on_error(error)

    def _write(self) -> None:
        self._flush_is_due = False
        if self._socket is None:
            return
        self._packets.loop_write()
        if self._socket is None:
            return
        self._watch(not self._socket.flush() or self._packets.want_write(), self._socket)
        if not self.blocked:
            self._on_writable()

    def _watch(self, blocked: bool, opened: BufferedSocket) -> None:
        """Write again once the kernel takes more, if it did not take all."""
        loop = asyncio.get_running_loop()
        if blocked and not self.blocked:
            loop.add_writer(opened.fileno(), self.flush)
        elif self.blocked and not blocked:
            loop.remove_writer(opened.fileno())
        self.blocked = blocked
