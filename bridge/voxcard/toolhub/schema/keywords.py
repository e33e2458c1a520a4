"""Reads the keywords of one JSON Schema object; `$ref` and `anyOf` are the reader's."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from voxcard.json_value import Json
from voxcard.text_safety import safe_line
from voxcard.toolhub.schema import KINDS, Argument, Number
from voxcard.toolhub.schema.combination import both, kind_of

VALUES_MAX = 1000  # of an enum
TEXT_MAX = 500  # characters of a title or a description
# Beyond it a JSON number is no longer exact; schema libraries write it for "any whole number".
_SAFE = 2**53 - 1
_STEP_MIN = 1e-9  # numbers are compared with this tolerance


class KeywordError(ValueError):
    """A keyword that cannot be read; the text is a clause that says which and why."""


def read(source: Mapping[str, Json]) -> Argument:
    """What `source` itself says of an argument, but for `items`; KeywordError or NoValueError.

    `kind` may also be `null`.
    """
    kind, nullable = _type(source)
    argument = Argument(
        kind=kind,
        nullable=nullable,
        title=_text(source, "title"),
        description=_text(source, "description"),
        format=_text(source, "format"),
        default=source.get("default"),
    )
    if argument.kind in ("integer", "number"):
        argument = _limited(argument, source)
    elif argument.kind == "string":
        argument = _sized(argument, source, "minLength", "maxLength")
        pattern = source.get("pattern", "")
        if not isinstance(pattern, str):
            raise KeywordError("pattern is no text")
        argument = replace(argument, pattern=pattern)
    elif argument.kind == "array":
        argument = _sized(argument, source, "minItems", "maxItems")
    if "enum" in source:
        argument = both(argument, _chosen(source["enum"]))
    if "const" in source:
        argument = both(argument, _chosen([source["const"]]))
    return argument


def schemas(source: Mapping[str, Json], key: str) -> Sequence[Json]:
    """The list of schemas at `key`; KeywordError when something else stands there."""
    value = source.get(key, [])
    if not isinstance(value, list):
        raise KeywordError(f"{key} is no list of schemas")
    return value


def _type(source: Mapping[str, Json]) -> tuple[str, bool]:
    """The kind that `type` names; whether null is allowed."""
    if "type" not in source:
        return "any", True
    named = source["type"]
    names = named if isinstance(named, list) else [named]
    if not names or not all(isinstance(each, str) and each in (*KINDS, "null") for each in names):
        raise KeywordError("type names no type")
    kinds = set(names) - {"null"}
    # `nullable` is OpenAPI's word for it.
    nullable = "null" in names or source.get("nullable") is True
    return _one_kind(kinds) if kinds else "null", nullable


def _one_kind(kinds: set[str]) -> str:
    if kinds == {"integer", "number"}:
        return "number"
    return next(iter(kinds)) if len(kinds) == 1 else "any"


def _limited(argument: Argument, source: Mapping[str, Json]) -> Argument:
    """With the limits of a number; those of a whole number are whole and included."""
    low, low_open = _limit(source, "minimum", "exclusiveMinimum", -1)
    high, high_open = _limit(source, "maximum", "exclusiveMaximum", 1)
    if argument.kind == "integer":
        if low is not None:
            low, low_open = (math.floor(low) + 1 if low_open else math.ceil(low)), False
        if high is not None:
            high, high_open = (math.ceil(high) - 1 if high_open else math.floor(high)), False
    argument = replace(argument, step=_step(source))
    return _ordered(argument, low, high, low_open, high_open)


def _step(source: Mapping[str, Json]) -> Number | None:
    """What a number must be a multiple of; None for any, or for what every number is near to."""
    if "multipleOf" not in source:
        return None
    step = source["multipleOf"]
    if isinstance(step, bool) or not isinstance(step, int | float) or not 0 < step < _SAFE:
        raise KeywordError("multipleOf is no number above 0")
    return step if step >= _STEP_MIN else None


def _limit(
    source: Mapping[str, Json], key: str, open_key: str, side: int
) -> tuple[Number | None, bool]:
    """The narrower of a limit and an excluded one; `side` is 1 for upper limits, -1 for lower."""
    limit, opened = _number(source, key, side), source.get(open_key)
    if isinstance(opened, bool):  # draft 4: whether `minimum` itself is excluded
        return limit, opened and limit is not None
    excluded = _number(source, open_key, side)
    if excluded is None or (limit is not None and side * limit < side * excluded):
        return limit, False
    return excluded, True


def _number(source: Mapping[str, Json], key: str, side: int) -> Number | None:
    """A limit, None where it is none or lies beyond every exact number."""
    if key not in source:
        return None
    number = source[key]
    if isinstance(number, bool) or not isinstance(number, int | float) or number != number:
        raise KeywordError(f"{key} is no number")
    if side * number >= _SAFE:
        return None
    if side * number <= -_SAFE:
        raise KeywordError(f"{key} leaves no number")
    return int(number) if number == int(number) else number


def _sized(
    argument: Argument, source: Mapping[str, Json], low_key: str, high_key: str
) -> Argument:
    low, high = _count(source, low_key), _count(source, high_key)
    return _ordered(argument, low or None, high)


def _count(source: Mapping[str, Json], key: str) -> int | None:
    if key not in source:
        return None
    count = source[key]
    whole = isinstance(count, int) or (isinstance(count, float) and count.is_integer())
    if isinstance(count, bool) or not whole or count < 0:
        raise KeywordError(f"{key} is no count")
    return int(count) if count < _SAFE else None


def _ordered(
    argument: Argument,
    low: Number | None,
    high: Number | None,
    low_open: bool = False,
    high_open: bool = False,
) -> Argument:
    return both(
        argument,
        Argument(
            kind=argument.kind,
            nullable=True,
            low=low,
            high=high,
            low_open=low_open,
            high_open=high_open,
        ),
    )


def _chosen(values: Json) -> Argument:
    """An argument that takes only `values`; without any where some of them are no scalars."""
    if not isinstance(values, list) or not values:
        raise KeywordError("enum is no list of values")
    if len(values) > VALUES_MAX:
        raise KeywordError(f"enum has more than {VALUES_MAX} values")
    nullable = None in values
    scalars = tuple(each for each in values if isinstance(each, str | bool | int | float))
    if len(scalars) + values.count(None) < len(values):
        return Argument(nullable=nullable)
    if not scalars:
        return Argument(kind="null", nullable=True)
    kind = _one_kind({kind_of(each) for each in scalars})
    return Argument(kind=kind, values=scalars, nullable=nullable)


def _text(source: Mapping[str, Json], key: str) -> str:
    text = source.get(key)
    return safe_line(text, TEXT_MAX) if isinstance(text, str) else ""
