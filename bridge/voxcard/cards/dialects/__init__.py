"""The registry of dialects: a parser by name.

A parser takes the source (and the id the card shall have; of several cards the n-th gets
`<id>.<n>`), returns `Parsed`, and raises CardRefused and nothing else. Sources:
`assistant_platform` the card object · `codai` the card object · `a2ui` a list of messages, one
message, `{"messages": [...]}`, or any of these as text (JSON or JSONL) · `sidetalk` the object
with `schema` · `mcp_chat_cards` `{"tool", "arguments"?, "result"?}` · `companion` a list of
events or `{"scopes", "events"}` · `mcp_result` the whole tools/call result.
"""

from collections.abc import Callable
from typing import Any

from voxcard.cards.dialects import (
    a2ui,
    assistant_platform,
    chat_cards,
    codai,
    companion,
    mcp_result,
    sidetalk,
)
from voxcard.cards.model import Parsed

PARSERS: dict[str, Callable[[Any, str], Parsed]] = {
    "a2ui": a2ui.parse,
    "assistant_platform": assistant_platform.parse,
    "codai": codai.parse,
    "companion": companion.parse,
    "mcp_chat_cards": chat_cards.parse,
    "mcp_result": mcp_result.parse,
    "sidetalk": sidetalk.parse,
}
