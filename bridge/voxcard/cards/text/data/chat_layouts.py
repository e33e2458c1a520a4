"""Cards of chat systems that no dialect reads, known by their keys: their data is a layout, whose
words and links count, not its keys."""

import re
from collections.abc import Mapping

from voxcard.json_value import Json

_LOOKED_AT = 5  # of a list's entries
# What is sent to a chat: Adaptive Cards, Slack's Block Kit, Discord's embeds, Google's cards.
_HOLDERS = ("blocks", "embeds", "attachments", "cardsV2")
_DEPTH_MAX = 32
_LOOKS = frozenset(
    ("$schema", "type", "version", "size", "weight", "color", "style", "wrap", "emoji", "verbatim",
     "isSubtle", "spacing", "separator", "horizontalAlignment", "width", "height", "inline",
     "block_id", "action_id", "cardId", "contentType", "thumbnail", "icon_url", "iconUrl", "id")
)  # fmt: skip
# Slack's links and its mentions of channels and groups: <https://a.example|a>, <#C1|general>.
_LINK = re.compile(r"<(https?://[^\s<>|]{1,2000})\|([^<>|\n]{1,200})>")
_MENTION = re.compile(r"<([#!@])[\w^]{1,60}\|([^<>|\n]{1,200})>")


def is_chat_layout(value: Json) -> bool:
    """Whether a value is a card of a chat system."""
    if not isinstance(value, dict):
        return False
    if value.get("type") == "AdaptiveCard":
        return True
    return any(_is_layout(value.get(key), key) for key in _HOLDERS)


def layout_words(value: Json, depth: int = 0) -> Json:
    """A layout without how it looks and behaves; a text object is its text."""
    if isinstance(value, list):
        return [layout_words(entry, depth + 1) for entry in value] if depth < _DEPTH_MAX else []
    if not isinstance(value, dict) or depth == _DEPTH_MAX:
        return value
    kept = {
        key: layout_words(entry, depth + 1) for key, entry in value.items() if key not in _LOOKS
    }
    return kept["text"] if kept.keys() == {"text"} else kept


def _is_layout(entries: Json, key: str) -> bool:
    entries = entries[:_LOOKED_AT] if isinstance(entries, list) else []
    if key == "embeds":
        return any(isinstance(entry, dict) and _has(entry, "title", "description", "fields")
                   for entry in entries)  # fmt: skip
    return any(
        isinstance(entry, dict) and _has(entry, "type", "contentType", "card", "cardId")
        for entry in entries
    )


def _has(entry: Mapping[str, Json], *keys: str) -> bool:
    return any(key in entry for key in keys)


def as_markdown(text: str) -> str:
    """`text` with Slack's links as Markdown's, and its mentions as their names."""
    if "|" not in text or "<" not in text:
        return text
    return _MENTION.sub(_mentioned, _LINK.sub(r"[\2](\1)", text))


def _mentioned(match: re.Match[str]) -> str:
    return ("" if match[1] == "!" else match[1]) + match[2]
