"""Reads a card that nothing names: a table says which dialect a source is of."""

import json
import re
from collections.abc import Callable

from voxcard.cards.dialects.registry import PARSERS
from voxcard.cards.model import CardRefused, Parsed
from voxcard.cards.read import fences, reading
from voxcard.cards.text.sanitize import BYTES_MAX
from voxcard.cards.text.twins import complete
from voxcard.json_value import Json

_A2UI = {"createSurface", "updateComponents", "updateDataModel", "deleteSurface"}
_RESULT = {"content", "structuredContent", "_meta", "resultType"}
_SCENES = "create_animation_card"
_COMPANION = re.compile(r"companion\.")


def read(text: str, *, dialect: str = "", card_id: str = "card") -> Parsed:
    """The completed cards of a file: JSON of any dialect or of a tools/call result, A2UI as JSONL,
    or Markdown with fenced `codai-card` blocks. CardRefused when it gives none, or when `dialect`
    (one of PARSERS, else it is detected) does not read it.
    """
    return parse(loaded(text), dialect=dialect, card_id=card_id)


def loaded(text: str) -> Json:
    """What `parse` takes, of a file's text; of several fenced cards the first. CardRefused when
    it is none of these forms."""
    if len(text) > BYTES_MAX:
        raise CardRefused("", f"is larger than {BYTES_MAX} characters")
    fenced = fences.split(text)[0]
    lines = [line for line in text.splitlines() if line.strip()]
    try:
        if fenced:
            return json.loads(fenced[0])
        if len(lines) > 1 and all(line.startswith("{") and line.endswith("}") for line in lines):
            return [json.loads(line) for line in lines]
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise CardRefused("", f"is not JSON ({error})") from error


def parse(source: Json, *, dialect: str = "", card_id: str = "card") -> Parsed:
    """As `read`, for a parsed JSON value."""
    if dialect not in ("", "mcp_result") and _is_result(source):
        detect = dict(reading.DETECTORS).get(dialect)
        found = detect(reading.Call(result=source)) if detect else source
        return _named(found, dialect, card_id)
    dialect = dialect or dialect_of(source)
    if dialect == "mcp_result":
        return _cards(reading.from_result(_result(source), call_id=card_id))
    if not dialect:
        raise CardRefused("", "is of no known dialect; name one with --dialect")
    return _named(source, dialect, card_id)


def dialect_of(source: Json) -> str:
    """The dialect of a source; empty when it looks like none."""
    return next((name for name, looks in UNTAGGED if looks(source)), "")


def wrapped(source: Json) -> dict[str, Json]:
    """A source as one object: lists of messages or events in the object their dialect has for
    them. CardRefused for what no dialect reads."""
    if isinstance(source, dict):
        return source
    keys = {"a2ui": "messages", "companion": "events"}
    dialect = dialect_of(source)
    if dialect not in keys:
        raise CardRefused("", "holds no JSON object that could be a card")
    return {keys[dialect]: source}


def _is_result(source: Json) -> bool:
    return isinstance(source, dict) and not _RESULT.isdisjoint(source)


def _is_a2ui(source: Json) -> bool:
    if isinstance(source, dict):
        return not _A2UI.isdisjoint(source) or _is_a2ui(source.get("messages"))
    return isinstance(source, list) and any(
        isinstance(each, dict) and not _A2UI.isdisjoint(each) for each in source[:20]
    )


def _is_companion(source: Json) -> bool:
    events = source.get("events", [source]) if isinstance(source, dict) else source
    return isinstance(events, list) and any(
        isinstance(each, dict) and bool(_COMPANION.match(str(each.get("type"))))
        for each in events[:20]
    )


def _holds(*keys: str) -> Callable[[Json], bool]:
    return lambda source: isinstance(source, dict) and any(key in source for key in keys)


# First the forms that name themselves, then those known by their keys.
UNTAGGED: tuple[tuple[str, Callable[[Json], bool]], ...] = (
    ("mcp_result", _is_result),
    ("a2ui", _is_a2ui),
    ("sidetalk", _holds("schema", "cardType")),
    ("companion", _is_companion),
    ("mcp_chat_cards", _holds("scenes", "tool")),
    ("codai", _holds("blocks")),
    ("mcp_result", _holds("block")),  # {block, provenance, card} of a data tool
    ("assistant_platform", _holds("title", "fallback_text", "v")),
)


def _result(source: Json) -> Json:
    return source if _is_result(source) else {"content": [], "structuredContent": source}


def _named(source: Json, dialect: str, card_id: str) -> Parsed:
    """What the parser of one dialect makes of a source."""
    if dialect not in PARSERS:
        raise CardRefused("", f"{dialect} is no dialect; known are {', '.join(sorted(PARSERS))}")
    if dialect == "mcp_chat_cards" and isinstance(source, dict) and "scenes" in source:
        source = {"tool": _SCENES, "arguments": source}
    parsed = PARSERS[dialect](source, f"{dialect}:{card_id}")
    return _cards(
        Parsed(cards=tuple(map(complete, parsed.cards)), warnings=tuple(parsed.warnings))
    )


def _cards(parsed: Parsed) -> Parsed:
    """`parsed` when it has a card, else CardRefused with the reasons."""
    if not parsed.cards:
        why = [f"{each.path}: {each.detail}".strip(": ") for each in parsed.warnings]
        raise CardRefused("", "; ".join(why[:5]) or "holds no card")
    return parsed
