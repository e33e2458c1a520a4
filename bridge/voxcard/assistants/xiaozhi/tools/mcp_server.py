"""The device's side of MCP inside a xiaozhi session: JSON-RPC in, JSON-RPC out; pure.

Shapes and limits: 78/xiaozhi-esp32, docs/mcp-protocol.md and main/mcp_server.cc. Ids are numbers;
servers use the ids of `initialize` and `tools/list` again for calls, and may greet twice.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from voxcard import __version__
from voxcard.assistants import ToolReply
from voxcard.assistants.xiaozhi.tools.names import ToolNames
from voxcard.assistants.xiaozhi.tools.pages import page
from voxcard.json_value import Json, JsonObject
from voxcard.text_safety import safe_text
from voxcard.toolhub.model import ToolSpec

PROTOCOL_VERSION = "2024-11-05"
TEXT_MAX = 7000  # bytes of a result's text as JSON; with all around it under MESSAGE_MAX
INVALID_REQUEST, NO_METHOD, INVALID_PARAMS = -32600, -32601, -32602
_ID_MAX = 2**53  # beyond, other parsers round


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tools/call to make: `name` is our name of the tool, `id` the server's of the call."""

    id: int
    name: str
    arguments: JsonObject


def request(
    payload: JsonObject, tools: Callable[[], Sequence[ToolSpec]]
) -> JsonObject | Call | None:
    """What a payload asks for: a response to send, a call to make, or nothing."""
    method, number = payload.get("method"), _number(payload.get("id"))
    # A response, a notification, or an id that the protocol does not have: no reply.
    if payload.get("jsonrpc") != "2.0" or not isinstance(method, str) or number is None:
        return None
    if method.startswith("notifications"):
        return None
    params = payload.get("params")
    if params is None:
        params = {}
    if not isinstance(params, dict):
        return error(number, INVALID_PARAMS, "params must be an object")
    match method:
        case "initialize":
            return result(number, _greeting())
        case "ping":
            return result(number, {})
        case "tools/list":
            cursor = params.get("cursor")
            rows = page(tools(), cursor if isinstance(cursor, str) else "")
            if rows is None:
                return error(number, INVALID_PARAMS, "There is no such cursor")
            return result(number, rows)
        case "tools/call":
            return _call(number, params, tools())
    return error(number, NO_METHOD, f"Method not implemented: {_word(method)}")


def outcome(number: int, reply: ToolReply) -> JsonObject:
    """The response to a call.

    A failure is told in words, not by isError: the widespread server speaks such results as they
    are, in a sentence of its own, while words go to its model.
    """
    words = [f"Error: {reply.text}" if reply.is_error else reply.text]
    if reply.pictures and not reply.text:
        words.append("(A picture was taken; it was shown to the person.)")
    if reply.card_shown:
        words.append("(A card of it is on the screen.)")
    text = _plain(" ".join(filter(None, words)) or "Done.")
    return result(number, {"content": [{"type": "text", "text": text}], "isError": False})


def result(number: int, value: Json) -> JsonObject:
    return {"jsonrpc": "2.0", "id": number, "result": value}


def error(number: int, code: int, message: str) -> JsonObject:
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message}}


def tools_changed() -> JsonObject:
    """The notification that the list is another one now."""
    return {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}


def _call(number: int, params: JsonObject, tools: Sequence[ToolSpec]) -> JsonObject | Call:
    name, arguments = params.get("name"), params.get("arguments")
    if not isinstance(name, str):
        return error(number, INVALID_PARAMS, "Missing name")
    if arguments is None:
        arguments = {}
    if not isinstance(arguments, dict):
        return error(number, INVALID_PARAMS, "Invalid arguments")
    own = ToolNames(tools).of(name)
    if not own:
        return error(number, NO_METHOD, f"Unknown tool: {_word(name)}")
    return Call(id=number, name=own, arguments=arguments)


def _greeting() -> JsonObject:
    return {
        "protocolVersion": PROTOCOL_VERSION,
        "capabilities": {"tools": {"listChanged": True}},
        "serverInfo": {"name": "voxcard", "version": __version__},
    }


def _number(value: Json) -> int | None:
    """An id: a whole number, as 3 or 3.0."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, float) and not value.is_integer():
        return None
    return int(value) if abs(value) <= _ID_MAX else None


def _plain(text: str) -> str:
    """Text that the server gives to its model as it is: cut, and no JSON with an `action`.

    The widespread server reads such an object as an order to itself, and refuses any other one.
    """
    text = safe_text(text)
    if text.lstrip().startswith("{"):
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            data = None
        if isinstance(data, dict) and "action" in data:
            text = f"Result: {text}"
    if _size(text) <= TEXT_MAX:
        return text
    low, high = 0, len(text)
    while low < high:  # the longest beginning that fits
        middle = (low + high + 1) // 2
        low, high = (middle, high) if _size(text[:middle] + "…") <= TEXT_MAX else (low, middle - 1)
    return text[:low] + "…"


def _size(text: str) -> int:
    return len(json.dumps(text))  # of ASCII, so bytes


def _word(text: str) -> str:
    return safe_text(text[:100])
