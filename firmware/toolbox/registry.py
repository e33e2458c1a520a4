"""The device's tools: each declared once, its arguments checked by that declaration."""

import json
from collections import namedtuple

from voxwire import value as kinds
from voxwire.errors import WireError
from voxwire.tool import PAGE_BYTES, SCOPES, ToolDescription, describe

REQUIRED = object()  # the default of a parameter that the caller must give
# Of a page that is not tools: {"tools":[],"nextCursor":"..."} with a name of 128 characters.
_PAGE_SLACK = 160
# A page is no longer once it has this: all of it lies in the heap twice, as values and as JSON.
_PAGE_ENOUGH = 1200

# schema: a voxwire.value.Schema; None for `progress`, which is not an argument.
Parameter = namedtuple("Parameter", ("schema", "description", "default"))
# destructive: whether it may undo what cannot be done again easily; None: not said.
Tool = namedtuple(
    "Tool", ("name", "description", "scope", "parameters", "call", "ask", "destructive")
)
Content = namedtuple("Content", ("blocks", "structured"))  # a whole MCP result of a tool


class ArgumentError(ValueError):
    """An argument that the declaration refuses; the text says what is allowed."""


class ToolError(Exception):
    """A tool could not do it; the text is a sentence that a person can act on.

    `structured`: the same as data, for who asks back.
    """

    structured = None

    def __init__(self, text, structured=None):
        super().__init__(text)
        if structured is not None:
            self.structured = structured


def boolean(description="", default=REQUIRED):
    """True or false."""
    return Parameter(kinds.BOOLEAN, description, default)


def integer(low, high, description="", default=REQUIRED, form=None):
    """A whole number from `low` to `high`, both included; `form` as in `string`."""
    return Parameter(kinds.Schema("integer", low, high, form), description, default)


def number(low, high, description="", default=REQUIRED):
    """A number from `low` to `high`, both included."""
    return Parameter(kinds.number(low, high), description, default)


def string(high, description="", default=REQUIRED, low=0, form=None):
    """Text of `low` to `high` characters; `form` is its JSON schema's `format`: name, clock."""
    return Parameter(kinds.Schema("string", low, high, form), description, default)


def choice(values, description="", default=REQUIRED):
    """One of the texts `values`."""
    return Parameter(kinds.choice(tuple(values)), description, default)


def array(item, high, description="", default=REQUIRED, low=0):
    """A list of `low` to `high` values of the parameter `item`."""
    return Parameter(kinds.array(item.schema, high, low), description, default)


def progress():
    """Not an argument: the tool gets a callable `report(done, total, text)` under this name."""
    return Parameter(None, "", None)


def check(parameter, value, name: str):
    """Return `value` as the tool gets it; ArgumentError with the allowed range."""
    try:
        return kinds.check(value, parameter.schema, name)
    except WireError as error:
        raise ArgumentError("%s %s." % (error.part, error.reason))


def arguments(tool: Tool, supplied: "dict[str, object]") -> "dict[str, object]":
    """The keyword arguments of the tool's function; ArgumentError naming the first wrong one."""
    visible = sorted(n for n in tool.parameters if tool.parameters[n].schema is not None)
    unknown = sorted(name for name in supplied if name not in visible)
    if unknown:
        text = "%s has no argument %s; it takes: %s."
        takes = ", ".join(visible) or "none"
        raise ArgumentError(text % (tool.name, unknown[0][:40], takes))
    values = {}
    for name in visible:
        parameter = tool.parameters[name]
        if name in supplied:
            values[name] = check(parameter, supplied[name], name)
        elif parameter.default is REQUIRED:
            must = kinds.allowed(parameter.schema)
            raise ArgumentError("%s is missing: it must be %s." % (name, must))
        else:
            values[name] = parameter.default
    return values


def _json_schema(schema) -> "dict[str, object]":
    """The JSON schema of one voxwire.value.Schema."""
    kind = schema.kind
    data: "dict[str, object]" = {"type": "string" if kind == "choice" else kind}
    if kind == "choice":
        data["enum"] = list(schema.values)
    elif kind in ("integer", "number"):
        data["minimum"], data["maximum"] = schema.low, schema.high
    elif kind == "string":
        data["minLength"], data["maxLength"] = schema.low, schema.high
    if kind in ("integer", "string") and schema.values:
        data["format"] = schema.values
    elif kind == "array":
        data["items"] = _json_schema(schema.values)
        data["minItems"], data["maxItems"] = schema.low, schema.high
    return data


def _property(parameter) -> "dict[str, object]":
    """The JSON schema of one argument, with what it means and its default."""
    data = _json_schema(parameter.schema)
    if parameter.description:
        data["description"] = parameter.description
    if parameter.default is not REQUIRED:
        data["default"] = parameter.default
    return data


def entry(tool: Tool) -> "dict[str, object]":
    """The tool as tools/list shows it; built when asked, it would cost heap to keep."""
    properties, needed = {}, []
    for name in sorted(tool.parameters):
        parameter = tool.parameters[name]
        if parameter.schema is not None:
            properties[name] = _property(parameter)
            if parameter.default is REQUIRED:
                needed.append(name)
    schema: "dict[str, object]" = {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }
    if needed:
        schema["required"] = needed
    return describe(
        ToolDescription(tool.name, tool.description, schema, tool.scope, tool.destructive)
    )


def size_of(data) -> int:
    """Bytes of `data` as JSON."""
    return len(json.dumps(data, separators=(",", ":")).encode())


def declared(install, *arguments) -> "list[Tool]":
    """The tools that `install(registry, *arguments)` declares."""
    registry = Registry(checked=False)
    install(registry, *arguments)
    return registry.tools


class Registry:
    """The tools by name, listed in the order of their declaration.

    `later()` goes through more of them each time they are needed: the heap does not hold them.
    Those are not `checked` whenever they are declared anew.
    """

    def __init__(self, checked: bool = True) -> None:
        self.tools: "list[Tool]" = []
        self.later = tuple
        self._checked = checked

    def tool(self, name, description, scope="ai", ask="", destructive=None, **parameters):
        """Declare the decorated function as a tool.

        `scope` is who may call it; `ask` is what a person at the device is asked before a
        `user` runs an `admin` tool; `destructive` is MCP's hint. Every other keyword is a
        parameter.
        ValueError for a name in use or a tool no page can hold.
        """
        if scope not in SCOPES:
            raise ValueError("no such scope: " + scope)

        def declare(call):
            tool = Tool(name, description, scope, parameters, call, ask, destructive)
            if self._checked:
                self._check(tool)
            self.tools.append(tool)
            return call

        return declare

    def _check(self, tool) -> None:
        if self._among(self.tools, tool.name) is not None:
            raise ValueError("declared twice: " + tool.name)
        if size_of(entry(tool)) + 1 > PAGE_BYTES - _PAGE_SLACK:
            raise ValueError("too long for a page: " + tool.name)

    def find(self, name: str) -> "Tool | None":
        """The tool of that name, or None."""
        return self._among(self.tools, name) or self._among(self.later(), name)

    def _among(self, tools, name):
        for tool in tools:
            if tool.name == name:
                return tool
        return None

    def _listed(self, user_tools):
        visible = lambda tool: user_tools or tool.scope == "ai"  # noqa: E731
        yield from filter(visible, self.tools)
        yield from filter(visible, self.later())

    def page(self, cursor: str, user_tools: bool):
        """The tools/list result from `cursor` on ("" the first), at most PAGE_BYTES of JSON.

        `user_tools` adds those of the scopes user and admin. ArgumentError for a cursor that is
        not the name of a listed tool.
        """
        entries: "list[object]" = []
        used, begun = 0, not cursor
        for tool in self._listed(user_tools):
            begun = begun or tool.name == cursor
            if not begun:
                continue
            data = entry(tool)
            size = size_of(data) + 1
            if used >= _PAGE_ENOUGH or used + size > PAGE_BYTES - _PAGE_SLACK:
                return {"tools": entries, "nextCursor": tool.name}
            used += size
            entries.append(data)
        if not begun:
            raise ArgumentError("cursor must be the nextCursor of an earlier page.")
        return {"tools": entries}
