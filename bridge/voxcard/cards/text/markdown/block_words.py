"""The words of a Markdown text's blocks, line by line."""

from collections.abc import Sequence

from voxcard.cards.model import (
    Block,
    CodeBlock,
    ImageBlock,
    KeyValueBlock,
    ListBlock,
    ListItem,
    MoreBlock,
    TableBlock,
    TextBlock,
)
from voxcard.cards.text.diagrams import DRAWN
from voxcard.cards.text.picture_words import picture_words


def block_words(blocks: Sequence[Block]) -> str:
    """Blocks line by line, a blank line between them."""
    return "\n\n".join(filter(None, map(_words, blocks)))


def _words(block: Block) -> str:
    if isinstance(block, TextBlock):
        return block.text
    if isinstance(block, KeyValueBlock):
        return "\n".join(f"{name}: {value}" for name, value in block.rows)
    if isinstance(block, ListBlock):
        return "\n".join(line for item in block.items for line in _item_lines(item))
    if isinstance(block, TableBlock):
        rows = (block.columns, *block.rows) if block.columns else block.rows
        return "\n".join(" · ".join(filter(None, row)) for row in rows)
    if isinstance(block, CodeBlock):
        return block.summary if block.language.lower() in DRAWN else block.text
    if isinstance(block, MoreBlock):
        return f"+{block.count} more"
    if isinstance(block, ImageBlock):
        return picture_words(block.image)
    return ""


def _item_lines(item: ListItem) -> list[str]:
    """A list's item in lines: its mark, then what it says, the following lines below it."""
    indent = "  " * item.level
    mark = item.mark or "•"
    rest = [f"{indent}  {line}" for line in item.detail.split("\n") if line]
    return [f"{indent}{mark} {item.title}", *rest]
