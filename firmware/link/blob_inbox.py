"""Blobs that come to the device are put together here, within a limit."""

import hashlib

import log
from voxwire import blob
from voxwire.errors import WireError

KEPT = 4  # finished blobs whose repeated chunks are answered as such


class _Target:
    def __init__(self, head):
        self.data = bytearray(head.size)
        self.count = self.chunks = 0  # bytes, and chunks that the bridge was not told of

    def write(self, piece):
        self.data[self.count : self.count + len(piece)] = piece
        self.count += len(piece)
        self.chunks += 1


class Inbox:
    """Puts blobs of the bridge together, at most `limit` bytes each and two at a time.

    `handlers[kind](blob_id, data, name)` gets a whole one (data: bytearray, its own from then on;
    name: that of its head).
    `large[kind]`: (bytes such a blob may have, `handler(blob_id, data, count)` that gets it while
    it comes). The bridge sends a few chunks of it at a time, and the next ones when it hears of
    them, so that sound and messages pass between.
    `answer(blob_id, next, error)` tells the bridge: whole, go on from `next`, or refused.
    """

    def __init__(self, limit: int, answer) -> None:
        self._limit, self._answer = limit, answer
        self._open = []  # [id, Receiver, _Target or None]
        self._done = []  # (id, head, chunks)
        self._asked = None
        self.handlers, self.large = {}, {}

    def take(self, payload) -> None:
        """One chunk from `blob/down`; never raises."""
        try:
            self._take(blob.decode(payload))
        except WireError as error:
            log.warning("blob", str(error))
        except Exception as error:
            log.exception("link", "blob", error)

    def _take(self, chunk) -> None:
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
        elif entry[2].chunks >= blob.WINDOW and receiver.head.kind in self.large:
            entry[2].chunks = 0
            self.large[receiver.head.kind][1](chunk.id, entry[2].data, entry[2].count)
            self._answer(chunk.id, receiver.next, None)

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
            log.warning("blob", "%d makes room for a newer one" % self._open.pop(0)[0])
        entry = [blob_id, None, None]

        def target(head):
            entry[2] = _Target(head)
            return entry[2].write

        limit = self.large.get(head.kind, (self._limit,))[0]
        entry[1] = blob.Receiver(target, hashlib.sha256(), limit)
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
        # Pieces of a release come by the hundred; who wants them knows which came.
        if head.kind != "release":
            self._done.append((blob_id, head, receiver.next))
            del self._done[:-KEPT]
        self.handlers[head.kind](blob_id, target.data, head.name)
        self._answer(blob_id, receiver.next, None)

    def _drop(self, blob_id):
        self._open = [entry for entry in self._open if entry[0] != blob_id]

    def _refuse(self, blob_id, text):
        self._drop(blob_id)
        log.warning("blob", "%d refused: %s" % (blob_id, text))
        self._answer(blob_id, 0, text)
