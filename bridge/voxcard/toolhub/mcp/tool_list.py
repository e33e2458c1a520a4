"""Reads the tool list of an MCP server page by page."""

import asyncio
from dataclasses import replace

from mcp import Client
from mcp_types import Tool

from voxcard.toolhub import listing
from voxcard.toolhub.mcp import tools_page
from voxcard.toolhub.model import ToolSpec


async def read(client: Client, reader: listing.Listing) -> tuple[ToolSpec, ...]:
    """The usable tools of `tools/list`; at most PAGES_MAX pages are fetched."""
    entries: list[listing.Entry] = []
    cursor, seen = None, set[str]()
    for _ in range(listing.PAGES_MAX):
        page = await client.list_tools(cursor=cursor)
        entries += [_entry(tool) for tool in page.tools if not listing.is_for_apps_only(tool.meta)]
        cursor = page.next_cursor
        if cursor is None or cursor in seen or len(entries) > reader.tools_max:
            break
        seen.add(cursor)
    return await asyncio.to_thread(reader.read, entries)


def _entry(tool: Tool) -> listing.Entry:
    description = tool.description or tool.title or ""
    entry = tools_page.entry(tool.name, description, tool.input_schema, tool.meta)
    return replace(entry, destructive=is_destructive(tool))


def is_destructive(tool: Tool) -> bool | None:
    """What its annotations say; None when they do not say it."""
    hints = tool.annotations
    if hints is None:
        return None
    return False if hints.read_only_hint else hints.destructive_hint
