"""Times of day as people say them: "half past six", "7:30 p.m.", "noon", "five to eight"."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from voxcard.assistants.offline.intents.normalise import Word

_NAMED = {"noon": 720, "midday": 720, "midnight": 0}
_PARTS = {"half": 30, "quarter": 15}
# What says the half of the day, and the hour of the day that it makes of one on a clock's face.
_HALVES = {
    tuple(phrase.split()): hours
    for phrases, hours in (
        ("a m, am", {hour: hour % 12 for hour in range(1, 13)}),
        ("p m, pm", {hour: hour % 12 + 12 for hour in range(1, 13)}),
        ("in the morning, this morning", {hour: hour for hour in range(1, 12)}),
        (
            "in the afternoon, this afternoon",
            {hour: hour % 12 + 12 for hour in (12, *range(1, 7))},
        ),
        ("in the evening, this evening, tonight", {hour: hour + 12 for hour in range(4, 12)}),
        ("at night", {12: 0, 1: 1, 2: 2, 3: 3, 8: 20, 9: 21, 10: 22, 11: 23}),
    )
    for phrase in phrases.split(",")
}


@dataclass(frozen=True, slots=True)
class ClockTime:
    """`length` words are the time `text`: HH:MM, with "?" where its half of the day is open."""

    length: int
    text: str


def clock_times(sentence: Sequence[Word], at: int) -> Iterator[ClockTime]:
    """Every time of day that begins at `at`."""
    named = _NAMED.get(_text(sentence, at))
    if named is not None:
        yield ClockTime(1, _written(named))
        return
    for end, hour, minute, is_exact in _faces(sentence, at):
        if is_exact or hour > 12 or hour == 0:
            yield ClockTime(end - at, _written(hour * 60 + minute))
            continue
        yield ClockTime(end - at, f"{hour}:{minute:02}?")
        for phrase, hours in _HALVES.items():
            said = tuple(word.text for word in sentence[end : end + len(phrase)])
            if said == phrase and hour in hours:
                text = _written(hours[hour] * 60 + minute)
                yield ClockTime(end + len(phrase) - at, text)


def _faces(sentence: Sequence[Word], at: int) -> Iterator[tuple[int, int, int, bool]]:
    """(where it ends, hour, minute, whether it counts 24 hours) of what a clock's face shows."""
    if (spoken := _spoken(sentence, at)) is not None:
        yield spoken
    hour = _whole(sentence, at)
    if hour is None:
        return
    text = sentence[at].text
    if len(text) in (3, 4) and hour % 100 < 60 and 1 <= hour // 100 <= 23:
        yield at + 1, hour // 100, hour % 100, text.startswith("0")  # "630"
    if hour > 23 or len(text) > 2:
        return
    is_exact = len(text) == 2 and text.startswith("0")
    minute, end = _minute(sentence, at + 1)
    if minute is not None:
        yield end, hour, minute, is_exact
    if 1 <= hour <= 12 and not is_exact:
        sharp = _text(sentence, at + 1) == "oclock"
        yield at + 1 + sharp, hour, 0, False


def _minute(sentence: Sequence[Word], at: int) -> tuple[int | None, int]:
    """The minute that follows an hour, and where it ends: "30", "05", "oh five"."""
    value, text = _whole(sentence, at), _text(sentence, at)
    if value is None:
        return None, at
    if text == "0" and (unit := _whole(sentence, at + 1)) is not None and 1 <= unit <= 9:
        return unit, at + 2
    return (value, at + 1) if len(text) == 2 and value < 60 else (None, at)


def _spoken(sentence: Sequence[Word], at: int) -> tuple[int, int, int, bool] | None:
    """ "half past 6", "a quarter to 8", "20 minutes past 7"."""
    at += _text(sentence, at) == "a"
    part = _PARTS.get(_text(sentence, at))
    if part is None and at < len(sentence) and sentence[at].is_part:
        part = round((sentence[at].number or 0) * 60)
    if part is None:
        part = _whole(sentence, at)
        if part is None or not 1 <= part <= 59:
            return None
        at += _text(sentence, at + 1) in ("minutes", "minute")
    way, hour = _text(sentence, at + 1), _whole(sentence, at + 2)
    if way not in ("past", "after", "to") or hour is None or not 1 <= hour <= 12:
        return None
    if way != "to":
        return at + 3, hour, part, False
    return (at + 3, (hour - 2) % 12 + 1, 60 - part, False) if part < 60 else None


def _whole(sentence: Sequence[Word], at: int) -> int | None:
    if at >= len(sentence) or not sentence[at].text.isdecimal():
        return None
    return int(sentence[at].text)


def _text(sentence: Sequence[Word], at: int) -> str:
    return sentence[at].text if 0 <= at < len(sentence) else ""


def _written(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"
