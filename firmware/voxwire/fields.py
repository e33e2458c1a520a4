"""Checks one JSON object against fields that a text lists.

The text is small in a device's heap and is taken apart when it is needed: `name:kind` is a field
that must be there, `name:kind?` may be absent or null, `name:kind=default` too, and the default
stands for it then. Fields are separated by spaces. Kinds are string, integer, number, boolean,
object, list, or the legal texts: `state:start|stop`.
"""

from collections import namedtuple

from voxwire.errors import WireError

Field = namedtuple("Field", ("name", "kind", "required", "default"))  # kind: a word or a tuple

_TYPES = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "object": dict,
    "list": list,
}


def parse(text: str):
    """The Field of each that `text` lists, in its order."""
    for part in text.split():
        name, _, kind = part.partition(":")
        kind, equals, default = kind.partition("=")
        value: "object" = default if equals else None
        needed = not equals and not kind.endswith("?")
        if kind == "integer" and equals:
            value = int(default)
        elif kind == "boolean" and equals:
            value = default == "true"
        kind = kind.rstrip("?")
        yield Field(name, tuple(kind.split("|")) if "|" in kind else kind, needed, value)


def check(value, kind, part: str):
    """Return `value`; WireError naming `part` when it is not of `kind`."""
    if isinstance(kind, tuple):
        if not isinstance(value, str) or value not in kind:
            raise WireError(part, "must be one of " + ", ".join(kind))
        return value
    # bool is an int in Python; the wire keeps them apart.
    wrong = not isinstance(value, _TYPES[kind])  # type: ignore[arg-type]
    if wrong or (kind in ("integer", "number") and isinstance(value, bool)):
        raise WireError(part, "must be of type " + kind)
    return value


def read(text: str, data, part: str):
    """The values of the fields of `text` in `data`, in their order; unknown keys are ignored."""
    if not isinstance(data, dict):
        raise WireError(part, "must be a JSON object")
    values = []
    for field in parse(text):
        value = data.get(field.name)
        if value is None:
            if field.required:
                raise WireError(part + "." + field.name, "is missing")
            values.append(field.default)
        else:
            values.append(check(value, field.kind, part + "." + field.name))
    return values


def write(text: str, values):
    """The JSON object of `values`, in the order of the fields of `text`; None is left out."""
    data = {}
    for field, value in zip(parse(text), values):
        if value is not None:
            data[field.name] = list(value) if isinstance(value, tuple) else value
    return data
