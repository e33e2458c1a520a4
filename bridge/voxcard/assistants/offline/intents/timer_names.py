"""Names of timers: what one is called, or how long it was set for."""

from collections.abc import Iterator, Sequence

from voxcard.assistants.offline.intents.durations import SECONDS
from voxcard.assistants.offline.intents.names import Surroundings, is_name
from voxcard.assistants.offline.intents.normalise import Word
from voxcard.assistants.offline.intents.vocabulary import Vocabulary

_WORDS_MAX = 3
_UNITS = (("hour", 3600), ("minute", 60), ("second", 1))
# What is done with a timer, and what it is: no part of its name.
_NEVER = frozenset((
    "timer", "timers", "alarm", "alarms", "reminder", "reminders", "all", "every", "both", "any",
    "other", "another", "new", "running", "how", "long", "much", "many", "time", "more", "less",
    "than", "for", "called", "named", "start", "started", "pause", "resume", "add", "remove",
    "delete", "snooze", "remind", "wake", "make", "create", "and", "just", "please", "percent",
    "a", "an", "which", "what", "that", "last", "first", "next", "current", "no",
))  # fmt: skip


def timer_names(
    sentence: Sequence[Word], at: int, around: Surroundings, vocabulary: Vocabulary
) -> Iterator[tuple[int, str]]:
    """(how many words, the name) of every name that begins at `at`.

    A length is written as a device calls its timers: "90 minute" is "1 hour 30 minute".
    """
    for length, seconds in compound_lengths(sentence, at):
        yield length, _called(seconds)
    for length in range(1, min(_WORDS_MAX, len(sentence) - at) + 1):
        span = sentence[at : at + length]
        texts = [word.text for word in span]
        if not _NEVER.isdisjoint(texts) or any(word.number is not None for word in span):
            return
        if not set(around.openings).isdisjoint(texts):
            return
        if is_name(span, around, vocabulary):
            yield length, " ".join(texts)


def compound_lengths(sentence: Sequence[Word], at: int) -> Iterator[tuple[int, int]]:
    """(how many words, seconds) of a length before a noun: "10 minute", "1 hour 30 minute"."""
    begin, seconds, below = at, 0.0, float("inf")
    while at + 1 < len(sentence):
        number, unit = sentence[at].number, SECONDS.get(sentence[at + 1].text)
        if number is None or number <= 0 or unit is None or unit >= below:
            return
        seconds, below, at = seconds + number * unit, unit, at + 2
        yield at - begin, round(seconds)


def _called(seconds: int) -> str:
    parts = []
    for name, size in _UNITS:
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count} {name}")
    return " ".join(parts[:2])
