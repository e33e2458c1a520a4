"""Limits the size of a message while it arrives; an oversized one is never held whole.

MQTT 3.1.1 has no way to tell a broker what a client takes, and the client library reads a packet
whole before anybody sees it. So a PUBLISH over the limit is cut here to one byte more than the
limit allows: it is acknowledged like any other, and whoever gets it sees that it is too large.
"""

MESSAGE_MAX = 65_536  # bytes of payload; the largest that devices send is a control message, 8 KB
_TOPIC_MAX = 1024  # bytes of a topic, its length, a packet id and properties
PACKET_MAX = MESSAGE_MAX + _TOPIC_MAX
_PUBLISH = 3


class PacketLimit:
    """A filter for the bytes of one connection: `take(received)` gives what may pass."""

    def __init__(self) -> None:
        self._head = b""  # a fixed header that is not whole yet
        self._pass = 0  # bytes of the packet now that still pass
        self._skip = 0  # and that are then dropped

    def take(self, received: bytes) -> bytes:
        """The bytes that may pass, of `received` and of what was kept back before."""
        if self._pass >= len(received):  # the middle of a packet
            self._pass -= len(received)
            return received
        data, self._head = self._head + received, b""
        passed: list[bytes] = []
        at = 0
        while at < len(data):
            if not self._pass and not self._skip:
                header = _header(data, at)
                if header is None:
                    self._head = data[at:]
                    break
                body_at, size = header
                if data[at] >> 4 == _PUBLISH and size > PACKET_MAX:
                    passed.append(data[at : at + 1] + _length(PACKET_MAX))
                    self._pass, self._skip = PACKET_MAX, size - PACKET_MAX
                    at = body_at
                else:
                    self._pass = body_at - at + size
            piece = data[at : at + self._pass]
            self._pass -= len(piece)
            passed.append(piece)
            at += len(piece)
            if not self._pass:
                dropped = min(self._skip, len(data) - at)
                self._skip -= dropped
                at += dropped
        return b"".join(passed)


def _header(data: bytes, at: int) -> tuple[int, int] | None:
    """Where the body of the packet at `at` begins, and its size; None while that is unknown."""
    size = 0
    for index in range(4):
        if at + 1 + index >= len(data):
            return None
        byte = data[at + 1 + index]
        size |= (byte & 0x7F) << (7 * index)
        if not byte & 0x80:
            break
    return at + 2 + index, size


def _length(size: int) -> bytes:
    """MQTT's variable byte integer."""
    out = bytearray()
    while True:
        size, byte = size >> 7, size & 0x7F
        out.append(byte | 0x80 if size else byte)
        if not size:
            return bytes(out)
