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

from voxcard.cards.dialects import assistant_platform, companion, mcp_result, sidetalk
from voxcard.cards.dialects.a2ui.parser import parse as parse_a2ui
from voxcard.cards.dialects.chat.cards import parse as parse_chat_cards
from voxcard.cards.dialects.codai.parser import parse as parse_codai
from voxcard.cards.model import Parsed

PARSERS: dict[str, Callable[[Any, str], Parsed]] = {
    "a2ui": parse_a2ui,
    "assistant_platform": assistant_platform.parse,
    "codai": parse_codai,
    "companion": companion.parse,
    "mcp_chat_cards": parse_chat_cards,
    "mcp_result": mcp_result.parse,
    "sidetalk": sidetalk.parse,
}
