"""Reads the tools of a device as its tools/list names them."""

from voxwire import value as kinds
from voxwire.errors import WireError
from voxwire.fields import read
from voxwire.tool import SCOPE_KEY, SCOPES, ToolDescription
from voxwire.value import check

_TOOL = "name:string description:string= inputSchema:object? _meta:object? annotations:object?"


def read_description(data) -> ToolDescription:
    """The tool in an entry of tools/list; its scope from `_meta`, else from `annotations`."""
    name, description, schema, meta, annotations = read(_TOOL, data, "tool")
    if not 1 <= len(name) <= 128:
        raise WireError("tool.name", "must have 1 to 128 characters")
    scope = (meta or {}).get(SCOPE_KEY)
    if scope is None:
        scope = "user" if (annotations or {}).get("audience") == ["user"] else "ai"
    check(scope, kinds.choice(SCOPES), "tool._meta." + SCOPE_KEY)
    schema = {"type": "object"} if schema is None else schema
    destructive = (annotations or {}).get("destructiveHint")
    destructive = destructive if isinstance(destructive, bool) else None
    return ToolDescription(name, description, schema, scope, destructive)
