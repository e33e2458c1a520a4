"""The tools of night mode, chimes and alarms, and announcements in a home of three devices."""

from toolbox import registry, sound
from voxcard.components.announce_tool import AnnounceTool
from voxcard.toolhub.model import ToolSpec
from voxwire.bridge_only.tool_reader import read_description


def _spec(tool: registry.Tool) -> ToolSpec:
    read = read_description(registry.entry(tool))
    return ToolSpec(
        name=read.name,
        description=read.description,
        input_schema=read.input_schema,
        source="device",
    )


_DEVICES = {"kitchen": "a", "living room": "b", "office": "c"}
NIGHT_TOOLS = (
    *(_spec(tool) for tool in registry.declared(sound.install_volumes, None)),
    AnnounceTool(lambda: _DEVICES, None, None).described().spec,
)
