"""Times of the day, dates and years in English."""

from voxcard.assistants.spoken.english.amounts import DASHES, is_day, is_whole
from voxcard.assistants.spoken.english.lexicon import (
    BEFORE_DATES,
    BEFORE_YEARS,
    MONTHS,
    SHORT_MONTHS,
    WEEKDAYS,
)
from voxcard.assistants.spoken.english.numbers import cardinal, ordinal, year
from voxcard.assistants.spoken.tokens import Reading, Token, Tokens

# Without the last full stop: after it a voice would begin a new sentence.
AM, PM = "a.m", "p.m"
_HALVES = {"am": AM, "pm": PM}
_ORDINAL_ENDINGS = ("st", "nd", "rd", "th")
# Of what a number of four digits may be a year of: "2026 was", "2026." at a sentence's end.
_AFTER_YEARS = frozenset(("was", "is", "will", "has", "had", "AD", "BC", "CE"))
_DURATION = ("hour", "minute", "second")


def clock(tokens: Tokens, at: int) -> Reading:
    """ "9:00", "18:30", "10:15 p.m.", "1:23:45"."""
    hour, minute, *second = (int(each) for each in tokens[at].text.split(":"))
    if second:
        return Reading(_duration((hour, minute, *second)), 1)
    half, count = _half(tokens, at + 1)
    if not half and hour > 23:
        return Reading(f"{cardinal(hour)} {cardinal(minute)}", 1)
    if not half and hour in (0, 12) and minute == 0:
        return Reading("midnight" if hour == 0 else "noon", 1)
    if not half and (hour >= 13 or tokens[at].text.startswith("0")):
        half = PM if hour >= 12 else AM
        hour = hour % 12 or 12
    return Reading(clock_words(hour, minute, half), count + 1)


def clock_words(hour: int, minute: int, half: str = "") -> str:
    """(9, 5) -> "nine oh five", (9, 0) -> "nine o'clock", (9, 0, "a.m") -> "nine a.m"."""
    words = cardinal(hour)
    if minute:
        words += f" {'oh ' if minute < 10 else ''}{cardinal(minute)}"
    elif not half:
        return f"{words} o'clock"
    return f"{words} {half}".strip()


def half_day(tokens: Tokens, at: int) -> Reading | None:
    """ "9 a.m.", "7pm"."""
    half, count = _half(tokens, at + 1)
    if not half or not is_whole(tokens[at]) or int(tokens[at].text[:3]) > 12:
        return None
    return Reading(f"{cardinal(int(tokens[at].text))} {half}", count + 1)


def iso(tokens: Tokens, at: int) -> Reading:
    """ "2026-11-30", "2026-11-30T18:00:00Z"."""
    text = tokens[at].text
    words = _date(text[:4], text[5:7], text[8:10])
    if len(text) > 10:
        hour, minute = int(text[11:13]), int(text[14:16])
        words += f", at {clock_words(hour % 12 or 12, minute, PM if hour >= 12 else AM)}"
    return Reading(words, 1)


def day(tokens: Tokens, at: int) -> Reading:
    """ "11/30/2026", "30.11.2026": month first with strokes, where that can be."""
    text = tokens[at].text
    first, second, last = text.replace("/", ".").split(".")
    day_first = "." in text or int(first) > 12
    day_text, month = (first, second) if day_first else (second, first)
    return Reading(_date(f"20{last}" if len(last) == 2 else last, month, day_text), 1)


def short_day(tokens: Tokens, at: int) -> Reading | None:
    """ "on 5/4": month first."""
    if tokens[at - 1].text.lower() not in BEFORE_DATES or " " in tokens[at].text:
        return None
    month, number = (int(each) for each in tokens[at].text.split("/"))
    if not (1 <= month <= 12 and 1 <= number <= 31):
        return None
    return Reading(f"{MONTHS[month - 1]} {ordinal(number)}", 1)


def day_of_month(tokens: Tokens, at: int) -> Reading | None:
    """ "12 May", "1st of May" (the "of" is read alone), "5 June 2001"."""
    name, count = _month(tokens, at + 1)
    if not is_whole(tokens[at]) or not tokens[at + 1].spaced or name is None:
        return None
    number = int(tokens[at].text[:3])
    if not 1 <= number <= 31:
        return None
    article = "" if tokens[at - 1].text.lower() == "the" else "the "
    year_words, more = _year_after(tokens, at + 1 + count)
    return Reading(f"{article}{ordinal(number)} of {name}{year_words}", 1 + count + more)


def month_day(tokens: Tokens, at: int) -> Reading | None:
    """ "May 12", "Jan. 5th, 2026", "Mar 2026", "Sept."."""
    name, count = _month(tokens, at)
    if name is None:
        return None
    number, after = tokens[at + count], tokens[at + count + 1]
    is_day = is_whole(number) and number.spaced and 1 <= int(number.text[:3]) <= 31
    if is_day and len(number.text) <= 2:
        if not after.spaced and after.kind not in ("sign", "word"):
            return None
        if not after.spaced and after.text in _ORDINAL_ENDINGS:
            count += 1
        elif not after.spaced and after.kind == "word":
            return None
        year_words, more = _year_after(tokens, at + count + 1)
        return Reading(f"{name} {ordinal(int(number.text))}{year_words}", count + 1 + more)
    if _is_year(number) and number.spaced:
        return Reading(f"{name} {year(int(number.text))}", count + 1)
    return Reading(name, count) if count == 2 else None


def weekday(tokens: Tokens, at: int) -> Reading | None:
    """ "Mon, 5 May", "Tue 21 °C"."""
    name = WEEKDAYS.get(tokens[at].text)
    if name is None:
        return None
    dotted = tokens[at + 1].text == "." and not tokens[at + 1].spaced
    next_at = at + 1 + dotted
    next_at += tokens[next_at].text == ","
    before_date = tokens[next_at].kind in ("number", "clock") or _month(tokens, next_at)[0]
    ranged = any(
        tokens[at + step].text in DASHES and is_day(tokens[at + 2 * step]) for step in (-1, 1)
    )
    return Reading(name, 1 + dotted) if before_date or ranged else None


def year_number(tokens: Tokens, at: int) -> Reading | None:
    """ "in 1905", "2020–2024", "2026 was", "2026." where nothing else is said."""
    if not _is_year(tokens[at]):
        return None
    number, after = int(tokens[at].text), tokens[at + 1]
    if after.kind == "word" and not after.spaced:
        return None
    alone = tokens[at - 1].kind == "end" and after.text in (".", ",")
    told = tokens[at - 1].text.lower() in BEFORE_YEARS and not _is_counted(after)
    followed = after.text in _AFTER_YEARS and number >= 1500
    ranged = _is_range_of_years(tokens, at)
    is_one = alone or told or followed or ranged or _is_set_apart(tokens, at)
    return Reading(year(number), 1) if is_one else None


def _is_counted(after: Token) -> bool:
    """Whether what comes after a number looks like what it counts."""
    return (
        after.kind == "word"
        and after.text.islower()
        and after.text.endswith("s")
        and (after.text not in ("was", "is", "has", "as", "this", "his", "its"))
    )


def _is_range_of_years(tokens: Tokens, at: int) -> bool:
    for step in (-1, 1):
        if tokens[at + step].text in (*DASHES, "and", "to") and _is_year(tokens[at + 2 * step]):
            return int(tokens[at].text) >= 1500 and int(tokens[at + 2 * step].text) >= 1500
    return False


def _is_set_apart(tokens: Tokens, at: int) -> bool:
    """ "(2024)", "Q1 2024"."""
    in_brackets = tokens[at - 1].text == "(" and tokens[at + 1].text == ")"
    return in_brackets or (tokens[at - 2].text == "Q" and tokens[at - 1].kind == "number")


def _is_year(token: Token) -> bool:
    return is_whole(token) and len(token.text) == 4 and 1100 <= int(token.text) < 2100


def _year_after(tokens: Tokens, at: int) -> tuple[str, int]:
    """The year behind a date, with or without a comma, and how many tokens it takes."""
    comma = 1 if tokens[at].text == "," else 0
    number = tokens[at + comma]
    after = tokens[at + comma + 1]
    if not _is_year(number) or (comma and after.kind == "word" and not after.spaced):
        return "", 0
    return f", {year(int(number.text))}", comma + 1


def _month(tokens: Tokens, at: int) -> tuple[str | None, int]:
    """The month written at `at`, and in how many tokens."""
    text = tokens[at].text
    if text in MONTHS:
        return text, 1
    number = SHORT_MONTHS.get(text)
    if number is None:
        return None, 0
    dotted = tokens[at + 1].text == "." and not tokens[at + 1].spaced
    is_last = tokens[at + 2].kind == "end"
    return MONTHS[number - 1], 2 if dotted and not is_last else 1


def _half(tokens: Tokens, at: int) -> tuple[str, int]:
    """ "a.m" or "p.m" when it is written at `at`, and in how many tokens."""
    token = tokens[at]
    half = _HALVES.get(token.text.replace(".", "").lower(), "")
    if not half or token.kind not in ("word", "initials"):
        return "", 0
    ends = token.kind == "initials" and tokens[at + 1].kind == "end"
    return f"{half}{'.' if ends else ''}", 1


def _date(year_text: str, month: str, day_text: str) -> str:
    if not (1 <= int(month) <= 12 and 1 <= int(day_text) <= 31):
        return " ".join(cardinal(int(each)) for each in (year_text, month, day_text))
    number = int(year_text)
    said = year(number) if 1100 <= number < 2100 else cardinal(number)
    return f"{MONTHS[int(month) - 1]} {ordinal(int(day_text))}, {said}"


def _duration(values: tuple[int, ...]) -> str:
    parts = [
        f"{cardinal(value)} {name}{'' if value == 1 else 's'}"
        for value, name in zip(values, _DURATION, strict=True)
        if value
    ]
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:]))) or "zero seconds"
