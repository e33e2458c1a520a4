"""Reads fields that go by several names: the first present one, as text, link or list.

What is missing is empty; only what a rule requires, or a list that is no list, is refused.
"""

import math
import re
from base64 import b64decode
from collections.abc import Iterator, Mapping

from voxcard.cards.model import CardRefused, ImageRef, Warned
from voxcard.cards.text.data.key_values import number as written
from voxcard.cards.text.sanitize import clean, https_link, label
from voxcard.json_value import Json

_DATA_URI = re.compile(r"data:image/[\w.+-]{1,40}(?:;[\w.=+-]{1,40}){0,4},")
_BASE64_PICTURE = re.compile(r"data:image/(?!svg)[\w.+-]{1,40}(?:;[\w.=+-]{1,40}){0,3};base64,")
_NAMES = ("label", "text", "title", "name", "value", "amount", "description")
_TIME = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?\Z")
# The end of a key that says in what unit its number is: `tempC`, `windKmh`, `rainMm`.
_UNITS = {
    "C": "°C", "F": "°F", "Ms": "m/s", "Mph": "mph", "Mps": "m/s", "Kmh": "km/h", "Kph": "km/h",
    "Mm": "mm", "Hpa": "hPa", "Percent": "%", "Pct": "%", "Km": "km",
}  # fmt: skip
_UNIT_END = re.compile("(?:" + "|".join(sorted(_UNITS, key=len, reverse=True)) + r")\Z")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_-]+")
# Never shown as a value of a block: how it looks, what it is called, where a picture is.
_HIDDEN = {"type", "id", "variant", "style", "layout", "align", "icon", "color", "lat", "lng",
           "source", "zoom", "size", "width", "height", "polyline"}  # fmt: skip


def words(value: Json) -> str:
    """A scalar as text, a list of them joined, an object by what it is called; else empty."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return str(value) if abs(value) < 10**30 else "…"
    if isinstance(value, float):
        return written(value) if math.isfinite(value) else ""
    if isinstance(value, list):
        return ", ".join(filter(None, (words(entry) for entry in value[:20])))
    if isinstance(value, dict):
        unit = next((value[key] for key in ("unit", "currency") if value.get(key)), "")
        named = next((words(value[key]) for key in _NAMES if words(value.get(key))), "")
        return f"{named} {words(unit)}".strip()
    return ""


def moment(text: str) -> str:
    """An ISO time without its seconds and zone: `2026-11-30 08:00`, a date alone at midnight;
    other text as it is."""
    match = _TIME.match(text)
    if match is None:
        return text
    return match[1] if match[2] == "00:00" else f"{match[1]} {match[2]}"


def number_of(value: Json) -> float | None:
    """A finite number, also from text such as `12.5`."""
    if isinstance(value, str) and len(value) < 40:
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:
        return None


def named_unit(key: str) -> tuple[str, str]:
    """A key as words and the unit it ends in: `windKmh` is ("Wind", "km/h")."""
    match = _UNIT_END.search(key)
    start = key[: match.start()] if match and match.start() else key
    name = _HUMP.sub(" ", start).strip().lower()
    return label(name[:1].upper() + name[1:]), _UNITS[match[0]] if match and start != key else ""


def is_data_uri(value: str) -> bool:
    """Whether `value` is an inline picture."""
    return _DATA_URI.match(value) is not None


def picture(value: str, alt: str = "") -> ImageRef:
    """The picture of an https link or data URI; an inline one nobody here can draw has no data."""
    if not is_data_uri(value):
        return ImageRef(url=value, alt=alt)
    match = _BASE64_PICTURE.match(value)
    try:
        return ImageRef(data=b64decode(value[match.end() :], validate=True) if match else b"",
                        alt=alt)  # fmt: skip
    except ValueError:
        return ImageRef(alt=alt)


class Fields:
    """One object of a card at `path`; remembers which of its keys were read."""

    def __init__(self, data: Mapping[str, Json], path: str, warnings: list[Warned]) -> None:
        self.data, self.path, self.warnings = data, path, warnings
        self._read: set[str] = set()

    def get(self, *keys: str) -> Json:
        """The first value that is there; null and blank text are not."""
        self._read.update(keys)
        for key in keys:
            value = self.data.get(key)
            if value is not None and not (isinstance(value, str) and not value.strip()):
                return value
        return None

    def text(self, *keys: str) -> str:
        return words(self.get(*keys))

    def line(self, *keys: str) -> str:
        return label(self.text(*keys))

    def when(self, *keys: str) -> str:
        return moment(self.line(*keys))

    def number(self, *keys: str) -> float | None:
        return number_of(self.get(*keys))

    def required(self, *keys: str, why: str = "") -> str:
        """Text that must be there, at the first of its names."""
        value = self.get(*keys)
        if value is None:
            raise self.refused(keys[0], f"is missing{why}" if why else "is missing")
        if not isinstance(value, str | int | float):
            raise self.refused(keys[0], "must be text")
        return words(value)

    def link(self, *keys: str) -> str:
        value = self.get(*keys)
        return "" if value is None else https_link(value, self.at(keys[0]))

    def image(self, *keys: str, alt: str = "") -> ImageRef | None:
        """A picture given as a link, a data URI or an object; names of icons are none."""
        value = self.get(*keys)
        if isinstance(value, dict):
            inner = Fields(value, self.at(keys[0]), self.warnings)
            return inner.image("url", "src", alt=inner.line("alt", "description") or alt)
        if isinstance(value, str) and (is_data_uri(value) or value[:8].lower() == "https://"):
            return picture(value, alt)
        return None

    def listed(self, *keys: str) -> list[Json]:
        """The list under the first of its names; refused when it is something else."""
        key = next((key for key in keys if self.data.get(key) is not None), None)
        self._read.update(keys)
        if key is None:
            return []
        value = self.data[key]
        if not isinstance(value, list):
            raise self.refused(key, "must be a list")
        return value

    def objects(self, *keys: str) -> Iterator["Fields"]:
        """The entries of a list as objects; one that is only text is called `label`."""
        key = next((key for key in keys if self.data.get(key) is not None), "")
        for index, value in enumerate(self.listed(*keys)):
            entry = value if isinstance(value, dict) else {"label": value}
            if value is not None:
                yield Fields(entry, self.at(f"{key}.{index}"), self.warnings)

    def inner(self, *keys: str) -> "Fields":
        """The object under the first of its names, maybe an empty one."""
        key = next((key for key in keys if isinstance(self.data.get(key), dict)), keys[0])
        value = self.data.get(key)
        if isinstance(value, dict):
            self._read.add(key)
        return Fields(value if isinstance(value, dict) else {}, self.at(key),
                      self.warnings)  # fmt: skip

    def measured(self, *names: str) -> str:
        """The value of `<name>` or `<name><unit>` with its unit: `tempC: 21` is `21 °C`."""
        for name in names:
            for key, unit in ((name, ""), *((name + end, unit) for end, unit in _UNITS.items())):
                if self.data.get(key) is not None and (value := self.line(key)):
                    number = isinstance(self.data[key], int | float)
                    return f"{value} {unit}".strip() if number else value
        return ""

    def rest(self) -> Iterator[tuple[str, str]]:
        """Fields that no getter has read, as (name, value with its unit)."""
        for key, value in self.data.items():
            hidden = key in self._read or key in _HIDDEN or "://" in str(value)[:12]
            if (
                not hidden
                and isinstance(value, str | int | float)
                and (text := label(words(value)))
            ):
                name, unit = named_unit(key)
                if name and not text.startswith("data:"):
                    yield name, f"{text} {unit}".strip() if not isinstance(value, str) else text

    def at(self, key: str) -> str:
        """The path of a key of this object."""
        return f"{self.path}.{key}" if self.path else key

    def warn(self, code: str, detail: str) -> None:
        self.warnings.append(Warned(code=code, path=self.path, detail=detail))

    def refused(self, key: str, reason: str) -> CardRefused:
        return CardRefused(self.at(key), reason)
