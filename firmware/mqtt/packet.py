"""Packets of MQTT 3.1.1 as a client needs them: written into buffers, parsed in place.

Sections in brackets are those of the OASIS standard mqtt-v3.1.1. No I/O and no clock: the shell
reads into `Reader.room()`, says `filled(n)`, and takes packets while `next()` is true.
"""

import struct
from collections import namedtuple

from voxwire.errors import WireError

CONNACK, PUBLISH, PUBACK, SUBACK, PINGRESP = 2, 3, 4, 9, 13
RETAIN, QOS1, DUP = 0x01, 0x02, 0x08
PINGREQ = b"\xc0\x00"
DISCONNECT = b"\xe0\x00"
PUBACK_BYTES = 4
SUBSCRIPTION_REFUSED = 0x80
# A SUBACK has one byte for each of our few subscriptions; anything longer is not MQTT.
SUBACK_BYTES_MAX = 66

Will = namedtuple("Will", ("topic", "payload", "qos", "retain"))

# First byte of what a broker may send us, with the only legal remaining length (None: checked
# apart).
_LENGTHS = {0x20: 2, 0x40: 2, 0x90: None, 0xD0: 0}

_REFUSED = {
    1: "The broker does not speak MQTT 3.1.1: use another broker, or another listener of it.",
    2: "The broker refused the client id %(client)r: give the device another id.",
    3: "The broker says it is not available now: look at its log.",
    4: "The broker refused user %(user)r: check the user name and the password.",
    5: "The broker refused user %(user)r: check the password and the broker's access list.",
}


class RefusedError(Exception):
    """The broker answered CONNECT with a refusal; the argument is its code [3.2.2.3]."""


def refusal(code: int, client_id: str, user: "str | None") -> str:
    """The sentence for a CONNACK return code other than 0 [3.2.2.3]."""
    sentence = _REFUSED.get(code)
    if sentence is None:
        return "The broker refused the connection with the unknown code %d." % code
    return sentence % {"client": client_id, "user": user or "(none)"}


def put_length(buffer, at: int, value: int) -> int:
    """Write a remaining length [2.2.3] at `at`; where the next byte goes."""
    while True:
        byte = value & 0x7F
        value >>= 7
        buffer[at] = byte | 0x80 if value else byte
        at += 1
        if not value:
            return at


def put_publish(buffer, topic: bytes, length: int, flags: int, packet_id: int) -> int:
    """Write a PUBLISH up to its payload of `length` bytes; where the payload goes [3.3].

    `flags` are RETAIN, QOS1 and DUP; `packet_id` is written with QOS1 only. Allocates no buffer.
    """
    name = len(topic)
    buffer[0] = PUBLISH << 4 | flags
    at = put_length(buffer, 1, 2 + name + length + (2 if flags & QOS1 else 0))
    buffer[at] = name >> 8
    buffer[at + 1] = name & 0xFF
    at += 2
    buffer[at : at + name] = topic
    at += name
    if flags & QOS1:
        buffer[at] = packet_id >> 8
        buffer[at + 1] = packet_id & 0xFF
        at += 2
    return at


def put_puback(buffer, at: int, packet_id: int) -> int:
    """Write a PUBACK at `at`; where the next byte goes [3.4]."""
    buffer[at] = PUBACK << 4
    buffer[at + 1] = 2
    buffer[at + 2] = packet_id >> 8
    buffer[at + 3] = packet_id & 0xFF
    return at + PUBACK_BYTES


def _string(value) -> bytes:
    data = value if isinstance(value, bytes) else value.encode()
    return struct.pack(">H", len(data)) + data


def _packet(first: int, body: bytes) -> bytes:
    header = bytearray(5)
    header[0] = first
    return bytes(header[: put_length(header, 1, len(body))]) + body


def connect(client_id: str, keepalive_s: int, will=None, user=None, password=None) -> bytes:
    """A CONNECT with a clean session [3.1]; `will` is a Will, user and password are text."""
    flags = 0x02
    payload = _string(client_id)
    if will is not None:
        flags |= 0x04 | will.qos << 3 | (0x20 if will.retain else 0)
        payload += _string(will.topic) + _string(will.payload)
    if user is not None:
        flags |= 0x80
        payload += _string(user)
        if password is not None:
            flags |= 0x40
            payload += _string(password)
    return _packet(0x10, struct.pack(">H4sBBH", 4, b"MQTT", 4, flags, keepalive_s) + payload)


def subscribe(packet_id: int, topics) -> bytes:
    """A SUBSCRIBE for ((topic, qos), ...) [3.8]."""
    body = struct.pack(">H", packet_id)
    for topic, qos in topics:
        body += _string(topic) + bytes((qos,))
    return _packet(0x82, body)


class Reader:
    """Finds packets in one buffer that the shell fills.

    After `next()` is true: `kind`; for PUBLISH `qos`, `retained`, `packet_id`, `topic()`,
    `payload()`, `oversized` (bytes of a packet that does not fit the buffer and is skipped: its
    payload is cut off); for PUBACK and SUBACK `packet_id`; `body()` for the others. The views are
    valid until `room()` is called. The buffer of `size` bytes grows for a packet of up to `limit`
    bytes, where the heap has room for it, and is small again after.
    """

    def __init__(self, size: int, limit: int = 0) -> None:
        self._size, self._limit = size, limit
        self._low = self._high = 0
        self._resize(size)
        self.kind = self.qos = self.packet_id = self.oversized = 0
        self.retained = False
        self._topic = self._begin = self._topic_end = self._end = self._length = 0
        self.reset()

    def reset(self) -> None:
        """Forget what was read: a new connection."""
        self._low = self._high = self._skip = 0

    def room(self):
        """Where the next bytes of the stream go, at least one byte."""
        low, high = self._low, self._high
        if low:
            if high > low:
                self.buffer[0 : high - low] = self.view[low:high]
            elif len(self.buffer) > self._size:
                self._resize(self._size)
            self._high = high = high - low
            self._low = 0
        return self.view[high:] if high else self.view

    def _resize(self, size: int) -> None:
        """Another buffer, with what is held at its start; MemoryError changes nothing."""
        buffer = bytearray(size)
        held = 0
        if self._high > self._low:
            held = self._high - self._low
            buffer[:held] = self.view[self._low : self._high]
        self.buffer = buffer
        self.view: "memoryview" = memoryview(buffer)
        self._low, self._high = 0, held

    def _grown(self, size: int) -> bool:
        if size > self._limit:
            return False
        try:
            self._resize(size)
        except MemoryError:
            return False
        return True

    def filled(self, count: int) -> None:
        """`count` bytes were read into the last `room()`."""
        if self._skip:
            self._low = min(self._skip, count)
            self._skip -= self._low
        self._high += count

    def next(self) -> bool:
        """Whether a whole packet is there; WireError when the stream is not MQTT."""
        start, high = self._low, self._high
        at = 0 if self._skip or high - start < 2 else self._read_length(start + 1)
        if not at:
            return False
        first = self.buffer[start]
        self.kind = first >> 4
        self.oversized = 0
        if self.kind != PUBLISH:
            self._check(first, self._length)
        end = at + self._length
        if end - start > len(self.buffer):
            # Grown, it waits for the rest.
            return not self._grown(end - start) and self._pass_over(first, start, at, end)
        if end > high:
            return False
        self._take(first, at, end)
        self._low = end
        return True

    def _read_length(self, at: int) -> int:
        """Read the remaining length at `at`; where the byte after it is, 0 if it is cut off."""
        length = shift = 0
        while at < self._high:
            byte = self.buffer[at]
            at += 1
            length |= (byte & 0x7F) << shift
            if byte < 0x80:
                self._length = length
                return at
            shift += 7
            if shift > 21:
                raise WireError("mqtt", "has a length of more than 4 bytes")
        return 0

    def topic(self):
        """The topic of a PUBLISH."""
        return self.view[self._topic : self._topic_end]

    def payload(self):
        """The payload of a PUBLISH."""
        return self.view[self._begin : self._end]

    def body(self):
        """Everything after the fixed header."""
        return self.view[self._topic : self._end]

    def _check(self, first: int, length: int) -> None:
        if first not in _LENGTHS:
            raise WireError("mqtt", "has a packet no broker sends (0x%02x)" % first)
        legal = _LENGTHS[first]
        if legal is None:
            if not 3 <= length <= SUBACK_BYTES_MAX:
                raise WireError("mqtt.suback", "is %d bytes" % length)
        elif legal != length:
            raise WireError("mqtt", "has a packet 0x%02x of %d bytes" % (first, length))

    def _take(self, first: int, at: int, end: int) -> None:
        self._topic, self._end = at, end
        if self.kind == PUBLISH:
            self._take_publish(first, at, end)
        elif self.kind in (PUBACK, SUBACK):
            self.packet_id = self._number(at)

    def _number(self, at: int) -> int:
        return self.buffer[at] << 8 | self.buffer[at + 1]

    def _take_publish(self, first: int, at: int, end: int) -> None:
        self.qos = qos = first >> 1 & 3
        self.retained = bool(first & RETAIN)
        if qos > 1:
            raise WireError("mqtt.publish", "has QoS %d, 1 was asked for" % qos)
        fixed = 4 if qos else 2
        if end - at < fixed:
            raise WireError("mqtt.publish", "is cut off")
        name = self._number(at)
        if not 0 < name <= end - at - fixed:
            raise WireError("mqtt.publish.topic", "has length %d" % name)
        self._topic = at + 2
        self._topic_end = at = at + 2 + name
        self.packet_id = 0
        if qos:
            self.packet_id = self._number(at)
            at += 2
            if not self.packet_id:
                raise WireError("mqtt.publish", "has packet id 0")
        self._begin = at

    def _pass_over(self, first: int, start: int, at: int, end: int) -> bool:
        # The beginning has the topic and the packet id: without an acknowledgement the broker
        # would send the packet again and again.
        high = self._high
        if high - at < 2:
            return False
        needed = at + 4 + self._number(at)
        if needed - start > len(self.buffer):
            raise WireError("mqtt.publish.topic", "does not fit the buffer")
        if high < needed:
            return False
        self._take(first, at, end)
        self.oversized = end - start
        self._begin = self._end = high
        self._skip = end - high
        self._low = high
        return True
