"""Numbers in spoken English: "minus three and a half" is -3.5, "ten forty two" stays two."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

# fmt: off
_UNITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)
# fmt: on
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_VALUES = {word: value for value, word in enumerate(_UNITS)}
_VALUES |= {word: 10 * value for value, word in enumerate(_TENS, start=2)}
_VALUES |= {"nought": 0, "naught": 0, "fourty": 40}
_SCALES = (("thousand", 1000), ("hundred", 100))
_SIGNS = {"minus": -1, "negative": -1, "-": -1}
_FRACTIONS = {"half": 0.5, "quarter": 0.25, "quarters": 0.25, "third": 1 / 3, "thirds": 1 / 3}
FRACTION_SIGNS = {"½": 0.5, "¼": 0.25, "¾": 0.75}
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d{1,9})?")
_PLAIN = re.compile(r"\d{1,15}(?:\.\d{1,9})?")


@dataclass(frozen=True, slots=True)
class Number:
    """`words` words make the number `value`; `text` is how it is written.

    `is_part`: a fraction said alone, as in "half".
    """

    words: int
    value: int | float
    text: str
    is_part: bool = False


def number(words: Sequence[str], at: int) -> Number | None:
    """The number that starts at `words[at]`, or None. Words are in lower case."""
    sign = _SIGNS.get(words[at])
    if sign is None:
        return _unsigned(words, at)
    after = _unsigned(words, at + 1) if at + 1 < len(words) else None
    if after is None:
        return None
    value = sign * after.value
    return Number(after.words + 1, value, written(value), after.is_part)


def sound_alike(one: int, other: int) -> bool:
    """Whether both are made of one digit: six, sixteen, sixty."""
    return one != other and _digit(one) is not None and _digit(one) == _digit(other)


def rhyme(one: int, other: int) -> bool:
    """Whether both end in -teen, or both in -ty."""
    teens, tens = range(13, 20), range(20, 100, 10)
    return one != other and any(one in each and other in each for each in (teens, tens))


def has_alike(number: int) -> bool:
    """Whether other numbers sound like it."""
    return _digit(number) is not None


def _digit(number: int) -> int | None:
    """3..9 of what is made of it, as in six, sixteen or sixty; else None."""
    digit = number - 10 if 10 <= number < 20 else number // 10 if number % 10 == 0 else number
    return digit if 3 <= digit <= 9 else None


def may_go_on(value: int | float, high: float | None) -> bool:
    """Whether more words may make a larger whole number of `value`, of which `high` is the most.

    "Twenty" may get a five, "two" its hundred, "ten" a "forty two"; 25 of 100 nothing.
    """
    value, most = abs(value), math.inf if high is None else abs(high)
    if not value:
        return False
    tens = value % 10 == 0 and 20 <= value < 100
    return (value < most and (tens or value % 100 == 0)) or value * 100 <= most


def written(value: int | float) -> str:
    """`value` as digits: "60", "-19.5"."""
    return f"{value:.6f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def _unsigned(words: Sequence[str], at: int) -> Number | None:
    whole = _literal(words, at) or _spelled(words, at)
    if whole is None:
        return _part(words, at)
    end = at + whole.words
    joined = _part(words, end + 1) if _is(words, end, "and") else None
    part = joined or _part_sign(words, end)
    if part is None or not isinstance(whole.value, int):
        # "one half" is a half; "two thirds" as well.
        return _part(words, at) or whole
    used = whole.words + part.words + (1 if joined else 0)
    value = whole.value + part.value
    return Number(used, value, written(value))


def _literal(words: Sequence[str], at: int) -> Number | None:
    """A number in digits, "1,042" or "2 hundred" or "3 point 5" as well."""
    text = words[at]
    if _GROUPED.fullmatch(text):
        text = text.replace(",", "")
    if not _PLAIN.fullmatch(text):
        return None
    if "." in text:
        value = float(text)
        return Number(1, int(value) if value.is_integer() else value, text)
    value = int(text)
    if any(_is(words, at + 1, scale) for scale, _ in _SCALES):
        return _scaled(words, at, 1, value)
    return _with_point(words, at, Number(1, value, text))


def _spelled(words: Sequence[str], at: int) -> Number | None:
    if _is(words, at, "point"):
        after = _with_point(words, at, Number(0, 0, "0"))
        return after if after.words else None
    used, value = _below_hundred(words, at)
    if not used:
        article = words[at] == "a" and any(_is(words, at + 1, scale) for scale, _ in _SCALES)
        if not article and words[at] not in ("hundred", "thousand"):
            return None
        return _scaled(words, at, 1 if article else 0, 1)
    return _scaled(words, at, used, value)


def _scaled(words: Sequence[str], at: int, used: int, value: int) -> Number:
    """ "two thousand three hundred and four": a scale takes what came before it, then the rest
    may follow; without a scale word two numbers stay two ("ten", "forty two")."""
    start, total = at, 0
    at += used
    for word, scale in _SCALES:
        if value and _is(words, at, word):
            total += value * scale
            at, value = _rest(words, at + 1)
    whole = total + value
    return _with_point(words, start, Number(at - start, whole, str(whole)))


def _with_point(words: Sequence[str], at: int, whole: Number) -> Number:
    """`whole` with the digits that are spoken after "point"."""
    end = at + whole.words
    if not _is(words, end, "point"):
        return whole
    digits = ""
    end += 1
    while end < len(words) and len(digits) < 6:
        used, more = _digits(words, end)
        if not used:
            break
        digits += more
        end += used
    if not digits:
        return whole
    value = float(f"{whole.value}.{digits}")
    return Number(end - at, int(value) if value.is_integer() else value, written(value))


def _digits(words: Sequence[str], at: int) -> tuple[int, str]:
    if words[at].isdecimal() and words[at].isascii() and len(words[at]) <= 6:
        return 1, words[at]
    if words[at] == "oh":
        return 1, "0"
    used, value = _below_hundred(words, at)
    return used, str(value)


def _part(words: Sequence[str], at: int) -> Number | None:
    """ "half", "a half", "one quarter", "three quarters"; "third" only with a number before it."""
    if at >= len(words):
        return None
    if words[at] in FRACTION_SIGNS:
        return Number(1, FRACTION_SIGNS[words[at]], words[at], is_part=True)
    if words[at] in ("half", "quarter"):
        return Number(1, _FRACTIONS[words[at]], words[at], is_part=True)
    name = words[at + 1] if at + 1 < len(words) else ""
    # "a third" may be one of several; "a half" and "a quarter" are numbers.
    article = words[at] == "a" and name in ("half", "quarter")
    count = 1 if article else _VALUES.get(words[at], 0)
    if name not in _FRACTIONS or not 0 < count < 1 / _FRACTIONS[name]:
        return None
    value = count * _FRACTIONS[name]
    return Number(2, value, name if count == 1 else written(value), is_part=True)


def _part_sign(words: Sequence[str], at: int) -> Number | None:
    return _part(words, at) if at < len(words) and words[at] in FRACTION_SIGNS else None


def _rest(words: Sequence[str], at: int) -> tuple[int, int]:
    skip = 1 if _is(words, at, "and") else 0
    used, value = _below_hundred(words, at + skip) if at + skip < len(words) else (0, 0)
    # "a hundred and one half" is no 101.
    if used and (at + skip + used >= len(words) or words[at + skip + used] not in _FRACTIONS):
        return at + skip + used, value
    return at, 0


def _below_hundred(words: Sequence[str], at: int) -> tuple[int, int]:
    """How many words from `at` make a number below 100, and its value; (0, 0) when none do."""
    value = _VALUES.get(words[at])
    if value is None:
        return 0, 0
    unit = _VALUES.get(words[at + 1], 0) if at + 1 < len(words) else 0
    if value >= 20 and 1 <= unit <= 9:
        return 2, value + unit
    return 1, value


def _is(words: Sequence[str], at: int, word: str) -> bool:
    return at < len(words) and words[at] == word
