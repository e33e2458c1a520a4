"""Installs what the bridge offers: carries out the steps of update.flow on a board.

Loaded by firmware/updates.py when there is something to do.
"""

import asyncio
import gc
import hashlib
import sys
import time
from binascii import hexlify

import log
from update.flow import AGAIN_MS, Health, RefusedError, Request, after_start, fallen, install, vet
from update.journal import Journal

TICK_MS = 20
RESERVE_BYTES = 1024  # of heap in one piece that are left to everything else
_REPORTS = 4  # that wait for a session

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
        self._firmware, self._is_busy, self._faults = firmware, is_busy, faults
        self._restart, self._clock, self._sleep_ms = restart, clock, sleep_ms
        self._journal = Journal(board.root)
        self._store = self._new_store()
        self._offer = self._next = None  # the one that is installed, and the one after it
        self._trial = self._journal.trial() if self._store else None  # until it is settled
        self._withdrawn = False
        self._request = self._piece = None
        self._said_waiting = False
        self._reports = []  # (serial, state, reason)
        self.payload = None
        self.pieces = 0  # that came

    def _new_store(self):
        board, parts = self._board, (self._journal, self._pause)
        if board.update == "files":
            from update.files import Slots

            return Slots(board.root, board.slot, *parts)
        if board.update == "image":
            from update.image import Image

            return Image(board.partition, *parts)
        return None

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
            self._report(serial, "refused", verdict.reason)
        elif verdict.do == "repeat":
            self._report(serial, state, last["reason"])
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
        self._link.on_blob("release", self._take_piece)
        try:
            if self._store is not None:
                await self._after_start()
            while self._next is not None or self._reports:
                self._flush()
                if self._next is not None:
                    await self._install()
                elif self._reports:
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
        elif found == "confirmed":
            self._end(trial["serial"], "confirmed", "")
            journal.end_trial()
        elif found == "fell_back":
            self._end(trial["serial"], "fell_back", fallen(trial["tries"]))
            journal.end_trial()
        elif not journal.last["told"]:
            self._report_last()
        self._trial = None

    async def _retry(self, trial) -> None:
        try:
            self._store.retry(trial)
        except RefusedError as refused:
            self._end(trial["serial"], "refused", refused.args[0])
            return
        await self._leave()

    async def _watch(self, trial) -> None:
        """A release on trial: confirm it, or start it once more."""
        log.info("update", "on trial, %d starts are left" % trial["tries"])
        health = Health(self._clock.ticks_ms())
        while True:
            self._make_way()
            self._flush()
            has_session = self._link.session_id is not None
            verdict = health.verdict(self._clock.ticks_ms(), has_session, self._faults())
            if verdict == "confirm":
                try:
                    self._store.confirm()
                    self._end(trial["serial"], "confirmed", "")
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
            self._wait()
            self._store.pause()
            raise PausedError
        offer, self._offer, self._request = self._offer, None, None
        if state == "installed":
            self._link.post("update", serial=offer.serial, state=state)
            await self._leave()
        elif state == "replaced":
            if self._withdrawn:
                self._withdrawn = False
                reason = "The offer was taken back: offer the release again."
                self._journal.end(offer.serial, "refused", reason, told=True)
        else:
            self._end(offer.serial, state, reason)

    async def _outcome(self):
        """(state, reason) of the installation of one offer."""
        try:
            return await self._steps(), ""
        except RefusedError as refused:
            return "refused", refused.args[0]
        except _ReplacedError:
            return "replaced", ""
        except MemoryError:
            return "memory", ""
        except OSError as error:
            return "refused", _FLASH % error

    async def _steps(self) -> str:
        steps = install(self._offer, self._running(), self._store.piece_bytes)
        outcome = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as end:
                return end.value
            outcome = await self._do(step[0], step[1:])

    async def _do(self, what: str, values):
        """The outcome of one step of update.flow.install."""
        if what == "take":
            return await self._take(*values)
        if what == "fetch":
            return await self._fetch(*values)
        if what == "sha256":
            return str(hexlify(hashlib.sha256(values[0]).digest()), "ascii")
        if what == "prepare" and sys.modules.pop("voxwire.release", None):
            delattr(sys.modules["voxwire"], "release")  # read: its heap is for the pieces
        if what == "try":
            await self._pause()
            return await self._store.start(*values)
        return await getattr(self._store, what)(*values)

    async def _take(self, offer) -> None:
        log.info("update", "offer %d of %s" % (offer.serial, offer.version))
        if self._journal.last["serial"] != offer.serial:
            await self._store.forget()
            self._journal.take(offer.serial)

    async def _fetch(self, path: str, at: int, size: int):
        request = self._request = Request(self._offer.serial, path, at, size)
        self._piece = None
        while self._piece is None:
            self._flush()
            self._stop_if_replaced()
            if self._is_busy():
                self._wait()
                self._make_way()
                request.is_due(0, False)  # what comes in a turn is dropped
            elif request.is_due(self._clock.ticks_ms(), self._link.connected):
                self._said_waiting = False
                gc.collect()
                bytearray(RESERVE_BYTES)  # a MemoryError here costs nobody else anything
                self._link.post("update", **request.values)
            await self._sleep_ms(TICK_MS)
        piece, self._piece, self._request = self._piece, None, None
        return piece

    def _take_piece(self, blob_id: int, data, name: str) -> None:
        if self._request is None or self._is_busy() or not self._request.takes(name, len(data)):
            log.debug("update", "piece %s is dropped" % name)
        else:
            self._piece = data
            self.pieces += 1

    def _wait(self) -> None:
        if not self._said_waiting:
            self._said_waiting = True
            self._link.post("update", serial=self._offer.serial, state="waiting")

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

    def _stop_if_replaced(self) -> None:
        if self._withdrawn or self._next is not None:
            raise _ReplacedError

    def _running(self):
        version, _, digest = self._firmware.partition("+")
        micropython = tuple(sys.implementation[1][:2])
        return version, digest, self._board.id, self._board.update, micropython

    # What the bridge is told.

    def _end(self, serial: int, state: str, reason: str) -> None:
        log.info("update", "%d: %s %s" % (serial, state, reason))
        try:
            self._journal.end(serial, state, reason)
        except OSError as error:
            log.error("update", "the outcome cannot be kept (%s)" % error)
        self._report(serial, state, reason)

    def _report_last(self) -> None:
        last = self._journal.last
        self._report(last["serial"], last["state"], last["reason"])

    def _report(self, serial: int, state: str, reason: str) -> None:
        report = (serial, state, reason)
        if report not in self._reports:
            self._reports.append(report)
            del self._reports[:-_REPORTS]

    def _flush(self) -> None:
        while self._reports and self._link.session_id is not None:
            serial, state, reason = self._reports[0]
            if not self._link.post("update", serial=serial, state=state, reason=reason or None):
                break
            del self._reports[0]
            last = self._journal.last
            if (serial, state) == (last["serial"], last["state"]):
                self._told()

    def _told(self) -> None:
        try:
            self._journal.told()
        except OSError as error:
            log.warning("update", "it is told once more (%s)" % error)
