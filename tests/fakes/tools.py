"""A device that answers JSON-RPC as it is told to, and the hub it is attached to."""

from voxcard.toolhub.hub import Hub


def tool(name, scope="ai", **properties):
    """An entry of tools/list; every property is required."""
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    meta = {"voxcard/scope": scope}
    return {"name": name, "description": f"Does {name}.", "inputSchema": schema, "_meta": meta}


def says(text, **more):
    return {"content": [{"type": "text", "text": text}], **more}


class FakeDevice:
    """Lists `tools`, `page_size` at a time; `answers` maps a tool to its result.

    A value may be a function of the call's params, an Exception (a JSON-RPC error), or None: it
    never answers. `sent` holds every payload the hub sent.
    """

    def __init__(self, tools=(), answers=None, page_size=2):
        self.tools = list(tools)
        self.answers = answers or {}
        self.page_size = page_size
        self.sent = []
        self.on_call = lambda params: None
        self.hub = None
        self.device_id = ""

    def attach(self, hub: Hub, device_id="kitchen"):
        self.hub, self.device_id = hub, device_id
        hub.attach(device_id, self.send)

    def send(self, payload):
        self.sent.append(payload)
        if "id" not in payload or "method" not in payload:
            return
        result = self._result(payload["method"], payload.get("params", {}))
        if isinstance(result, Exception):
            self.answer(payload["id"], error={"code": -32602, "message": str(result)})
        elif result is not None:
            self.answer(payload["id"], result=result)

    def answer(self, call_id, **outcome):
        self.tell({"id": call_id, **outcome})

    def notify(self, method, **params):
        self.tell({"method": method, "params": params})

    def tell(self, message):
        self.hub.receive(self.device_id, {"jsonrpc": "2.0", **message})

    def calls(self, method="tools/call"):
        return [payload for payload in self.sent if payload.get("method") == method]

    def _result(self, method, params):
        if method == "initialize":
            return {"protocolVersion": "2024-11-05", "capabilities": {"tools": {}}}
        if method == "tools/list":
            start = int(params.get("cursor", "0"))
            page = {"tools": self.tools[start : start + self.page_size]}
            if start + self.page_size < len(self.tools):
                page["nextCursor"] = str(start + self.page_size)
            return page
        self.on_call(params)
        answer = self.answers.get(params["name"])
        return answer(params) if callable(answer) else answer
