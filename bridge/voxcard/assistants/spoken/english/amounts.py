"""Amounts in English: numbers, units, fractions, sums."""

from voxcard.assistants.spoken.english.lexicon import MONTHS, PER, SHORT_MONTHS, WEEKDAYS
from voxcard.assistants.spoken.english.numbers import (
    cardinal,
    decimal,
    ordinal,
    plural,
    year,
)
from voxcard.assistants.spoken.english.units import MAX_TOKENS, SCALES, currency, unit
from voxcard.assistants.spoken.tokens import Reading, Token, Tokens

NUMERIC = frozenset(("number", "clock", "fraction", "iso", "day", "version", "continental"))
DASHES = frozenset("-–—−‑")
_DAYS = frozenset((*MONTHS, *SHORT_MONTHS, *WEEKDAYS, *WEEKDAYS.values()))
_HALF_DAYS = frozenset(("am", "pm", "AM", "PM", "a.m.", "p.m."))
_PARTS = {2: "half", 3: "third", 4: "quarter"}
_SIGNS = {
    "%": "percent", "&": "and", "≈": "about", "~": "about", "±": "plus or minus", "©": "copyright",
    "≥": "at least", "≤": "at most", "≠": "is not", "→": "to",
}  # fmt: skip
_BEFORE_NUMBERS = {"<": "less than", ">": "more than", "#": "number"}


def is_whole(token: Token) -> bool:
    """Whether it is a number without decimals, of digits alone."""
    return token.kind == "number" and token.text.isdigit()


def is_day(token: Token) -> bool:
    """Whether it is a weekday or a month."""
    return token.text in _DAYS


def with_point(text: str) -> str:
    """ "22,1" -> "22.1"; commas between thousands stay."""
    head, comma, tail = text.rpartition(",")
    return f"{head}.{tail}" if comma and len(tail) < 3 else text


def value(token: Token) -> str:
    """A number's text with a point before its decimals."""
    if token.kind == "continental":  # 1.299,00
        return token.text.replace(".", "").replace(",", ".")
    return token.text


def number_words(text: str) -> str:
    """A number as it is written: "1,042", "3.5", "22,1", ".5"."""
    return decimal(with_point(text))


def measured(tokens: Tokens, at: int) -> Reading | None:
    """ "5 km", "20 km/h", "21°C", "50%"."""
    found = unit_at(tokens, at + 1)
    if found is None:
        return None
    (one, many), count = found
    number = tokens[at]
    is_part = number.kind == "fraction" and " " not in number.text
    single = number.text == "1" or is_part or is_adjective(tokens, at)
    words = fraction_words(number.text) if number.kind == "fraction" else number_words(number.text)
    return Reading(f"{words} {one if single else many}", count + 1)


def unit_at(tokens: Tokens, at: int) -> tuple[tuple[str, str], int] | None:
    """The unit written at `at`, and in how many tokens."""
    for count in range(MAX_TOKENS, 0, -1):
        sign = tokens.joined(at, count)
        names = unit(sign) if sign else None
        after = tokens[at + count]
        if names is None or (not after.spaced and (after.kind != "sign" or after.text in "/²³°")):
            continue
        if sign == "s" and not tokens[at].spaced:
            continue  # "90s"
        if sign == "in":
            # "0.25 in. of rain", not "5 in a row".
            dotted = after.text == "." and not after.spaced
            if not dotted:
                continue
            return names, 1 if tokens[at + 2].kind == "end" else 2
        return names, count
    return None


def suffixed(tokens: Tokens, at: int) -> Reading | None:
    """ "22nd", "1990s", "5k", "5x", "4x4"."""
    number, suffix = tokens[at], tokens[at + 1]
    if suffix.spaced or suffix.kind != "word":
        return None
    text, ending = number.text, suffix.text
    if ending in ("st", "nd", "rd", "th") and text.replace(",", "").isdigit():
        return Reading(ordinal(int(text.replace(",", "")[:15])), 2)
    if ending == "s" and is_whole(number):
        return _decade(text)
    if ending in ("k", "M", "bn") and tokens[at + 2].spaced | (tokens[at + 2].kind == "sign"):
        return Reading(f"{number_words(text)} {SCALES[ending]}", 2)
    if ending == "x":
        other = tokens[at + 2]
        if other.kind == "number" and not other.spaced:
            if tokens[at + 3].kind == "word" and not tokens[at + 3].spaced:
                return None  # "0x1F"
            return Reading(f"{number_words(text)} by {number_words(other.text)}", 3)
        return Reading(f"{number_words(text)} times", 2)
    return None


def feet(tokens: Tokens, at: int) -> Reading | None:
    """The 5'10" of a person."""
    sign, inches, after = tokens[at + 1], tokens[at + 2], tokens[at + 3]
    if sign.text != "'" or sign.spaced or not is_whole(inches) or inches.spaced:
        return None
    words = f"{number_words(tokens[at].text)} foot {number_words(inches.text)}"
    return Reading(words, 4 if after.text == '"' else 3)


def fraction(tokens: Tokens, at: int) -> Reading:
    return Reading(fraction_words(tokens[at].text), 1)


def fraction_words(text: str) -> str:
    """ "3/4" -> "three quarters", "2 1/2" -> "two and a half", "3/7" -> "three out of seven"."""
    whole, _, part = text.rpartition(" ")
    above, below = (int(each) for each in part.split("/"))
    if part == "24/7":
        return f"{whole and cardinal(int(whole))} twenty four seven".strip()
    if above == below and not whole:
        return f"{cardinal(above)} {cardinal(below)}"
    if not _is_fraction(above, below):
        words = f"{cardinal(above)} {'out of' if above < below else 'slash'} {cardinal(below)}"
        return f"{number_words(whole)} {words}" if whole else words
    name = _PARTS.get(below) or ordinal(below)
    if whole:
        part_words = f"a {name}" if above == 1 else f"{cardinal(above)} {name}s"
        return f"{number_words(whole)} and {part_words}"
    return f"{cardinal(above)} {name}{'' if above == 1 else 's'}"


def plain(tokens: Tokens, at: int) -> Reading | None:
    """A number that is nothing else; inside a name ("A4", "3D") the voice reads it."""
    before, after = tokens[at - 1], tokens[at + 1]
    if not tokens[at].spaced and before.kind == "word":
        return None
    if not after.spaced and after.kind == "word":
        return None
    return Reading(number_words(value(tokens[at])), 1)


def ratio(tokens: Tokens, at: int) -> Reading:
    """ "16:9"."""
    first, _, second = tokens[at].text.partition(":")
    return Reading(f"{cardinal(int(first))} to {cardinal(int(second))}", 1)


def dash(tokens: Tokens, at: int) -> Reading | None:
    """A dash before a number: "to" between two, "minus" before one alone."""
    sign, before, after = tokens[at], tokens[at - 1], tokens[at + 1]
    if sign.text in DASHES and is_day(before) and is_day(after):
        return Reading("to", 1)
    if sign.text not in DASHES or not _begins_amount(tokens, at + 1):
        return None
    if _ends_amount(tokens, at - 1) and sign.spaced == after.spaced:
        follows = tokens[at + 2].text
        is_sum = sign.text in "-−" and sign.spaced and follows in ("=", "is", "equals")
        return Reading("minus" if is_sum else "to", 1)
    is_minus = sign.text in "-−" and not after.spaced and (sign.spaced or before.kind == "sign")
    return Reading("minus", 1) if is_minus else None


def sign_word(tokens: Tokens, at: int) -> Reading | None:
    """Signs that are words."""
    sign, before, after = tokens[at], tokens[at - 1], tokens[at + 1]
    if sign.text in "%&" and sign.spaced != after.spaced and before.kind not in NUMERIC:
        return None  # "%s", "&name"
    if sign.text in _SIGNS:
        return Reading(_SIGNS[sign.text], 1)
    if sign.text in _BEFORE_NUMBERS and after.kind in NUMERIC:
        return Reading(_BEFORE_NUMBERS[sign.text], 1)
    if sign.text == "=":
        return Reading("equals", 1) if sign.spaced and after.spaced else None
    if sign.text in "×*":
        between = before.kind in NUMERIC and after.kind in NUMERIC
        return Reading("times", 1) if between else None
    if sign.text == "+":
        is_plus = after.kind in NUMERIC or before.kind in NUMERIC or (sign.spaced and after.spaced)
        return Reading("plus", 1) if is_plus else None
    if sign.text == "^" and before.kind in NUMERIC and after.kind in NUMERIC:
        return Reading("to the power of", 1)
    if sign.text == "/" and before.kind in NUMERIC and after.kind in NUMERIC and sign.spaced:
        return Reading("divided by", 1)
    if sign.text == "/" and before.kind == "number" and after.kind == "word":
        names = unit(after.text)
        return Reading(f"per {PER.get(after.text) or (names[0] if names else after.text)}", 2)
    if sign.text == "/" and before.kind == after.kind == "word" and not _is_path(tokens, at):
        return Reading("or", 2 if after.text == "or" else 1)
    return None


def degrees(tokens: Tokens, at: int) -> Reading | None:
    """ "°C 20", and a sign of degrees that has no number."""
    if tokens[at].text != "°":
        return None
    scale = tokens[at + 1]
    sign = f"°{scale.text}" if not scale.spaced and scale.text in ("C", "F") else "°"
    names = unit(sign) or ("degree", "degrees")
    number = tokens[at + len(sign)]
    if len(sign) == 2 and number.kind == "number":
        return Reading(f"{number_words(number.text)} {names[1]}", 3)
    return Reading(names[1], len(sign))


def unit_alone(tokens: Tokens, at: int) -> Reading | None:
    """ "km/h" without a number."""
    sign = tokens.joined(at, 3)
    names = unit(sign) if "/" in sign else None
    return Reading(names[1], 3) if names else None


def times_word(tokens: Tokens, at: int) -> Reading | None:
    """The x of "3 x 4"."""
    between = tokens[at - 1].kind in NUMERIC and tokens[at + 1].kind in NUMERIC
    is_times = tokens[at].text == "x" and tokens[at].spaced and between
    return Reading("times", 1) if is_times else None


def _decade(text: str) -> Reading | None:
    """The 1990s, the 80s; 45s are seconds."""
    number = int(text[:15])
    if len(text) == 4 and number % 10 == 0:
        return Reading(plural(year(number)), 2)
    if len(text) == 2 and number >= 20 and number % 10 == 0:
        return Reading(plural(cardinal(number)), 2)
    return Reading(f"{cardinal(number)} second{'' if number == 1 else 's'}", 2)


def _is_fraction(above: int, below: int) -> bool:
    if below == 5:
        return above == 1  # "4/5" is a mark
    return 0 < above < below and (below in (2, 3, 4, 6, 8, 16) or (above == 1 and below <= 100))


def _is_path(tokens: Tokens, at: int) -> bool:
    """Whether the stroke at `at` is one of several, or in the name of a file."""
    beside = (tokens[at - 2], tokens[at + 2])
    is_file = tokens[at + 2].text == "." and not tokens[at + 3].spaced
    strokes = any(each.text == "/" for each in beside) or tokens[at + 1].spaced
    return strokes or is_file


def is_adjective(tokens: Tokens, at: int) -> bool:
    """ "a 5 km run": a unit before what it measures."""
    follows = tokens[at + 2].kind != "end"
    return tokens[at - 1].text.lower() in ("a", "an") and follows


def _begins_amount(tokens: Tokens, at: int) -> bool:
    if is_day(tokens[at]):
        return tokens[at].spaced
    return tokens[at].kind in NUMERIC or currency(tokens[at].text) is not None


def _ends_amount(tokens: Tokens, at: int) -> bool:
    last = tokens[at]
    if last.kind in NUMERIC or last.text in _HALF_DAYS or last.text in ("%", "°"):
        return True
    measured_before = tokens[at - 1].kind in NUMERIC or tokens[at - 1].text == "°"
    return measured_before and bool(currency(last.text) or unit(last.text) or last.text == "C")
