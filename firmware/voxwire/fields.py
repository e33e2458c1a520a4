"""Checks one JSON object against a table of fields."""

from collections import namedtuple

from voxwire.errors import WireError

# kind: "string", "integer", "number", "boolean", "object", "list", or a tuple of legal strings.
Field = namedtuple("Field", ("name", "kind", "required", "default"))

_TYPES = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "object": (dict,),
    "list": (list,),
}


def required(name: str, kind):
    """A field that must be there."""
    return Field(name, kind, True, None)


def optional(name: str, kind, default=None):
    """A field that may be absent or null; `default` stands for it then."""
    return Field(name, kind, False, default)


def check(value, kind, part: str):
    """Return `value`; WireError naming `part` when it is not of `kind`."""
    if isinstance(kind, tuple):
        if not isinstance(value, str) or value not in kind:
            raise WireError(part, "must be one of " + ", ".join(kind))
        return value
    # bool is an int in Python; the wire keeps them apart.
    wrong = not isinstance(value, _TYPES[kind])
    if wrong or (kind in ("integer", "number") and isinstance(value, bool)):
        raise WireError(part, "must be of type " + kind)
    return value


def read(fields, data, part: str):
    """The values of `fields` in `data`, in table order; unknown keys are ignored."""
    if not isinstance(data, dict):
        raise WireError(part, "must be a JSON object")
    values = []
    for field in fields:
        value = data.get(field.name)
        if value is None:
            if field.required:
                raise WireError(part + "." + field.name, "is missing")
            values.append(field.default)
        else:
            values.append(check(value, field.kind, part + "." + field.name))
    return values
