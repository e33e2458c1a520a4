"""A non-blocking socket that is read and written in large pieces.

paho reads every packet in four calls and writes each by itself; with fifty packets a turn of the
loop the system calls cost more than the packets. Messages that are too large are cut on their way
in (packet_limit).
"""

import socket
import ssl

from voxcard.link.mqtt.packet_limit import PacketLimit

READ_BYTES = 65536
# Written ahead of what the kernel takes. Beyond it packets wait where they can be dropped.
WRITE_BYTES = 65536


# rumqttd leaves Nagle's algorithm on: with a delayed acknowledgement each frame waits there for
# the next one. Linux forgets this option with every read; other systems have none like it.
_QUICKACK: int | None = getattr(socket, "TCP_QUICKACK", None)


class BufferedSocket:
    """What paho needs of a socket. `send` takes a packet whole; `flush` gives them to the kernel.

    `recv` and `send` raise BlockingIOError as a non-blocking socket does; a lost connection is an
    OSError of `recv`.
    """

    def __init__(self, inner: socket.socket) -> None:
        self.inner = inner
        self._limit = PacketLimit()
        self._read = b""
        self._at = 0
        self._unsent = bytearray()

    def recv(self, size: int) -> bytes:
        """At most `size` bytes; empty at the end of the stream."""
        while self._at == len(self._read):
            received = self.inner.recv(READ_BYTES)
            if not received:
                return b""
            self._read, self._at = self._limit.take(received), 0
            if _QUICKACK is not None:
                self.inner.setsockopt(socket.IPPROTO_TCP, _QUICKACK, 1)
        piece = self._read[self._at : self._at + size]
        self._at += len(piece)
        return piece

    def has_read(self) -> bool:
        """Whether `recv` has something without the kernel (which then does not call)."""
        if self._at < len(self._read):
            return True
        return isinstance(self.inner, ssl.SSLSocket) and self.inner.pending() > 0

    def send(self, data: bytes | bytearray) -> int:
        """Take `data` for the next `flush`."""
        if len(self._unsent) >= WRITE_BYTES:
            raise BlockingIOError
        self._unsent += data
        return len(data)

    def flush(self) -> bool:
        """Write; False while something is left that the kernel does not take now."""
        try:
            while self._unsent:
                del self._unsent[: self.inner.send(self._unsent)]
        except (BlockingIOError, ssl.SSLWantWriteError, ssl.SSLWantReadError):
            return False
        except OSError:
            self._unsent.clear()  # the connection is lost: `recv` says so
        return True

    def setblocking(self, flag: bool) -> None:
        self.inner.setblocking(flag)

    def fileno(self) -> int:
        return self.inner.fileno()

    def close(self) -> None:
        """Close it, after what the kernel still takes (paho closes behind its last packet)."""
        self.flush()
        self.inner.close()
