"""Recognises the dialect of a source that does not name it, by its keys."""

import re
from collections.abc import Callable

from voxcard.cards.dialects.a2ui.messages import NAMES as A2UI
from voxcard.json_value import Json

_COMPANION = re.compile(r"companion\.")
_LOOKED_AT = 20  # of a list's entries
_RESULT = {"content", "structuredContent", "_meta", "resultType"}


def is_result(source: Json) -> bool:
    """Whether a source is a tools/call result."""
    return isinstance(source, dict) and not _RESULT.isdisjoint(source)


def is_a2ui(source: Json) -> bool:
    """Whether a source is an A2UI message, or messages."""
    if isinstance(source, dict):
        return not A2UI.isdisjoint(source) or is_a2ui(source.get("messages"))
    return isinstance(source, list) and any(
        isinstance(entry, dict) and not A2UI.isdisjoint(entry) for entry in source[:_LOOKED_AT]
    )


def is_companion(source: Json) -> bool:
    """Whether a source is events of a companion."""
    events = source.get("events", [source]) if isinstance(source, dict) else source
    return isinstance(events, list) and any(
        isinstance(event, dict) and bool(_COMPANION.match(str(event.get("type"))))
        for event in events[:_LOOKED_AT]
    )


def holds(*keys: str) -> Callable[[Json], bool]:
    """Whether a source is an object with one of `keys`."""
    return lambda source: isinstance(source, dict) and any(key in source for key in keys)
