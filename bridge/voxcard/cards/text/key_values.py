"""Structured content in words, for results that have no text of their own (R-MCP-9)."""

from voxcard.cards.text.sanitize import clean
from voxcard.json_value import Json

_ROWS_MAX = 30
_VALUE_MAX = 200


def key_values(data: Json) -> str:
    """`key: value` lines of an object, at most 30; any other value in a few words."""
    if isinstance(data, dict):
        rows = [f"{key}: {_few_words(value)}" for key, value in list(data.items())[:_ROWS_MAX]]
        return clean("\n".join(rows))
    return "" if data is None else clean(_few_words(data))


def _few_words(value: Json) -> str:
    """A value in a few words, to one level of nesting."""
    if isinstance(value, list):
        text = ", ".join(_plain(entry) for entry in value[:10])
    elif isinstance(value, dict):
        text = ", ".join(f"{key} {_plain(entry)}" for key, entry in list(value.items())[:10])
    else:
        text = _plain(value)
    return text if len(text) <= _VALUE_MAX else text[: _VALUE_MAX - 1] + "…"


def _plain(value: Json) -> str:
    if isinstance(value, list | dict):
        return "…"
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "none"}[value]
    return str(value)[: _VALUE_MAX + 1]
