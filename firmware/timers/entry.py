"""One timer, alarm or reminder: its fields, its states, and what moves it between them."""

from collections import namedtuple

ENTRIES_MAX = 16
RING_S = 900  # after so long it gives up, and says that it rang in vain
LATE_S = 900  # due so long ago, while the device was off, it rings late; longer ago it was missed
FORGET_S = 86400  # what was missed is shown for so long
SNOOZE_S = 540
SECONDS_MAX = 7 * 86400

RUNNING, PAUSED, SNOOZED = "running", "paused", "snoozed"
RINGING, MISSED = "ringing", "missed"
STATES = (RUNNING, PAUSED, SNOOZED, RINGING, MISSED)

# id; kind: timer, alarm, reminder; name, of a reminder its text; due: steady second, or Unix
# second where there is a clock; total: seconds it was set to; clock: minute of the local day,
# None for what counts seconds; days: bits of its weekdays, 0 once; day: local day of the next;
# mark: paused: seconds left; ringing or missed: steady second in which that began.
FIELDS = (
    "id", "kind", "name", "state", "due", "total", "clock", "days", "day", "mark"
)  # fmt: skip
Entry = namedtuple("Entry", (  # the same names, as a literal: mypy reads no other
    "id", "kind", "name", "state", "due", "total", "clock", "days", "day", "mark"
))  # fmt: skip
Now = namedtuple("Now", ("steady", "unix"))  # seconds; unix None: the clock is not set

# (state, what happens) -> the state after it; what is not here is refused.
MOVES = {
    (RUNNING, "pause"): PAUSED,
    (PAUSED, "resume"): RUNNING,
    (RUNNING, "due"): RINGING,
    (SNOOZED, "due"): RINGING,
    (RUNNING, "late"): MISSED,
    (SNOOZED, "late"): MISSED,
    (RINGING, "snooze"): SNOOZED,
    (RINGING, "add"): RUNNING,
    (RUNNING, "add"): RUNNING,
    (SNOOZED, "add"): SNOOZED,
    (PAUSED, "add"): PAUSED,
    (RINGING, "expire"): MISSED,
}
REFUSALS = {
    "pause": "%s is not running.",
    "resume": "%s is not paused.",
    "add": "%s is over.",
}


class BookError(ValueError):
    """What cannot be done, as a sentence; `options`: which ones may have been meant."""

    def __init__(self, text: str, options=()) -> None:
        super().__init__(text)
        self.text, self.options = text, tuple(options)


def with_(entry: Entry, **values) -> Entry:
    """The entry with other values."""
    return Entry(*[values.get(n, v) for n, v in zip(FIELDS, entry)])


def left(entry: Entry, now: Now):
    """Seconds until it rings, below 0 when it is over; None without a clock that it needs."""
    if entry.state == PAUSED:
        return entry.mark
    if entry.state in (RINGING, MISSED):
        return 0
    if entry.clock is None:
        return entry.due - now.steady
    return None if now.unix is None else entry.due - now.unix
