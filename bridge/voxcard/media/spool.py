"""Bytes that come in on the event loop and are read by a thread, from the beginning."""

import io
import threading

from voxcard.errors import VoxcardError

WAIT_S = 10.0  # without a byte: it has stalled


class Stalled(VoxcardError):  # noqa: N818 - says what happened
    """Nothing came for WAIT_S."""


class Spool(io.RawIOBase):
    """`put`, `end` and `close` are for the loop, the rest for one reading thread.

    `read` waits for the first of its bytes. Only after `wait_whole` the reader may seek: before,
    it would want to know where the end is.
    """

    def __init__(self) -> None:
        super().__init__()
        self._data = bytearray()
        self._at = 0
        self._whole = self._whole_wanted = False
        self._changed = threading.Condition()
        self.error: VoxcardError | None = None  # why there is no more

    def put(self, piece: bytes) -> None:
        """These come next."""
        with self._changed:
            self._data += piece
            self._changed.notify_all()

    def end(self, error: VoxcardError | None = None) -> None:
        """Nothing more comes; the first `error` counts."""
        with self._changed:
            self.error = self.error or error
            self._whole = True
            self._changed.notify_all()

    def close(self) -> None:
        """Nobody wants more: a waiting reader gets what there is."""
        self.end()
        super().close()

    def head(self, size: int) -> bytes:
        """The first `size` bytes, without reading them; fewer where there are no more."""
        with self._changed:
            self._wait(size)
            return bytes(self._data[:size])

    def wait_whole(self) -> None:
        """Wait until everything has come."""
        self._whole_wanted = True
        with self._changed:
            while not self._whole:
                self._wait(len(self._data) + 1)

    def read(self, size: int = -1) -> bytes:
        """At most `size` bytes, at least one; empty at the end."""
        with self._changed:
            self._wait(self._at + 1)
            piece = bytes(self._data[self._at : self._at + size if size >= 0 else None])
            self._at += len(piece)
            return piece

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        with self._changed:
            start = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: len(self._data)}
            self._at = max(0, min(start[whence] + offset, len(self._data)))
            return self._at

    def tell(self) -> int:
        return self._at

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._whole_wanted

    def _wait(self, size: int) -> None:
        """Until `size` bytes are here or nothing more comes; the lock is held."""
        while len(self._data) < size and not self._whole:
            before = len(self._data)
            if not self._changed.wait(WAIT_S) and len(self._data) == before:
                self.error = Stalled("The sound stopped coming.", "Try again.")
                self._whole = True
