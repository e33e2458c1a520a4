"""Times as people say them: "an hour and a half", "two minutes thirty", in any unit of time."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from voxcard.assistants.offline.intents.normalise import Word

_NAMES = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800}
SECONDS = {**_NAMES, **{f"{name}s": value for name, value in _NAMES.items()}}
_ARTICLES = ("a", "an")


@dataclass(frozen=True, slots=True)
class Duration:
    """`length` words are `seconds`."""

    length: int
    seconds: float
    unit_s: int  # of its last part

    def counted_in(self, unit: str) -> int | float:
        """How many of `unit` it is."""
        value = round(self.seconds / SECONDS[unit], 6)
        return int(value) if value.is_integer() else value

    def is_plain(self, unit: str) -> bool:
        """Whether it is one amount of `unit`."""
        return self.length == 2 and self.unit_s == SECONDS[unit]


def durations(sentence: Sequence[Word], at: int) -> Iterator[Duration]:
    """Every time that begins at `at`: "one hour", "one hour and ten minutes"."""
    begin, total, below = at, 0.0, float("inf")
    while (part := _part(sentence, at)) is not None:
        unit_s, amount, at = part
        if unit_s >= below:
            return  # "ten minutes two hours" is no time
        total, below = total + amount * unit_s, unit_s
        more = _fraction_after(sentence, at)
        if more is not None:
            yield Duration(more[1] - begin, total + more[0] * unit_s, unit_s)
            return
        yield Duration(at - begin, total, unit_s)
        if _text(sentence, at) == "and":
            at += 1


def unit_of(words: Collection[str]) -> str:
    """The one unit of time among `words`; "" when there is none, or several."""
    units = {word for word in words if word in SECONDS}
    return units.pop() if len({SECONDS[unit] for unit in units}) == 1 else ""


def _part(sentence: Sequence[Word], at: int) -> tuple[int, float, int] | None:
    """An amount with its unit: the unit's seconds, how many, and where it ends."""
    if _text(sentence, at) in _ARTICLES:
        amount: float = 1
    elif at < len(sentence) and sentence[at].number is not None:
        amount = sentence[at].number or 0
    else:
        return None
    end = at + 1
    if sentence[at].is_part:  # "half an hour", "a quarter of an hour"
        end += _text(sentence, end) == "of"
        end += _text(sentence, end) in _ARTICLES
    unit = _text(sentence, end)
    singular = unit in _NAMES
    if unit not in SECONDS or amount <= 0 or singular != (amount <= 1):
        return None
    return SECONDS[unit], amount, end + 1


def _fraction_after(sentence: Sequence[Word], at: int) -> tuple[float, int] | None:
    """ "and a half" behind a unit, at the end of a time."""
    if _text(sentence, at) != "and" or at + 1 >= len(sentence):
        return None
    word = sentence[at + 1]
    if not word.is_part or _text(sentence, at + 2) in (*_ARTICLES, "of", *SECONDS):
        return None
    return word.number or 0, at + 2


def _text(sentence: Sequence[Word], at: int) -> str:
    return sentence[at].text if at < len(sentence) else ""
