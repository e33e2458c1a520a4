"""Reads a card that stands alone: the text of a file, or a source that is not in a result."""

import json

from voxcard.cards.dialects.context import NO_CONTEXT
from voxcard.cards.model import CardRefused
from voxcard.cards.read import fences, reading
from voxcard.cards.read.call import Call
from voxcard.cards.read.dialects import DIALECTS, dialect_of
from voxcard.cards.read.reading import Reading
from voxcard.cards.read.untagged import is_result
from voxcard.cards.text.sanitize import BYTES_MAX
from voxcard.cards.text.twins import complete
from voxcard.json_value import Json, JsonObject

_REASONS_MAX = 5


def read(text: str, *, dialect: str = "", card_id: str = "card") -> Reading:
    """Reads a file's text: JSON in any dialect or of a tools/call result, A2UI as JSONL,
    Markdown with fenced `codai-card` blocks, or a log whose lines end with JSON-RPC messages.

    `dialect` is a key of DIALECTS; without it, it is detected. Raises CardRefused if there is no
    card.
    """
    return read_source(loaded(text), dialect=dialect, card_id=card_id)


def loaded(text: str) -> Json:
    """Parses a file's text to the value `read_source` takes; of several fenced cards the first.
    Raises CardRefused if the text has none of these forms."""
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
        if logged := [value for value in map(_at_the_end, lines) if "jsonrpc" in value]:
            return logged
        raise CardRefused("", f"is not JSON ({error})") from error


def _at_the_end(line: str) -> JsonObject:
    """The JSON object that a line ends with, as a log or an event stream (`data: {...}`) has it;
    empty if there is none."""
    _, brace, rest = line.partition("{")
    try:
        value = json.loads(brace + rest) if brace else {}
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def read_source(source: Json, *, dialect: str = "", card_id: str = "card") -> Reading:
    """Reads a parsed JSON value, as `read` does a text; of a JSON-RPC answer its result."""
    source = _result(source)
    name = dialect or dialect_of(source)
    if not name:
        raise CardRefused("", "is of no known dialect; name one with --dialect")
    if name not in DIALECTS:
        raise CardRefused("", f"{name} is no dialect; known are {', '.join(sorted(DIALECTS))}")
    if name == "mcp_result":
        result = source if is_result(source) else {"content": [], "structuredContent": source}
        return _with_cards(reading.read(result, call_id=card_id))
    row = DIALECTS[name]
    source = row.in_result(Call(source)) if is_result(source) else row.source(source)
    parsed = row.parse(source, f"{name}:{card_id}", NO_CONTEXT)
    cards = tuple(map(complete, parsed.cards))
    return _with_cards(Reading(cards=cards, warnings=tuple(parsed.warnings)))


def wrapped(source: Json) -> dict[str, Json]:
    """Wraps a list of messages or events in the object its dialect has for it; an object stays
    as it is. Raises CardRefused for anything no dialect reads."""
    source = _result(source)
    if isinstance(source, dict):
        return source
    dialect = DIALECTS.get(dialect_of(source))
    if dialect is None or not dialect.list_key:
        raise CardRefused("", "holds no JSON object that could be a card")
    return {dialect.list_key: source}


def _result(source: Json) -> Json:
    """The result in a JSON-RPC answer, which is what logs hold (the last of several answers), or
    of a developer API's `tool_end` event (R000-23)."""
    if isinstance(source, dict) and source.get("type") == "tool_end":
        card = source.get("card")
        if isinstance(card, dict) and "blocks" not in card:
            return {"content": [], "_meta": {"assistant_platform": {"card": card}}}
    messages = source if isinstance(source, list) else [source]
    results = [
        message["result"]
        for message in messages
        if isinstance(message, dict) and "jsonrpc" in message and "result" in message
    ]
    return results[-1] if results else source


def _with_cards(reading: Reading) -> Reading:
    """Returns `reading` if it has a card; otherwise raises CardRefused with the reasons."""
    if not reading.cards:
        reasons = [f"{warning.path}: {warning.detail}".strip(": ") for warning in reading.warnings]
        raise CardRefused("", "; ".join(reasons[:_REASONS_MAX]) or "holds no card")
    return reading
