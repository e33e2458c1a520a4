"""A codai block nobody here knows: every text in it, in its order (R001-23)."""

from collections.abc import Iterator

from voxcard.cards.dialects.codai.fields import Fields, words
from voxcard.cards.model import Block, TextBlock
from voxcard.cards.text.sanitize import label
from voxcard.json_value import Json

LINES_MAX = 60


def unknown(fields: Fields, kind: str) -> Block:
    """Every text of a block nobody here knows, in its order."""
    lines = list(_lines(fields.data, 0))
    return TextBlock(text="\n".join(lines[:LINES_MAX]) or f"[{label(kind)[:40]}]")


def _lines(value: Json, depth: int) -> Iterator[str]:
    if isinstance(value, dict) and depth < 8:
        inner = Fields(value, "", [])
        inner.get("type", "id")
        known = [inner.text(key) for key in ("title", "label", "text", "summary", "description")
                 if isinstance(value.get(key), str)]  # fmt: skip
        yield from (line for line in known if line)
        yield from (f"{name}: {said}" for name, said in inner.rest())
        for each in value.values():
            if isinstance(each, dict | list):
                yield from _lines(each, depth + 1)
    elif isinstance(value, list) and depth < 8:
        for each in value:
            scalar = not isinstance(each, dict | list)
            yield from [f"- {words(each)}"] if scalar else _lines(each, depth + 1)
