"""Improv over a serial line, version 1: its packets as bytes and as values; pure.

A packet: "IMPROV", version, type, length, data, sum of all bytes before (improv-wifi.com/serial).
"""

from voxwire.errors import WireError

HEADER = b"IMPROV\x01"
# Types; BROKEN stands for a packet whose sum is wrong.
BROKEN, STATE, ERROR, COMMAND, RESULT = 0, 1, 2, 3, 4
# Data of a STATE, of an ERROR, and first byte of a COMMAND and of its RESULT.
READY, JOINING, JOINED = b"\x02", b"\x03", b"\x04"
NO_ERROR, INVALID, UNKNOWN, UNABLE = b"\x00", b"\x01", b"\x02", b"\x03"
SET_WIFI, ASK_STATE, ASK_DEVICE, ASK_NETWORKS = 1, 2, 3, 4

DATA_MAX = 255


class Reader:
    """Finds packets among the bytes of a line; at most one packet is held."""

    def __init__(self) -> None:
        self._packet = bytearray()

    @property
    def inside(self) -> bool:
        """Whether more of a packet is to come."""
        return len(self._packet) >= len(HEADER)

    def drop(self) -> None:
        """Forget the packet that has begun: the rest of it does not come."""
        self._packet = bytearray()

    def take(self, byte: int) -> "tuple[int, bytes] | int | None":
        """(type, data) with the last byte of a packet, None inside one, else `byte` itself."""
        packet = self._packet
        at = len(packet)
        if at < len(HEADER):
            return self._begin(byte, at)
        packet.append(byte)
        if at < len(HEADER) + 1 or at < len(HEADER) + 2 + packet[len(HEADER) + 1]:
            return None
        self.drop()
        if sum(packet[:-1]) & 255 != byte:
            return BROKEN, b""
        return packet[len(HEADER)], bytes(packet[len(HEADER) + 2 : -1])

    def _begin(self, byte: int, at: int) -> "int | None":
        if byte == HEADER[at]:
            self._packet.append(byte)
            return None
        self._packet = bytearray(HEADER[:1] if byte == HEADER[0] else b"")
        return byte


def packet(kind: int, data: bytes) -> bytes:
    """One packet; `data` of at most DATA_MAX bytes."""
    body = HEADER + bytes((kind, len(data))) + data
    return body + bytes((sum(body) & 255,))


def result(command: int, texts: "tuple[str, ...]") -> bytes:
    """The packet that answers a command; a text for which there is no room is cut."""
    data = b""
    for index, text in enumerate(texts):
        room = DATA_MAX - 2 - len(data) - (len(texts) - index)
        part = _cut(text.encode(), room)
        data += bytes((len(part),)) + part
    return packet(RESULT, bytes((command, len(data))) + data)


def _cut(text: bytes, size: int) -> bytes:
    size = max(0, size)
    if len(text) <= size:
        return text
    while size and text[size] & 0xC0 == 0x80:  # not between the bytes of one character
        size -= 1
    return text[:size]


def command(data: bytes) -> "tuple[int, bytes]":
    """(command, its arguments) of a COMMAND's data; WireError when its length is another."""
    if len(data) < 2 or data[1] != len(data) - 2:
        raise WireError("improv", "has a command of another length than it says")
    return data[0], data[2:]


def wifi_settings(arguments: bytes) -> "tuple[str, str]":
    """(name, password) that SET_WIFI carries; WireError when they cannot be read."""
    ssid, rest = _text(arguments)
    password, rest = _text(rest)
    if rest:
        raise WireError("improv", "has bytes behind the password")
    return ssid, password


def _text(data: bytes) -> "tuple[str, bytes]":
    if not data or len(data) < 1 + data[0]:
        raise WireError("improv", "has a text that is cut")
    try:
        return str(data[1 : 1 + data[0]], "utf-8"), data[1 + data[0] :]
    except UnicodeError:
        raise WireError("improv", "has a text that is not UTF-8")
