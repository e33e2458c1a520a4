"""A finished tools/call, taken apart once for everything that reads its result."""

import json
from collections.abc import Sequence
from functools import cached_property

from voxcard.cards.dialects import mcp_result
from voxcard.cards.dialects.a2ui.messages import NAMES
from voxcard.cards.read import fences
from voxcard.cards.read.untagged import is_a2ui
from voxcard.cards.text.sanitize import BYTES_MAX
from voxcard.json_value import Json, JsonObject

ENTRIES_MAX = 100  # of the content that are looked at
_SIDETALK = "sidetalk.card."


class Call:
    """A result, the tool and arguments it answers, and the A2UI layout it is data for.

    What several readers need is computed on first use and kept.
    """

    def __init__(
        self,
        result: JsonObject,
        *,
        tool: str = "",
        arguments: JsonObject | None = None,
        template: Json = None,
    ) -> None:
        self.result = result
        self.tool = tool
        self.arguments = arguments or {}
        self.template = template

    @cached_property
    def structured(self) -> JsonObject:
        """The structured content; empty if there is none or it is not an object."""
        content = self.result.get("structuredContent")
        return content if isinstance(content, dict) else {}

    @cached_property
    def entries(self) -> Sequence[JsonObject]:
        """The entries of the content, the first 100 of them."""
        content = self.result.get("content")
        entries = content[:ENTRIES_MAX] if isinstance(content, list) else []
        return [entry for entry in entries if isinstance(entry, dict)]

    @cached_property
    def fenced(self) -> tuple[str, ...]:
        """The sources of the cards that are fenced in the text for the user."""
        texts = (str(entry["text"]) for entry in self.entries if is_text(entry))
        return tuple(source for text in texts for source in fences.split(text[:BYTES_MAX])[0])

    @cached_property
    def sidetalk(self) -> Json:
        """The sidetalk card that is all of a text entry, or None."""
        return next((card for card in map(sidetalk_text, self.entries) if card is not None), None)

    @cached_property
    def a2ui(self) -> str:
        """The A2UI messages that are all of text entries; empty if there are none."""
        return "\n".join(str(entry["text"]) for entry in self.entries if is_a2ui_text(entry))

    @cached_property
    def words(self) -> str:
        """The text for the user, without fenced cards and without entries that are a card."""
        content = [
            entry
            for entry in self.entries
            if sidetalk_text(entry) is None and not is_a2ui_text(entry)
        ]
        return fences.split(mcp_result.visible_text({"content": content})[:BYTES_MAX])[1]


def is_text(entry: JsonObject) -> bool:
    """Whether a content entry is a text for the user."""
    is_text = entry.get("type") == "text" and isinstance(entry.get("text"), str)
    return is_text and mcp_result.is_for_user(entry)


def sidetalk_text(entry: JsonObject) -> Json:
    """The sidetalk card that is all of a text entry, or None."""
    if not is_text(entry) or _SIDETALK not in entry["text"]:
        return None
    data = loaded(entry["text"])
    return data if is_sidetalk(data) else None


def is_a2ui_text(entry: JsonObject) -> bool:
    """Whether a text entry is A2UI messages, as JSON or as JSON lines, and nothing else."""
    if not is_text(entry) or not any(f'"{name}"' in entry["text"] for name in NAMES):
        return False
    whole = loaded(entry["text"])
    lines = [line for line in entry["text"].splitlines() if line.strip()]
    messages = [whole] if whole is not None else [loaded(line) for line in lines]
    return all(is_a2ui(message) for message in messages)


def is_sidetalk(data: Json) -> bool:
    """Whether a value names itself a sidetalk card, of any version."""
    return isinstance(data, dict) and str(data.get("schema")).startswith(_SIDETALK)


def loaded(text: str) -> Json:
    """Parses JSON; None if `text` is not JSON, nests too deep, or holds a number too long."""
    try:
        return json.loads(text) if len(text) <= BYTES_MAX else None
    except (ValueError, RecursionError):
        return None
