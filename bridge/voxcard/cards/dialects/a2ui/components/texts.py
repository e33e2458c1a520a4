"""A2UI texts, icons and rules: components that only say or divide."""

import re
from collections.abc import Callable

from voxcard.cards.dialects.a2ui.components.walk import Reader
from voxcard.cards.dialects.a2ui.headings import headed
from voxcard.cards.dialects.a2ui.pieces import Component, Done, Mark, Piece, Said
from voxcard.cards.dialects.a2ui.values import Scope
from voxcard.cards.model import DividerBlock
from voxcard.cards.text.markdown.document import document

_LEVELS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5}
# What stands alone for a fact (a step is done, a rating); all other icons only decorate.
_MARKS = {
    "check": "✓",
    "checkCircle": "✓",
    "close": "✗",
    "star": "★",
    "starHalf": "½",
    "starOff": "☆",
    "warning": "⚠",
    "error": "⚠",
}


def _text(reader: Reader, component: Component, scope: Scope) -> list[Piece]:
    variant = component.get("variant")
    variant = variant if isinstance(variant, str) else ""
    spoken = reader.accessibility(component, "label", scope)
    text = spoken or reader.text(component, "text", scope)
    if "](" in text or "://" in text:
        reader.links += [link for link in document(text).links if not link.insecure]
    return list(headed(text, _LEVELS.get(variant, 0), caption=variant == "caption"))


def _icon(reader: Reader, component: Component, scope: Scope) -> list[Piece]:
    spoken = reader.accessibility(component, "label", scope)
    name = reader.values.text(component.get("name"), scope, reader.path(component))
    mark = _MARKS.get(name)
    return [Said(text=spoken, aside=True)] if spoken else [Mark(text=mark)] if mark else []


def icon_words(name: str) -> str:
    """`shoppingCart` and `shopping_cart` as `Shopping cart`."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name).strip().lower()
    return words[:1].upper() + words[1:] if re.fullmatch(r"[a-z ]{1,40}", words) else ""


TEXTS: dict[str, Callable[[Reader, Component, Scope], list[Piece]]] = {
    "Text": _text,
    "Icon": _icon,
    "Divider": lambda reader, component, scope: [Done(block=DividerBlock())],
}
