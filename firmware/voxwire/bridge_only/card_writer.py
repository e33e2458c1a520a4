"""Writes the cut-down card (voxwire.card) as its JSON object."""

from binascii import b2a_base64

from voxwire.card import Card, ChoicePage, ImagePage, Line, QrPage
from voxwire.type.drawing import Box, DrawnPage, Photo, Smooth, Text
from voxwire.type.roles import PAPER


def to_data(card: Card):
    """The JSON object of a card; parts at their default are left out."""
    data = {"id": card.id, "rev": card.rev, "pages": [_page_data(page) for page in card.pages]}
    for key, value in (
        ("foot", card.foot),
        ("ttl", card.ttl_s),
        ("prio", card.priority),
        ("res", list(card.resources)),
    ):
        if value:
            data[key] = value
    if card.auto or card.loop:
        data["play"] = {"auto": card.auto, "loop": card.loop}
    return data


def _page_data(page):
    kind, data = _kind_data(page)
    data["k"] = kind
    if page.title:
        data["t"] = _words_data(page.title)
    if page.lines:
        data["l"] = [_line_data(line) for line in page.lines]
    if page.ms:
        data["ms"] = page.ms
    return data


def _kind_data(page):
    """The kind of a page, and what only pages of this kind have."""
    if isinstance(page, QrPage):
        rows = b2a_base64(page.rows).decode().strip()
        return "q", {"n": page.modules, "d": rows, "s": page.scale, "z": page.quiet}
    if isinstance(page, ChoicePage):
        return "a", {"o": [[option.id, _words_data(option.label)] for option in page.options]}
    if isinstance(page, ImagePage):
        return "i", {"b": page.blob, "w": page.width, "h": page.height}
    if isinstance(page, DrawnPage):
        return "d", _drawn_data(page)
    return "t", {}


def _drawn_data(page: DrawnPage):
    data: dict[str, object] = {"g": [_item_data(item) for item in page.items]}
    if page.options:
        data["o"] = [[each.id, _words_data(each.label)] + list(each[2:]) for each in page.options]
    if page.code:
        rows = b2a_base64(page.code.rows).decode().strip()
        data.update({"n": page.code.modules, "d": rows, "x": page.code.x, "y": page.code.y})
        data.update({"s": page.code.scale, "z": page.code.quiet})
    return data


_LETTERS = {Box: "f", Smooth: "s", Photo: "p"}


def _item_data(item):
    if isinstance(item, Text):
        return list(item if item.paper != PAPER else item[:5])
    return [_LETTERS[type(item)]] + list(item)


def _words_data(words):
    return words if isinstance(words, str) else _line_data(words)


def _line_data(line: Line):
    if line.style == "":
        return line.text
    if line.style in ("h", "b"):
        return [line.style, line.text]
    if line.style == "f":
        return ["f", line.text[: max(0, line.index - 2)], line.text[line.index :]]
    return ["s", line.blob, line.index, 1 if line.style == "sr" else 0]
