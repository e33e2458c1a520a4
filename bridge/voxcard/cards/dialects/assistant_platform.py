"""Result cards: the one card of a tools/call result, taken whole or dropped whole (R000)."""

from collections.abc import Iterator, Mapping
from typing import Any

from voxcard.cards.dialects.context import NO_CONTEXT, Context
from voxcard.cards.model import (
    Action,
    Block,
    Card,
    CardRefused,
    ImageRef,
    KeyValueBlock,
    Parsed,
    TextBlock,
    Twin,
)
from voxcard.cards.text.sanitize import check_size, clean, https_link, label
from voxcard.json_value import Json

FIELDS_MAX = 4
ACTIONS_MAX = 2


def parse(source: Json, card_id: str = "card", context: Context = NO_CONTEXT) -> Parsed:
    """The card in `_meta.assistant_platform.card`; CardRefused for any broken rule (R000-21).

    A character is a code point after NFC; null is read as absent, unknown fields are ignored and
    any `v` is read as version 1 (R000-04, R000-20).
    """
    if not isinstance(source, dict):
        raise CardRefused("card", "must be one JSON object")
    check_size(source)
    return Parsed(cards=(_card(source, card_id),))


def _card(source: Mapping[str, Any], card_id: str) -> Card:
    """The card, its fields checked in the order of the format."""
    title = label(_text(source, "title", 80))
    subtitle = label(_text(source, "subtitle", 160, required=False))
    body = _text(source, "text", 300, required=False)
    fallback = _text(source, "fallback_text", 500)
    return Card(
        id=card_id,
        dialect="assistant_platform",
        title=title,
        subtitle=subtitle,
        icon=_image(source, "icon_url"),
        image=_image(source, "image_url"),
        blocks=(*_body(body), *_fields(source)),
        actions=tuple(_actions(source)),
        twin=Twin(text=fallback, authored=frozenset({"text"})),
    )


def _body(text: str) -> Iterator[Block]:
    if text:
        yield TextBlock(text=text)


def _fields(source: Mapping[str, Any]) -> Iterator[Block]:
    rows = tuple(
        (
            label(_text(row, "label", 40, f"fields.{index}.")),
            _text(row, "value", 120, f"fields.{index}."),
        )
        for index, row in enumerate(_objects(source, "fields", FIELDS_MAX))
    )
    if rows:
        yield KeyValueBlock(rows=rows)


def _actions(source: Mapping[str, Any]) -> Iterator[Action]:
    for index, action in enumerate(_objects(source, "actions", ACTIONS_MAX)):
        yield _action(action, index)


def _action(action: Mapping[str, Any], index: int) -> Action:
    path = f"actions.{index}."
    kind = action.get("kind")
    if kind not in ("url", "message"):
        raise CardRefused(f"{path}kind", "must be url or message")
    name = label(_text(action, "label", 30, path))
    style = "primary" if index == 0 else ""  # R000-14
    if kind == "url":
        url = https_link(action.get("url"), f"{path}url")
        return Action(id=f"a{index}", label=name, kind="link", url=url, style=style)
    text = _text(action, "text", 200, path)
    return Action(id=f"a{index}", label=name, kind="message", text=text, style=style)


def _text(
    data: Mapping[str, Any], key: str, limit: int, path: str = "", *, required: bool = True
) -> str:
    value = data.get(key)
    if value is None and not required:
        return ""
    if not isinstance(value, str):
        raise CardRefused(path + key, "is missing" if value is None else "must be text")
    value = clean(value)
    if len(value) > limit:
        raise CardRefused(path + key, f"has {len(value)} characters, the limit is {limit}")
    if required and not value.strip():
        raise CardRefused(path + key, "is empty")
    return value


def _objects(data: Mapping[str, Any], key: str, limit: int) -> list[Mapping[str, Any]]:
    rows = data.get(key)
    if rows is None:
        return []
    if not isinstance(rows, list):
        raise CardRefused(key, "must be a list")
    if len(rows) > limit:
        raise CardRefused(key, f"has {len(rows)} entries, the limit is {limit}")
    for index, row in enumerate(rows):
        if not isinstance(row, dict):
            raise CardRefused(f"{key}.{index}", "must be a JSON object")
    return rows


def _image(data: Mapping[str, Any], key: str) -> ImageRef | None:
    url = data.get(key)
    return None if url is None else ImageRef(url=https_link(url, key))
