"""The time of a device: its clock, how long it runs, its timers, which are in the heap while there
are any."""

import os
import time


class DeviceTime:
    """`parts` are the arguments of timers.runner.timers_of after the board."""

    def __init__(self, board) -> None:
        self._board = board
        self._started_s = time.time()
        self._zone = None  # (seconds east of UTC, Unix second of the next change, seconds then)
        self._timers = None
        self.parts = ()

    def uptime_s(self) -> int:
        """By the clock, whose setting is made up for: ticks begin anew every 12.4 days."""
        return int(time.time() - self._started_s)

    def set(self, message) -> None:
        """The bridge says the time, and where the wall clock is: a hello or a `clock`."""
        if message.time is not None and self._board.set_time is not None:
            before_s = time.time()
            self._board.set_time(message.time)
            self._started_s += time.time() - before_s
        at_s = None if message.next_offset is None else message.offset_at
        self._zone = message.utc_offset, at_s, message.next_offset
        if self._timers is not None:
            self._timers.set_zone(self._zone)

    def report(self, link) -> None:
        """Send the bridge its copy of the timers."""
        if self._timers is None:
            link.post("timers", entries=[])
        else:
            self._timers.look()  # the clock may be known only now
            self._timers.report()

    def timers(self):
        """The timers.runner.Timers of the device."""
        if self._timers is None:
            from timers.runner import timers_of

            self._timers = timers_of(self._board, *self.parts, on_end=self._forget)
            self._timers.set_zone(self._zone)
        return self._timers

    def _forget(self) -> None:
        self._timers = None

    def find_timers(self) -> None:
        """Load those that are stored, if any are."""
        try:
            os.stat(self._board.root + "/timers.json")
        except OSError:
            return
        self.timers()

    def silence(self) -> bool:
        """A press: whether it silenced something."""
        return self._timers is not None and self._timers.silence()
