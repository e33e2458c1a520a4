"""A card for a surface that draws only some kinds of blocks: the others become their text."""

from collections.abc import Collection
from dataclasses import replace

from voxcard.cards.fit.entries import more
from voxcard.cards.model import Block, Card, TextBlock
from voxcard.cards.text.text_twin import block_text


def kind(block: Block) -> str:
    """A block's name: `text`, `metric`, `keyvalue`, `chart`, ..."""
    return type(block).__name__.removesuffix("Block").lower()


def narrow(card: Card, draws: Collection[str], blocks_max: int) -> Card:
    """`card` with the kinds `draws` kept, others as text, and at most `blocks_max` blocks, of
    which the last says how many more there were (R001-23, R001-24)."""
    blocks = [block if kind(block) in draws else _as_text(block) for block in card.blocks]
    if len(blocks) > blocks_max:
        left = len(blocks) - blocks_max + 1
        blocks = [*blocks[: blocks_max - 1], TextBlock(text=more(left))]
    return replace(card, blocks=tuple(blocks))


def _as_text(block: Block) -> TextBlock:
    return TextBlock(text=block_text(block), markdown=True)
