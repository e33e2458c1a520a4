"""Tools under names that a xiaozhi server and its model take, and back; pure.

Servers write `.` and other signs as `_` for the model and cut nothing, and models take at most 64
characters, so names differ also in that form.
"""

import re
from collections.abc import Sequence

from voxcard.toolhub.model import ToolSpec

NAME_MAX = 64
_FOREIGN = re.compile(r"[^A-Za-z0-9_.-]")


class ToolNames:
    """The tools of one moment, in their order."""

    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        self._tools: dict[str, tuple[str, ToolSpec]] = {}  # by the model's form
        for tool in tools:
            name = self._unique(_FOREIGN.sub("_", tool.name)[:NAME_MAX])
            self._tools[_sanitised(name)] = name, tool

    def listed(self) -> list[tuple[str, ToolSpec]]:
        """(name there, tool) of each."""
        return list(self._tools.values())

    def of(self, name: str) -> str:
        """Our name of the tool that the server calls `name`; "" when there is none."""
        known = self._tools.get(_sanitised(name))
        return known[1].name if known is not None else ""

    def _unique(self, name: str) -> str:
        number, wanted = 2, name
        while _sanitised(name) in self._tools:
            name = f"{wanted[: NAME_MAX - 4]}_{number}"
            number += 1
        return name


def _sanitised(name: str) -> str:
    return name.replace(".", "_")
