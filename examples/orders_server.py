"""An MCP server that knows a few orders and answers with result cards.

Run it over stdio (`python orders_server.py`), as voxcard.toml beside it does, or over HTTP
(`python orders_server.py --port 8000`, then `url = "http://127.0.0.1:8000/mcp"`).
"""

import argparse
from typing import Any, NamedTuple

from mcp.server import MCPServer
from mcp_types import CallToolResult, TextContent

PLACES = "https://orders.example.com/"


class Order(NamedTuple):
    what: str
    state: str
    due: str = ""  # a day, while it is still to come


server = MCPServer("orders")
orders = {
    1042: Order("Desk lamp", "on its way", "tomorrow"),
    1043: Order("Two chairs", "being packed", "Friday"),
    2001: Order("Coffee, 1 kg", "delivered"),
}


def sentence(number: int, order: Order) -> str:
    """Where an order is, in words."""
    due = f", due {order.due}" if order.due else ""
    return f"Order {number}, {order.what.lower()}, is {order.state}{due}."


def card(number: int, order: Order, *actions: dict[str, str]) -> dict[str, Any]:
    """The result card of an order: what a screen shows beside the spoken answer."""
    return {
        "title": f"Order {number}",
        "subtitle": order.what,
        "text": f"Your order is {order.state}.",
        "fields": [
            {"label": label, "value": value}
            for label, value in (("Status", order.state), ("Due", order.due))
            if value
        ],
        "actions": list(actions),
        "fallback_text": sentence(number, order),
    }


def answer(text: str, shown: dict[str, Any] | None = None) -> CallToolResult:
    """A result that says `text`, with a card when there is one."""
    meta = {"assistant_platform": {"card": shown}} if shown else None
    return CallToolResult(content=[TextContent(type="text", text=text)], _meta=meta)


# The sentences let the offline assistant, which has no language model, find the tool.
@server.tool(
    meta={
        "voxcard/sentences": {
            "en": [
                "(where is|where's|what about) [my] order {order}",
                "track [my] order {order}",
            ]
        }
    }
)
def where_is_order(order: int) -> CallToolResult:
    """Say where an order is."""
    found = orders.get(order)
    if found is None:
        return answer(f"I know no order {order}.")
    link = {"kind": "url", "label": "Track it", "url": f"{PLACES}{order}"}
    actions = [link]
    if found.state in ("on its way", "being packed"):
        words = f"Cancel order {order}"
        actions.append({"kind": "message", "label": "Cancel it", "text": words})
    return answer(sentence(order, found), card(order, found, *actions))


@server.tool(meta={"voxcard/sentences": {"en": ["cancel [my] order {order}"]}})
def cancel_order(order: int) -> CallToolResult:
    """Cancel an order that is not delivered."""
    found = orders.get(order)
    if found is None:
        return answer(f"I know no order {order}.")
    if found.state in ("delivered", "cancelled"):
        return answer(f"Order {order} is already {found.state}.")
    orders[order] = found._replace(state="cancelled", due="")
    return answer(f"Order {order} is cancelled.", card(order, orders[order]))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, help="serve HTTP on this port of this computer")
    port = parser.parse_args().port
    if port is None:
        server.run("stdio")
    else:
        server.run("streamable-http", host="127.0.0.1", port=port)
