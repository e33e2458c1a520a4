"""Combines two readings of one argument, for `allOf` and `anyOf`."""

from collections.abc import Sequence
from dataclasses import replace

from voxcard.toolhub.schema import Argument, Number, Scalar

_Limit = tuple[Number | None, bool]  # and whether the limit itself is excluded
_FITTING = {
    "any": ("string", "boolean", "integer", "number"),
    "number": ("integer", "number"),
}


class NoValueError(ValueError):
    """Nothing may be given for the argument."""


def both(one: Argument, other: Argument) -> Argument:
    """What satisfies both; texts and default are the first's if it has some. NoValueError."""
    nullable = one.nullable and other.nullable
    kind = _common_kind(one, other, nullable)
    low, low_open = _narrower((one.low, one.low_open), (other.low, other.low_open), -1)
    high, high_open = _narrower((one.high, one.high_open), (other.high, other.high_open), 1)
    if _exclude_each_other(low, high, low_open or high_open):
        raise NoValueError("its lower limit is above its upper one")
    return replace(
        one,
        kind=kind,
        values=_common_values(kind, one.values, other.values),
        low=low,
        high=high,
        low_open=low_open,
        high_open=high_open,
        step=one.step or other.step,
        pattern=one.pattern or other.pattern,
        format=one.format or other.format,
        title=one.title or other.title,
        description=one.description or other.description,
        default=other.default if one.default is None else one.default,
        nullable=nullable,
        items=one.items or other.items,
    )


def either(alternatives: Sequence[Argument]) -> Argument:
    """What satisfies one of `alternatives`, as closely as one Argument says it. NoValueError."""
    if not alternatives:
        raise NoValueError("no value is allowed")
    nullable = any(each.nullable for each in alternatives)
    some = [each for each in alternatives if each.kind != "null"]
    if not some:
        return alternatives[0]
    merged = some[0]
    for each in some[1:]:
        merged = _union(merged, each)
    return replace(merged, nullable=nullable, values=_all_values(some))


def _common_kind(one: Argument, other: Argument, nullable: bool) -> str:
    kinds = {one.kind, other.kind} - {"any"}
    if len(kinds) < 2:
        return next(iter(kinds), "any")
    if kinds == {"integer", "number"}:
        return "integer"
    if nullable:
        return "null"
    raise NoValueError("its types exclude each other")


def _exclude_each_other(low: Number | None, high: Number | None, is_open: bool) -> bool:
    if low is None or high is None:
        return False
    return low > high or (low == high and is_open)


def _narrower(one: _Limit, other: _Limit, side: int) -> _Limit:
    """The limit that leaves less; `side` is 1 for upper limits, -1 for lower ones."""
    if one[0] is None or other[0] is None:
        return other if one[0] is None else one
    if one[0] == other[0]:
        return one[0], one[1] or other[1]
    return one if side * one[0] < side * other[0] else other


def _common_values(
    kind: str, one: tuple[Scalar, ...], other: tuple[Scalar, ...]
) -> tuple[Scalar, ...]:
    values = one or other
    if not values:
        return ()
    if one and other:
        also = {_key(each) for each in other}
        values = tuple(each for each in one if _key(each) in also)
    values = tuple(each for each in values if kind_of(each) in _FITTING.get(kind, (kind,)))
    if not values and kind != "null":
        raise NoValueError("no value of its enum is allowed")
    return values


def _union(one: Argument, other: Argument) -> Argument:
    kinds = {one.kind, other.kind}
    kind = one.kind if len(kinds) == 1 else "any"
    kind = "number" if kinds == {"integer", "number"} else kind
    limits = Argument()
    if kind != "any":
        low, low_open = _wider((one.low, one.low_open), (other.low, other.low_open), -1)
        high, high_open = _wider((one.high, one.high_open), (other.high, other.high_open), 1)
        limits = Argument(low=low, high=high, low_open=low_open, high_open=high_open)
    return replace(
        one,
        kind=kind,
        low=limits.low,
        high=limits.high,
        low_open=limits.low_open,
        high_open=limits.high_open,
        step=one.step if one.step == other.step else None,
        pattern=one.pattern if one.pattern == other.pattern else "",
        format=one.format if one.format == other.format else "",
        title=one.title or other.title,
        description=one.description or other.description,
        default=other.default if one.default is None else one.default,
        items=one.items if one.items == other.items else None,
    )


def _all_values(alternatives: Sequence[Argument]) -> tuple[Scalar, ...]:
    """Every value once, or none where an alternative is open to any."""
    if not all(each.values for each in alternatives):
        return ()
    values = {_key(value): value for each in alternatives for value in each.values}
    return tuple(values.values())


def _wider(one: _Limit, other: _Limit, side: int) -> _Limit:
    if one[0] is None or other[0] is None:
        return None, False
    if one[0] == other[0]:
        return one[0], one[1] and other[1]
    return one if side * one[0] > side * other[0] else other


def kind_of(value: Scalar) -> str:
    """The kind of argument that `value` is one of."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    return "integer" if isinstance(value, int) or value.is_integer() else "number"


def _key(value: Scalar) -> tuple[bool, Scalar]:
    """What tells values apart: true is not 1, as it is in Python."""
    return isinstance(value, bool), value
