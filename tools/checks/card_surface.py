"""A card for a surface that draws only some kinds of blocks: the others become their text."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from voxcard.cards.fit.entries import more
from voxcard.cards.model import Block, Card, TextBlock
from voxcard.cards.text.text_twin import block_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrowed:
    """The card as a surface draws it, and how many blocks that leaves out."""

    card: Card
    left_out: int = 0


def kind(block: Block) -> str:
    """A block's name: `text`, `metric`, `keyvalue`, `chart`, ..."""
    return type(block).__name__.removesuffix("Block").lower()


def narrowed(card: Card, draws: Collection[str], blocks_max: int) -> Narrowed:
    """`card` with the kinds `draws` kept, others as text, and at most `blocks_max` blocks, of
    which the last says how many more there were (R001-23, R001-24)."""
    blocks = [block if kind(block) in draws else _as_text(block) for block in card.blocks]
    left_out = 0
    if len(blocks) > blocks_max:
        left_out = len(blocks) - blocks_max + 1
        blocks = [*blocks[: blocks_max - 1], TextBlock(text=more(left_out))]
    return Narrowed(card=replace(card, blocks=tuple(blocks)), left_out=left_out)


def _as_text(block: Block) -> TextBlock:
    return TextBlock(text=block_text(block), markdown=True)
