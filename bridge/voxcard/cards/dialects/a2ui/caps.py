"""Limits of a card (blocks, actions, bytes); what exceeds them is cut and leaves a note."""

from collections.abc import Iterable
from dataclasses import fields, is_dataclass, replace
from typing import Any

from voxcard.cards.dialects.a2ui.notes import Notes
from voxcard.cards.model import (
    Action,
    Block,
    DividerBlock,
    KeyValueBlock,
    ListBlock,
    MoreBlock,
    TextBlock,
)

BLOCKS_MAX = 24
ACTIONS_MAX = 6
# 32 KB of JSON counts the text twin, which says the same once more (R001-36, R001-83).
BYTES_MAX = 32_768 // 2
_BLOCK_BYTES = 60  # of JSON around a text


def capped_blocks(
    blocks: list[Block], buttons_left: int, notes: Notes, path: str
) -> tuple[Block, ...]:
    """At most 24 blocks of 16 KB in all; the last line says how much is left out, with the
    buttons that are."""
    kept: list[Block] = []
    room = BYTES_MAX
    left = 0
    buttons_left = max(0, buttons_left)
    blocks_max = BLOCKS_MAX - (buttons_left > 0)
    for index, block in enumerate(blocks):
        size = _size(block)
        whole = size <= room
        if not whole or (len(kept) == blocks_max - 1 and index < len(blocks) - 1):
            left = len(blocks) - index
            if not whole and len(kept) < blocks_max - 1:
                part, entries = _part(block, room)
                kept += [part] if part else []
                left += entries - 1
            break
        kept.append(block)
        room -= size
    if left + buttons_left:
        kept.append(MoreBlock(count=left + buttons_left))
    if left:
        notes.add("truncated", path, f"a card holds {BLOCKS_MAX} blocks and 32 KB")
    return tuple(kept)


def capped_actions(actions: list[Action], notes: Notes, path: str) -> tuple[Action, ...]:
    if len(actions) > ACTIONS_MAX:
        notes.add("truncated", path, f"a card holds {ACTIONS_MAX} buttons")
    return tuple(actions[:ACTIONS_MAX])


def _size(value: Any) -> int:
    """About the bytes of a value's JSON; inline pictures have a budget of their own."""
    if isinstance(value, str):
        return len(value.encode()) + 3
    if isinstance(value, tuple):
        return sum(map(_size, value)) + 2
    if is_dataclass(value):
        pairs = ((field.name, getattr(value, field.name)) for field in fields(value))
        return sum(len(name) + 4 + _size(own) for name, own in pairs if own)
    return 0 if isinstance(value, bytes) else 5


def _part(block: Block, room: int) -> tuple[Block | None, int]:
    """As much of a long text, list or table as there is room for, and the entries left out."""
    room -= _BLOCK_BYTES
    if isinstance(block, TextBlock):
        text = block.text.encode()[: max(0, room)].decode(errors="ignore").rstrip()
        return (replace(block, text=text) if text else None), 1
    if isinstance(block, ListBlock):
        items = tuple(_fitting(block.items, room))
        return (replace(block, items=items) if items else None), len(block.items) - len(items)
    if isinstance(block, KeyValueBlock):
        rows = tuple(_fitting(block.rows, room))
        return (replace(block, rows=rows) if rows else None), len(block.rows) - len(rows)
    return None, 1


def _fitting(entries: Iterable[Any], room: int) -> Iterable[Any]:
    for entry in entries:
        room -= _size(entry)
        if room < 0:
            return
        yield entry


def tidy(blocks: list[Block]) -> list[Block]:
    """Neighbouring rows in one block; no rule at an end or after another one."""
    kept: list[Block] = []
    for block in blocks:
        last = kept[-1] if kept else None
        if isinstance(block, KeyValueBlock) and isinstance(last, KeyValueBlock):
            kept[-1] = KeyValueBlock(rows=last.rows + block.rows)
        elif not (isinstance(block, DividerBlock) and isinstance(last, DividerBlock | None)):
            kept.append(block)
    return kept[:-1] if kept and isinstance(kept[-1], DividerBlock) else kept
