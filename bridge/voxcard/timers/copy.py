"""A device's timers, alarms and reminders, read from what it reports."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from voxwire.errors import WireError
from voxwire.fields import read

from voxcard.json_value import Json
from voxcard.text_safety import safe_line

ENTRIES_MAX = 64  # four times what a device of ours keeps
_LABEL_MAX = 120  # characters
_WEEK_S = 604_800
_ENTRY = (
    "id:0..999999999 kind:timer|alarm|reminder label:string"
    f" state:running|paused|snoozed|ringing|missed left:0..{10 * _WEEK_S}?"
    " time:string= repeats:string="
)
_UNITS = ((3600, "h"), (60, "min"), (1, "s"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Timer:
    """One of them; `left_s` is of the moment `at_s` (Unix) of its report, None where it is not
    known. `time` is an alarm's HH:MM, `repeats` its days in words."""

    id: int
    kind: str
    label: str
    state: str
    left_s: int | None
    at_s: int
    time: str = ""
    repeats: str = ""

    def left_at(self, now_s: float) -> int | None:
        """Seconds left of it now: a device that is away counts on."""
        if self.left_s is None or self.state == "paused":
            return self.left_s
        return max(0, self.left_s - max(0, round(now_s - self.at_s)))

    def words(self, now_s: float) -> str:
        """One line for a person: "pizza timer: 4 min 5 s left"."""
        name = f"{self.label} {self.kind}" if self.kind != "reminder" else f"remind: {self.label}"
        left = self.left_at(now_s)
        if self.state in ("ringing", "missed"):
            return f"{name}: {self.state}"
        if self.kind != "timer" and self.time and self.state == "running":
            return f"{name}: {' '.join(filter(None, (self.time, self.repeats)))}"
        if left == 0:
            return f"{name}: over"
        words = "unknown time" if left is None else _length(left)
        return f"{name}: {words} left{', paused' * (self.state == 'paused')}"


def timers_of(entries: Sequence[Json], at_s: int) -> tuple[tuple[Timer, ...], int]:
    """(those of a report that can be read, how many of it can not)."""
    timers = tuple(_read(entries[:ENTRIES_MAX], at_s))
    return timers, len(entries) - len(timers)


def _read(entries: Sequence[Json], at_s: int) -> Iterator[Timer]:
    for entry in entries:
        try:
            number, kind, label, state, left, time, repeats = read(_ENTRY, entry, "timer")
        except WireError:
            continue
        texts = (safe_line(each, _LABEL_MAX) for each in (label, time, repeats))
        label, time, repeats = texts
        yield Timer(
            id=number, kind=kind, label=label, state=state, left_s=left, at_s=at_s, time=time,
            repeats=repeats,
        )  # fmt: skip


def _length(seconds: int) -> str:
    parts = []
    for size, name in _UNITS:
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count} {name}")
    return " ".join(parts[:2]) or "0 s"
