"""The text twin of each block: Markdown that keeps the order and loses no value."""

from collections.abc import Callable
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
from voxcard.cards.text.data.key_values import number
from voxcard.cards.text.picture_words import picture_words

HIDDEN = "••••"


def block_text(block: Block) -> str:
    """The Markdown of one block; empty for what says nothing."""
    return _WRITERS[type(block)](block)


def measure(metric: MetricBlock) -> str:
    """A metric's value with unit and change: `81 % (+3)`."""
    value = f"{metric.value} {metric.unit}".strip()
    return f"{value} ({metric.delta})" if metric.delta else value


def _heading(block: TextBlock) -> str:
    return f"**{block.text}**" if block.level and not block.text.startswith("**") else block.text


def _item(title: str, detail: str, mark: str, url: str = "") -> str:
    name = f"[{title}]({url})" if url else title
    return f"{mark} {name} — {detail}" if detail else f"{mark} {name}"


def _mark(item: ListItem) -> str:
    number = item.mark[:1].isdigit()
    return item.mark if number else f"- {item.mark}".rstrip()


def _list(block: ListBlock) -> str:
    return "\n".join(
        "   " * item.level + _item(item.title, item.detail, _mark(item), item.url)
        for item in block.items
    )


def _table(block: TableBlock) -> str:
    columns = block.columns
    if len(columns) > 3:
        named = ((row[:1], zip(columns[1:], row[1:], strict=False)) for row in block.rows)
        return "\n".join(
            f"- {''.join(first)}: " + ", ".join(f"{name}={value}" for name, value in rest)
            for first, rest in named
        )
    lines = [_row(columns), "|" + "---|" * len(columns)] if columns else []
    return "\n".join([*lines, *(_row(row) for row in block.rows)])


def _row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def _chart(block: ChartBlock) -> str:
    unit = f" {block.unit}" if block.unit else ""
    rows = [f"- {label}: {number(value)}{unit}" for label, value in block.points]
    head = [f"**{block.title}**"] if block.title else []
    return "\n".join([*head, block.summary, *rows] if block.summary else [*head, *rows])


def _map(block: MapBlock) -> str:
    rows = []
    for pin in block.pins:
        where = ""
        if pin.latitude is not None and pin.longitude is not None and not pin.detail:
            where = f"{pin.latitude:.5g}, {pin.longitude:.5g}"
        rows.append(_item(pin.label, pin.detail or where, f"{pin.letter}."))
    rows += [f"{label}: {url}" for label, url in block.links]
    return "\n".join([*rows, block.note] if block.note else rows)


def _timeline(block: TimelineBlock) -> str:
    return "\n".join(
        _item(f"{step.when} — {step.what}" if step.when else step.what, "", "-")
        + (" ✓" if step.done else " ◀" if step.current else "")
        for step in block.steps
    )


def _qr(block: QrBlock) -> str:
    if block.local_only or block.data in block.caption:
        return block.caption
    return f"{block.caption}: {block.data}" if block.caption else block.data


def _code(block: CodeBlock) -> str:
    fence = "````" if "```" in block.text else "```"
    return f"{block.summary}\n{fence}{block.language}\n{block.text}\n{fence}".strip()


def _input(block: InputBlock) -> str:
    return f"{block.label}: {HIDDEN if block.secret else block.value}"


_WRITERS: dict[type, Callable[[Any], str]] = {
    TextBlock: _heading,
    KeyValueBlock: lambda block: "\n".join(f"- {name}: {value}" for name, value in block.rows),
    ListBlock: _list,
    TableBlock: _table,
    MetricBlock: lambda block: (
        f"**{block.label}**: {measure(block)}" if block.label else measure(block)
    ),
    ChartBlock: _chart,
    MapBlock: _map,
    QrBlock: _qr,
    ImageBlock: lambda block: block.image.alt and picture_words(block.image),
    MediaBlock: lambda block: f"{block.title or block.kind}: {block.url}",
    CodeBlock: _code,
    TimelineBlock: _timeline,
    InputBlock: _input,
    VisualBlock: lambda block: block.summary,
    DividerBlock: lambda block: "",
    MoreBlock: lambda block: f"+{block.count} more",
}
