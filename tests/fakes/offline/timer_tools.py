"""The tools of timers as a device of ours lists them."""

from toolbox import registry, timers
from voxcard.toolhub.model import ToolSpec
from voxwire.bridge_only.tool_reader import read_description


def _spec(entry: dict) -> ToolSpec:
    tool = read_description(entry)
    return ToolSpec(
        name=tool.name,
        description=tool.description,
        input_schema=tool.input_schema,
        source="device",
        destructive=tool.destructive,
    )


TIMER_TOOLS = tuple(_spec(registry.entry(tool)) for tool in timers.tools(None))
