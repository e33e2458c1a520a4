"""The device's tools: each declared once, its arguments checked by that declaration."""

import json
from collections import namedtuple

from voxwire.tool import PAGE_BYTES, SCOPES, ToolDescription, describe

REQUIRED = object()  # the default of a parameter that the caller must give
# Of a page that is not tools: {"tools":[],"nextCursor":"..."} with a name of 128 characters.
_PAGE_SLACK = 160
# A page is whole in the heap three times: as objects, as text, as bytes. Larger only for one tool.
_LIST_BYTES = 500

# low, high: of the number, of the length of a text, or of the count of an array's items.
# values: of a choice; the Parameter of an array's items.
Parameter = namedtuple("Parameter", ("kind", "description", "default", "low", "high", "values"))
Tool = namedtuple("Tool", ("name", "description", "scope", "parameters", "call", "ask"))
Content = namedtuple("Content", ("blocks", "structured"))  # a whole MCP result of a tool


class ArgumentError(ValueError):
    """An argument that the declaration refuses; the text says what is allowed."""


class ToolError(Exception):
    """A tool could not do it; the text is a sentence that a person can act on."""


def boolean(description="", default=REQUIRED):
    """True or false."""
    return Parameter("boolean", description, default, None, None, None)


def integer(low, high, description="", default=REQUIRED):
    """A whole number from `low` to `high`, both included."""
    return Parameter("integer", description, default, low, high, None)


def number(low, high, description="", default=REQUIRED):
    """A number from `low` to `high`, both included."""
    return Parameter("number", description, default, low, high, None)


def string(high, description="", default=REQUIRED, low=0):
    """Text of `low` to `high` characters."""
    return Parameter("string", description, default, low, high, None)


def choice(values, description="", default=REQUIRED):
    """One of the texts `values`."""
    return Parameter("choice", description, default, None, None, tuple(values))


def array(item, high, description="", default=REQUIRED, low=0):
    """A list of `low` to `high` values of the parameter `item`."""
    return Parameter("array", description, default, low, high, item)


def progress():
    """Not an argument: the tool gets a callable `report(done, total, text)` under this name."""
    return Parameter("progress", "", None, None, None, None)


def allowed(parameter) -> str:
    """What the parameter takes, as the end of the sentence "NAME must be ..."."""
    kind, low, high = parameter.kind, parameter.low, parameter.high
    if kind == "boolean":
        return "true or false"
    if kind == "choice":
        return "one of " + ", ".join(parameter.values)
    if kind == "string":
        return "text of %d to %d characters" % (low, high)
    if kind == "array":
        return "a list of %d to %d items" % (low, high)
    return "%s from %s to %s" % ("a whole number" if kind == "integer" else "a number", low, high)


def _fits(parameter, value) -> bool:
    kind = parameter.kind
    if kind == "choice":
        return isinstance(value, str) and value in parameter.values
    if kind == "boolean":
        return isinstance(value, bool)
    if kind in ("string", "array"):
        right = isinstance(value, str if kind == "string" else list)
        return right and parameter.low <= len(value) <= parameter.high
    # bool is an int in Python, not in JSON; a comparison with NaN is false, so it is refused too.
    right = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not right or not parameter.low <= value <= parameter.high:
        return False
    # JSON has one kind of number: 60.0 is whole.
    return kind == "number" or value == int(value)


def check(parameter, value, name: str):
    """Return `value` as the tool gets it; ArgumentError with the allowed range."""
    if not _fits(parameter, value):
        raise ArgumentError("%s must be %s." % (name, allowed(parameter)))
    if parameter.kind == "integer":
        return int(value)
    if parameter.kind == "array":
        return [
            check(parameter.values, item, "%s[%d]" % (name, index))
            for index, item in enumerate(value)
        ]
    return value


def arguments(tool: "Tool", given: dict) -> dict:
    """The keyword arguments of the tool's function; ArgumentError naming the first wrong one."""
    visible = sorted(n for n in tool.parameters if tool.parameters[n].kind != "progress")
    for name in sorted(given):
        if name not in visible:
            takes = ", ".join(visible) or "none"
            raise ArgumentError(
                "%s has no argument %s; it takes: %s." % (tool.name, name[:40], takes)
            )
    values = {}
    for name in visible:
        parameter = tool.parameters[name]
        if name in given:
            values[name] = check(parameter, given[name], name)
        elif parameter.default is REQUIRED:
            raise ArgumentError("%s is missing: it must be %s." % (name, allowed(parameter)))
        else:
            values[name] = parameter.default
    return values


def _schema(parameter) -> dict:
    """The JSON schema of one parameter."""
    kind = parameter.kind
    data = {"type": "string" if kind == "choice" else kind}
    if kind == "choice":
        data["enum"] = list(parameter.values)
    elif kind in ("integer", "number"):
        data["minimum"], data["maximum"] = parameter.low, parameter.high
    elif kind == "string":
        data["minLength"], data["maxLength"] = parameter.low, parameter.high
    elif kind == "array":
        data["items"] = _schema(parameter.values)
        data["minItems"], data["maxItems"] = parameter.low, parameter.high
    if parameter.description:
        data["description"] = parameter.description
    if parameter.default is not REQUIRED:
        data["default"] = parameter.default
    return data


def entry(tool: "Tool") -> dict:
    """The tool as tools/list shows it; built when asked, it would cost heap to keep."""
    properties, needed = {}, []
    for name in sorted(tool.parameters):
        parameter = tool.parameters[name]
        if parameter.kind != "progress":
            properties[name] = _schema(parameter)
            if parameter.default is REQUIRED:
                needed.append(name)
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    if needed:
        schema["required"] = needed
    return describe(ToolDescription(tool.name, tool.description, schema, tool.scope))


def size_of(data) -> int:
    """Bytes of `data` as JSON."""
    return len(json.dumps(data, separators=(",", ":")).encode())


class Registry:
    """The tools by name, listed in the order of their declaration."""

    def __init__(self) -> None:
        self._order = []
        self._tools = {}

    def tool(self, name, description, scope="ai", ask="", **parameters):
        """Declare the decorated function as a tool.

        `scope` is who may call it; `ask` is what a person at the device is asked before a
        `user` runs an `admin` tool. Every other keyword is a parameter.
        ValueError for a name in use or a tool no page can hold.
        """
        if scope not in SCOPES:
            raise ValueError("no such scope: " + scope)

        def declare(call):
            if name in self._tools:
                raise ValueError("declared twice: " + name)
            tool = Tool(name, description, scope, parameters, call, ask)
            if size_of(entry(tool)) > PAGE_BYTES - _PAGE_SLACK:
                raise ValueError("too long for a page: " + name)
            self._tools[name] = tool
            self._order.append(name)
            return call

        return declare

    def find(self, name: str) -> "Tool | None":
        """The tool of that name, or None."""
        return self._tools.get(name)

    def page(self, cursor: str, user_tools: bool):
        """The tools/list result from `cursor` on ("" the first), at most PAGE_BYTES of JSON.

        `user_tools` adds those of the scopes user and admin. ArgumentError for a cursor that is
        not the name of a listed tool.
        """
        names = [n for n in self._order if user_tools or self._tools[n].scope == "ai"]
        if cursor and cursor not in names:
            raise ArgumentError("cursor must be the nextCursor of an earlier page.")
        entries, used = [], 0
        for name in names[names.index(cursor) if cursor else 0 :]:
            data = entry(self._tools[name])
            used += size_of(data) + 1
            if entries and used > _LIST_BYTES:
                return {"tools": entries, "nextCursor": name}
            entries.append(data)
        return {"tools": entries}
