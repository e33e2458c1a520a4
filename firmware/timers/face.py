"""What is told of timers: rows of the idle face, what rings, the bridge's copy."""

from timers import words
from timers.entry import MISSED, PAUSED, RINGING, SNOOZED, left

ROWS_MAX = 6
NAME_MAX = 40  # characters of a name in a report: all of them must fit into a message
_TITLES = {"timer": "Timer", "alarm": "Alarm", "reminder": "Reminder"}


def rows(book, now):
    """((what is left or when, what it is), ...): the missed first, then the next."""
    missed = [("missed", words.label(entry)) for entry in book.entries if entry.state == MISSED]
    return tuple((missed + [_row(entry, now) for entry in book.of("", now)])[:ROWS_MAX])


def _row(entry, now):
    name = "" if entry.name == "" else words.label(entry)
    if entry.clock is not None and entry.state != SNOOZED:
        return words.time_of_day(entry.clock), name or _TITLES[entry.kind]
    rest = left(entry, now)
    if rest is None:
        return "?", name or words.label(entry)
    mark = "|| " if entry.state == PAUSED else ""
    return mark + words.countdown(rest), name or _TITLES[entry.kind]


def ringing(book):
    """(kind, title, words) of what began to ring last; None while nothing rings."""
    found = [entry for entry in book.entries if entry.state == RINGING]
    if not found:
        return None
    entry = max(found, key=lambda each: each.mark)
    return entry.kind, _TITLES[entry.kind], words.sentence(words.label(entry))


def report(book, now):
    """The entries as the bridge keeps them (voxwire.message, `timers`)."""
    rung = [entry for entry in book.entries if entry.state == RINGING]
    whole = max(rung, key=lambda each: each.mark) if rung else None
    return [reported(entry, now, entry is whole) for entry in book.entries]


def reported(entry, now, is_whole=False):
    """One of them; its name is cut unless `is_whole`: what rings now is spoken."""
    data = {
        "id": entry.id,
        "kind": entry.kind,
        "label": words.label(entry) if is_whole else words.label(entry)[:NAME_MAX],
        "state": entry.state,
    }
    rest = left(entry, now)
    if rest is not None:
        data["left"] = max(0, rest)
    if entry.clock is not None:
        data["time"] = "%02d:%02d" % (entry.clock // 60, entry.clock % 60)
    if entry.days:
        data["repeats"] = words.repeats(entry.days)
    return data
