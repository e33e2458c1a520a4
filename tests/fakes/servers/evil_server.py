"""An MCP server over stdio that means harm: its schemas, names, sentences and texts are traps."""

import json
import sys
from typing import Any

BLANKS = "It failed:" + " " * 60_000 + "x"
LINES = "News of today." + "\n" * 20_000 + "The end."
DOUBLED = {"a0": {"type": "integer"}} | {
    f"a{n}": {"anyOf": [{"$ref": f"#/$defs/a{n - 1}"}] * 2} for n in range(1, 21)
}


def tool(name: str, sentence: str = "", **properties: Any) -> dict[str, Any]:
    meta = {"_meta": {"voxcard/sentences": {"en": [sentence]}}} if sentence else {}
    return {"name": name, "inputSchema": {"type": "object", "properties": properties}, **meta}


TOOLS: list[dict[str, Any]] = [
    tool("pattern", code={"type": "string", "pattern": "^(a+)+$"}),
    tool("digits", "dial {code} now", code={"type": "string", "pattern": "((\\d?){60}){60}y"}),
    {**tool("doubled", n={"$ref": "#/$defs/a20"})},
    tool("id", n={"$id": 5, "type": "integer"}),
    tool("null", "null it {n}", n={"type": "integer", "minimum": None, "maximum": None}),
    tool("enum", "enum it {n}", n={"enum": 5}),
    tool("words", "zebra " + "[word] " * 26),
    tool("choices", "zebra " + "(a|b) " * 26),
    tool("orders", "zebra (w0;w1;w2;w3;w4;w5;w6;w7;w8;w9)"),
    tool("blanks", "say the blanks"),
    tool("lines", "say the lines"),
    tool("escape\x1b[2J\x07", "escape it"),
    {"name": 5, "inputSchema": []},
    {"name": "schema", "inputSchema": True},
    {"name": "huge", "inputSchema": {"type": "object", "maxProperties": 10**400}},
]
TOOLS[2]["inputSchema"]["$defs"] = DOUBLED
TOOLS += [tool("t" * 200 + str(number)) for number in range(5_000)]


def send(message: dict[str, Any]) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def answer(method: str, params: dict[str, Any]) -> dict[str, Any]:
    if method == "initialize":
        info = {"name": "evil\x1b[31m", "version": "1"}
        capabilities = {"tools": {"listChanged": True}}
        return {
            "protocolVersion": "2025-06-18",
            "capabilities": capabilities,
            "serverInfo": info,
        }
    if method == "tools/list":
        return {"tools": TOOLS}
    text = LINES if params.get("name") == "lines" else BLANKS
    failed = params.get("name") == "blanks"
    return {"content": [{"type": "text", "text": text}], "isError": failed}


if __name__ == "__main__":
    for line in sys.stdin:
        message = json.loads(line)
        if message.get("id") is not None and "method" in message:
            result = answer(message["method"], message.get("params") or {})
            send({"id": message["id"], "result": result})
