"""The list of tools in pages of at most 8000 bytes; pure.

78/xiaozhi-esp32, main/mcp_server.cc: a page with its brackets keeps under 8000 bytes, 30 of them
slack, and the cursor is the name of the tool that comes next. There a tool that fills a page alone
makes the whole list fail; here it loses its descriptions, then its place.
"""

import json
import logging
from collections.abc import Sequence

from voxcard.assistants.xiaozhi.tools.names import NAME_MAX, ToolNames
from voxcard.json_value import Json, JsonObject
from voxcard.toolhub.model import ToolSpec

log = logging.getLogger(__name__)

PAGE_MAX = 8000
_SLACK = 30 + NAME_MAX  # brackets, "nextCursor" and its name
_FIRST = len('{"tools":[')
_ABOUT_MAX = 300  # characters that a description keeps where the whole has no room


def page(tools: Sequence[ToolSpec], cursor: str) -> JsonObject | None:
    """The `result` of tools/list from the tool `cursor` on ("": the first); None: no such tool."""
    rows = [row for row in map(_fitted, ToolNames(tools).listed()) if row is not None]
    names = [str(row["name"]) for row in rows]
    if cursor and cursor not in names:
        return None
    chosen: list[JsonObject] = []
    size = _FIRST + _SLACK
    for row in rows[names.index(cursor) if cursor else 0 :]:
        size += _size(row) + 1
        if size > PAGE_MAX:
            return {"tools": chosen, "nextCursor": row["name"]}
        chosen.append(row)
    return {"tools": chosen}


def _fitted(named: tuple[str, ToolSpec]) -> JsonObject | None:
    """A tool's row, with as much of it as one page holds."""
    name, tool = named
    schema: dict[str, Json] = {"type": "object", "properties": {}, **tool.input_schema}
    short = tool.description[:_ABOUT_MAX]
    for description, form in (
        (tool.description, schema),
        (short, schema),
        (short, _without_descriptions(schema)),
    ):
        row = {"name": name, "description": description, "inputSchema": form}
        if _FIRST + _SLACK + _size(row) + 1 <= PAGE_MAX:
            return row
    log.warning("the tool %s is too large for a xiaozhi server and is left out", tool.name)
    return None


def _without_descriptions(schema: Json) -> Json:
    if isinstance(schema, dict):
        return {
            key: _without_descriptions(value)
            for key, value in schema.items()
            if not (key in ("description", "title", "examples") and not isinstance(value, dict))
        }
    return [_without_descriptions(each) for each in schema] if isinstance(schema, list) else schema


def _size(row: Json) -> int:
    return len(json.dumps(row, separators=(",", ":")))  # of ASCII, so bytes
