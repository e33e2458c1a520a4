"""Where the source of each dialect's card is in a tools/call result; None when there is none."""

import re

from voxcard.cards.dialects import companion
from voxcard.cards.read.call import Call, is_sidetalk, loaded
from voxcard.json_value import Json

_A2UI_TYPES = ("application/a2ui+json", "application/json+a2ui")
_CHAT_CARD_TOOL = re.compile(r"(?:^|[._/])create_\w+_card$")
_EVENTS_MAX = 100


def assistant_platform(call: Call) -> Json:
    """The card in `_meta.assistant_platform.card`."""
    meta = call.result.get("_meta")
    platform = meta.get("assistant_platform") if isinstance(meta, dict) else None
    return platform.get("card") if isinstance(platform, dict) else None


def codai(call: Call) -> Json:
    """A card with blocks, or the one block of `{block, provenance}` (R001-57, R001-66), or the
    first card fenced in the text.

    Beside a `block` the result's text is the card's Markdown twin."""
    data = call.structured
    card, block, provenance = data.get("card"), data.get("block"), data.get("provenance")
    twin = {"fallback": {"text": call.words}} if isinstance(block, dict) else {}
    if isinstance(card, dict) and "blocks" in card:
        origin = {} if provenance is None else {"provenance": provenance}
        return {**twin, **origin, **card}
    if card is None and isinstance(block, dict):
        return {**twin, "blocks": [block], "provenance": provenance}
    return next(map(loaded, call.fenced), None)


def a2ui(call: Call) -> Json:
    """A2UI messages in structured content, in embedded resources or alone in a text; with a
    layout, its data."""
    messages = call.structured.get("a2ui")
    if isinstance(messages, list | dict | str):
        return messages
    texts = [
        str(resource["text"])
        for resource in (entry.get("resource") for entry in call.entries)
        if isinstance(resource, dict)
        and str(resource.get("mimeType")).partition(";")[0].strip().lower() in _A2UI_TYPES
        and isinstance(resource.get("text"), str)
    ]
    if texts:
        return "\n".join(texts)
    if call.a2ui:
        return call.a2ui
    return None if call.template is None else call.structured or []


def sidetalk(call: Call) -> Json:
    """A card in structured content, or one that is all of a text."""
    return call.structured if is_sidetalk(call.structured) else call.sidetalk


def chat_cards(call: Call) -> Json:
    """What a tool named `create_..._card` gives, or a card that comes in parts."""
    data = call.structured
    named = bool(_CHAT_CARD_TOOL.search(call.tool))
    if not (named and data) and not ("card" in data and "parts" in data):
        return None
    return {"tool": call.tool, "arguments": call.arguments, "result": call.result}


def companion_events(call: Call) -> Json:
    """Events of a companion in structured content."""
    data = call.structured
    events = data.get("events", [data])
    events = events[:_EVENTS_MAX] if isinstance(events, list) else []
    types = [event.get("type") for event in events if isinstance(event, dict)]
    return data if companion.EVENT in types else None


def whole(call: Call) -> Json:
    """The result itself, whose own links and pictures may be a card."""
    return call.result
