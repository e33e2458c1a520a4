"""Every rule of timers, alarms and reminders; takes the time, touches nothing.

A timer counts on the device's own steady seconds, an alarm on the wall clock; a reminder on
either.
"""

from timers import finding, wall, words
from timers.entry import (
    ENTRIES_MAX,
    FORGET_S,
    LATE_S,
    MISSED,
    MOVES,
    PAUSED,
    REFUSALS,
    RING_S,
    RINGING,
    RUNNING,
    SECONDS_MAX,
    SNOOZED,
    BookError,
    Entry,
    Now,
    left,
    with_,
)


class Book:
    """The entries, in the order they were set; `zone` is where the wall clock is."""

    def __init__(self) -> None:
        self.entries: "list[Entry]" = []
        self.zone = wall.UTC
        self.last_id = 0
        # Of a start: (Unix second of the save, steady second of the load), and the ids of what
        # counts as if no time had passed between, until the clock says how much has.
        self.unsettled: "tuple[int, int] | None" = None
        self.unsettled_ids: "set[int]" = set()

    # Setting.

    def add_timer(self, seconds: int, name: str, now: Now, kind: str = "timer") -> Entry:
        """A timer, or a reminder whose text is `name`, in so many seconds."""
        return self._add(kind, name, now.steady + seconds, total=seconds)

    def add_alarm(self, time, name, now: Now, kind="alarm", days=0, day="", wakes=False) -> Entry:
        """An alarm or reminder at `time`, (minute, whether its half of the day is open).

        `days` are the bits it repeats on; `day` is today, tomorrow, a weekday, or "": the next.
        """
        if now.unix is None:
            raise BookError("The time is not known yet. Connect the device, then try again.")
        minute, is_open = time
        at, minute = self._resolved(minute, is_open, now, days, day, wakes)
        due = wall.unix_of(self.zone, at, minute)
        return self._add(kind, name, due, clock=minute, days=days, day=at)

    def _resolved(self, minute, is_open, now, days, day, wakes):
        """(local day, minute) that is meant."""
        today, minute_now = wall.local_of(self.zone, now.unix)
        first = wall.day_of(day, today) if day else None
        choices = wall.halves(minute, wakes) if is_open else (minute,)
        if not days and first in (None, today):
            # The next that a clock face shows, if that is still today.
            ahead = [each for each in choices if each > minute_now]
            if ahead:
                return today, min(ahead)
        if day == "today":
            raise BookError("That time has passed today.")
        if first == today:
            first = today + 7  # its weekday, and the time has passed
        return wall.next_day(self.zone, now.unix, choices[0], days, first), choices[0]

    def _add(self, kind, name, due, total=0, clock=None, days=0, day=0) -> Entry:
        self._make_room()
        self.last_id += 1
        entry = Entry(self.last_id, kind, name, RUNNING, due, total, clock, days, day, 0)
        self.entries.append(entry)
        return entry

    def _make_room(self) -> None:
        if len(self.entries) < ENTRIES_MAX:
            return
        for entry in self.entries:
            if entry.state == MISSED:
                self.entries.remove(entry)
                return
        raise BookError("There are %d timers and alarms already: cancel one first." % ENTRIES_MAX)

    def of(self, kind: str, now: Now):
        """Those of a kind ("": all) that are still to ring or ring, the next first."""
        return finding.waiting(self.entries, kind, now)

    def pick(self, kind: str, which: str, now: Now) -> Entry:
        """The one that is meant; see finding.pick."""
        return finding.pick(self.entries, kind, which, now)

    # Changing.

    def pause(self, entry: Entry, now: Now) -> Entry:
        """Stop a timer's clock."""
        return self._move(entry, "pause", mark=max(0, left(entry, now)))

    def resume(self, entry: Entry, now: Now) -> Entry:
        """Let it go on."""
        return self._move(entry, "resume", due=now.steady + entry.mark)

    def add_time(self, entry: Entry, seconds: int, now: Now) -> Entry:
        """Make it longer, or shorter by less than is left; one that rings starts again."""
        rest = max(0, left(entry, now)) + seconds
        if not 0 < rest <= SECONDS_MAX:
            raise BookError("%s would be over then." % words.sentence(words.title(entry)))
        if entry.state == PAUSED:
            return self._move(entry, "add", mark=rest)
        return self._move(entry, "add", due=now.steady + rest)

    def cancel(self, entry: Entry) -> None:
        """Forget it."""
        self.entries.remove(entry)

    def cancel_all(self, kind: str, now: Now) -> int:
        """Forget all of a kind ("": of any); how many that were."""
        gone = self.of(kind, now)
        self.entries = [each for each in self.entries if each not in gone]
        return len(gone)

    def stop(self, now: Now):
        """Silence what rings and forget what was missed; those entries."""
        ended = [each for each in self.entries if each.state in (RINGING, MISSED)]
        for entry in ended:
            self._end(entry, now)
        return ended

    def snooze(self, seconds: int, now: Now):
        """What rings is silent and rings again after so long; those entries."""
        ringing = [each for each in self.entries if each.state == RINGING]
        for entry in ringing:
            base = now.steady if entry.clock is None else now.unix
            if base is not None:
                self._move(entry, "snooze", due=base + seconds)
        return ringing

    # Time.

    def set_zone(self, zone: wall.Zone, now: Now) -> None:
        """The offset is another: alarms keep their time of day."""
        if zone == self.zone:
            return
        self.zone = zone
        for entry in self.entries:
            if entry.clock is not None and entry.state == RUNNING:
                self._put(with_(entry, due=wall.unix_of(zone, entry.day, entry.clock)))

    def tick(self, now: Now):
        """What happens now: [("ring" | "missed", entry)]."""
        self._settle(now)
        happened = []
        for entry in tuple(self.entries):
            over = now.steady - entry.mark
            if entry.state == RINGING and over >= RING_S:
                happened.append(("missed", self._end(entry, now, missed=True)))
            elif entry.state == MISSED and over >= FORGET_S:
                self.entries.remove(entry)
            elif entry.state in (RUNNING, SNOOZED):
                late = left(entry, now)
                if late is None or late > 0:
                    continue
                if -late > LATE_S:
                    happened.append(("missed", self._end(entry, now, missed=True)))
                else:
                    happened.append(("ring", self._move(entry, "due", mark=now.steady)))
        return happened

    def _settle(self, now: Now) -> None:
        """Count the time without power, now that the clock says how long that was."""
        if self.unsettled is None or now.unix is None:
            return
        saved, loaded = self.unsettled
        self.unsettled = None
        off = max(0, (now.unix - saved) - (now.steady - loaded))
        for entry in tuple(self.entries):
            if entry.id not in self.unsettled_ids:
                continue
            if entry.state in (RINGING, MISSED):
                self._put(with_(entry, mark=entry.mark - off))
            elif entry.clock is None and entry.state != PAUSED:
                self._put(with_(entry, due=entry.due - off))
        self.unsettled_ids.clear()

    def _end(self, entry: Entry, now: Now, missed: bool = False) -> Entry:
        """It has rung, or could not: an alarm that repeats waits for its next day."""
        over = with_(entry, state=MISSED, mark=now.steady, days=0)
        if not entry.days or now.unix is None:
            if missed:
                self._put(over)
            else:
                self.entries.remove(entry)
            return over
        after = max(entry.day, wall.local_of(self.zone, now.unix)[0] - 1) + 1
        day = wall.next_day(self.zone, now.unix, entry.clock, entry.days, after)
        due = wall.unix_of(self.zone, day, entry.clock)
        self._put(with_(entry, state=RUNNING, due=due, day=day, mark=0))
        if missed and len(self.entries) < ENTRIES_MAX:
            self.last_id += 1
            self.entries.append(with_(over, id=self.last_id))
        return over

    def _move(self, entry: Entry, event: str, **values) -> Entry:
        state = MOVES.get((entry.state, event))
        if state is None:
            raise BookError(REFUSALS[event] % words.sentence(words.title(entry)))
        return self._put(with_(entry, state=state, **values))

    def _put(self, entry: Entry) -> Entry:
        self.unsettled_ids.discard(entry.id)
        self.entries = [entry if each.id == entry.id else each for each in self.entries]
        return entry
