"""Finds the home's broker among the answers of mDNS (RFC 6762, RFC 6763); pure.

A name is a tuple of labels as bytes, for a label may hold a dot. The bridge's announcement is
described in docs/protocol.md.
"""

import struct
from collections import namedtuple

from voxwire import PROTOCOL
from voxwire.errors import WireError

SERVICE = (b"_voxcard", b"_tcp", b"local")
PACKET_MAX = 1500
RECORDS_MAX = 48  # of one packet
BRIDGES_MAX = 8
_NAME_MAX = 255
_A, _PTR, _TXT, _SRV = 1, 12, 16, 33
_HEADER = 12

# value: of A the address as text, of PTR a name, of SRV (port, name), of TXT {key: text}.
Record = namedtuple("Record", ("name", "kind", "value"))
# A broker: `address` as text, `host` the name its certificate is for, "" where there is none;
# `id` of the bridge, `root` of its topics, `label` for people.
Bridge = namedtuple(
    "Bridge", ("label", "id", "address", "port", "host", "root", "tls", "protocol")
)


def query(questions: "list[tuple[tuple[bytes, ...], int]]") -> bytes:
    """A packet that asks for (name, type) of each."""
    data = struct.pack(">HHHHHH", 0, 0, len(questions), 0, 0, 0)
    for name, kind in questions:
        for label in name:
            data += bytes((len(label),)) + label
        data += struct.pack(">BHH", 0, kind, 1)
    return data


def records(packet: bytes) -> "list[Record]":
    """The records of an answer that are of use; WireError where it is none, or is broken."""
    if not _HEADER <= len(packet) <= PACKET_MAX:
        raise WireError("mdns", "has no possible length")
    _, flags, questions, *counts = struct.unpack_from(">HHHHHH", packet, 0)
    if not flags & 0x8000:
        raise WireError("mdns", "is no answer")
    at = _HEADER
    for _ in range(min(questions, RECORDS_MAX)):
        _, at = _name(packet, at)
        at += 4
    found = []
    for _ in range(min(sum(counts), RECORDS_MAX)):
        record, at = _record(packet, at)
        if record is not None:
            found.append(record)
    return found


def _record(packet: bytes, at: int) -> "tuple[Record | None, int]":
    name, at = _name(packet, at)
    if at + 10 > len(packet):
        raise WireError("mdns", "is cut")
    kind, _, _, size = struct.unpack_from(">HHIH", packet, at)
    at += 10
    end = at + size
    if end > len(packet):
        raise WireError("mdns", "is cut")
    value = _value(packet, kind, at, end)
    return (None if value is None else Record(name, kind, value)), end


def _value(packet: bytes, kind: int, at: int, end: int) -> "object":
    if kind == _A and end - at == 4:
        return "%d.%d.%d.%d" % tuple(packet[at:end])
    if kind == _PTR:
        return _name(packet, at)[0]
    if kind == _SRV and end - at > 6:
        return struct.unpack_from(">H", packet, at + 4)[0], _name(packet, at + 6)[0]
    if kind == _TXT:
        return _texts(packet[at:end])
    return None


def _texts(data: bytes) -> "dict[str, str]":
    """{key: value} of a TXT; what cannot be read is left out, the first of a key counts."""
    values: "dict[str, str]" = {}
    at = 0
    while at < len(data):
        part = data[at + 1 : at + 1 + data[at]]
        at += 1 + data[at]
        key, _, value = part.partition(b"=")
        try:
            values.setdefault(str(key, "ascii").lower(), str(value, "utf-8"))
        except UnicodeError:
            continue
    return values


def _name(packet: bytes, at: int) -> "tuple[tuple[bytes, ...], int]":
    """(name, where what follows it begins). Each pointer leads further back, so it ends."""
    labels: "list[bytes]" = []
    after = 0
    bound = len(packet)
    size = 0
    while True:
        if at >= bound:
            raise WireError("mdns", "has a name that does not end")
        length = packet[at]
        if length & 0xC0 == 0xC0:
            if at + 2 > len(packet):
                raise WireError("mdns", "is cut")
            after = after or at + 2
            # What it leads to lies before it, and ends before it.
            bound, at = at, (length & 0x3F) << 8 | packet[at + 1]
            continue
        if not length:
            return tuple(labels), after or at + 1
        size += 1 + length
        if length > 63 or size > _NAME_MAX:
            raise WireError("mdns", "has a name that is too long")
        labels.append(bytes(packet[at + 1 : at + 1 + length]))
        at += 1 + length


def _same(name: "tuple[bytes, ...]") -> "tuple[bytes, ...]":
    """The name as it is compared."""
    return tuple([label.lower() for label in name])


class Answers:
    """What is known so far; `add` takes packets of anybody, in any order."""

    def __init__(self) -> None:
        self._services: "list[tuple[bytes, ...]]" = []
        self._servers: "dict[tuple[bytes, ...], tuple[int, tuple[bytes, ...]]]" = {}
        self._facts: "dict[tuple[bytes, ...], dict[str, str]]" = {}
        self._addresses: "dict[tuple[bytes, ...], str]" = {}

    def add(self, packet: bytes) -> None:
        """Take a packet; one that is broken or of something else changes nothing."""
        try:
            found = records(packet)
        except WireError:
            return
        tables = {_SRV: self._servers, _TXT: self._facts, _A: self._addresses}
        for name, kind, value in found:
            name = _same(name)
            if kind != _PTR:
                table: "dict[object, object]" = tables[kind]  # type: ignore[assignment]
                if len(table) < BRIDGES_MAX:
                    table[name] = value
            elif name == SERVICE:
                self._add_service(value)

    def _add_service(self, name: "tuple[bytes, ...]") -> None:
        new = _same(name) not in [_same(each) for each in self._services]
        if new and _same(name)[-3:] == SERVICE and len(self._services) < BRIDGES_MAX:
            self._services.append(name)

    def questions(self) -> "list[tuple[tuple[bytes, ...], int]]":
        """What is still to be asked; while no service is known, for all of them."""
        wanted = []
        for service in self._services:
            server = self._servers.get(_same(service))
            if server is None:
                wanted += [(service, _SRV), (service, _TXT)]
            elif _same(server[1]) not in self._addresses:
                wanted.append((server[1], _A))
        return wanted if self._services else [(SERVICE, _PTR)]

    def bridges(self) -> "list[Bridge]":
        """Those of which all is known, in the order in which they answered."""
        found = [self._bridge(service) for service in self._services]
        return [bridge for bridge in found if bridge is not None]

    def _bridge(self, service: "tuple[bytes, ...]") -> "Bridge | None":
        port, target = self._servers.get(_same(service), (0, ()))
        address = self._addresses.get(_same(target))
        if address is None or not port:
            return None
        facts = self._facts.get(_same(service), {})
        tls = facts.get("tls") == "1"
        return Bridge(
            _label(service[0]), facts.get("id", ""), address, port, facts.get("host", ""),
            facts.get("root") or "voxcard", tls, facts.get("v") or str(PROTOCOL),
        )  # fmt: skip


def _label(data: bytes) -> str:
    try:
        return str(data, "utf-8")
    except UnicodeError:
        return "a bridge without a name"


def choose(bridges: "list[Bridge]", bridge_id: str, root: str) -> "Bridge | None":
    """The one of that id, else the first of those topics, else the first that understands us."""
    usable = [bridge for bridge in bridges if bridge.protocol == str(PROTOCOL)]
    for wanted in (
        [bridge for bridge in usable if bridge_id and bridge.id == bridge_id],
        [bridge for bridge in usable if bridge.root == root],
        usable,
    ):
        if wanted:
            return wanted[0]
    return None
