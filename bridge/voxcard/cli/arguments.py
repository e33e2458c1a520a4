"""`key=value` words of a command line as the arguments of a tool, read by its schema."""

import json
from collections.abc import Mapping, Sequence

from voxcard.errors import VoxcardError
from voxcard.json_value import Json

_WORDS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def parse(schema: Mapping[str, Json], words: Sequence[str]) -> dict[str, Json]:
    """The arguments in `words`; VoxcardError names the word that cannot be read.

    What the schema does not name is read as JSON, else taken as text.
    """
    properties = schema.get("properties")
    properties = properties if isinstance(properties, Mapping) else {}
    found: dict[str, Json] = {}
    for word in words:
        key, equals, text = word.partition("=")
        if not key or not equals:
            raise VoxcardError(f"{word} is not key=value.", "Write it like volume=60.")
        if key in found:
            raise VoxcardError(f"{key} is given twice.", "Give it once.")
        described = properties.get(key)
        kind = described.get("type") if isinstance(described, Mapping) else None
        found[key] = _value(key, kind, text)
    return found


def _value(key: str, kind: Json, text: str) -> Json:
    try:
        if kind == "string":
            return text
        if kind == "boolean":
            return _WORDS[text.lower()]
        if kind == "integer":
            return int(text)
        if kind == "number":
            return float(text)
        if kind in ("array", "object"):
            return json.loads(text)
    except (ValueError, KeyError, RecursionError) as error:
        wanted = {
            "boolean": "true or false",
            "integer": "a whole number",
            "number": "a number",
        }.get(kind, "JSON")
        raise VoxcardError(f"{key} must be {wanted}, not {text}.", "Correct it.") from error
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
