"""How timers are called and what is said of them, in English."""

from timers import wall

_UNITS = (("hour", 3600), ("minute", 60), ("second", 1))


def length(seconds: int, unit_end: str = "s") -> str:
    """ "1 hour 30 minutes"; at most two units, the smaller rounded up."""
    seconds = max(0, int(seconds))
    if seconds >= 3600:
        seconds = -(-seconds // 60) * 60
    parts = []
    for name, size in _UNITS:
        count, seconds = seconds // size, seconds % size
        if count:
            parts.append("%d %s%s" % (count, name, unit_end if count != 1 else ""))
    return " ".join(parts[:2]) or "0 second" + unit_end


def countdown(seconds: int) -> str:
    """ "4:05", "1:04:05"."""
    seconds = max(0, int(seconds))
    minutes = seconds // 60
    if minutes < 60:
        return "%d:%02d" % (minutes, seconds % 60)
    return "%d:%02d:%02d" % (minutes // 60, minutes % 60, seconds % 60)


def time_of_day(minute: int) -> str:
    """ "7:00 AM"."""
    half = "PM" if minute >= wall.NOON else "AM"
    return "%d:%02d %s" % ((minute // 60 + 11) % 12 + 1, minute % 60, half)


def day(number: int, today: int) -> str:
    """A local day seen from today: today, tomorrow, or "on Friday"."""
    if 0 <= number - today <= 1:
        return ("today", "tomorrow")[number - today]
    name = wall.WEEK[wall.weekday(number)]
    return "on " + name[0].upper() + name[1:]


def repeats(days: int) -> str:
    """ "every day", "on weekdays", "every Monday and Friday"."""
    for name, bits in wall.GROUPS.items():
        if days == bits:
            return "every day" if name == "daily" else "on " + name
    names = [name for at, name in enumerate(wall.WEEK) if days >> at & 1]
    return "every " + " and ".join([name[0].upper() + name[1:] for name in names])


def label(entry) -> str:
    """What an entry is called: by its name, else by its length or time."""
    if entry.name:
        return entry.name
    if entry.clock is not None:
        return time_of_day(entry.clock)
    return length(entry.total, "")


def title(entry) -> str:
    """ "the pizza timer", "the 10 minute timer", "the 7:00 AM alarm", "the reminder: call mum"."""
    if entry.kind == "reminder":
        return "the reminder: " + entry.name
    return "the %s %s" % (label(entry), entry.kind)


def sentence(text: str) -> str:
    """With a capital letter."""
    return text[0].upper() + text[1:]
