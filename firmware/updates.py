"""The part of a device that installs releases, from when there is one to when all is done.

Loaded by app.py at a start and when an offer comes; it ends by forgetting itself.
"""

import asyncio
import gc
import json
import os
import sys

import log
from voxwire.session import LISTENING, SPEAKING, THINKING

AGAIN_MS = 10000  # until it is looked whether there is room for what had to make way
# So often without any: the heap lies in pieces, and a restart puts it together.
TRIES = 30


class Updates:
    """`parts` are the first arguments of update.updater.Updater, the board first.

    `on_end()` is called when nothing is left to do: the object is of no use then.
    """

    def __init__(self, parts, voice, reports, restart, on_end) -> None:
        self._root, self._on_end = parts[0].root, on_end
        self._is_busy = lambda: voice.state in (LISTENING, THINKING, SPEAKING)
        self._parts = parts + (self._is_busy, lambda: reports.count, restart)
        self._updater = None
        self._restart = restart
        self._pieces = self._in_vain = 0
        self._waits = False
        self._paused = None  # the payload of the offer that goes on after a turn

    def take(self, offer) -> None:
        """An offer came (a view; empty: it is taken back); None: a start, or the end of a turn."""
        if self._updater is None:
            if not (offer or self._paused or _is_left(self._root)):
                self._end()
                return
            self._load()
        if offer is not None:
            self._updater.offer(bytes(offer))

    def _load(self) -> None:
        try:
            from update.updater import Updater

            self._updater = Updater(*self._parts)
        except MemoryError:
            self._unload()
            raise
        paused, self._paused = self._paused, None
        self._task = asyncio.create_task(self._run())
        if paused:
            self._updater.offer(paused)

    async def _run(self) -> None:
        from update.updater import PausedError

        try:
            await self._updater.run()
        except PausedError:
            self._paused = self._updater.payload or b""
            self._count(self._updater.pieces.count)
        except Exception as error:
            log.exception("update", "the update", error)
        self._updater = self._task = None
        self._end()
        if not self._waits:
            self._waits = True  # one of them: a turn's end may go before it
            while self._paused is not None:
                await asyncio.sleep_ms(AGAIN_MS)
                if self._paused is not None and not self._is_busy():
                    self._try_again()
            self._waits = False

    def _count(self, pieces: int) -> None:
        """It made way after so many pieces had come."""
        self._pieces += pieces
        self._in_vain = 0 if pieces else self._in_vain + 1
        # Without a piece since the start it would restart for ever.
        if self._pieces and self._in_vain == TRIES:
            self._restart()

    def _try_again(self) -> None:
        try:
            self.take(None)
        except MemoryError:
            log.warning("update", "waits for memory")

    def _end(self) -> None:
        if self._paused is None:
            self._on_end()
            sys.modules.pop("updates", None)
        self._unload()

    def _unload(self) -> None:
        for name in list(sys.modules):
            if name == "update" or name.startswith("update."):
                del sys.modules[name]
        if sys.modules.pop("voxwire.release", None):
            delattr(sys.modules["voxwire"], "release")
        gc.collect()


def _is_left(root: str) -> bool:
    """Whether a release is on trial, or the bridge was not told of the last one."""
    try:
        os.stat(root + "/trial")
        return True
    except OSError:
        pass
    try:
        with open(root + "/update.json") as file:
            return not json.load(file)["told"]
    except (OSError, ValueError, KeyError, TypeError):
        return False
