"""Blobs on the device: one is sent at a time, and what comes is put together within a limit."""

import asyncio
import binascii
import hashlib
import time

import log
from voxwire import blob
from voxwire.errors import WireError

ANSWER_MS = 3000  # after the last chunk; then it is sent again, TRIES times
TRIES = 3
LIMIT_MS = 60000  # for one blob, looked at between chunks
POLL_MS = 20
# Chunks of the device: with their topic they go out in one write, and a heap in pieces has room.
PAYLOAD_BYTES = 1024
KEPT = 4  # finished blobs whose repeated chunks are answered as such


class BlobError(Exception):
    """A blob did not arrive; the sentence is the argument."""


class Bytes:
    """A picture (hal.board.Picture) that lies in the heap."""

    def __init__(self, data):
        self._view = memoryview(data)

    def __len__(self):
        return len(self._view)

    def read(self, at, view):
        """Fill `view` with the bytes from `at` on."""
        view[:] = self._view[at : at + len(view)]

    def close(self):
        """Nothing has to be given back."""


class Sender:
    """Sends blobs to the bridge, chunk by chunk, each when the broker has the one before.

    A chunk that a lost connection swallowed is sent again, so a blob goes on from the last
    acknowledged chunk after a reconnect.
    """

    def __init__(self, client, topic: bytes, clock=time, sleep_ms=asyncio.sleep_ms):
        self._client, self._topic = client, topic
        self._clock, self._sleep_ms = clock, sleep_ms
        self._lock = asyncio.Lock()
        self._id = self._asked = self._error = None

    async def send(self, kind: str, name: str, picture, blob_id: int) -> int:
        """Returns `blob_id` when the bridge has all of it; BlobError when it never will.

        `picture` (a hal.board.Picture) is read twice, piece by piece, and stays open; the heap
        holds one chunk of it.
        """
        async with self._lock:
            view = memoryview(bytearray(blob.HEADER_BYTES + PAYLOAD_BYTES))
            head = blob.Head(kind, len(picture), await self._digest(picture, view), name)
            self._id, self._asked, self._error = blob_id, None, None
            try:
                await self._chunks(head, picture, view)
            finally:
                self._id = None
            return blob_id

    def answered(self, state) -> None:
        """The bridge's `blob` message: whole, from where to go on, or why not."""
        if state.id == self._id:
            self._asked, self._error = state.next, state.error

    async def _digest(self, picture, view):
        sha256 = hashlib.sha256()
        for at in range(0, len(picture), PAYLOAD_BYTES):
            piece = view[: min(PAYLOAD_BYTES, len(picture) - at)]
            picture.read(at, piece)
            sha256.update(piece)
            await self._sleep_ms(0)
        return str(binascii.hexlify(sha256.digest()), "ascii")

    async def _chunks(self, head, picture, view):
        total, index, tries = blob.count(head, PAYLOAD_BYTES), 0, 0
        end_ms = time.ticks_add(self._clock.ticks_ms(), LIMIT_MS)
        while True:
            if self._over(end_ms):
                raise BlobError("The %s did not reach the bridge in time: try again." % head.kind)
            if index < total:
                length = blob.write_chunk(view, self._id, head, picture.read, index, PAYLOAD_BYTES)
                sent = await self._client.publish(self._topic, view[:length], 1)
                await self._client.acknowledged(sent)
                index += 1
            elif not await self._answer(end_ms):
                tries += 1
                if tries > TRIES:
                    raise BlobError("The bridge did not take the %s: try again." % head.kind)
                index = total - 1
            if self._error:
                raise BlobError("The bridge refused the %s: %s." % (head.kind, self._error))
            if self._asked is not None:
                index, self._asked = max(0, self._asked), None
                if index >= total:
                    return

    async def _answer(self, end_ms) -> bool:
        waited_ms = 0
        while self._asked is None and waited_ms < ANSWER_MS and not self._over(end_ms):
            await self._sleep_ms(POLL_MS)
            if self._client.connected:  # waiting for a reconnect is not the bridge's fault
                waited_ms += POLL_MS
        return self._asked is not None

    def _over(self, end_ms) -> bool:
        return time.ticks_diff(self._clock.ticks_ms(), end_ms) > 0


class _Target:
    def __init__(self, head):
        self.data = bytearray(head.size)
        self._at = 0

    def write(self, piece):
        self.data[self._at : self._at + len(piece)] = piece
        self._at += len(piece)


class Inbox:
    """Puts blobs of the bridge together, at most `limit` bytes each and two at a time.

    `handlers[kind](blob_id, data)` gets a whole one (data: bytearray, its own from then on).
    `answer(blob_id, next, error)` tells the bridge: whole, ask again from `next`, or refused.
    """

    def __init__(self, limit: int, answer) -> None:
        self._limit, self._answer = limit, answer
        self._open = []  # [id, Receiver, _Target or None]
        self._done = []  # (id, head, chunks)
        self._asked = None
        self.handlers = {}

    def take(self, payload) -> None:
        """One chunk from `blob/down`."""
        try:
            chunk = blob.decode(payload)
        except WireError as error:
            log.warning("blob", str(error))
            return
        try:
            self._add(chunk)
        except WireError as error:
            self._refuse(chunk.id, str(error))
        except MemoryError:
            self._refuse(chunk.id, "blob.size: is more than the free memory")

    def ask_again(self) -> None:
        """After a reconnect: go on with what is not whole."""
        self._asked = None
        for entry in self._open:
            self._answer(entry[0], entry[1].next, None)

    def _add(self, chunk):
        entry = self._entry(chunk.id)
        if chunk.index == 0:
            head, _ = blob.read_head(chunk.payload)
            if any(each[0] == chunk.id and each[1] == head for each in self._done):
                entry = None
            elif entry is None or entry[1].head != head:
                # Another head under the same id: another bridge, or the same one restarted.
                entry = self._begin(chunk.id, head)
        if entry is None:
            self._stray(chunk)
            return
        receiver = entry[1]
        head = receiver.add(chunk)
        if receiver.gap:
            self._ask(chunk.id, receiver.next)
        elif head is not None:
            self._finish(entry, head)

    def _entry(self, blob_id):
        for entry in self._open:
            if entry[0] == blob_id:
                return entry
        return None

    def _begin(self, blob_id, head):
        if head.kind not in self.handlers:
            raise WireError("blob.head.kind", "%s is of no use here" % head.kind)
        self._drop(blob_id)
        self._done = [each for each in self._done if each[0] != blob_id]
        if len(self._open) == 2:
            log.warning("blob", "%d is given up for a newer one" % self._open.pop(0)[0])
        entry = [blob_id, None, None]

        def target(head):
            entry[2] = _Target(head)
            return entry[2].write

        entry[1] = blob.Receiver(target, hashlib.sha256(), self._limit)
        self._open.append(entry)
        return entry

    def _stray(self, chunk):
        for blob_id, _, chunks in self._done:
            if blob_id == chunk.id:
                if chunk.flags & blob.LAST:
                    self._answer(blob_id, chunks, None)
                return
        self._ask(chunk.id, 0)

    def _ask(self, blob_id, index):
        # Once: every chunk that was on its way would ask again.
        if self._asked != (blob_id, index):
            self._asked = (blob_id, index)
            self._answer(blob_id, index, None)

    def _finish(self, entry, head):
        blob_id, receiver, target = entry
        self._drop(blob_id)
        self._done.append((blob_id, head, receiver.next))
        del self._done[:-KEPT]
        self.handlers[head.kind](blob_id, target.data)
        self._answer(blob_id, receiver.next, None)

    def _drop(self, blob_id):
        self._open = [entry for entry in self._open if entry[0] != blob_id]

    def _refuse(self, blob_id, text):
        self._drop(blob_id)
        log.warning("blob", "%d refused: %s" % (blob_id, text))
        self._answer(blob_id, 0, text)
