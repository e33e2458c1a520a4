"""An MCP server of revision 2026-07-28 over stdio that asks before it answers."""

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp_types import (
    CallToolResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitRequestURLParams,
    InputRequiredResult,
    TextContent,
)

LAYOUT = """
{"createSurface": {"surfaceId": "tides", "catalogId": "basic"}}
{"updateComponents": {"surfaceId": "tides", "components": [
  {"id": "root", "component": "Text", "text": {"path": "/high"}}]}}
"""
WANTED = {
    "milk": {"type": "string", "enum": ["oat", "cow"], "enumNames": ["Oat milk", "Cow's milk"]},
}
server = MCPServer("cafe")
reads = []


def says(text, **more):
    return CallToolResult(content=[TextContent(type="text", text=text)], **more)


def asks(**requests):
    return InputRequiredResult(
        input_requests={key: ElicitRequest(params=params) for key, params in requests.items()}
    )


def form(message, **properties):
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return ElicitRequestFormParams(message=message, requested_schema=schema)


@server.tool()
def coffee(ctx: Context) -> CallToolResult | InputRequiredResult:
    """Ask for the milk."""
    if not ctx.input_responses:
        return asks(q=form("Which milk?", **WANTED))
    answer = ctx.input_responses["q"]
    return says(f"{answer.action} {answer.content}")


@server.tool()
def name(ctx: Context) -> CallToolResult | InputRequiredResult:
    """Ask for what no button answers."""
    if not ctx.input_responses:
        return asks(q=form("Which name?", name={"type": "string"}))
    return says(ctx.input_responses["q"].action)


@server.tool()
def pay(ctx: Context) -> CallToolResult | InputRequiredResult:
    """Ask to open a page."""
    if not ctx.input_responses:
        url = "https://pay.example.com/7"
        return asks(q=ElicitRequestURLParams(message="Pay at the cafe.", url=url))
    return says(ctx.input_responses["q"].action)


@server.tool()
def nag(ctx: Context) -> CallToolResult | InputRequiredResult:
    """Ask without end."""
    answer = (ctx.input_responses or {}).get("q")
    if answer is not None and answer.action == "decline":
        return says("declined at last")
    return asks(q=form("Sure?", sure={"type": "boolean"}))


@server.resource("a2ui://cafe/tides")
def layout() -> str:
    """The layout of every answer about tides."""
    reads.append("tides")
    return LAYOUT


@server.resource("a2ui://cafe/huge")
def huge() -> str:
    """More than a layout may be."""
    return " " * (1 << 20) + LAYOUT


@server.tool(meta={"ui": {"resourceUri": "a2ui://cafe/tides"}})
def tides() -> CallToolResult:
    """Data for the layout that the tool names."""
    return says("High water at 4.", structured_content={"high": "High water 16:05"})


@server.tool(meta={"ui": {"resourceUri": "a2ui://cafe/huge"}})
def huge_tides() -> CallToolResult:
    """Data for a layout that is too large."""
    return says("High water at 4.", structured_content={"high": "High water 16:05"})


@server.tool()
def times_read() -> CallToolResult:
    """How often the layout was read."""
    return says(str(len(reads)))


@server.tool()
async def change(ctx: Context) -> CallToolResult:
    """Say that the layouts changed."""
    await ctx.notify_resources_changed()
    return says("changed")


if __name__ == "__main__":
    server.run("stdio")
