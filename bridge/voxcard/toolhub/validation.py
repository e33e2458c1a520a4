"""A call's arguments against its tool's `inputSchema`, refused in a sentence."""

import json
from collections.abc import Mapping

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError, best_match
from referencing import Registry
from referencing.exceptions import Unresolvable

from voxcard.json_value import Json

_TYPES = {
    "integer": "a whole number",
    "number": "a number",
    "string": "text",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
}


def refusal(schema: Mapping[str, Json], arguments: Mapping[str, Json], *, strict: bool) -> str:
    """What is wrong with `arguments`, as a sentence; "" when nothing is.

    `strict`: arguments the schema does not name are refused, as devices do. A schema that is
    itself wrong lets everything through: its tool still checks.
    """
    properties = _properties(schema)
    if strict:
        for name in arguments:
            if name not in properties:
                takes = ", ".join(properties) or "no arguments"
                return f"{name} is not an argument; it takes {takes}."
    # An empty registry: a schema never makes the bridge fetch an address.
    validator = Draft202012Validator(dict(schema), registry=Registry())
    try:
        validator.check_schema(schema)
        error = best_match(validator.iter_errors(dict(arguments)))
    except (SchemaError, Unresolvable, RecursionError, TypeError, ValueError):
        return ""
    return _sentence(error) if error is not None else ""


def whole_numbers(schema: Mapping[str, Json], arguments: Mapping[str, Json]) -> dict[str, Json]:
    """`arguments` with 60.0 as 60 where an integer is wanted: models write both."""
    properties = _properties(schema)
    return {
        name: int(value)
        if isinstance(value, float)
        and value.is_integer()
        and isinstance(properties.get(name), Mapping)
        and properties[name].get("type") == "integer"
        else value
        for name, value in arguments.items()
    }


def _properties(schema: Mapping[str, Json]) -> Mapping[str, Json]:
    properties = schema.get("properties")
    return properties if isinstance(properties, Mapping) else {}


def _sentence(error: ValidationError) -> str:
    name = ".".join(str(part) for part in error.absolute_path)
    schema = error.schema if isinstance(error.schema, Mapping) else {}
    if error.validator == "required":
        required: Json = error.validator_value
        instance: Json = error.instance
        missing = next(str(key) for key in required if key not in instance)
        place = f"{name}.{missing}" if name else missing
        return f"{place} is missing: {_wanted(_properties(schema).get(missing))}."
    if error.validator == "additionalProperties":
        return f"{name or 'The call'} has arguments that the tool does not take."
    if not name or not ("type" in schema or "enum" in schema):
        return f"{name or 'The call'}: {error.message}."
    return f"{name} must be {_wanted(schema)}, not {_short(error.instance)}."


def _wanted(schema: Json) -> str:
    """A schema in words: `a whole number from 0 to 100`, `one of dark, light`."""
    if not isinstance(schema, Mapping):
        return "a value"
    if isinstance(schema.get("enum"), list):
        return "one of " + ", ".join(_short(each).strip('"') for each in schema["enum"])
    kind = schema.get("type")
    words = _TYPES.get(kind, "a value") if isinstance(kind, str) else "a value"
    low, high, unit = schema.get("minimum"), schema.get("maximum"), ""
    if kind == "string":
        low, high, unit = schema.get("minLength"), schema.get("maxLength"), " characters"
    elif kind == "array":
        low, high, unit = schema.get("minItems"), schema.get("maxItems"), " entries"
    if low is not None and high is not None:
        return f"{words} {'of' if unit else 'from'} {low} to {high}{unit}"
    if low is not None:
        return f"{words} of at least {low}{unit}"
    return words if high is None else f"{words} of at most {high}{unit}"


def _short(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 40 else text[:37] + "..."
