"""What a foreign value may be: its kind, its limits, its choices, checked by one rule.

Fields of messages (voxwire.fields), arguments of tools and settings of a device are all declared
in these words. Kinds are JSON's: string, integer, number, boolean, object, array; and choice.
"""

from collections import namedtuple

from voxwire.errors import WireError

# low, high: of a number, of the length of a text, of the count of an array's items; None: any.
# values: of a choice, the legal texts or whole numbers; of an array, the Schema of its items or
# None, then they may be anything.
Schema = namedtuple("Schema", ("kind", "low", "high", "values"))

_TYPES = {
    "string": str,
    "integer": (int, float),
    "number": (int, float),
    "boolean": bool,
    "object": dict,
    "array": list,
    "choice": (str, int, float),
}
# Values of a kind without limits of their own.
OPEN = {kind: Schema(kind, None, None, None) for kind in _TYPES if kind != "choice"}
STRING, INTEGER, BOOLEAN = OPEN["string"], OPEN["integer"], OPEN["boolean"]
OBJECT, ARRAY = OPEN["object"], OPEN["array"]

# Of a number without limits of its own: what every reader of JSON keeps exactly.
LARGEST = 999999999999999

_LIMITED = {
    "string": "text of %d to %d characters",
    "integer": "a whole number from %d to %d",
    "number": "a number from %s to %s",
    "array": "a list of %d to %d items",
}


def string(high: int, low: int = 0) -> Schema:
    """Text of `low` to `high` characters."""
    return Schema("string", low, high, None)


def integer(low: int, high: int) -> Schema:
    """A whole number from `low` to `high`, both included."""
    return Schema("integer", low, high, None)


def number(low: float, high: float) -> Schema:
    """A number from `low` to `high`, both included."""
    return Schema("number", low, high, None)


def choice(values: "tuple[object, ...]") -> Schema:
    """One of `values`: texts, or whole numbers."""
    return Schema("choice", None, None, values)


def array(items: Schema, high: int, low: int = 0) -> Schema:
    """A list of `low` to `high` values of the schema `items`."""
    return Schema("array", low, high, items)


def allowed(schema: Schema) -> str:
    """What the schema takes, as the end of the sentence "NAME must be ..."."""
    if schema.kind == "choice":
        return "one of " + ", ".join([str(value) for value in schema.values])
    if schema.kind == "boolean":
        return "true or false"
    if schema.low is None:
        digits = ", of up to 15 digits" if schema.kind in ("integer", "number") else ""
        return "of type " + schema.kind + digits
    return str(_LIMITED[schema.kind] % (schema.low, schema.high))


def check(value, schema: Schema, part: str):
    """Return `value`, a whole number as an int; WireError naming `part` when it is illegal."""
    if not _fits(value, schema):
        raise WireError(part, "must be " + allowed(schema))
    if schema.kind == "integer":
        return int(value)
    if schema.kind == "choice":
        return schema.values[schema.values.index(value)]
    if schema.kind == "array" and schema.values is not None:
        items = enumerate(value)
        return [check(item, schema.values, "%s[%d]" % (part, index)) for index, item in items]
    return value


def _fits(value, schema: Schema) -> bool:
    kind, low, high = schema.kind, schema.low, schema.high
    legal = isinstance(value, _TYPES[kind])  # type: ignore[arg-type]  # one class, or several
    # bool is an int in Python; JSON keeps them apart.
    if not legal or isinstance(value, bool) != (kind == "boolean"):
        return False
    if kind == "choice":
        return value in schema.values
    if kind in ("integer", "number"):
        # Only a finite number less itself is 0. JSON has one kind of number: 60.0 is whole.
        if value - value != 0 or (kind == "integer" and value != int(value)):
            return False
        if not -LARGEST <= value <= LARGEST:
            return False
    elif low is not None:
        value = len(value)
    return low is None or low <= value <= high
