"""The tools of timers, alarms and reminders; loaded when they are listed or called."""

from toolbox.registry import (
    Content,
    Tool,
    ToolError,
    array,
    boolean,
    choice,
    integer,
    string,
)

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_KINDS = ("timer", "alarm", "reminder")
_WEEK_S = 604800
_LISTED = 8  # of a list, in its text
_NAME_MAX, _TEXT_MAX = 40, 120

_WHICH = "its name or length; empty: the only one"
_TIME = 'HH:MM, 24 hours; "7:00?" where morning or evening was not said'


def _which():
    return string(_NAME_MAX, _WHICH, default="", form="name")


def _seconds(low, high, **more):
    return integer(low, high, "seconds", form="duration", **more)


def _day():
    return choice(("", "today", "tomorrow") + _DAYS, "empty: the next", default="")


def _days():
    named = choice(("daily", "weekdays", "weekends") + _DAYS)
    return array(named, 7, "when it repeats; empty: once", default=())


def tools(timers):
    """Each of them; `timers()` is the timers.runner.Timers of the device, which it loads."""

    def tool(name, description, destructive=None, **parameters):
        def declare(call):
            def guarded(**values):
                return _guarded(call, timers(), values)

            return Tool(name, description, "ai", parameters, guarded, "", destructive)

        return declare

    for group in (_lengths, _pauses, _alarms, _reminders, _lists, _cancels, _rings):
        for each in group(tool):
            yield each


def _guarded(call, kept, values):
    """The result of a tool's function; the book's refusals are for people."""
    try:
        return call(kept, kept.book, kept.now(), **values)
    except ValueError as error:
        if not hasattr(error, "options"):
            raise
        options = {"which": list(error.options)} if error.options else None
        raise ToolError(error.text, options)
    finally:
        kept.end_if_done()


def _done(kept, text: str, entry=None):
    """Keep what was changed, and say so."""
    from timers import face

    try:
        kept.changed()
    except OSError as error:
        raise ToolError(text + " But a power cut loses it: it cannot be stored (%s)." % error)
    structured = {} if entry is None else face.reported(entry, kept.now())
    return Content([{"type": "text", "text": text}], structured)


def _lengths(tool):
    @tool(
        "self.timer.start",
        "Start a timer; it rings on this device even without network.",
        seconds=_seconds(1, _WEEK_S),
        label=string(_NAME_MAX, "what it is for, if that was said", default="", form="name"),
    )
    def start(kept, book, now, seconds, label):
        from timers import words

        entry = book.add_timer(seconds, label, now)
        title = _title(entry)
        text = "%s is set." % title
        if label:
            text = "%s is set for %s." % (title, words.length(seconds))
        return _done(kept, text, entry)

    yield start

    @tool(
        "self.timer.add_time",
        "Make a timer longer, or shorter with `less`.",
        seconds=_seconds(1, _WEEK_S),
        which=_which(),
        less=boolean("take the time off", default=False),
    )
    def add_time(kept, book, now, seconds, which, less):
        entry = book.pick("timer", which, now)
        entry = book.add_time(entry, -seconds if less else seconds, now)
        return _done(kept, "%s has %s left." % (_title(entry), _left(entry, now)), entry)

    yield add_time


def _pauses(tool):
    @tool("self.timer.pause", "Pause a timer.", which=_which())
    def pause(kept, book, now, which):
        entry = book.pause(book.pick("timer", which, now), now)
        text = "%s is paused with %s left." % (_title(entry), _left(entry, now))
        return _done(kept, text, entry)

    yield pause

    @tool("self.timer.resume", "Let a paused timer go on.", which=_which())
    def resume(kept, book, now, which):
        entry = book.resume(book.pick("timer", which, now), now)
        return _done(kept, "%s goes on, %s left." % (_title(entry), _left(entry, now)), entry)

    yield resume


def _alarms(tool):
    @tool(
        "self.alarm.set",
        "Set an alarm at a time of day; it rings on this device even without network.",
        time=string(6, _TIME, form="clock"),
        day=_day(),
        days=_days(),
        label=string(_NAME_MAX, "what it is for, if that was said", default="", form="name"),
        wakes=boolean("it wakes somebody: an open time is in the morning", default=False),
    )
    def set_alarm(kept, book, now, time, day, days, label, wakes):
        from timers.wall import days_of

        entry = book.add_alarm(_parsed(time), label, now, days=days_of(days), day=day, wakes=wakes)
        return _done(kept, "The alarm is set for %s." % _when(entry, book, now), entry)

    yield set_alarm


def _reminders(tool):
    @tool(
        "self.reminder.set",
        "Remind somebody of a text, at a time of day or in so many seconds.",
        text=string(_TEXT_MAX, "what of: call mum", low=1),
        time=string(6, _TIME, default="", form="clock"),
        seconds=_seconds(0, _WEEK_S, default=0),
        day=_day(),
        days=_days(),
    )
    def set_reminder(kept, book, now, text, time, seconds, day, days):
        from timers import words
        from timers.wall import days_of

        if bool(time) == bool(seconds):
            raise ToolError("A reminder needs a time or a number of seconds, not both.")
        if seconds:
            entry = book.add_timer(seconds, text, now, kind="reminder")
            when = "in " + words.length(seconds)
        else:
            entry = book.add_alarm(
                _parsed(time), text, now, kind="reminder", days=days_of(days), day=day
            )
            when = _when(entry, book, now)
        return _done(kept, "I will remind you %s." % (when if seconds else "at " + when), entry)

    yield set_reminder


def _lists(tool):
    @tool(
        "self.timer.list",
        "What is set, and how long is left of it.",
        kind=choice(("",) + _KINDS, "empty: all", default=""),
        which=_which(),
    )
    def list_all(kept, book, now, kind, which):
        from timers import face

        found = [book.pick(kind, which, now)] if which else book.of(kind, now)
        if not found:
            text = "There is no %s." % (kind or "timer or alarm")
        else:
            said = [_said(entry, book, now) for entry in found[:_LISTED]]
            more = len(found) - _LISTED
            text = " ".join(said) + (" And %d more." % more if more > 0 else "")
        entries = [face.reported(entry, now) for entry in found]
        return Content([{"type": "text", "text": text}], {"entries": entries})

    yield list_all


def _cancels(tool):
    @tool(
        "self.timer.cancel",
        "Cancel one timer, alarm or reminder.",
        destructive=False,  # one that was named, and is soon set again
        kind=choice(_KINDS, default="timer"),
        which=_which(),
    )
    def cancel(kept, book, now, kind, which):
        entry = book.pick(kind, which, now)
        book.cancel(entry)
        return _done(kept, "%s is cancelled." % _title(entry))

    yield cancel

    @tool(
        "self.timer.cancel_all",
        "Cancel all timers, alarms or reminders.",
        destructive=True,
        kind=choice(("",) + _KINDS, "empty: all of them", default=""),
    )
    def cancel_all(kept, book, now, kind):
        count = book.cancel_all(kind, now)
        noun = kind or "timer or alarm"
        if not count:
            return _done(kept, "There is no %s." % noun)
        return _done(kept, "%d %s cancelled." % (count, noun if count == 1 else _many(kind)))

    yield cancel_all


def _rings(tool):
    @tool("self.timer.stop", "Silence what rings.")
    def stop(kept, book, now):
        ended = [entry for entry in book.stop(now) if entry.state == "ringing"]
        return _done(kept, "Okay." if ended else "Nothing rings.")

    yield stop

    @tool(
        "self.timer.snooze",
        "Silence what rings, for some minutes.",
        minutes=integer(1, 60, default=9),
    )
    def snooze(kept, book, now, minutes):
        if not book.snooze(60 * minutes, now):
            raise ToolError("Nothing rings.")
        return _done(
            kept, "Again in %d minutes." % minutes if minutes > 1 else "Again in a minute."
        )

    yield snooze


def _many(kind: str) -> str:
    return kind + "s" if kind else "timers and alarms"


def _title(entry) -> str:
    from timers import words

    return words.sentence(words.title(entry))


def _left(entry, now) -> str:
    from timers import entry as entries
    from timers import words

    rest = entries.left(entry, now)
    return "an unknown time" if rest is None else words.length(rest)


def _parsed(time: str):
    from timers.wall import parse_time

    found = parse_time(time)
    if found is None:
        raise ToolError('time must be HH:MM, as 19:30, or "7:30?" where its half is open.')
    return found


def _when(entry, book, now) -> str:
    """ "7:00 AM tomorrow", "6:30 AM on weekdays"."""
    from timers import wall, words

    text = words.time_of_day(entry.clock)
    if entry.days:
        return text + " " + words.repeats(entry.days)
    if now.unix is None:
        return text
    return text + " " + words.day(entry.day, wall.local_of(book.zone, now.unix)[0])


def _said(entry, book, now) -> str:
    """One sentence about an entry."""
    title = _title(entry)
    if entry.state == "ringing":
        return "%s rings." % title
    if entry.state == "paused":
        return "%s is paused with %s left." % (title, _left(entry, now))
    if entry.clock is None or entry.state == "snoozed":
        return "%s has %s left." % (title, _left(entry, now))
    if entry.kind == "alarm" and not entry.name:
        return "The alarm is set for %s." % _when(entry, book, now)
    return "%s is set for %s." % (title, _when(entry, book, now))
