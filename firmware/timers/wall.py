"""Wall-clock time: local days and minutes, the change of the offset, times of day as texts."""

from collections import namedtuple

# Seconds east of UTC; from the Unix second `next_at` on (None: no change is known) they are
# `next_offset`.
Zone = namedtuple("Zone", ("offset", "next_at", "next_offset"))

UTC = Zone(0, None, 0)
DAY_S = 86400
NOON = 720  # minutes
WEEK = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
# What may be said instead of days, and the bits it stands for; bit 0 is Monday.
GROUPS = {"weekdays": 0x1F, "weekends": 0x60, "daily": 0x7F}
EVENING = 22  # a time whose half of the day was not said is none of the night


def offset_at(zone: Zone, unix_s: int) -> int:
    """The offset at a moment."""
    changed = zone.next_at is not None and unix_s >= zone.next_at
    return zone.next_offset if changed else zone.offset


def local_of(zone: Zone, unix_s: int):
    """(local day since 1970-01-01, minute of that day)."""
    local_s = unix_s + offset_at(zone, unix_s)
    return local_s // DAY_S, local_s % DAY_S // 60


def unix_of(zone: Zone, day: int, minute: int) -> int:
    """The Unix second of a local minute.

    One that comes twice is the first; one that is left out is as much later as the clock is put
    forward.
    """
    local_s = day * DAY_S + minute * 60
    before = local_s - zone.offset
    if zone.next_at is None or before < zone.next_at:
        return before
    after = local_s - zone.next_offset
    return after if after >= zone.next_at else before


def weekday(day: int) -> int:
    """0 for Monday; 1970-01-01 was a Thursday."""
    return (day + 3) % 7


def days_of(names) -> int:
    """The bits of names of days and groups."""
    bits = 0
    for name in names:
        bits |= GROUPS[name] if name in GROUPS else 1 << WEEK.index(name)
    return bits


def next_day(zone: Zone, now_s: int, minute: int, days: int, first=None) -> int:
    """The first local day whose `minute` lies ahead, one of `days` (0: any), from `first` on."""
    day = local_of(zone, now_s)[0]
    if first is not None and first > day:
        day = first
    while unix_of(zone, day, minute) <= now_s or not (not days or days >> weekday(day) & 1):
        day += 1
    return day


def day_of(word: str, today: int) -> int:
    """The day that today, tomorrow or a weekday names, seen from the day `today`."""
    if word in ("today", "tomorrow"):
        return today + (word == "tomorrow")
    return today + ((WEEK.index(word) - weekday(today)) % 7)


def parse_time(text: str):
    """(minute of the day, whether its half of the day is open) of "19:30", "7:30?"; else None."""
    is_open = text.endswith("?")
    hour, colon, minute = text[: -1 if is_open else None].partition(":")
    if not (colon and len(minute) == 2 and 1 <= len(hour) <= 2):
        return None
    if not (hour + minute).isdigit() or int(hour) > 23 or int(minute) > 59:
        return None
    if is_open and not 1 <= int(hour) <= 12:
        return None
    return int(hour) * 60 + int(minute), is_open


def halves(minute: int, wakes: bool):
    """What a time without its half of the day may be, the likelier first: by day, not at night.

    Somebody is woken in the morning.
    """
    early = minute % NOON
    late = early + NOON
    if wakes:
        return (early,) if early >= 4 * 60 else (late, early)
    return (early, late) if early >= 7 * 60 else (late, early)
