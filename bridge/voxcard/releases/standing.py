"""One offer that stands: what its device has said of it, and the pieces that it asks for."""

import logging

from voxwire.message import Update

from voxcard.releases.archive import Release
from voxcard.releases.manifest import size
from voxcard.releases.pieces import Piece, Pieces, Send, Spawn
from voxcard.releases.progress import Progress
from voxcard.releases.records import Record

log = logging.getLogger(__name__)


class Standing:
    """`state` is offered, fetch, waiting or installed; `send` and `spawn` as Pieces has them."""

    def __init__(self, record: Record, release: Release, *, send: Send, spawn: Spawn) -> None:
        self.record, self.release = record, release
        self.state = "offered"
        self.was_heard = False
        self._pieces = Pieces(record.device, record.serial, release, send=send, spawn=spawn)
        self._done_bytes = 0
        self._refusals: set[str] = set()  # that are in the log

    def is_meant(self, update: Update) -> bool:
        """Whether a device speaks of this offer; it refuses as 0 one that it could not read."""
        could_not_read = update.serial == 0 and update.state == "refused"
        return could_not_read or update.serial == self.record.serial

    def take(self, update: Update) -> bool:
        """Take a word of the device; whether `state` is another one now."""
        self.was_heard = True
        if update.state == "fetch" and not self._fetch(update):
            return False
        was, self.state = self.state, update.state
        return self.state != was

    def progress(self, *, is_online: bool) -> Progress:
        """Where it is."""
        return Progress(
            device=self.record.device,
            serial=self.record.serial,
            firmware=self.record.firmware,
            state=self.state,
            done_bytes=self._done_bytes,
            total_bytes=size(self.release.manifest),
            at_s=self.record.at_s,
            is_online=is_online,
        )

    def stop(self) -> None:
        """Send no more pieces."""
        self._pieces.stop()

    def _fetch(self, update: Update) -> bool:
        """Whether a question was a good one; a wrong one is a line of the log, once."""
        piece = Piece(path=update.path or "", at=update.at or 0, size=update.size or 0)
        refusal = self._pieces.refusal(piece)
        if not refusal:
            self._pieces.ask(piece)
            self._done_bytes = max(self._done_bytes, self._reached(piece))
        elif refusal not in self._refusals:
            self._refusals.add(refusal)
            log.warning("%s: update %d: it %s", self.record.device, update.serial, refusal)
        return not refusal

    def _reached(self, piece: Piece) -> int:
        """Bytes before the end of a piece: devices ask in the order of the manifest."""
        if not piece.path:
            return 0
        end = min(piece.at + piece.size, self.release.size_of(piece.path))
        return self.release.position(piece.path) + end
