"""A2UI messages out of any of their containers: a list, one message, a wrapper, JSON or JSONL."""

import json
import re
from collections.abc import Iterator, Mapping

from voxcard.cards.dialects.a2ui.notes import Notes
from voxcard.cards.dialects.a2ui.v08.translation import KINDS as OLDER_KINDS
from voxcard.cards.dialects.a2ui.v08.translation import Translation
from voxcard.cards.text.sanitize import BYTES_MAX
from voxcard.json_value import Json

KINDS = ("createSurface", "updateComponents", "updateDataModel", "deleteSurface")
# v1.0 asks the renderer to run something, which a card does not; older drafts' names after.
IGNORED = (
    "callRendererFunction",
    "agentFunctionResponse",
    "callFunction",
    "actionResponse",
)
NAMES = frozenset((*KINDS, *OLDER_KINDS))  # what a message of any version is known by
MESSAGES_MAX = 2000
_ERRORS_MAX = 20
_BLANK = re.compile(r"[\s,\x1e]*")
_NEXT = re.compile(r"\n[ \t]*(?=[\[{])")
_DECODER = json.JSONDecoder()


def messages(source: Json, notes: Notes) -> list[Mapping[str, Json]]:
    """The messages of `source` in order, those of v0.8 in the form of v0.9; what is no message
    leaves a note."""
    kept: list[Mapping[str, Json]] = []
    older = Translation()
    for value in _values(source, notes):
        if len(kept) >= MESSAGES_MAX:
            notes.add("truncated", "messages", f"more than {MESSAGES_MAX} messages")
            break
        if isinstance(value, dict):
            kept += older.messages(value)
        else:
            notes.add("dropped", "messages", "a message must be a JSON object")
    return [*kept, *older.rest()]


def _values(source: Json, notes: Notes) -> Iterator[Json]:
    if isinstance(source, str):
        for value in _decoded(source, notes):
            yield from _unwrapped(value)
    else:
        yield from _unwrapped(source)


def _unwrapped(value: Json) -> Iterator[Json]:
    """Single messages: those of a list, of `{"messages": [...]}`, of resource contents."""
    if isinstance(value, dict) and isinstance(value.get("messages"), list):
        value = value["messages"]
    if isinstance(value, list):
        yield from value
    elif value is not None:
        yield value


def _decoded(text: str, notes: Notes) -> Iterator[Json]:
    """The JSON values one after the other; a broken one is left out up to the next line that
    begins a value."""
    if len(text) > BYTES_MAX:
        notes.add("dropped", "json", f"is larger than {BYTES_MAX} characters")
        return
    at = _skip(text, 0)
    errors = 0
    while at < len(text) and errors < _ERRORS_MAX:
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            notes.add("dropped", "json", "is no JSON of messages")
            errors += 1
            following = _NEXT.search(text, at)
            at = following.end() if following else len(text)
            continue
        yield value
        at = _skip(text, end)


def _skip(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return blank.end() if blank else at
