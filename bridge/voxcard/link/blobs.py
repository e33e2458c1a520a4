"""Blob transfer of one device: photos and snapshots up; glyphs, strips and images down."""

import asyncio
import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass

from voxwire import blob
from voxwire.errors import WireError

from voxcard.errors import VoxcardError
from voxcard.link.blob_room import BlobRoom

LIMIT_BYTES = 2 << 20  # of one blob that comes up
UNFINISHED_MAX, KEPT_MAX = 4, 8
KEPT_S = 60.0  # from a blob's last chunk: for the result that names it, or for the rest of it
ACK_S = 2.0  # for the device's word that it has a small blob whole ...
BYTES_PER_S = 50_000  # ... and the rate a slow radio keeps up with
WAIT_S = 20.0  # for a photo, from the tool's answer to its last chunk


class BlobFailed(VoxcardError):  # noqa: N818 - says what happened
    """A blob did not get through."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Blob:
    kind: str
    name: str
    data: bytes


@dataclass(slots=True)
class _Incoming:
    opening: bytes  # first chunk's payload: tells a repeat from a new blob with an old id
    data: bytearray
    receiver: blob.Receiver
    at_s: float  # of the last chunk
    taken: int = 0  # bytes of the room
    asked: int = -1  # the index that was asked for again


@dataclass(slots=True)
class _Kept:
    opening: bytes
    blob: Blob
    chunks: int
    at_s: float
    taken: int


@dataclass(slots=True)
class _Outgoing:
    head: blob.Head
    data: bytes
    done: "asyncio.Future[None]"
    window: int  # chunks that are sent before the device asks for more
    limit: asyncio.Timeout
    next: int = 0  # the chunk that the device asked for last

    def limit_s(self) -> float:
        size = min(len(self.data), self.window * blob.PAYLOAD_MAX)
        return ACK_S + size / BYTES_PER_S


class Blobs:
    """`send_chunk(bytes)` publishes on blob/down, `send_state(id, next, error)` a blob message.

    What comes up takes from `room`; `sweep` forgets what nobody fetched or finished in time.
    """

    def __init__(
        self,
        send_chunk: Callable[[bytes], bool],
        send_state: Callable[[int, int, str | None], object],
        *,
        room: BlobRoom | None = None,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._send_chunk = send_chunk
        self._send_state = send_state
        self._room = room or BlobRoom()
        self._now_s = now_s
        self._incoming: dict[int, _Incoming] = {}
        self._kept: dict[int, _Kept] = {}
        self._waiting: dict[int, asyncio.Future[Blob]] = {}
        self._outgoing: dict[int, _Outgoing] = {}
        self._last_id = 0

    def next_id(self) -> int:
        """An id for a blob that goes down."""
        self._last_id = self._last_id % 0xFFFF + 1
        return self._last_id

    # up

    def receive(self, payload: bytes) -> Blob | None:
        """Take a chunk; the Blob when it is whole. WireError when it cannot be right."""
        chunk = blob.decode(payload)
        if chunk.index == 0 and not self._open(chunk):
            return None
        incoming = self._incoming.get(chunk.id)
        if incoming is None:
            # Its first chunk never came, or it was given up: ask for all of it.
            self._send_state(chunk.id, 0, None)
            return None
        try:
            head = incoming.receiver.add(chunk)
            self._take(incoming)
        except WireError as error:
            self._give_up(chunk.id)
            self._fail(chunk.id, str(error))
            raise
        if head is not None:
            return self._finish(chunk.id, incoming, head)
        if incoming.receiver.gap and incoming.asked != incoming.receiver.next:
            incoming.asked = incoming.receiver.next
            self._send_state(chunk.id, incoming.receiver.next, None)
        return None

    def resume(self) -> None:
        """The device is back: ask for what is missing of every unfinished blob."""
        for blob_id, incoming in self._incoming.items():
            incoming.asked = -1
            self._send_state(blob_id, incoming.receiver.next, None)

    def sweep(self) -> None:
        """Forget what was not fetched, or not finished, in KEPT_S."""
        late_s = self._now_s() - KEPT_S
        for blob_id in [key for key, one in self._kept.items() if one.at_s < late_s]:
            self._forget(blob_id)
        for blob_id in [key for key, one in self._incoming.items() if one.at_s < late_s]:
            self._give_up(blob_id)

    def clear(self) -> None:
        """Forget everything: the device is forgotten too."""
        for blob_id in tuple(self._kept):
            self._forget(blob_id)
        for blob_id in tuple(self._incoming):
            self._give_up(blob_id)

    async def wait(self, blob_id: int, limit_s: float = WAIT_S) -> Blob:
        """The blob with this id, whole; BlobFailed when it does not come in time."""
        if blob_id in self._kept:
            return self._kept[blob_id].blob
        waiting = self._waiting.get(blob_id)
        if waiting is None:
            waiting = self._waiting[blob_id] = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(limit_s):
                return await asyncio.shield(waiting)
        except TimeoutError:
            problem = f"The picture did not arrive within {limit_s:.0f} s."
            raise BlobFailed(problem, "Ask for it again.") from None
        finally:
            self._waiting.pop(blob_id, None)

    def _open(self, chunk: blob.Chunk) -> bool:
        """Make room for a blob; False for a repeat of one that is known."""
        opening = bytes(chunk.payload)
        kept = self._kept.get(chunk.id)
        if kept is not None and kept.opening == opening:
            self._send_state(chunk.id, kept.chunks, None)
            return False
        known = self._incoming.get(chunk.id)
        if known is not None and known.opening == opening:
            return False
        data = bytearray()
        receiver = blob.Receiver(lambda _head: data.extend, hashlib.sha256(), LIMIT_BYTES)
        self._give_up(chunk.id)
        self._incoming[chunk.id] = _Incoming(opening, data, receiver, self._now_s())
        if len(self._incoming) > UNFINISHED_MAX:
            self._give_up(next(iter(self._incoming)))
        return True

    def _take(self, incoming: _Incoming) -> None:
        incoming.at_s = self._now_s()
        size = len(incoming.data) - incoming.taken
        if not self._room.take(size):
            raise WireError("blob", "finds no room in the bridge now")
        incoming.taken += size

    def _give_up(self, blob_id: int) -> None:
        incoming = self._incoming.pop(blob_id, None)
        if incoming is not None:
            self._room.give(incoming.taken)

    def _forget(self, blob_id: int) -> None:
        kept = self._kept.pop(blob_id, None)
        if kept is not None:
            self._room.give(kept.taken)

    def _finish(self, blob_id: int, incoming: _Incoming, head: blob.Head) -> Blob:
        del self._incoming[blob_id]
        whole = Blob(kind=head.kind, name=head.name, data=bytes(incoming.data))
        self._forget(blob_id)
        opening, chunks = incoming.opening, incoming.receiver.next
        self._kept[blob_id] = _Kept(opening, whole, chunks, incoming.at_s, incoming.taken)
        if len(self._kept) > KEPT_MAX:
            self._forget(next(iter(self._kept)))
        self._send_state(blob_id, incoming.receiver.next, None)
        waiting = self._waiting.get(blob_id)
        if waiting is not None and not waiting.done():
            waiting.set_result(whole)
        return whole

    def _fail(self, blob_id: int, reason: str) -> None:
        self._send_state(blob_id, 0, reason)
        waiting = self._waiting.get(blob_id)
        if waiting is not None and not waiting.done():
            waiting.set_exception(BlobFailed(f"The picture is damaged ({reason}).", "Try again."))

    # down

    async def send(
        self, kind: str, data: bytes, *, blob_id: int = 0, name: str = "", in_turns: bool = False
    ) -> int:
        """Send a blob and wait until the device has it whole; its id. BlobFailed otherwise.

        `in_turns`: a few chunks at a time, as a device asks for those of a large image, so that
        what is sent meanwhile waits for these few alone."""
        blob_id = blob_id or self.next_id()
        head = blob.Head(kind, len(data), hashlib.sha256(data).hexdigest(), name)
        window = blob.WINDOW if in_turns else blob.count(head)
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(None) as limit:
                outgoing = _Outgoing(head, data, done, window, limit)
                self._outgoing[blob_id] = outgoing
                self._send_from(blob_id, outgoing, 0)
                await done
        except TimeoutError:
            raise BlobFailed("The device did not take a picture in time.") from None
        finally:
            self._outgoing.pop(blob_id, None)
        return blob_id

    def state(self, blob_id: int, wanted: int, error: str | None) -> None:
        """Take the device's word on a blob that went down: whole, refused, or go on there."""
        outgoing = self._outgoing.get(blob_id)
        if outgoing is None or outgoing.done.done():
            return
        if error:
            outgoing.done.set_exception(BlobFailed(f"The device refused a picture: {error}."))
        elif wanted >= blob.count(outgoing.head):
            outgoing.done.set_result(None)
        else:
            self._send_from(blob_id, outgoing, max(0, wanted))

    def _send_from(self, blob_id: int, outgoing: _Outgoing, index: int) -> None:
        if index >= outgoing.next:
            # It gets on.
            outgoing.next = index + 1
            now = asyncio.get_running_loop().time()
            outgoing.limit.reschedule(now + outgoing.limit_s())
        for at in range(index, min(index + outgoing.window, blob.count(outgoing.head))):
            chunk = blob.chunk_at(blob_id, outgoing.head, outgoing.data, at)
            self._send_chunk(blob.encode(chunk))
