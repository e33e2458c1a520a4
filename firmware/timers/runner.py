"""Keeps the timers of a device: counts, rings, stores, shows; in the heap while there are any."""

import asyncio
import os
import sys
import time
from errno import ENOENT

import log
from seldom import forget
from store import Store
from voxwire.errors import WireError
from voxwire.session import CONNECTING, IDLE, OFFLINE
from voxwire.ticks import elapsed_ms

from timers import face, stored, wall
from timers.book import Book
from timers.entry import RINGING, RUNNING, Now
from timers.ring import Ring

LOOK_MS = 1000
RATE_HZ_MAX = 24000  # of what rings: more is of no use for beeps
SAVE_S = 300  # where the clock may be lost with the power, so much of a timer is lost at most


class Timers:
    """The book of a device, kept in the file `path`; `run` is its task, which ends with the last.

    `unix()` is the wall clock in seconds, None while it is not set. `view` shows, `ring` is a
    timers.ring.Ring, `tell(entries)` sends the bridge its copy, `say(name, text)` an event;
    `observe(event, **values)` follows what rings; `on_end()` is called with nothing left.
    """

    def __init__(self, path, unix, view, ring, tell, say, observe, on_end,
                 ticks_ms=time.ticks_ms) -> None:  # fmt: skip
        self._path, self._store = path, Store(path)
        self._unix, self._ticks_ms = unix, ticks_ms
        self._view, self._ring = view, ring
        self._tell, self._say = tell, say
        self._observe, self._on_end = observe, on_end
        self._steady_ms, self._last_ms = 0, ticks_ms()
        self._changed = asyncio.Event()
        self._sound = None  # the task that rings
        self._saved_s = 0
        self.book = self._loaded()
        self._task = asyncio.create_task(self.run())

    def _loaded(self) -> Book:
        try:
            data = self._store.load()
            if data is None:
                return Book()
            book, broken = stored.load(data, self.now())
        except WireError as error:
            log.error("timers", "the stored timers cannot be read: %s" % error)
            self._say("error", "Timers and alarms were lost: their file was damaged.")
            return Book()
        if broken:
            self._say("error", "%d timers or alarms were lost: their file was damaged." % broken)
        return book

    def now(self) -> Now:
        """The time as the book counts it."""
        ticks_ms = self._ticks_ms()
        self._steady_ms += elapsed_ms(ticks_ms, self._last_ms)
        self._last_ms = ticks_ms
        unix = self._unix()
        return Now(self._steady_ms // 1000, None if unix is None else int(unix))

    @property
    def is_ringing(self) -> bool:
        """Whether something rings."""
        return any(entry.state == RINGING for entry in self.book.entries)

    def changed(self) -> None:
        """The book has changed: show it, tell of it, store it; OSError when that fails."""
        now = self.now()
        self._show(now)
        self.report()
        self._changed.set()
        self._save(now)

    def report(self) -> None:
        """Send the bridge its copy."""
        self._tell(face.report(self.book, self.now()))

    def set_zone(self, zone) -> None:
        """Where the wall clock is from now on: the fields of a wall.Zone; None: as it was."""
        if zone is None:
            return
        zone = wall.Zone(*zone)
        if zone != self.book.zone:
            self.book.set_zone(zone, self.now())
            if self.book.entries:
                self._keep()

    def end_if_done(self) -> None:
        """Where nothing is left it ends, and its code leaves the heap."""
        if not self.book.entries:
            self.close()
            self._on_end()

    def close(self) -> None:
        """Nothing of it runs any more."""
        self._show(self.now())
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def silence(self) -> bool:
        """A person presses a button: stop what rings. Whether something did; then the press is
        for nothing else."""
        was_ringing = self.is_ringing
        if self.book.stop(self.now()):
            self._keep()
        return was_ringing

    async def run(self) -> None:
        """Look at the clock until there is nothing left to wait for."""
        while self.book.entries:
            try:
                self.look()
            except Exception as error:
                # A fault of a moment must not cost somebody an alarm.
                log.exception("timers", "a look", error)
            self._changed.clear()
            try:
                await asyncio.wait_for_ms(self._changed.wait(), LOOK_MS)
            except asyncio.TimeoutError:
                pass
        self._task = None  # not to be cancelled by itself
        self.end_if_done()

    def look(self) -> None:
        """One look at the clock."""
        now = self.now()
        count, unsettled = len(self.book.entries), self.book.unsettled
        happened = self.book.tick(now)
        for what, entry in happened:
            self._happens(what, entry)
        if happened or len(self.book.entries) != count or self.book.unsettled != unsettled:
            self._keep()
        elif self._is_counting() and now.steady - self._saved_s >= SAVE_S:
            self._keep(quietly=True)
        self._show(now)

    def _is_counting(self) -> bool:
        return any(e.clock is None and e.state == RUNNING for e in self.book.entries)

    def _happens(self, what: str, entry) -> None:
        label = face.words.title(entry)
        log.info("timers", "%s: %s" % (what, label))
        self._say("timer", "%s %s" % ("rings:" if what == "ring" else "missed:", label))
        if what == "ring" and entry.kind == "reminder" and self._view.screen is not None:
            self._show_card(entry.name)

    def _show_card(self, text: str) -> None:
        # It stays when the ring, which is shown over it, has been stopped.
        try:
            from toolbox.display import text_card  # only now: it is seldom in the heap

            forget("toolbox.display")
            self._view.show_card(text_card(self._view, text))
        except MemoryError:
            log.error("timers", "the card of a reminder needs more memory than there is")

    def _keep(self, quietly=False) -> None:
        try:
            if quietly:
                self._save(self.now())
            else:
                self.changed()
        except OSError as error:
            log.error("timers", "they cannot be stored (%s)" % error)

    def _save(self, now: Now) -> None:
        self._saved_s = now.steady
        if self.book.entries:
            self._store.save(stored.dump(self.book, now))
            return
        for path in (self._path + ".new", self._path):
            try:
                os.remove(path)
            except OSError as error:
                if error.errno != ENOENT:  # there was none
                    raise

    def _show(self, now: Now) -> None:
        self._view.set_timers(face.rows(self.book, now))
        rings = face.ringing(self.book)
        self._view.set_ring(rings and rings[1:])
        if bool(rings) != (self._sound is not None):
            self._observe("timers", ringing=bool(rings))
            if rings:
                self._sound = asyncio.create_task(self._sounding())
            else:
                self._sound.cancel()
                self._sound = None

    async def _sounding(self):
        begun_s = self.now().steady
        while True:
            rings = face.ringing(self.book)
            try:
                await self._ring.round(rings[0] if rings else "timer", self.now().steady - begun_s)
            except OSError as error:
                log.error("timers", "the speaker does not ring: %s" % error)
                await asyncio.sleep_ms(LOOK_MS)


def timers_of(board, settings, view, link, voice, playback, reports, observe, on_end) -> Timers:
    """The Timers of a device of these parts."""

    def is_free():
        return not playback.active and voice.state in (IDLE, CONNECTING, OFFLINE)

    def rate_hz():
        # As speech, where it is known how that comes: some speakers are slow to change.
        if link.session_id is not None:
            return playback.rate_hz
        return max([rate for rate in board.speaker.rates_hz if rate <= RATE_HZ_MAX])

    volume = lambda: settings.get("alarm_volume")  # noqa: E731
    ring = Ring(board.speaker, rate_hz, volume, is_free)
    playback.on_begin = ring.hush

    def end():
        playback.on_begin = None
        on_end()
        for name in list(sys.modules):
            if name == "timers" or name.startswith("timers."):
                del sys.modules[name]

    return Timers(
        board.root + "/timers.json",
        board.unix or (lambda: None),
        view,
        ring,
        tell=lambda entries: link.post("timers", entries=entries),
        say=reports.add,
        observe=observe,
        on_end=end,
    )
