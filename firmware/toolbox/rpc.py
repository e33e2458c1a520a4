"""JSON-RPC 2.0 as MCP speaks it, over the tools of a registry.

The shell gives `send(payload)`, `spawn(coroutine)` (a task with `cancel()`), `confirm(question)`
and `limit(coroutine)` (awaits it for as long as a call may last); nothing here waits by itself.
"""

import json

from toolbox.registry import ArgumentError, Content, ToolError, arguments, size_of
from voxwire import tool as wire
from voxwire.errors import WireError

# Newest first; the first is offered to a client that asks for one we do not know.
PROTOCOL_VERSIONS = ("2025-06-18", "2025-03-26", "2024-11-05")
RUNNING_MAX = 4  # calls at a time; each holds a task and what its tool holds
ID_LENGTH = 64  # characters; a longer id could push an answer over the limit of a message
# Of a result: what a message of 8192 bytes leaves after both envelopes.
RESULT_BYTES = 7900


class _CallError(Exception):
    """A JSON-RPC error on its way to the caller."""

    def __init__(self, code, message):
        super().__init__(code, message)
        self.code = code
        self.message = message


def _result_of(name: str, outcome):
    """The tools/call result of what a tool gave back."""
    if isinstance(outcome, Content):
        result = {"content": outcome.blocks, "isError": False}
        if outcome.structured is not None:
            result["structuredContent"] = outcome.structured
    elif isinstance(outcome, str):
        result = wire.text_result(outcome)
    else:
        # xiaozhi's prompts expect "true", numbers and JSON as text.
        result = wire.text_result("true" if outcome is None else json.dumps(outcome))
        if isinstance(outcome, dict):
            result["structuredContent"] = outcome
    size = size_of(result)
    if size > RESULT_BYTES:
        raise ToolError(
            "The result of %s is %d bytes, too long to send (%d). Ask for less."
            % (name, size, RESULT_BYTES)
        )
    return result


def _text_param(params, key: str, default=None) -> str:
    value = params.get(key)
    if value is None:
        value = default
    if not isinstance(value, str):
        raise _CallError(wire.INVALID_PARAMS, "params.%s must be text." % key)
    return value


def _object_param(params, key: str) -> "dict[str, object]":
    value = params.get(key)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _CallError(wire.INVALID_PARAMS, "params.%s must be an object." % key)
    return value


def _usable_id(value):
    """The id to answer to, None where there is none that could be answered."""
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        return None
    return None if isinstance(value, str) and len(value) > ID_LENGTH else value


class Rpc:
    """Answers one peer; `server` is the serverInfo of `initialize`.

    `problems` are the exceptions whose text is a sentence for people; `fault(name, error)` is
    called for every other that a tool raises.
    """

    def __init__(self, registry, server, send, spawn, limit, confirm=None, fault=None,
                 problems=(ToolError,)):  # fmt: skip
        self._registry = registry
        self._server = server
        self._send = send
        self._spawn = spawn
        self._limit = limit
        self._confirm = confirm
        self._fault = fault
        self._problems = problems
        self._running = {}  # id -> task
        self._methods = {
            "initialize": self._initialize,
            "ping": lambda request: {},
            "tools/list": self._list,
            "tools/call": self._call,
        }

    def handle(self, payload):
        """The response to one payload, or None: a notification, or a call that goes on.

        `payload` is a parsed JSON value, or its text. Never raises for what a peer can send.
        """
        try:
            if isinstance(payload, (str, bytes)):
                payload = json.loads(payload)
            request = wire.parse(payload)
        except WireError as error:
            call_id = _usable_id(payload.get("id")) if isinstance(payload, dict) else None
            code = wire.INVALID_PARAMS if error.part == "mcp.params" else wire.INVALID_REQUEST
            return wire.error(call_id, code, str(error))
        except (ValueError, RuntimeError):
            return wire.error(None, wire.PARSE_ERROR, "This is not JSON.")
        return None if isinstance(request, wire.Response) else self._requested(request)

    def _requested(self, request):
        if request.id is None:
            self._notified(request)
            return None
        if _usable_id(request.id) is None:
            return wire.error(None, wire.INVALID_REQUEST, "The id has over 64 characters.")
        return self._answer(request)

    def reset(self) -> None:
        """Cancel every running call: its caller is gone."""
        running, self._running = self._running, {}
        for task in running.values():
            task.cancel()

    def _answer(self, request):
        method = self._methods.get(request.method)
        if method is None:
            message = "There is no method %s." % request.method[:40]
            return wire.error(request.id, wire.METHOD_NOT_FOUND, message)
        try:
            result = method(request)
        except ArgumentError as error:
            return wire.error(request.id, wire.INVALID_PARAMS, str(error))
        except _CallError as error:
            return wire.error(request.id, error.code, error.message)
        return None if result is None else wire.result(request.id, result)

    def _notified(self, request) -> None:
        if request.method == "notifications/cancelled":
            call_id = _usable_id(request.params.get("requestId"))
            task = None if call_id is None else self._running.pop(call_id, None)
            if task is not None:
                task.cancel()  # a cancelled call is not answered (MCP, Cancellation)

    def _initialize(self, request):
        asked = request.params.get("protocolVersion")
        version = asked if asked in PROTOCOL_VERSIONS else PROTOCOL_VERSIONS[0]
        return {
            "protocolVersion": version,
            "capabilities": {"tools": {"listChanged": False}},
            "serverInfo": self._server,
        }

    def _list(self, request):
        params = request.params
        return self._registry.page(
            _text_param(params, "cursor", ""), params.get("withUserTools") is True
        )

    def _call(self, request):
        params = request.params
        name = _text_param(params, "name")
        tool = self._registry.find(name)
        if tool is None:
            raise _CallError(wire.INVALID_PARAMS, "There is no tool %s." % name[:80])
        meta = _object_param(params, "_meta")
        ask = self._must_ask(tool, meta.get(wire.SCOPE_KEY, "ai"))
        values = arguments(tool, _object_param(params, "arguments"))
        for key, parameter in tool.parameters.items():
            if parameter.schema is None:
                values[key] = self._reporter(meta.get("progressToken"))
        if request.id in self._running:
            raise _CallError(wire.INVALID_REQUEST, "The id belongs to a call that still runs.")
        outcome = None if ask else self._guard(tool, lambda: tool.call(**values))
        if outcome is None or hasattr(outcome, "send"):
            return self._go_on(request.id, tool, values, outcome)
        return outcome

    def _go_on(self, call_id, tool, values, outcome):
        """Let a call take its time in a task of its own."""
        if len(self._running) >= RUNNING_MAX:
            if outcome is not None:
                outcome.close()
            return wire.text_result("The device is busy. Try again in a moment.", True)
        self._running[call_id] = self._spawn(self._finish(call_id, tool, values, outcome))
        return None

    def _must_ask(self, tool, granted) -> bool:
        """Whether a person must allow it first; FORBIDDEN when not even that would do."""
        if granted not in wire.SCOPES:
            raise _CallError(
                wire.INVALID_PARAMS, "The scope must be one of %s." % ", ".join(wire.SCOPES)
            )
        if wire.reaches(granted, tool.scope):
            return False
        if tool.scope == "admin" and granted == "user" and self._confirm is not None:
            return True
        message = "%s needs the scope %s; this call has %s." % (tool.name, tool.scope, granted)
        raise _CallError(wire.FORBIDDEN, message)

    def _guard(self, tool, act):
        """The result of `act()`, or a coroutine that goes on; a failure is a result too."""
        try:
            outcome = act()
            return outcome if hasattr(outcome, "send") else _result_of(tool.name, outcome)
        except Exception as error:
            return self._failed(tool, error)

    def _failed(self, tool, error):
        if isinstance(error, self._problems):
            result = wire.text_result(str(error), True)
            structured = getattr(error, "structured", None)
            if structured is not None:
                result["structuredContent"] = structured
            return result
        if self._fault is not None:
            self._fault(tool.name, error)
        why = "not enough memory" if isinstance(error, MemoryError) else "a fault of the device"
        message = "%s could not be done: %s. Try again, or look at the device's log."
        return wire.text_result(message % (tool.name, why), True)

    async def _finish(self, call_id, tool, values, outcome) -> None:
        """Run a call to its end and send its answer; `outcome` None: a person is asked first."""
        try:
            if outcome is None:
                question = tool.ask or "Allow %s?" % tool.name
                if not await self._confirm(question):
                    message = "Nobody allowed it on the device."
                    self._send(wire.error(call_id, wire.FORBIDDEN, message))
                    return
                outcome = self._guard(tool, lambda: tool.call(**values))
            if hasattr(outcome, "send"):
                outcome = _result_of(tool.name, await self._limit(outcome))
        except Exception as error:
            outcome = self._failed(tool, error)
        finally:
            self._running.pop(call_id, None)
        self._send(wire.result(call_id, outcome))

    def _reporter(self, token):
        def report(done, total=None, text="") -> None:
            if token is None:
                return
            params = {"progressToken": token, "progress": done}
            if total is not None:
                params["total"] = total
            if text:
                params["message"] = text
            self._send(wire.request(None, "notifications/progress", params))

        return report
