"""Data in words: `key: value` lines of what was written for programs (R-MCP-9)."""

import math
import re

from voxcard.cards.text.markdown.document import plain
from voxcard.cards.text.sanitize import clean
from voxcard.json_value import Json

ROWS_MAX = 30
VALUE_MAX = 200
TEXT_MAX = 4000  # of a value that is no line of `key_values`
_ENTRIES_MAX = 10  # of a list or object within a line
_DEPTH_MAX = 4
_DIGITS_MAX = 30
# A long run of base64 without a blank: nobody reads it.
_CODED_MIN = 100
_CODED = re.compile(rf"[\w+/=]{{{_CODED_MIN}}}\Z")


def key_values(data: Json) -> str:
    """`key: value` lines of an object, the entries of a list one a line, at most 30 of them and
    how many more there are; any other value in a few words."""
    if isinstance(data, dict):
        data = {key: value for key, value in data.items() if value not in ("", [], {})}
        rows = [f"{key}: {_short(value)}" for key, value in list(data.items())[:ROWS_MAX]]
    elif isinstance(data, list) and any(isinstance(entry, dict | list) for entry in data):
        rows = [_short(entry) for entry in data[:ROWS_MAX]]
    else:
        return "" if data is None else clean(_short(data))
    if len(data) > ROWS_MAX:
        rows.append(f"+{len(data) - ROWS_MAX} more")
    return clean("\n".join(rows))


def scalar(value: Json) -> str:
    """A value that is no list or object, in words: yes and no, none, a number, a text."""
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "none"}[value]
    if isinstance(value, int):
        return str(value) if abs(value) < 10**_DIGITS_MAX else "…"
    if isinstance(value, float):
        return number(value) if math.isfinite(value) else "none"
    text = str(value)[:TEXT_MAX].strip()
    if _CODED.match(text[:_CODED_MIN]) or text[:5].lower() == "data:":
        return "…"
    return plain(clean(text))


def number(value: float) -> str:
    """A number without a useless `.0`, and with all its digits where a person can read them."""
    if value == 0:
        return "0"
    # Ten digits would make 1e+10 of the first.
    return f"{value:.0f}" if 9_999_999_999.5 <= abs(value) < 1e16 else f"{value:.10g}"


def _short(value: Json) -> str:
    text = _phrase(value, 0)
    return text if len(text) <= VALUE_MAX else text[: VALUE_MAX - 1] + "…"


def _phrase(value: Json, depth: int) -> str:
    if not isinstance(value, list | dict):
        return scalar(value)[: VALUE_MAX + 1]
    if depth == _DEPTH_MAX:
        return "…"
    if isinstance(value, list):
        parts = [_phrase(entry, depth + 1) for entry in value[:_ENTRIES_MAX]]
    else:
        pairs = list(value.items())[:_ENTRIES_MAX]
        parts = [f"{key} {_phrase(pair, depth + 1)}" for key, pair in pairs]
    if len(value) > _ENTRIES_MAX:
        parts.append(f"+{len(value) - _ENTRIES_MAX} more")
    nested = isinstance(value, list) and any(isinstance(entry, dict) for entry in value)
    return ("; " if nested else ", ").join(parts)
