"""Installs what the bridge offers: carries out the steps of update.flow on a board.

Loaded by firmware/updates.py when there is something to do.
"""

import asyncio
import hashlib
import sys
import time
from binascii import hexlify

import log
from update.flow import AGAIN_MS, Health, RefusedError, after_start, fallen, install, vet
from update.journal import Journal
from update.pieces import Pieces
from update.reports import Reports

TICK_MS = 20

_FLASH = "The flash cannot be written (%s): run voxcard device deploy with the board on its cable."


class _ReplacedError(Exception):
    """The offer is taken back, or there is a newer one."""


class PausedError(Exception):
    """The heap is needed for something else."""


class Updater:
    """Offers, from the first look to the outcome that the bridge was told; `run` is its task.

    Where the heap does not hold it and the rest as well, `run` raises PausedError: another updater
    goes on later with `payload`, the last offer that was taken. `firmware` is identity.FIRMWARE,
    `is_busy()` says whether a turn is going on, `faults()` counts what went wrong since the start,
    `restart()` restarts the device soon.
    """

    def __init__(self, board, settings, device_id, link, firmware, is_busy, faults, restart,
                 clock=time, sleep_ms=asyncio.sleep_ms):  # fmt: skip
        self._board, self._settings, self._id, self._link = board, settings, device_id, link
        self._running, self._is_busy, self._faults = _running(firmware, board), is_busy, faults
        self._restart, self._clock, self._sleep_ms = restart, clock, sleep_ms
        self._journal = Journal(board.root)
        self._store = _store_of(board, self._journal, self._pause)
        self._offer = self._next = None  # the one that is installed, and the one after it
        self._trial = self._journal.trial() if self._store else None  # until it is settled
        self._withdrawn = False
        self._reports = Reports(self._journal, link)
        self.payload = None
        self.pieces = Pieces(link, is_busy, self._look, self._make_way, clock, sleep_ms)

    def offer(self, payload: bytes) -> None:
        """An offer came; b"": it is taken back."""
        if not payload:
            self._withdrawn = self._offer is not None or self._next is not None
            self._next = None
            return
        last = self._journal.last
        state = last["state"]
        # The last one that was heard is the one that others are compared with.
        newest = (self._next.serial, "fetch") if self._next else (last["serial"], state)
        key = self._settings.get("update_key")
        verdict = vet(payload, self._id, key, self._board.update, newest)
        serial = verdict.offer.serial if verdict.offer else 0
        if verdict.do == "refuse":
            self._reports.add(serial, "refused", verdict.reason)
        elif verdict.do == "repeat":
            self._reports.add(serial, state, last["reason"])
        elif not self._goes_on(serial):
            self._next, self._withdrawn = verdict.offer, False
            self.payload = payload

    def _goes_on(self, serial: int) -> bool:
        """Whether that offer is being installed, or is on trial."""
        if self._trial is not None and self._trial["serial"] == serial:
            return True
        return self._offer is not None and self._offer.serial == serial

    async def run(self) -> None:
        """Do all there is to do."""
        self._link.on_blob("release", self.pieces.take)
        try:
            if self._store is not None:
                await self._after_start()
            while self._next is not None or len(self._reports):
                self._reports.flush()
                if self._next is not None:
                    await self._install()
                elif len(self._reports):
                    await self._sleep_ms(TICK_MS)
        finally:
            self._link.refuse_blobs("release")

    # After a start.

    async def _after_start(self) -> None:
        journal, board = self._journal, self._board
        trial = self._trial
        confirmed = journal.slot() if board.update == "files" else ""
        found = after_start(trial, board.slot, confirmed, board.update)
        if found == "retry":
            await self._retry(trial)
        elif found == "trial":
            await self._watch(trial)
        elif found in ("confirmed", "fell_back"):
            reason = fallen(trial["tries"]) if found == "fell_back" else ""
            self._reports.end(trial["serial"], found, reason)
            journal.end_trial()
        elif not journal.last["told"]:
            self._reports.repeat()
        self._trial = None

    async def _retry(self, trial) -> None:
        try:
            self._store.retry(trial)
        except RefusedError as refused:
            self._reports.end(trial["serial"], "refused", refused.args[0])
            return
        await self._leave()

    async def _watch(self, trial) -> None:
        """A release on trial: confirm it, or start it once more."""
        log.info("update", "on trial, %d starts are left" % trial["tries"])
        health = Health(self._clock.ticks_ms())
        while True:
            self._make_way()
            self._reports.flush()
            has_session = self._link.session_id is not None
            verdict = health.verdict(self._clock.ticks_ms(), has_session, self._faults())
            if verdict == "confirm":
                try:
                    self._store.confirm()
                    self._reports.end(trial["serial"], "confirmed", "")
                    self._journal.end_trial()
                    break
                except OSError as error:
                    log.error("update", "cannot be confirmed (%s)" % error)
                    await self._sleep_ms(AGAIN_MS)
            elif verdict and not self._is_busy():
                log.error("update", "no session: starts again")
                await self._leave()
            await self._sleep_ms(10 * TICK_MS)

    async def _leave(self) -> None:
        """Restart; never comes back, so that nothing else is begun."""
        self._restart()
        while True:
            await self._sleep_ms(AGAIN_MS)

    # An installation.

    async def _install(self) -> None:
        self._offer, self._next = self._next, None
        state, reason = await self._outcome()
        if state == "memory":
            self.pieces.say_waiting(self._offer.serial)
            self._store.pause()
            raise PausedError
        offer, self._offer = self._offer, None
        self.pieces.stop()
        if state == "installed":
            self._link.post("update", serial=offer.serial, state=state)
            await self._leave()
        elif state == "replaced":
            if self._withdrawn:
                self._withdrawn = False
                reason = "The offer was taken back: offer the release again."
                self._journal.end(offer.serial, "refused", reason, told=True)
        else:
            self._reports.end(offer.serial, state, reason)

    async def _outcome(self):
        """(state, reason) of the installation of one offer."""
        try:
            steps = install(self._offer, self._running, self._store.piece_bytes)
            return await _carry_out(steps, self._do), ""
        except RefusedError as refused:
            return "refused", refused.args[0]
        except _ReplacedError:
            return "replaced", ""
        except MemoryError:
            return "memory", ""
        except OSError as error:
            return "refused", _FLASH % error

    async def _do(self, what: str, values):
        """The outcome of one step of update.flow.install."""
        if what == "take":
            return await self._take(*values)
        if what == "fetch":
            return await self.pieces.fetch(self._offer.serial, *values)
        if what == "sha256":
            return str(hexlify(hashlib.sha256(values[0]).digest()), "ascii")
        if what == "prepare":
            _forget_wire()
        if what == "try":
            await self._pause()
            return await self._store.start(*values)
        return await getattr(self._store, what)(*values)

    async def _take(self, offer) -> None:
        log.info("update", "offer %d of %s" % (offer.serial, offer.version))
        if self._journal.last["serial"] != offer.serial:
            await self._store.forget()
            self._journal.take(offer.serial)

    async def _pause(self) -> None:
        """Between steps: a turn goes first, and so does another offer."""
        await self._sleep_ms(0)
        while self._is_busy():
            self._make_way()
            await self._sleep_ms(TICK_MS)
        self._stop_if_replaced()

    def _make_way(self) -> None:
        if self._board.update == "image" and self._is_busy():
            self._store.pause()
            raise PausedError

    def _look(self) -> None:
        """Now and then while a piece is waited for."""
        self._reports.flush()
        self._stop_if_replaced()

    def _stop_if_replaced(self) -> None:
        if self._withdrawn or self._next is not None:
            raise _ReplacedError


def _store_of(board, journal, pause):
    """Where the board keeps releases; None for one that takes none."""
    if board.update == "files":
        from update.files import Slots

        return Slots(board.root, board.slot, journal, pause)
    if board.update == "image":
        from update.image import Image

        return Image(board.partition, journal, pause)
    return None


def _running(firmware: str, board):
    """What a release is compared with."""
    version, _, digest = firmware.partition("+")
    micropython = tuple(sys.implementation[1][:2])
    return version, digest, board.id, board.update, micropython


async def _carry_out(steps, do) -> str:
    """What the generator `steps` returns; each step it yields is done by `do(what, values)`."""
    outcome = None
    while True:
        try:
            step = steps.send(outcome)
        except StopIteration as end:
            return end.value
        outcome = await do(step[0], step[1:])


def _forget_wire() -> None:
    """The manifest is read: its heap is for the pieces."""
    if sys.modules.pop("voxwire.release", None):
        delattr(sys.modules["voxwire"], "release")
