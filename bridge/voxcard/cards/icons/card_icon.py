"""The icon of a card or of a row of a list: what its author chose, else what it plainly is."""

import re
import unicodedata
from collections.abc import Callable
from typing import Any

from babel.numbers import list_currencies

from voxcard.cards.icons.emoji import emoji_icon, leading_emoji
from voxcard.cards.icons.sky import sky_icon
from voxcard.cards.model import (
    Block,
    Card,
    ChartBlock,
    CodeBlock,
    DividerBlock,
    ImageBlock,
    ListBlock,
    MapBlock,
    MediaBlock,
    MetricBlock,
    MoreBlock,
    QrBlock,
    TableBlock,
    TextBlock,
    TimelineBlock,
)

_MARKS = {"✓": "check_box", "☐": "box"}  # of tasks (model.ListItem)
# What weather blocks begin with: "Bergen: 11 °C, Light rain showers".
_WEATHER = re.compile(r"(?:.{1,80}: )?[-−]?\d[\d.,]* ?°[CF]?, (.{1,60})\Z")
# Titles of one word and maybe a number ("Parcel 7731") in which the word has one meaning.
_TITLE = re.compile(
    r"([a-z]{3,12})(?:[ :–-]{1,3}(?:[a-z]{1,3}\.? )?#?[\w-]{0,20}\d[\w-]{0,20})?\Z"
)
_WORDS = {
    "parcel": "parcel", "calendar": "calendar", "timer": "timer", "alarm": "alarm",
    "warning": "warning", "error": "error", "battery": "battery", "flight": "plane", "bus": "bus",
    "invoice": "document", "humidity": "humidity", "translation": "translate", "news": "news",
}  # fmt: skip


def icon_of_card(card: Card) -> str | None:
    """The icon of a card; None where nothing says plainly what it is about."""
    sign, _ = leading_emoji(card.title)
    if sign:
        return emoji_icon(sign)
    if card.question is not None:
        return "question"
    return _title_icon(card) or _block_icon(card.blocks)


def icon_of_item(title: str, mark: str = "") -> tuple[str | None, str]:
    """The icon before a row and the row's text without what the icon says.

    A task has the icon of its state; a number stays where it is. An emoji that has no icon stays
    in the text, and so does one that is all the text there is.
    """
    if mark:
        return _MARKS.get(mark), title
    sign, rest = leading_emoji(title)
    icon = emoji_icon(sign) if sign and rest else None
    return (icon, rest) if icon else (None, title)


def _title_icon(card: Card) -> str | None:
    if card.locale and not card.locale.lower().startswith("en"):
        return None
    match = _TITLE.match(card.title.strip().lower())
    return _WORDS.get(match[1]) if match else None


def _block_icon(blocks: tuple[Block, ...]) -> str | None:
    """The icon of the first block that is more than a heading, a line or a picture of it all."""
    for block in blocks:
        heading = isinstance(block, TextBlock) and block.level > 0
        if not heading and not isinstance(block, DividerBlock | ImageBlock | MoreBlock):
            icon = _OF_BLOCK.get(type(block))
            return icon(block) if icon else None
    return "photo" if any(isinstance(block, ImageBlock) for block in blocks) else None


def _text_icon(block: TextBlock) -> str | None:
    match = _WEATHER.match(block.text)
    return sky_icon(match[1]) if match else None


def _unit_icon(unit: str) -> str | None:
    if unit in ("°C", "°F"):
        return "thermometer"
    sign = len(unit) == 1 and unicodedata.category(unit) == "Sc"
    return "money" if sign or unit in list_currencies() else None


def _list_icon(block: ListBlock) -> str | None:
    tasks = bool(block.items) and all(item.mark in _MARKS for item in block.items)
    return "check_box" if tasks else None


_OF_BLOCK: dict[type[Block], Callable[[Any], str | None]] = {
    TextBlock: _text_icon,
    ListBlock: _list_icon,
    ChartBlock: lambda block: "chart",
    CodeBlock: lambda block: "code",
    MapBlock: lambda block: "place",
    MetricBlock: lambda block: _unit_icon(block.unit),
    MediaBlock: lambda block: "video" if block.kind == "video" else "music",
    QrBlock: lambda block: "qr",
    TableBlock: lambda block: "table",
    TimelineBlock: lambda block: "steps",
}
