"""JSON Schema validation with foreign schemas: a bounded number of steps, and no regular
expression but in linear time.
"""

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError
from jsonschema.validators import extend
from referencing import Registry

from voxcard.json_value import Json
from voxcard.toolhub import patterns

STEPS_MAX = 20_000  # of one check; a step takes about 10 µs
SCHEMA_STEPS_MAX = 200_000  # of checking a schema itself, once
_ENTRIES_A_STEP = 20
_ANCHOR_STEPS = 100  # a $ref to an anchor goes through the whole schema

Keyword = Callable[[Any, Json, Json, Mapping[str, Json]], Iterator[ValidationError] | None]


class TooManyStepsError(Exception):
    """A schema that takes too long, as one whose `$ref`s double does."""


class Checker:
    """Checks arguments against one schema; may be used by several threads.

    Building it raises SchemaError, or whatever a wrong schema makes the library raise.
    """

    def __init__(self, schema: Mapping[str, Json]) -> None:
        _steps.left = SCHEMA_STEPS_MAX
        # An empty registry: a schema never makes the bridge fetch an address.
        registry: Registry[Any] = Registry()
        meta = _Bounded(Draft202012Validator.META_SCHEMA, registry=registry)
        for error in meta.iter_errors(schema):
            raise SchemaError.create_from(error)
        self._validator = _Bounded(dict(schema), registry=registry)

    def errors(self, arguments: Mapping[str, Json]) -> Iterator[ValidationError]:
        """Yields what is wrong with `arguments`, lazily; TooManyStepsError."""
        _steps.left = STEPS_MAX
        yield from self._validator.iter_errors(dict(arguments))


class _Steps(threading.local):
    left = 0


_steps = _Steps()


def _counted(name: str, keyword: Keyword) -> Keyword:
    """`keyword`, which takes what it costs from the thread's steps."""

    def counted(
        validator: Any, value: Json, instance: Json, schema: Mapping[str, Json]
    ) -> Iterator[ValidationError] | None:
        cost = 1 + (_length(value) + _length(instance)) // _ENTRIES_A_STEP
        if name == "$ref" and isinstance(value, str) and not value.startswith("#/"):
            cost += _ANCHOR_STEPS
        _steps.left -= cost
        if _steps.left < 0:
            raise TooManyStepsError
        return keyword(validator, value, instance, schema)

    return counted


def _length(value: Json) -> int:
    return len(value) if isinstance(value, list | dict | str) else 0


def _pattern(
    validator: Any, value: Json, instance: Json, schema: Mapping[str, Json]
) -> Iterator[ValidationError]:
    if isinstance(instance, str) and patterns.matches(value, instance) is False:
        yield ValidationError("does not match")


def _pattern_properties(
    validator: Any, value: Json, instance: Json, schema: Mapping[str, Json]
) -> Iterator[ValidationError]:
    if isinstance(instance, dict):
        for pattern, below in value.items():
            for key, each in instance.items():
                if patterns.matches(pattern, key):
                    yield from validator.descend(each, below, path=key, schema_path=pattern)


def _additional_properties(
    validator: Any, value: Json, instance: Json, schema: Mapping[str, Json]
) -> Iterator[ValidationError]:
    if not isinstance(instance, dict):
        return
    named, named_by_pattern = schema.get("properties", {}), schema.get("patternProperties", {})
    extras = [key for key in instance if key not in named]
    if named_by_pattern:
        # What cannot be told counts as named: the tool decides.
        extras = [
            key
            for key in extras
            if all(patterns.matches(pattern, key) is False for pattern in named_by_pattern)
        ]
    if value is False and extras:
        yield ValidationError("more arguments than allowed")
    elif isinstance(value, dict):
        for key in extras:
            yield from validator.descend(instance[key], value, path=key)


def _unique_items(
    validator: Any, value: Json, instance: Json, schema: Mapping[str, Json]
) -> Iterator[ValidationError]:
    if value is True and isinstance(instance, list):
        texts = {json.dumps(each, sort_keys=True) for each in instance}
        if len(texts) < len(instance):
            yield ValidationError("has an entry twice")


def _unchecked(
    validator: Any, value: Json, instance: Json, schema: Mapping[str, Json]
) -> Sequence[ValidationError]:
    """For keywords whose own functions would search by Python's `re`: the tool checks."""
    return ()


_OWN: Mapping[str, Any] = {
    "pattern": _pattern,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional_properties,
    "uniqueItems": _unique_items,
    "unevaluatedItems": _unchecked,
    "unevaluatedProperties": _unchecked,
}
_Bounded = extend(  # type: ignore[no-untyped-call]
    Draft202012Validator,
    {
        name: _counted(name, _OWN.get(name, keyword))
        for name, keyword in Draft202012Validator.VALIDATORS.items()
    },
)
