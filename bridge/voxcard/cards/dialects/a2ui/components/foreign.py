"""Components of unknown catalogs: the texts and links in their properties."""

from collections.abc import Collection, Iterator, Mapping

from voxcard.cards.dialects.a2ui.pieces import Component, Done, Piece, Said
from voxcard.cards.dialects.foreign import LOOKS, Reading, data_blocks
from voxcard.cards.model import Action, TextBlock
from voxcard.cards.text.fixed_words import WORDS
from voxcard.cards.text.markdown.document import document, plain
from voxcard.cards.text.sanitize import clean, label, web_link
from voxcard.json_value import Json

_LABEL_MAX = 80
_ENVELOPE = frozenset(
    ("id", "component", "action", "weight", "catalogId", "checks", "accessibility", "@catalogId",
     "@accessibility", "@metadata", "@checks")
)  # fmt: skip
# Words, also where they happen to be the id of a component.
_TEXTS = frozenset(("text", "label", "title", "value", "name", "description", "heading"))
_PICTURES = ("image", "imageUrl", "icon", "iconUrl", "avatar", "thumbnail", "poster", "src")


def _named(key: str) -> tuple[str, str]:
    words = "".join(f" {entry.lower()}" if entry.isupper() else entry for entry in key)
    words = words.replace("_", " ").strip()
    return label(words[:1].upper() + words[1:]), ""


_READING = Reading(hidden=LOOKS, bare=True, named=_named)


def properties(component: Component) -> dict[str, Json]:
    """The component's own properties, without those that every component has."""
    return {key: value for key, value in component.items() if key not in _ENVELOPE}


def children(component: Component, known: Collection[str]) -> dict[str, list[Json]]:
    """The properties that hold children, each as lists of ids or templates. `known`: all ids."""
    kept = {
        key: _below(value, known)
        for key, value in properties(component).items()
        if key not in _TEXTS
    }
    return {key: names for key, names in kept.items() if names}


def _below(value: Json, known: Collection[str]) -> list[Json]:
    """The children in a value, however they are kept; none when anything else is in it."""
    if isinstance(value, dict) and _is_id(value.get("componentId"), known):
        return [value]
    parts = list(value.values()) if isinstance(value, dict) else value
    parts = parts if isinstance(parts, list) else [parts]
    if parts and all(_is_id(part, known) for part in parts):
        return [parts]
    if not isinstance(value, dict) or not parts:
        return []
    below = [_below(part, known) for part in parts]
    return [names for part in below for names in part] if all(below) else []


def _is_id(value: Json, known: Collection[str]) -> bool:
    return isinstance(value, str) and value in known


def pieces(own: Mapping[str, Json]) -> Iterator[Piece]:
    """The words of a component's properties, without those that are `links`."""
    for block in data_blocks(
        {key: item for key, item in own.items() if not web_link(item)}, _READING
    ):
        if isinstance(block, TextBlock):
            text = plain(block.text) if block.markdown else block.text
            yield Said(text=text, level=block.level, aside=bool(block.level))
        else:
            yield Done(block=block)


def links(own: Mapping[str, Json], name: str) -> Iterator[Action]:
    """The https links that properties are, called as the component is, and those in texts."""
    for key, item in own.items():
        if isinstance(item, str) and "://" in item and not web_link(item):
            yield from (link for link in document(clean(item)).links if not link.insecure)
        if web_link(item) and key not in _PICTURES:
            shown = name if len(name) <= _LABEL_MAX else _named(key)[0]
            yield Action(id="", label=label(shown) or WORDS["open"], kind="link", url=str(item))
