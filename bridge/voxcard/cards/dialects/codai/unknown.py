"""A codai block of unknown type: every text and link in it, in order (R001-23)."""

from collections.abc import Iterator

from voxcard.cards.dialects.codai.fields import Fields, named_unit
from voxcard.cards.dialects.foreign import LOOKS, Reading, data_blocks
from voxcard.cards.model import Block, TextBlock
from voxcard.cards.text.sanitize import label

_READING = Reading(hidden=LOOKS | {"source"}, bare=True, named=named_unit)


def unknown(fields: Fields, kind: str) -> Iterator[Block]:
    """The block's texts and links; its type when it has none."""
    blocks = data_blocks(fields.data, _READING)
    yield from blocks or (TextBlock(text=f"[{label(kind)[:40]}]"),)
