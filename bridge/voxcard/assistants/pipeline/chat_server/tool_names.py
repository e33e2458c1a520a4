"""Tools as a chat server takes them: names of letters, digits, _ and -, and back; pure."""

import re
from collections.abc import Mapping, Sequence

from voxcard.json_value import Json, JsonObject
from voxcard.toolhub.model import ToolSpec

_NAME_MAX = 64
_FOREIGN = re.compile(r"[^A-Za-z0-9_-]")
_NO_ARGUMENTS: Mapping[str, Json] = {"type": "object", "properties": {}}


class ToolNames:
    """The tools of one turn under names that every server takes."""

    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        self._tools: dict[str, ToolSpec] = {}
        for tool in tools:
            self._tools[self._unique(_FOREIGN.sub("_", tool.name)[:_NAME_MAX])] = tool

    def of(self, name: str) -> str:
        """The name of our tool that the model calls `name`; "" when there is none."""
        tool = self._tools.get(name)
        if tool is not None:
            return tool.name
        return name if any(name == each.name for each in self._tools.values()) else ""

    def definitions(self) -> list[JsonObject]:
        """The `tools` of a request."""
        return [
            {
                "type": "function",
                "function": {
                    "name": name,
                    "description": tool.description,
                    "parameters": dict(tool.input_schema) or dict(_NO_ARGUMENTS),
                },
            }
            for name, tool in self._tools.items()
        ]

    def _unique(self, name: str) -> str:
        number, wanted = 2, name
        while name in self._tools:
            name = f"{wanted[: _NAME_MAX - 4]}_{number}"
            number += 1
        return name
