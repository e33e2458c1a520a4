"""The speech twin of each block: one short phrase, never a link, code or secret."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from voxcard.cards.model import (
    Block,
    ChartBlock,
    CodeBlock,
    DividerBlock,
    ImageBlock,
    InputBlock,
    KeyValueBlock,
    ListBlock,
    ListItem,
    MapBlock,
    MediaBlock,
    MetricBlock,
    MoreBlock,
    QrBlock,
    TableBlock,
    TextBlock,
    TimelineBlock,
    VisualBlock,
)
from voxcard.cards.text.markdown.document import document
from voxcard.cards.text.markdown.reader import DONE

_READ_MAX = 1000  # characters of one text
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_SENTENCE_END = re.compile(r"[.!?…。！？](?=\s|$)")


def block_speech(block: Block) -> str:
    """What is said for one block; empty for what is only seen."""
    return _SPEAKERS[type(block)](block)


def telling(blocks: Sequence[Block]) -> list[Block]:
    """The blocks without the headings that only say what the block after them is."""
    return [
        block
        for index, block in enumerate(blocks)
        if not (isinstance(block, TextBlock) and block.level and index < len(blocks) - 1)
    ]


def _text(block: TextBlock) -> str:
    """The first sentence; of Markdown, what its first block says."""
    if block.markdown:
        blocks = telling(document(block.text[:_READ_MAX]).blocks)
        return next(filter(None, map(block_speech, blocks)), "")
    text = block.text[:_READ_MAX].lstrip()
    end = _SENTENCE_END.search(text, 1)
    return (text[: end.end()] if end else text).replace("\n", ", ")


def _names(names: Sequence[str]) -> str:
    """Up to three names, then how many more there are."""
    first = list(names[:3])
    left_out = len(names) - len(first)
    if left_out > 0:
        return ", ".join(first) + f" and {left_out} more"
    return " and ".join((", ".join(first[:-1]), first[-1])) if len(first) > 1 else "".join(first)


def _named(item: ListItem) -> str:
    return f"{item.title}, done" if DONE in item.mark else item.title


def _list(block: ListBlock) -> str:
    names = [_named(item) for item in block.items if not item.level]
    return f"{len(names)} items: {_names(names)}" if len(names) > 1 else _names(names)


def _table(block: TableBlock) -> str:
    if not block.rows:
        return ""
    return (
        f"Table with {len(block.rows)} rows; first: {', '.join(filter(None, block.rows[0][:3]))}"
    )


def _metric(block: MetricBlock) -> str:
    value = f"{block.label} is {block.value}" if block.label else block.value
    value = f"{value} {block.unit}".strip()
    change = {"-": "down", "−": "down", "+": "up"}.get(block.delta[:1])
    return f"{value}, {change} {block.delta[1:].strip()}" if change else value


def _map(block: MapBlock) -> str:
    if not block.pins:
        return block.note
    nearest = f"Nearest is {block.pins[0].label}"
    return f"{nearest}; {len(block.pins)} places" if len(block.pins) > 1 else nearest


def _timeline(block: TimelineBlock) -> str:
    if not block.steps:
        return ""
    step = block.steps[latest(block)]
    return f"{step.what}, {step.when}" if step.when else step.what


def latest(block: TimelineBlock) -> int:
    """The place of the step that is under way, else of the last one done, else of the last: in
    time where the steps tell theirs, newest first or last."""
    steps = block.steps
    current = [index for index, step in enumerate(steps) if step.current]
    if current:
        return current[-1]
    done = [index for index, step in enumerate(steps) if step.done] or range(len(steps))
    if all(_DATE.match(steps[index].when) for index in done):
        return max(done, key=lambda index: (steps[index].when, index))
    return done[-1]


def _code(block: CodeBlock) -> str:
    summary = block.summary.replace(" → ", " to ").replace("\n", ", ")
    return summary or f"Code, {block.text.count(chr(10)) + 1} lines"


_SPEAKERS: dict[type, Callable[[Any], str]] = {
    TextBlock: _text,
    KeyValueBlock: lambda block: "; ".join(f"{name}, {value}" for name, value in block.rows[:2]),
    ListBlock: _list,
    TableBlock: _table,
    MetricBlock: _metric,
    ChartBlock: lambda block: block.summary,
    MapBlock: _map,
    QrBlock: lambda block: "A code is on the screen",
    ImageBlock: lambda block: block.image.alt and f"Picture: {block.image.alt}",
    MediaBlock: lambda block: (
        f"{'A video' if block.kind == 'video' else 'A sound'}, {block.title}"
    ),
    CodeBlock: _code,
    TimelineBlock: _timeline,
    InputBlock: lambda block: "" if block.secret else f"{block.label}, {block.value}",
    VisualBlock: lambda block: block.summary,
    DividerBlock: lambda block: "",
    MoreBlock: lambda block: "",
}
