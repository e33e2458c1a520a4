"""Sends pictures to the bridge as blobs, one at a time, piece by piece."""

import asyncio
import binascii
import hashlib
import time

from link.device_link import BlobError
from voxwire import blob
from voxwire.ticks import elapsed_ms

ANSWER_MS = 3000  # after the last chunk; then it is sent again, TRIES times
TRIES = 3
LIMIT_MS = 60000  # for one blob, looked at between chunks
POLL_MS = 20
# Chunks of the device: with their topic they go out in one write, and a fragmented heap has room.
PAYLOAD_BYTES = 1024
PAYLOAD_BYTES_MIN = 256  # has room for the head


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
        """Nothing to release."""


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
            view = memoryview(_buffer())
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
        for at in range(0, len(picture), len(view)):
            piece = view[: min(len(view), len(picture) - at)]
            picture.read(at, piece)
            sha256.update(piece)
            await self._sleep_ms(0)
        return str(binascii.hexlify(sha256.digest()), "ascii")

    async def _chunks(self, head, picture, view):
        payload_max = len(view) - blob.HEADER_BYTES
        total, index, tries = blob.count(head, payload_max), 0, 0
        begun_ms = self._clock.ticks_ms()
        while True:
            if self._over(begun_ms):
                raise BlobError("The %s did not reach the bridge in time: try again." % head.kind)
            if index < total:
                length = blob.write_chunk(view, self._id, head, picture.read, index, payload_max)
                sent = await self._client.publish(self._topic, view[:length], 1)
                await self._client.acknowledged(sent)
                index += 1
            elif not await self._answer(begun_ms):
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

    async def _answer(self, begun_ms) -> bool:
        waited_ms = 0
        while self._asked is None and waited_ms < ANSWER_MS and not self._over(begun_ms):
            await self._sleep_ms(POLL_MS)
            if self._client.connected:  # waiting for a reconnect is not the bridge's fault
                waited_ms += POLL_MS
        return self._asked is not None

    def _over(self, begun_ms) -> bool:
        return elapsed_ms(self._clock.ticks_ms(), begun_ms) > LIMIT_MS


def _buffer():
    """A buffer for one chunk; smaller where a fragmented heap has no room."""
    size = PAYLOAD_BYTES
    while True:
        try:
            return bytearray(blob.HEADER_BYTES + size)
        except MemoryError:
            if size <= PAYLOAD_BYTES_MIN:
                raise
            size //= 2
