"""Reads a card that stands alone: a file's text, or a source that is in no result."""

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
from voxcard.json_value import Json

_REASONS_MAX = 5


def read(text: str, *, dialect: str = "", card_id: str = "card") -> Reading:
    """The completed cards of a file: JSON of any dialect or of a tools/call result, A2UI as JSONL,
    or Markdown with fenced `codai-card` blocks. CardRefused when it gives none, or when `dialect`
    (a key of DIALECTS; without it it is detected) does not read it.
    """
    return read_source(loaded(text), dialect=dialect, card_id=card_id)


def loaded(text: str) -> Json:
    """What `read_source` takes, of a file's text; of several fenced cards the first. CardRefused
    when it is none of these forms."""
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


def read_source(source: Json, *, dialect: str = "", card_id: str = "card") -> Reading:
    """As `read`, for a parsed JSON value."""
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
    """A source as one object: lists of messages or events in the object their dialect has for
    them. CardRefused for what no dialect reads."""
    if isinstance(source, dict):
        return source
    dialect = DIALECTS.get(dialect_of(source))
    if dialect is None or not dialect.list_key:
        raise CardRefused("", "holds no JSON object that could be a card")
    return {dialect.list_key: source}


def _with_cards(reading: Reading) -> Reading:
    """`reading` when it has a card, else CardRefused with the reasons."""
    if not reading.cards:
        reasons = [f"{warning.path}: {warning.detail}".strip(": ") for warning in reading.warnings]
        raise CardRefused("", "; ".join(reasons[:_REASONS_MAX]) or "holds no card")
    return reading
