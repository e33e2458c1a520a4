"""What a card of mcp-chat-cards holds besides its title: tables, charts, fields, sections."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from voxcard.cards.dialects.chat.scenes import (
    HEADINGS,
    LABELS,
    OTHERS,
    chart_block,
    scene_blocks,
)
from voxcard.cards.dialects.foreign import LEVELS_MAX, data_blocks
from voxcard.cards.model import (
    Block,
    InputBlock,
    ListBlock,
    ListItem,
    MoreBlock,
    TableBlock,
    TextBlock,
)
from voxcard.cards.text.data.key_values import scalar
from voxcard.cards.text.markdown.document import document
from voxcard.cards.text.sanitize import clean, label
from voxcard.json_value import JsonObject

ROWS_MAX = 200
FIELDS_MAX = 40
SECTIONS_MAX = 30
OUTLINE_DEPTH_MAX = 8
# Said elsewhere: the card's own title and terms, and how it is drawn and read.
_ENVELOPE = frozenset(("title", "subtitle", "tutorTerms", "contextActions", "type", "id",
                       "display", "theme", "promptTemplate", "sceneDurationMs", "autoplay", "loop",
                       "html", "cardId", "part", "splitSections", "openFirst", "cellDelimiter",
                       "linkColumns", "autoLinkUrls", "tutorTermsInCode", "yLabel",
                       "submitLabel"))  # fmt: skip


def card_blocks(card: JsonObject) -> Iterator[Block]:
    """The blocks of a result's card, whatever tool made it."""
    rest = {key: value for key, value in card.items() if key not in _ENVELOPE}
    if isinstance(intro := rest.pop("intro", None), str):
        yield from document(clean(intro)).blocks
    for keys, reader in _READERS:
        blocks = list(reader(rest))
        if blocks:
            yield from blocks
            rest = {key: value for key, value in rest.items() if key not in keys}
    for key in ("markdown", "text", "description", "content", "summary", "caption"):
        if isinstance(text := rest.pop(key, None), str):
            yield from document(clean(text)).blocks
    yield from data_blocks(rest, OTHERS)


def _table(card: JsonObject) -> Iterator[Block]:
    """`columns` are names or `{key, label}`, `rows` lists of cells or objects by key."""
    rows = card.get("rows")
    if not isinstance(rows, list):
        return
    columns = (card.get("columns"), card.get("headers"))  # a number of columns heads none
    heads: list[Any] = next((entry for entry in columns if isinstance(entry, list)), [])
    if not heads and rows and isinstance(rows[0], dict):
        heads = list(rows[0])
    names = [_name(head) for head in heads]
    keys = [_key(value, name) for value, name in zip(heads, names, strict=True)]
    cells = tuple(_cells(row, keys) for row in rows[:ROWS_MAX])
    if any(cells):
        yield TableBlock(columns=tuple(names), rows=cells)
    if len(rows) > ROWS_MAX:
        yield MoreBlock(count=len(rows) - ROWS_MAX)


def _name(column: Any) -> str:
    if not isinstance(column, dict):
        return label(scalar(column))
    names = (column.get(key) for key in ("header", *LABELS, "key"))
    return next((label(name) for name in names if isinstance(name, str) and name), "")


def _key(column: Any, name: str) -> str:
    keys = [column.get(key) for key in ("key", "id", "field")] if isinstance(column, dict) else []
    return next((entry for entry in keys if isinstance(entry, str)), name)


def _cells(row: Any, keys: list[str]) -> tuple[str, ...]:
    if isinstance(row, dict):
        cells = row.get("cells", row.get("values"))
        row = cells if isinstance(cells, list) else [row.get(key) for key in keys]
    row = row if isinstance(row, list) else [row]
    return tuple(_cell(entry) for entry in row)


def _cell(value: Any) -> str:
    if isinstance(value, dict):
        value = next((value[key] for key in ("text", "value", "label") if key in value), None)
    if isinstance(value, list):
        return label(", ".join(map(_cell, value[:10])))
    return "" if value is None else label(scalar(value))


def _chart(card: JsonObject) -> Iterator[Block]:
    for chart in (card.get("chart"), card):
        block = chart_block(chart)
        if block is not None:
            yield block
            return


def _fields(card: JsonObject) -> Iterator[Block]:
    """A form's fields: what each is called, its value or what may be chosen; never a secret."""
    fields = card.get("fields")
    fields = (
        [field for field in fields if isinstance(field, dict)] if isinstance(fields, list) else []
    )
    for field in fields[:FIELDS_MAX]:
        secret = str(field.get("type")).lower() == "password" or field.get("secret") is True
        value = next((field[key] for key in ("value", "default", "defaultValue", "placeholder")
                      if field.get(key) not in (None, "")), None)  # fmt: skip
        options = field.get("options", field.get("choices"))
        names = [_option(option) for option in options] if isinstance(options, list) else []
        shown = _cell(value) or " / ".join(filter(None, names[:20])) or "–"
        name = _name(field)
        if name:
            yield InputBlock(label=name, value="" if secret else shown, secret=secret)
    if len(fields) > FIELDS_MAX:
        yield MoreBlock(count=len(fields) - FIELDS_MAX)


def _option(option: Any) -> str:
    return (_name(option) if isinstance(option, dict) else "") or _cell(option)


def _sections(card: JsonObject) -> Iterator[Block]:
    """Tabs, steps and other parts with a heading and a content of their own."""
    for key in _SECTIONS:
        parts = card.get(key)
        if not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
            continue
        for part in parts[:SECTIONS_MAX]:
            name = next((label(part[entry]) for entry in (*HEADINGS, "label", "name", "file")
                         if isinstance(part.get(entry), str)), "")  # fmt: skip
            if name:
                yield TextBlock(text=name, level=2)
            inner = {item: value for item, value in part.items()
                     if item not in (*HEADINGS, "label", "name", "file")
                     and not (item == "open" and isinstance(value, bool))}  # fmt: skip
            yield from card_blocks(inner) if key in _HOLDING else scene_blocks(inner, "")
        if len(parts) > SECTIONS_MAX:
            yield MoreBlock(count=len(parts) - SECTIONS_MAX)


_HOLDING = ("tabs", "sections", "panels")
_SECTIONS = (*_HOLDING, "steps", "stops", "slides")


def _items(card: JsonObject) -> Iterator[Block]:
    """A list of texts, or an outline: `{text, children}` at any depth, numbered."""
    items = card.get("items", card.get("bullets"))
    if not isinstance(items, list) or not items:
        return
    if all(isinstance(item, str) for item in items):
        entries = [ListItem(title=label(text)) for text in items if label(text)]
    elif all(_is_outlined(item) for item in items):
        entries = list(_outline(items, "", 0))
    else:
        return
    yield ListBlock(items=tuple(entries[:ROWS_MAX]))
    if len(entries) > ROWS_MAX:
        yield MoreBlock(count=len(entries) - ROWS_MAX)


def _is_outlined(item: Any) -> bool:
    """Whether an entry is of an outline: a text, with nothing or with more below it."""
    if isinstance(item, dict):
        return "children" in item or set(item) == {"text"}
    return isinstance(item, str)


def _outline(items: Sequence[Any], number: str, level: int) -> Iterator[ListItem]:
    for index, item in enumerate(items, start=1):
        entry = item if isinstance(item, dict) else {"text": item}
        mark = f"{number}{index}."
        if title := _cell(entry.get("text")):
            yield ListItem(title=title, mark=mark, level=min(level, LEVELS_MAX))
        children = entry.get("children")
        if isinstance(children, list) and level < OUTLINE_DEPTH_MAX:
            yield from _outline(children, mark, level + 1)


_READERS: tuple[tuple[tuple[str, ...], Callable[[JsonObject], Iterator[Block]]], ...] = (
    (("columns", "headers", "rows"), _table),
    (("chart", "labels", "values", "series", "data", "points", "datasets", "unit"), _chart),
    (("fields",), _fields),
    (_SECTIONS, _sections),
    (("items", "bullets"), _items),
)
