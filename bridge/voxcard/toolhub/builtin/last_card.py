"""The tool that shows the last card again."""

from collections.abc import Awaitable, Callable, Mapping

from voxcard.json_value import Json
from voxcard.toolhub.builtin.bridge_tool import BridgeTool, described, outcome
from voxcard.toolhub.model import ToolOutcome


def tool(show_last_card: Callable[[str], Awaitable[str]]) -> BridgeTool:
    """`bridge.show_last_card`; see `builtin.tools`."""

    async def last_card(device_id: str, arguments: Mapping[str, Json]) -> ToolOutcome:
        title = await show_last_card(device_id)
        return outcome(f"Here is {title} again." if title else "Here it is again.")

    return described(
        "show_last_card",
        "Show the last result card on the screen again.",
        last_card,
        "(show|open) [me] [the] last (card|result) [again]",
        "show (it|that|the card|the result) again",
    )
