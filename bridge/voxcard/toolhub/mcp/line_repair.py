"""Lines of a server that the SDK does not take: read more leniently, or answered with an error.

JSON may hold half of a surrogate pair (a text cut in the middle of an emoji), numbers of any
length and nesting of any depth; the SDK refuses the whole message for it, and whoever waits for
the answer waits for ever.
"""

import json
import re
from collections.abc import Callable, Mapping

from mcp.shared.message import SessionMessage
from mcp_types import ErrorData, JSONRPCError, jsonrpc_message_adapter
from mcp_types.jsonrpc import INTERNAL_ERROR
from pydantic import ValidationError

from voxcard.json_value import Json
from voxcard.text_safety import safe_line

CHARACTERS_MAX = 16 << 20  # of a line that is read once more
DEPTH_MAX = 100  # half of what the SDK takes
WARNINGS_MAX = 5  # of one connection: a program that prints its log is one mistake, not thousands
_DIGITS_MAX = 300
_SHOWN = 80
_HALF = re.compile("[\ud800-\udfff]")


class LineRepair:
    """Of one connection; `warn(text)` gets a line for each of the first lines that are none."""

    def __init__(self, warn: Callable[[str], None]) -> None:
        self._warn = warn
        self._left = WARNINGS_MAX

    def __call__(self, error: Exception) -> SessionMessage | None:
        """The message that a refused line was meant to be; None for what is no message."""
        source = _input(error)
        value = _lenient(source) if isinstance(source, str) else source
        if isinstance(source, str) and isinstance(value, dict):
            message = _message(value)
            if message is not None:
                return message
        if isinstance(value, dict) and _answers(value):
            reason = ErrorData(code=INTERNAL_ERROR, message="its answer cannot be read")
            return SessionMessage(JSONRPCError(jsonrpc="2.0", id=value["id"], error=reason))
        self._tell(source)
        return None

    def _tell(self, source: Json) -> None:
        if self._left:
            self._left -= 1
            last = "" if self._left else "; no more of them is told"
            self._warn(f"a line that is no message{last}: {safe_line(str(source)[:200], _SHOWN)}")


def _input(error: Exception) -> Json:
    """What the SDK could not read: the line, or the value in it."""
    if not isinstance(error, ValidationError):
        return str(error)
    inputs = [each["input"] for each in error.errors(include_url=False)]
    # What is wrong inside of an object that is no message is told of each of its parts.
    whole = (each for each in inputs if isinstance(each, dict) and "jsonrpc" in each)
    return next(whole, inputs[0])


def _lenient(line: str) -> Json:
    if len(line) > CHARACTERS_MAX or line.lstrip()[:1] != "{":
        return None
    try:
        return json.loads(line, parse_int=_int, parse_constant=lambda name: None)
    except (ValueError, RecursionError):
        return None


def _int(digits: str) -> int | None:
    return int(digits) if len(digits) <= _DIGITS_MAX else None


def _message(value: Json) -> SessionMessage | None:
    """The message, with U+FFFD for halves of characters and nothing below a depth."""
    try:
        line = _HALF.sub("\ufffd", json.dumps(_shallow(value, 0), ensure_ascii=False))
        return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    except (ValueError, RecursionError):
        return None


def _shallow(value: Json, depth: int) -> Json:
    if isinstance(value, dict | list) and depth == DEPTH_MAX:
        return None
    if isinstance(value, dict):
        return {key: _shallow(entry, depth + 1) for key, entry in value.items()}
    if isinstance(value, list):
        return [_shallow(entry, depth + 1) for entry in value]
    return value


def _answers(value: Mapping[str, Json]) -> bool:
    """Whether a message answers a request: somebody waits for it."""
    request_id = value.get("id")
    known = isinstance(request_id, int | str) and not isinstance(request_id, bool)
    return known and "method" not in value
