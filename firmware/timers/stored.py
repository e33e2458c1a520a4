"""The book as a JSON object, and back: what a power cut leaves of it."""

from voxwire.errors import WireError
from voxwire.fields import read

from timers import wall
from timers.book import Book
from timers.entry import (
    ENTRIES_MAX,
    FIELDS,
    MISSED,
    PAUSED,
    RINGING,
    SECONDS_MAX,
    STATES,
    Entry,
    Now,
)

NAME_MAX = 120  # characters of a name; a reminder's is its text
_FILE = (
    "unix:0..4294967295? offset:-86400..86400 next_at:0..4294967295? next_offset:-86400..86400?"
    " last_id:0..999999999 entries:array"
)
_ENTRY = (
    "id:1..999999999 kind:timer|alarm|reminder name:string state:%s"
    " due:-4294967295..4294967295 total:0..%d clock:0..1439? days:0..127 day:0..99999"
    " mark:-4294967295..4294967295" % ("|".join(STATES), SECONDS_MAX)
)


def dump(book: Book, now: Now) -> "dict[str, object]":
    """The object to store: steady seconds as what is left of them, and the time of the save."""
    zone = book.zone
    return {
        "unix": now.unix,
        "offset": zone.offset,
        "next_at": zone.next_at,
        "next_offset": zone.next_offset,
        "last_id": book.last_id,
        "entries": [_written(entry, now) for entry in book.entries],
    }


def load(data, now: Now) -> "tuple[Book, int]":
    """(the book, how many entries of it could not be read); WireError when nothing can.

    What counts seconds goes on as if no time had passed, until the clock is known.
    """
    unix, offset, next_at, next_offset, last_id, entries = read(_FILE, data, "timers")
    book = Book()
    if next_at is None or next_offset is None:
        next_at = next_offset = None
    book.zone = wall.Zone(offset, next_at, next_offset)
    book.last_id = last_id
    broken = 0
    for each in entries:
        try:
            entry = _read(each, now)
            if len(book.entries) == ENTRIES_MAX or entry.id in book.unsettled_ids:
                raise WireError("timers", "has too many entries")
        except WireError:
            broken += 1
            continue
        book.entries.append(entry)
        book.unsettled_ids.add(entry.id)
        book.last_id = max(book.last_id, entry.id)
    if unix is not None:
        book.unsettled = (unix, now.steady)
    return book, broken


def _written(entry: Entry, now: Now) -> "dict[str, object]":
    data = dict(zip(FIELDS, entry))
    if entry.clock is None:
        data["due"] = entry.due - now.steady
    if entry.state in (RINGING, MISSED):
        data["mark"] = now.steady - entry.mark
    return data


def _read(data, now: Now) -> Entry:
    entry = Entry(*read(_ENTRY, data, "timer"))
    clock = {"timer": False, "alarm": True}.get(entry.kind, entry.clock is not None)
    if len(entry.name) > NAME_MAX or clock != (entry.clock is not None):
        raise WireError("timer", "is none")
    due, mark = entry.due, entry.mark
    if entry.clock is None:
        due += now.steady
    elif entry.state == PAUSED:
        raise WireError("timer.state", "is none of an alarm")
    if entry.state in (RINGING, MISSED):
        mark = now.steady - mark
    return Entry(*(entry[:4] + (due,) + entry[5:9] + (mark,)))
