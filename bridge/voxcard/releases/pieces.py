"""Sends a device the pieces of a release that it asks for, one at a time."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from voxwire.release import PIECE_MAX, piece_name

from voxcard.errors import VoxcardError
from voxcard.releases.archive import Release

log = logging.getLogger(__name__)

PIECES_PER_S_MAX = 50  # of a device: faster than any writes its flash

Send = Callable[[str, str, bytes], Awaitable[object]]
Spawn = Callable[[Coroutine[Any, Any, None], str], "asyncio.Task[None]"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Bytes [at, at + size) of a file, of the manifest where `path` is ""."""

    path: str
    at: int
    size: int


class Pieces:
    """The pieces of one offer. `send(device_id, name, data)` waits until the device has them.

    Another question ends what is sent for the one before: the device has it, or wants it no more.
    """

    def __init__(
        self, device_id: str, serial: int, release: Release, *, send: Send, spawn: Spawn
    ) -> None:
        self._device_id, self._serial, self._release = device_id, serial, release
        self._send, self._spawn = send, spawn
        self._piece: Piece | None = None
        self._sending: asyncio.Task[None] | None = None
        self._free_s = 0.0  # when the next one may be read

    def refusal(self, piece: Piece) -> str:
        """What is wrong with a question, "" for a good one."""
        if piece.path not in self._release.sizes and piece.path:
            return "asks for a file that the release does not hold"
        if not 1 <= piece.size <= PIECE_MAX:
            return f"asks for {piece.size} bytes at a time"
        if not 0 <= piece.at <= self._release.size_of(piece.path):
            return "asks for what is behind the end of a file"
        return ""

    def ask(self, piece: Piece) -> None:
        """Send a piece, unless it is on its way."""
        if piece == self._piece and self._sending is not None and not self._sending.done():
            return
        self.stop()
        self._piece = piece
        self._sending = self._spawn(self._serve(piece), f"update {self._device_id}")

    def stop(self) -> None:
        """Send nothing more."""
        if self._sending is not None:
            self._sending.cancel()

    async def _serve(self, piece: Piece) -> None:
        await asyncio.sleep(self._free_s - time.monotonic())
        self._free_s = time.monotonic() + 1 / PIECES_PER_S_MAX
        name = piece_name(self._serial, piece.path, piece.at)
        try:
            data = await asyncio.to_thread(self._release.piece, piece.path, piece.at, piece.size)
            await self._send(self._device_id, name, data)
        except OSError as error:
            log.error("%s: the release cannot be read (%s)", self._device_id, error)
        except VoxcardError as error:  # the device asks again
            log.debug("%s: piece %s: %s", self._device_id, name, error)
