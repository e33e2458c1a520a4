"""Tools as both sides name them: JSON-RPC envelopes, error codes, scopes, tool descriptions.

JSON-RPC 2.0 as MCP uses it; the names of methods and fields are MCP's.
"""

from collections import namedtuple

from voxwire import value as kinds
from voxwire.errors import WireError
from voxwire.value import check

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND = -32700, -32600, -32601
INVALID_PARAMS, INTERNAL_ERROR = -32602, -32603
FORBIDDEN = -32001  # the caller's scope does not reach the tool

PAGE_BYTES = 8000  # of a tools/list result (reference: xiaozhi's limit)
SCOPES = ("ai", "user", "admin")  # each reaches those before it
SCOPE_KEY = "voxcard/scope"  # in `_meta` of a tool (needed) and of a call (granted)
SENTENCES_KEY = "voxcard/sentences"  # in `_meta` of a tool: {locale: [template, ...]}

Request = namedtuple("Request", ("id", "method", "params"))  # id None: a notification
Response = namedtuple("Response", ("id", "result", "error"))  # error: RpcError or None
RpcError = namedtuple("RpcError", ("code", "message"))
# destructive: MCP's hint, whether a call may do what cannot be undone; None: not said.
ToolDescription = namedtuple(
    "ToolDescription", ("name", "description", "input_schema", "scope", "destructive")
)


def reaches(granted: str, needed: str) -> bool:
    """Whether a caller with scope `granted` may use a tool that needs `needed`."""
    return granted in SCOPES and SCOPES.index(granted) >= SCOPES.index(needed)


def _check_id(value, part: str):
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        raise WireError(part, "must be a number or text")
    return value


def parse(payload: object):
    """A Request or Response from the `payload` of an `mcp` message; WireError if it is neither."""
    if not isinstance(payload, dict) or payload.get("jsonrpc") != "2.0":
        raise WireError("mcp.jsonrpc", 'must be "2.0"')
    call_id = payload.get("id")
    if call_id is not None:
        _check_id(call_id, "mcp.id")
    if "method" in payload:
        params = payload.get("params")
        method = check(payload["method"], kinds.STRING, "mcp.method")
        return Request(
            call_id, method, check({} if params is None else params, kinds.OBJECT, "mcp.params")
        )
    return _parse_response(call_id, payload)


def _parse_response(call_id, payload) -> Response:
    if "error" in payload:
        error = check(payload["error"], kinds.OBJECT, "mcp.error")
        code, message = error.get("code"), error.get("message")
        # xiaozhi devices leave the code out.
        code = INTERNAL_ERROR if code is None else check(code, kinds.INTEGER, "mcp.error.code")
        return Response(call_id, None, RpcError(code, str(message or "unknown error")))
    if "result" in payload:
        return Response(call_id, check(payload["result"], kinds.OBJECT, "mcp.result"), None)
    raise WireError("mcp", "has neither method, result nor error")


def request(call_id, method: str, params=None):
    """A request payload; a notification when `call_id` is None."""
    data = {"jsonrpc": "2.0", "method": method}
    if call_id is not None:
        data["id"] = call_id
    if params is not None:
        data["params"] = params
    return data


def result(call_id, value: object):
    """A response payload that succeeded."""
    return {"jsonrpc": "2.0", "id": call_id, "result": value}


def error(call_id, code: int, message: str):
    """A response payload that failed."""
    return {"jsonrpc": "2.0", "id": call_id, "error": {"code": code, "message": message}}


def text_result(text: str, is_error: bool = False):
    """The result of a tools/call that says `text`."""
    return {"content": [{"type": "text", "text": text}], "isError": is_error}


def describe(tool: ToolDescription):
    """The entry of a tool in a tools/list result."""
    data = {
        "name": tool.name,
        "description": tool.description,
        "inputSchema": tool.input_schema,
        "_meta": {SCOPE_KEY: tool.scope},
    }
    annotations = {}
    if tool.scope != "ai":
        # xiaozhi's mark of a tool that the model must not see.
        annotations["audience"] = ["user"]
    if tool.destructive is not None:
        annotations["destructiveHint"] = tool.destructive
    if annotations:
        data["annotations"] = annotations
    return data
