"""JSON-RPC envelopes, scopes and tool descriptions."""

from voxwire import tool
from voxwire.bridge_only.tool_reader import read_description
from voxwire.errors import WireError


def refusal(call, value):
    try:
        call(value)
    except WireError as error:
        return str(error)
    raise AssertionError("was not refused")


def test_a_wider_scope_reaches_the_narrower_ones():
    for granted, needed, reaches in (
        ("ai", "ai", True),
        ("ai", "user", False),
        ("user", "ai", True),
        ("user", "admin", False),
        ("admin", "user", True),
        ("root", "ai", False),
    ):
        assert tool.reaches(granted, needed) is reaches


def test_requests_notifications_and_responses_are_distinguished():
    assert tool.parse(tool.request(3, "ping")) == tool.Request(3, "ping", {})
    assert tool.parse(tool.request(None, "notifications/cancelled", {"requestId": 3})) == (
        tool.Request(None, "notifications/cancelled", {"requestId": 3})
    )
    assert tool.parse(tool.result("a", {"ok": 1})) == tool.Response("a", {"ok": 1}, None)
    assert tool.parse(tool.error(3, tool.FORBIDDEN, "no")) == (
        tool.Response(3, None, tool.RpcError(-32001, "no"))
    )


def test_an_error_without_a_code_is_read_as_an_internal_one():
    payload = {"jsonrpc": "2.0", "id": 1, "error": {"message": "Unknown tool: x"}}
    assert tool.parse(payload).error == tool.RpcError(-32603, "Unknown tool: x")


def test_a_payload_that_is_no_envelope_is_refused_by_name():
    for payload, said in (
        ([], 'mcp.jsonrpc: must be "2.0"'),
        ({"jsonrpc": "1.0"}, 'mcp.jsonrpc: must be "2.0"'),
        ({"jsonrpc": "3.0"}, 'mcp.jsonrpc: must be "2.0"'),
        ({"jsonrpc": "2.0", "id": True, "method": "x"}, "mcp.id: must be a number or text"),
        ({"jsonrpc": "2.0", "method": 3}, "mcp.method: must be of type string"),
        ({"jsonrpc": "2.0", "method": "x", "params": []}, "mcp.params: must be of type object"),
        ({"jsonrpc": "2.0", "id": 1}, "mcp: has neither method, result nor error"),
        ({"jsonrpc": "2.0", "id": 1, "result": 7}, "mcp.result: must be of type object"),
    ):
        assert refusal(tool.parse, payload) == said


def test_a_description_keeps_its_scope_on_the_way():
    for scope in tool.SCOPES:
        described = tool.ToolDescription("self.x", "Does x.", {"type": "object"}, scope, None)
        assert read_description(tool.describe(described)) == described


def test_a_description_keeps_whether_it_destroys():
    for destructive in (True, False, None):
        described = tool.ToolDescription("self.x", "", {"type": "object"}, "user", destructive)
        listed = tool.describe(described)
        assert listed["annotations"].get("destructiveHint") == destructive
        assert read_description(listed) == described
    odd = {"name": "self.x", "annotations": {"destructiveHint": "yes"}}
    assert read_description(odd).destructive is None


def test_a_tool_marked_for_people_alone_needs_their_scope():
    listed = {"name": "self.reboot", "annotations": {"audience": ["user"]}}
    assert read_description(listed).scope == "user"
    assert read_description({"name": "self.x"}).scope == "ai"


def test_a_wrong_description_is_named():
    assert refusal(read_description, {}) == "tool.name: is missing"
    assert refusal(read_description, {"name": ""}) == ("tool.name: must have 1 to 128 characters")
    assert refusal(read_description, {"name": "x", "_meta": {"voxcard/scope": "god"}}) == (
        "tool._meta.voxcard/scope: must be one of ai, user, admin"
    )


def test_the_codes_and_scopes_are_those_of_the_protocol():
    assert (tool.PARSE_ERROR, tool.INVALID_REQUEST, tool.METHOD_NOT_FOUND) == (
        -32700,
        -32600,
        -32601,
    )
    assert (tool.INVALID_PARAMS, tool.INTERNAL_ERROR, tool.FORBIDDEN) == (-32602, -32603, -32001)
    assert (tool.SCOPES, tool.PAGE_BYTES) == (("ai", "user", "admin"), 8000)


def test_a_tool_for_people_alone_is_marked_for_them_and_the_others_are_not():
    schema = {"type": "object"}
    assert tool.describe(tool.ToolDescription("self.x", "Does x.", schema, "ai", None)) == {
        "name": "self.x",
        "description": "Does x.",
        "inputSchema": schema,
        "_meta": {"voxcard/scope": "ai"},
    }
    for scope in ("user", "admin"):
        described = tool.describe(tool.ToolDescription("self.x", "", schema, scope, None))
        assert described["annotations"] == {"audience": ["user"]}


def test_a_description_without_a_schema_takes_any_object():
    assert read_description({"name": "self.x"}).input_schema == {"type": "object"}
    own = {"type": "object", "properties": {}}
    assert read_description({"name": "self.x", "inputSchema": own}).input_schema == own
    assert read_description({"name": "x" * 128}).name == "x" * 128
    assert refusal(read_description, {"name": "x" * 129}).startswith("tool.name: must have")


def test_the_payloads_of_json_rpc():
    assert tool.request(3, "ping") == {"jsonrpc": "2.0", "id": 3, "method": "ping"}
    assert tool.request(None, "x", {"a": 1}) == {
        "jsonrpc": "2.0",
        "method": "x",
        "params": {"a": 1},
    }
    assert tool.result("a", {}) == {"jsonrpc": "2.0", "id": "a", "result": {}}
    assert tool.text_result("no", True) == {
        "content": [{"type": "text", "text": "no"}],
        "isError": True,
    }
    assert tool.text_result("yes")["isError"] is False
    nameless = {"jsonrpc": "2.0", "id": 1, "error": {"code": 5}}
    assert tool.parse(nameless).error == tool.RpcError(5, "unknown error")
    empty = {"jsonrpc": "2.0", "method": "x", "params": None}
    assert tool.parse(empty) == tool.Request(None, "x", {})
