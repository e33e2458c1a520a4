"""The bridge's own tools."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime

from voxcard.toolhub.builtin import last_card, sums, times
from voxcard.toolhub.builtin.bridge_tool import BridgeTool

__all__ = ["BridgeTool", "tools"]


def tools(
    *, show_last_card: Callable[[str], Awaitable[str]], now: Callable[[], datetime]
) -> Sequence[BridgeTool]:
    """The bridge's tools.

    `show_last_card(device_id)` shows the newest kept card and returns its title, or raises
    VoxcardError when there is none; `now()` is the home's local time, with its zone.
    """
    return (last_card.tool(show_last_card), times.tool(now), sums.tool())
