"""The tools of the bridge itself as a device's assistant lists them."""

from datetime import UTC, datetime

from voxcard.toolhub import builtin

NOW = datetime(2026, 5, 4, 9, 41, tzinfo=UTC)


async def _no_card(device_id: str) -> str:
    return ""


TOOLS = builtin.tools(show_last_card=_no_card, now=lambda: NOW)
BRIDGE_TOOLS = tuple(tool.spec for tool in TOOLS)
