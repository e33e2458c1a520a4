"""An MCP server whose tools fail each in their own way; every tool is asked for by its name."""

import asyncio
import os
from typing import Any

from mcp.server import MCPServer
from mcp_types import CallToolResult, TextContent

server = MCPServer("faulty")
ADDRESS = "javascript:alert(1)"  # no card may hold one: the whole card is dropped


def sentence(text: str) -> dict[str, Any]:
    return {"voxcard/sentences": {"en": [text]}}


@server.tool(meta=sentence("hang for a while"))
async def hang() -> str:
    """Never answers."""
    await asyncio.Event().wait()
    return ""


@server.tool(meta=sentence("die at once"))
def die() -> str:
    """Takes the server with it."""
    os._exit(3)


@server.tool(meta=sentence("divide by zero"))
def divide() -> int:
    """Raises what was not meant for people."""
    return 1 // 0


@server.tool(meta=sentence("where is my parcel"))
def parcel() -> CallToolResult:
    """A good text with a bad card."""
    link = {"kind": "url", "label": "Track it", "url": ADDRESS}
    card = {"title": "Parcel 7", "fallback_text": "It is here.", "actions": [link]}
    content = [TextContent(type="text", text="Your parcel is at the door.")]
    return CallToolResult(content=content, _meta={"assistant_platform": {"card": card}})


server.run("stdio")
