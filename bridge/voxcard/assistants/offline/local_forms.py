"""Times, dates, lengths and lists in the form of a locale, by Babel's data (CLDR)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from typing import Any

from babel.dates import format_date, format_time
from babel.lists import format_list
from babel.units import format_unit

from voxcard.language.locales import HOME_LANGUAGE, babel_name, language_of

_UNITS = (("hour", 3600), ("minute", 60), ("second", 1))
_LISTED = 5
# What a device calls a timer or an alarm that nobody named, in English.
_UNNAMED = re.compile(r"\d{1,4} (?:hour|minute|second)\b.*|\d{1,2}:\d\d [AP]M")


def moment(now: datetime, locale: str) -> dict[str, str]:
    """The {time} and {date} of a reply."""
    if language_of(locale) == HOME_LANGUAGE:
        return {
            "time": f"{now:%I:%M %p}".lstrip("0"),
            "date": f"{now:%A}, {now.day} {now:%B}",
        }
    name = babel_name(locale)
    weekday = format_date(now, "EEEE", locale=name)
    day = format_date(now, "long", locale=name)
    return {
        "time": format_time(now, "short", locale=name),
        "date": f"{day} {weekday}" if language_of(locale) == "ko" else f"{weekday}, {day}",
    }


def length(seconds: float, locale: str) -> str:
    """ "1 Stunde und 30 Minuten"; at most two units, the smaller rounded up."""
    left = max(0, round(seconds))
    if left >= 3600:
        left = -(-left // 60) * 60
    name, parts = babel_name(locale), []
    for unit, size in _UNITS:
        count, left = divmod(left, size)
        if count:
            parts.append(format_unit(count, f"duration-{unit}", "long", locale=name))
    zero = format_unit(0, "duration-second", "long", locale=name)
    text = format_list(parts[:2], locale=name) if parts else zero
    return text.replace("\xa0", " ").replace("\u202f", " ")  # the same to a voice


@dataclass(frozen=True, slots=True)
class LocalForms:
    """What replies of a language other than English need besides a tool's own values."""

    locale: str
    phrases: Mapping[str, str]

    def of(self, arguments: Mapping[str, Any], structured: Any) -> dict[str, str]:
        """{length} of the `seconds` asked for, {left_length} and {listed} of a device's timers."""
        found: dict[str, str] = {}
        result = structured if isinstance(structured, Mapping) else {}
        for name, value in (
            ("length", arguments.get("seconds")),
            ("left_length", result.get("left")),
        ):
            if isinstance(value, int | float) and not isinstance(value, bool):
                found[name] = length(value, self.locale)
        if clock := _clock(result.get("time")):
            found["time"] = format_time(clock, "short", locale=babel_name(self.locale))
        entries = result.get("entries")
        if isinstance(entries, Sequence) and not isinstance(entries, str):
            listed = [each for each in self._listed(entries) if each]
            sentence = format_list(listed, "unit", locale=babel_name(self.locale))
            found["listed"] = sentence[:1].upper() + sentence[1:] + "." if listed else ""
        return found

    def _listed(self, entries: Sequence[Any]) -> Iterator[str]:
        for entry in entries[:_LISTED]:
            if not isinstance(entry, Mapping):
                continue
            label = str(entry.get("label", ""))
            name = "" if _UNNAMED.fullmatch(label) else label
            clock = _clock(entry.get("time"))
            if clock is not None:
                words = self.phrases["at_time"].format(
                    time=format_time(clock, "short", locale=babel_name(self.locale))
                )
                yield f"{name} {words}".strip()
            elif isinstance(entry.get("left"), int | float):
                time_left = length(entry["left"], self.locale)
                kind = "paused" if entry.get("state") == "paused" else "left"
                words = self.phrases["left_of" if name and kind == "left" else kind]
                yield words.format(name=name, time=time_left)


def _clock(value: Any) -> time | None:
    try:
        return time.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
