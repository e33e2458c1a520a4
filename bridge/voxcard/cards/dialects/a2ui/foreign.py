"""Components of catalogs nobody here knows: what their properties say, and where they lead."""

from collections.abc import Iterator, Mapping

from voxcard.cards.dialects.a2ui.pieces import Done, Piece, Said
from voxcard.cards.dialects.foreign import LOOKS, Reading, data_blocks
from voxcard.cards.model import Action, TextBlock
from voxcard.cards.text.sanitize import label, web_link
from voxcard.json_value import Json

_LABEL_MAX = 80
_PICTURES = ("image", "imageUrl", "icon", "iconUrl", "avatar", "thumbnail", "poster", "src")


def _named(key: str) -> tuple[str, str]:
    words = "".join(f" {each.lower()}" if each.isupper() else each for each in key)
    words = words.replace("_", " ").strip()
    return label(words[:1].upper() + words[1:]), ""


_READING = Reading(hidden=LOOKS, bare=True, named=_named)


def pieces(properties: Mapping[str, Json]) -> Iterator[Piece]:
    """The words of a component's properties, without those that are `links`."""
    for block in data_blocks(
        {key: each for key, each in properties.items() if not web_link(each)}, _READING
    ):
        if isinstance(block, TextBlock):
            yield Said(text=block.text, level=block.level, aside=bool(block.level))
        else:
            yield Done(block=block)


def links(properties: Mapping[str, Json], name: str) -> Iterator[Action]:
    """The https links that properties are, called as the component is."""
    for key, each in properties.items():
        if web_link(each) and key not in _PICTURES:
            shown = name if len(name) <= _LABEL_MAX else _named(key)[0]
            yield Action(id="", label=label(shown) or "Open", kind="link", url=str(each))
