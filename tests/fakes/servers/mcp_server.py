"""An MCP server of revision 2025-06-18 over stdio, in plain JSON, that misbehaves on demand."""

import json
import os
import sys
from pathlib import Path

# The first argument is a file that counts the starts of this program.
started = Path(sys.argv[1])
started.write_text(started.read_text() + "x" if started.exists() else "x")
mode = sys.argv[2] if len(sys.argv) > 2 else ""
names = ["echo", "die", "hang", "running", "cancelled", "structured", "grow", "progress", "ask"]
more = json.loads(Path(mode).read_text()) if mode.endswith(".json") else []  # descriptions
running = []  # calls that are never answered
cancelled = []
questions = []  # calls whose question is not answered yet


def send(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def text(words, **more):
    return {"content": [{"type": "text", "text": words}], **more}


def call(call_id, name, params):
    if name == "echo" or name in [each.get("name") for each in more if isinstance(each, dict)]:
        return text(json.dumps(params.get("arguments")), _meta={"kept": {"deep": [1]}})
    if name == "die":
        os._exit(3)
    if name == "hang":
        running.append(call_id)
        return None
    if name == "running":
        return text(json.dumps(running))
    if name == "cancelled":
        return text(json.dumps(cancelled))
    if name == "structured":
        return {"content": [], "structuredContent": {"total": 3, "items": ["a", "b"]}}
    if name == "grow":
        names.append("grown")
        send({"method": "notifications/tools/list_changed"})
        return text("grown")
    if name == "progress":
        token = params["_meta"]["progressToken"]
        progress = {"progressToken": token, "progress": 1, "total": 2, "message": "half way"}
        send({"method": "notifications/progress", "params": progress})
        return text("whole")
    if name == "ask":
        questions.append(call_id)
        schema = {"type": "object", "properties": {"sure": {"type": "boolean"}}}
        params = {"message": "Really?", "requestedSchema": schema}
        send({"id": "e1", "method": "elicitation/create", "params": params})
        return None
    if name == "deaf":
        while True:
            sys.stdin.readline() or os._exit(0)
    raise ValueError(name)


for line in sys.stdin:
    message = json.loads(line)
    method, params, call_id = message.get("method"), message.get("params", {}), message.get("id")
    if method == "notifications/cancelled":
        cancelled.append(params["requestId"])
    elif call_id is None or mode == "mute":
        continue
    elif call_id == "e1":
        send({"id": questions.pop(), "result": text(json.dumps(message.get("result")))})
    elif method == "initialize":
        info = {"name": "fake", "version": "1"}
        capabilities = {"tools": {"listChanged": True}}
        result = {"protocolVersion": "2025-06-18", "capabilities": capabilities}
        send({"id": call_id, "result": {**result, "serverInfo": info}})
    elif method == "tools/list":
        start = int(params.get("cursor") or 0)
        tools: list = [{"name": n, "inputSchema": {"type": "object"}} for n in [*names, "deaf"]]
        tools += more
        size = max(4, len(tools) // 4)
        page = {"tools": tools[start : start + size]}
        if start + size < len(tools):
            page["nextCursor"] = str(start + size)
        send({"id": call_id, "result": page})
    elif method == "tools/call":
        result = call(call_id, params["name"], params)
        if result is not None:
            send({"id": call_id, "result": result})
    else:
        send({"id": call_id, "error": {"code": -32601, "message": "There is no such method."}})
