"""A card's Markdown: its title, its blocks and the links that a person may open."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from voxcard.cards.model import (
    Action,
    Block,
    DividerBlock,
    ImageBlock,
    ListBlock,
    MoreBlock,
    TextBlock,
)
from voxcard.cards.text.markdown.document import document
from voxcard.cards.text.sanitize import label

TITLE_MAX = 80
LINKS_MAX = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Markdown:
    """What a text holds. `title` is its first heading, else a short first line (which is then
    no block any more); links of list items are in their items, all others are `links`."""

    title: str
    blocks: tuple[Block, ...]
    links: tuple[Action, ...]


def read(text: str, *, titled: bool = True, html: bool = True) -> Markdown:
    """`text`, cleaned already, as blocks.

    Not `titled`: the card has a title of its own, and every line stays in the blocks. Not
    `html`: tags are text like any other.
    """
    whole = document(text, html=html)
    title, blocks = titled_blocks(whole.blocks) if titled else ("", whole.blocks)
    own = {item.url for block in blocks if isinstance(block, ListBlock) for item in block.items}
    links: dict[str, Action] = {}
    for link in whole.links:
        if link.url not in own:
            links.setdefault(link.url, link)
    kept = tuple(links.values())
    if len(kept) > LINKS_MAX:
        blocks = (*blocks, MoreBlock(count=len(kept) - LINKS_MAX))
    numbered = (replace(link, id=f"l{index}") for index, link in enumerate(kept[:LINKS_MAX]))
    return Markdown(title=title, blocks=tuple(blocks), links=tuple(numbered))


def titled_blocks(blocks: Sequence[Block]) -> tuple[str, tuple[Block, ...]]:
    """The title, and the blocks without the one line that is now it."""
    for index, block in enumerate(blocks):
        if isinstance(block, TextBlock) and block.level:
            if any(not isinstance(entry, ImageBlock | DividerBlock) for entry in blocks[:index]):
                return block.text, tuple(blocks)
            return block.text, (*blocks[:index], *blocks[index + 1 :])
    first = blocks[0] if blocks else None
    if not isinstance(first, TextBlock):
        return "", tuple(blocks)
    line, _, rest = first.text.partition("\n")
    title = label(line)
    if not title or len(title) > TITLE_MAX or not (rest or blocks[1:]):
        return "", tuple(blocks)
    kept = [TextBlock(text=rest)] if rest.strip() else []
    return title, (*kept, *blocks[1:])
