"""Checks one JSON object against fields that a text lists.

The text is small in a device's heap and is taken apart when it is needed: `name:kind` is a field
that must be there, `name:kind?` may be absent or null, `name:kind=default` too, and the default
stands for it then. Fields are separated by spaces. A kind is one of voxwire.value's, or the
legal texts or whole numbers (`state:start|stop`, `depth:1|16`), or the limits of a whole number
(`width:32..1024`).
"""

from collections import namedtuple

from voxwire import value as kinds
from voxwire.errors import WireError
from voxwire.value import Schema, check

Field = namedtuple("Field", ("name", "schema", "required", "default"))


def parse(text: str):
    """Each Field that `text` lists, in its order."""
    for part in text.split():
        name, _, kind = part.partition(":")
        kind, equals, default = kind.partition("=")
        required = not equals and not kind.endswith("?")
        schema = _parse_kind(kind.rstrip("?"))
        yield Field(name, schema, required, _default(schema, default) if equals else None)


try:
    from functools import cache
except ImportError:
    parsed = parse  # on a device anew each time, a Field at a time: its heap is small
else:

    @cache
    def parsed(text: str) -> "tuple[Field, ...]":
        """The fields that `text` lists."""
        return tuple(parse(text))


def _parse_kind(kind: str) -> Schema:
    if "|" in kind or kind.isdigit():
        choices = kind.split("|")
        return kinds.choice(tuple([int(each) if each.isdigit() else each for each in choices]))
    low, dots, high = kind.partition("..")
    return kinds.integer(int(low), int(high)) if dots else kinds.OPEN[kind]


def _default(schema: Schema, text: str) -> "object":
    if schema.kind == "boolean":
        return text == "true"
    whole = schema.kind == "integer" or (schema.kind == "choice" and text.isdigit())
    return int(text) if whole else text


def read(text: str, data, part: str):
    """The values of the fields of `text` in `data`, in their order; unknown keys are ignored.

    WireError names `part` and the first field that is missing or illegal.
    """
    if not isinstance(data, dict):
        raise WireError(part, "must be a JSON object")
    values = []
    for field in parsed(text):
        value = data.get(field.name)
        if value is None:
            if field.required:
                raise WireError(part + "." + field.name, "is missing")
            value = field.default
        else:
            value = check(value, field.schema, part + "." + field.name)
        values.append(value)
    return values


def write(text: str, values: "tuple[object, ...]") -> "dict[str, object]":
    """The JSON object of `values`, in the order of the fields of `text`; None is left out."""
    data: "dict[str, object]" = {}
    for field, value in zip(parsed(text), values):
        if value is not None:
            data[field.name] = list(value) if isinstance(value, tuple) else value
    return data
