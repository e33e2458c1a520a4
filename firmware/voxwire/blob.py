"""Blobs: larger things cut into chunks (design section 3.4), sender and receiver without I/O.

Chunk: u8 version, u8 flags (1 first, 2 last), u16 id, u16 index, payload up to 4096; big-endian.
The first chunk's payload opens with u16 length and a JSON head {kind, size, sha256, ...}.
The receiver answers with the control message `blob` {id, next}: after the last chunk (next =
number of chunks: it is whole) or to ask again from `next` (after a gap or a reconnect). Of a
large image it takes WINDOW chunks at a time and asks for the next ones.
"""

import json
import struct
from collections import namedtuple

from voxwire.errors import WireError
from voxwire.json_text import loads

VERSION = 1
FIRST, LAST = 1, 2
HEADER_BYTES = 6
PAYLOAD_MAX = 4096
WINDOW = 2  # chunks of a large blob that are on their way at a time: 160 ms on a slow radio
CHUNK_BYTES_MAX = HEADER_BYTES + PAYLOAD_MAX
KINDS = ("photo", "snapshot", "glyphs", "strips", "type", "smooth", "image", "release")

_HEADER = ">BBHH"

Chunk = namedtuple("Chunk", ("flags", "id", "index", "payload"))
Head = namedtuple("Head", ("kind", "size", "sha256", "name"))  # sha256: hex; name: of the owner


def encode(chunk: Chunk) -> bytes:
    """The bytes of one chunk."""
    header = struct.pack(_HEADER, VERSION, chunk.flags, chunk.id, chunk.index)
    return header + bytes(chunk.payload)


def decode(data) -> Chunk:
    """Parse one chunk; WireError if it is none. The payload is a view where `data` is one."""
    if not HEADER_BYTES <= len(data) <= CHUNK_BYTES_MAX:
        raise WireError("blob", "is %d bytes" % len(data))
    version, flags, blob_id, index = struct.unpack_from(_HEADER, data, 0)
    if version != VERSION:
        raise WireError("blob.version", "is %d, this side speaks %d" % (version, VERSION))
    if bool(flags & FIRST) != (index == 0):
        raise WireError("blob.flags", "do not fit index %d" % index)
    return Chunk(flags, blob_id, index, data[HEADER_BYTES:])


def read_head(payload: "bytes | memoryview"):
    """Split a first chunk's payload into its Head and the bytes after it."""
    if len(payload) < 2:
        raise WireError("blob.head", "is missing")
    length = struct.unpack_from(">H", payload, 0)[0]
    if length > len(payload) - 2:
        raise WireError("blob.head", "is cut off")
    data = loads(payload[2 : 2 + length], "blob.head")
    if not isinstance(data, dict):
        raise WireError("blob.head", "must be a JSON object")
    kind, size, sha256 = data.get("kind"), data.get("size"), data.get("sha256")
    if kind not in KINDS:
        raise WireError("blob.head.kind", "is none of " + ", ".join(KINDS))
    if not isinstance(size, int) or isinstance(size, bool) or size < 0:
        raise WireError("blob.head.size", "must be a whole number")
    if not isinstance(sha256, str) or len(sha256) != 64:
        raise WireError("blob.head.sha256", "must be 64 hex digits")
    return Head(kind, size, sha256, str(data.get("name") or "")), payload[2 + length :]


def write_head(head: Head) -> bytes:
    """The bytes that open the first chunk's payload."""
    data = {"kind": head.kind, "size": head.size, "sha256": head.sha256, "name": head.name}
    text = json.dumps(data).encode()
    return struct.pack(">H", len(text)) + text


def count(head: Head, payload_max: int = PAYLOAD_MAX) -> int:
    """Chunks of a blob with this head, cut into payloads of `payload_max` bytes."""
    return -(-(len(write_head(head)) + int(head.size)) // payload_max)


def chunk_at(blob_id: int, head: Head, data, index: int) -> Chunk:
    """Chunk `index` of `data`, so a sender can go on anywhere without holding the cut pieces."""
    opening = write_head(head)
    last = LAST if index == count(head) - 1 else 0
    if index == 0:
        return Chunk(FIRST | last, blob_id, 0, opening + bytes(data[: PAYLOAD_MAX - len(opening)]))
    begin = index * PAYLOAD_MAX - len(opening)
    return Chunk(last, blob_id, index, data[begin : begin + PAYLOAD_MAX])


def write_chunk(view, blob_id: int, head: Head, read, index: int, payload_max: int) -> int:
    """Write chunk `index` into `view` (a memoryview) and return its length.

    For a device: one small buffer serves every chunk, and the data may lie outside the heap:
    `read(at, view)` fills the view with what begins at byte `at`.
    """
    opening = write_head(head)
    flags = LAST if index == count(head, payload_max) - 1 else 0
    at, begin = HEADER_BYTES, index * payload_max - len(opening)
    if index == 0:
        flags |= FIRST
        begin = 0
        view[at : at + len(opening)] = opening
        at += len(opening)
    struct.pack_into(_HEADER, view, 0, VERSION, flags, blob_id, index)
    end = at + min(HEADER_BYTES + payload_max - at, head.size - begin)
    read(begin, view[at:end])
    return int(end)


class Receiver:
    """Puts the chunks of one blob together in a target that the caller gives.

    `target(head)` returns a `write(bytes)` callable; `hasher` is an object with `update` and
    `digest`. `add` returns the Head when the blob is whole and right, else None; WireError when it
    can never become right. A chunk that was seen is ignored; a gap sets `gap` (ask from `next`).
    """

    def __init__(self, target, hasher, limit: int) -> None:
        self._target = target
        self._hasher = hasher
        self._limit = limit
        self._write = None
        self._received = 0
        self.head = None
        self.next = 0
        self.gap = False

    def add(self, chunk: Chunk):
        """Take one chunk."""
        if chunk.index < self.next:
            return None
        if chunk.index > self.next:
            self.gap = True
            return None
        self.gap = False
        payload = chunk.payload
        if chunk.index == 0:
            head, payload = read_head(payload)
            if head.size > self._limit:
                raise WireError("blob.size", "is %d, the limit is %d" % (head.size, self._limit))
            self.head = head
            self._write = self._target(head)
        self.next += 1
        self._received += len(payload)
        if self._received > self.head.size:  # type: ignore[attr-defined]
            raise WireError("blob.size", "is larger than its head says")
        self._hasher.update(payload)
        self._write(payload)  # type: ignore[misc]
        return self._finish() if chunk.flags & LAST else None

    def _finish(self):
        if self._received != self.head.size:  # type: ignore[attr-defined]
            raise WireError("blob.size", "is smaller than its head says")
        digest = "".join("%02x" % byte for byte in self._hasher.digest())
        if digest != self.head.sha256:  # type: ignore[attr-defined]
            raise WireError("blob.sha256", "does not match: it was damaged on the way")
        return self.head
