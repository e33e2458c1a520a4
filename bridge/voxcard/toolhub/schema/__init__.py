"""Plain form of a tool's arguments, read from any JSON Schema."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from voxcard.json_value import Json
from voxcard.text_safety import safe_line

Scalar = str | bool | int | float
Number = int | float

KINDS = ("integer", "number", "string", "boolean", "array", "object")
_NOUNS = {
    "integer": "a whole number",
    "number": "a number",
    "string": "text",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "any": "a value",
}
_PLURALS = {
    "integer": "whole numbers",
    "number": "numbers",
    "string": "texts",
    "boolean": "true or false",
    "array": "lists",
    "object": "objects",
}
_UNITS = {"string": " characters", "array": " entries"}
_VALUES_SHOWN = 12
_VALUE_LENGTH = 40  # characters of one value in a sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One argument of a tool.

    `kind` is one of KINDS, or `any` where the schema allows several or names none. `values`, if
    there are any, are the only ones allowed but for null (`nullable`). `low` and `high` limit a
    number, the characters of a string, or the entries of an array; `low_open` and `high_open`
    exclude the limit itself, of numbers that are not whole; `step` is what a number must be a
    multiple of. `pattern` is one that `patterns.matches` can tell something about, or "".
    `format` is what the schema calls it, of which our devices know `duration` (whole seconds),
    `clock` (a time of day, HH:MM; "7:00?" with its half of the day open) and `name`. `items`
    describes an array's entries.
    """

    name: str = ""
    kind: str = "any"
    values: tuple[Scalar, ...] = ()
    low: Number | None = None
    high: Number | None = None
    low_open: bool = False
    high_open: bool = False
    step: Number | None = None
    pattern: str = ""
    format: str = ""
    title: str = ""
    description: str = ""
    default: Json = None
    required: bool = False
    nullable: bool = False
    items: "Argument | None" = None

    @property
    def wanted(self) -> str:
        """What it must be: `a whole number from 0 to 100`, `one of dark, light`."""
        if self.values:
            return _one_of(self.values)
        noun, limits = _NOUNS[self.kind], self._limits()
        if self.items is not None and self.items.kind in _PLURALS and not limits:
            noun += f" of {_PLURALS[self.items.kind]}"
        return f"{noun} {limits}" if limits else noun

    def _limits(self) -> str:
        unit = _UNITS.get(self.kind, "")
        low, high = self.low, self.high
        steps = f" in steps of {self.step}" if self.step is not None else ""
        if low is not None and high is not None and not (self.low_open or self.high_open):
            return f"{'of' if unit else 'from'} {low} to {high}{unit}{steps}"
        words = []
        if low is not None:
            words.append(f"{'above' if self.low_open else 'of at least'} {low}{unit}")
        if high is not None:
            words.append(f"{'below' if self.high_open else 'of at most'} {high}{unit}")
        return (" and ".join(words) + steps).strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What of a schema cannot be used; `argument` is "" when that is not in one argument."""

    argument: str
    text: str

    def __str__(self) -> str:
        return f"argument {self.argument}: {self.text}" if self.argument else self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class InputSchema:
    """A tool's `inputSchema` as far as it can be read.

    `names` are all arguments it names, `arguments` those that were read. `problems` say why the
    others were not; `unchecked` what of a read one is not looked at.
    """

    names: tuple[str, ...] = ()
    arguments: Mapping[str, Argument] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    unchecked: tuple[Problem, ...] = ()


def shown(value: Json) -> str:
    """A value in a sentence: JSON on one line, cut where it is long."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):  # a whole number of more than 4300 digits, or nesting
        return "such a value"
    return safe_line(text, _VALUE_LENGTH)


def _one_of(values: tuple[Scalar, ...]) -> str:
    words = [
        safe_line(each, _VALUE_LENGTH) if isinstance(each, str) else shown(each) for each in values
    ]
    more = len(words) - _VALUES_SHOWN
    if len(words) == 1:
        return words[0]
    words[_VALUES_SHOWN:] = [f"{more} more"] if more > 0 else []
    return "one of " + ", ".join(words)
