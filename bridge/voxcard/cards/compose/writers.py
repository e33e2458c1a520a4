"""What each kind of block is laid out as: the one table of layouts."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from voxcard.cards.compose.chart import Chart
from voxcard.cards.compose.entries import Columns, Field, ListRow, StepRow, TableRow
from voxcard.cards.compose.hero import Hero
from voxcard.cards.compose.rows import Blank, Gap, Paragraph, Part, Rule, note
from voxcard.cards.fit.entries import (
    LEVELS_MAX,
    NOTHING,
    PINS_MAX,
    STEPS_MAX,
    Entry,
    Page,
    block_entries,
    by_weight,
    more,
)
from voxcard.cards.icons.card_icon import icon_of_item
from voxcard.cards.icons.emoji import leading_emoji
from voxcard.cards.model import (
    Block,
    ChartBlock,
    DividerBlock,
    KeyValueBlock,
    ListBlock,
    ListItem,
    MapBlock,
    MetricBlock,
    TableBlock,
    TextBlock,
    TimelineBlock,
)
from voxcard.cards.text.markdown.document import document, plain
from voxcard.cards.text.sanitize import host

_IN_ORDER_MAX = 6  # steps that are told from the first to the last


def written(block: Block, page: Page) -> Iterator[Entry]:
    """The entries of a block, each with the part that lays it out."""
    write = _LAYOUTS.get(type(block))
    if write is None:
        yield from block_entries(block, page)
    else:
        yield from write(block, page)


def part_of(entry: Entry) -> Part:
    """How an entry is laid out: by its own part, else as the text that it is."""
    if entry.part is not None:
        part: Part = entry.part
        return part
    if entry.heading:
        return Paragraph(text=entry.text, role="title", keep=True)
    if not entry.text.strip():
        return Blank()
    return Paragraph(text=entry.text, hang=entry.hang)


def _entry(part: Any, text: str, left_out: int = 0) -> Entry:
    return Entry(text=text, part=part, left_out=left_out)


def _text(block: TextBlock, page: Page) -> Iterator[Entry]:
    if block.markdown and not block.level:
        for part in document(block.text).blocks:
            yield from written(part, page)
        return
    text = plain(block.text) if block.markdown else block.text
    if text.strip():
        yield Entry(text=text, heading=block.level > 0)


def _key_values(block: KeyValueBlock, page: Page) -> Iterator[Entry]:
    rows = [(name, value or NOTHING) for name, value in block.rows if name or value]
    for name, value in rows:
        yield _entry(Field(name=name, value=value, block=rows), f"{name}: {value}")


def _list(block: ListBlock, page: Page) -> Iterator[Entry]:
    rows = [_list_row(item, page) for item in block.items]
    for row in rows:
        yield _entry(replace(row, block=rows), row.title)


def _list_row(item: ListItem, page: Page) -> ListRow:
    icon, title = icon_of_item(item.title, item.mark)
    if not icon and not item.mark:
        emoji, rest = leading_emoji(item.title)
        icon, title = (emoji, rest) if emoji and rest else (None, title)
    detail = item.detail
    if item.url and item.url not in page.coded:
        detail = f"{detail} · {host(item.url)}" if detail else host(item.url)
    mark = "" if icon else item.mark
    return ListRow(
        title=title, detail=detail, mark=mark, icon=icon, level=min(item.level, LEVELS_MAX)
    )


def _table(block: TableBlock, page: Page) -> Iterator[Entry]:
    if len(block.columns) == 2:
        rows = [
            (row[0], " · ".join(filter(None, row[1:])) or NOTHING) for row in block.rows if row
        ]
        names = (block.columns[0], block.columns[1])
        if any(names):
            yield Entry(text=" · ".join(filter(None, names)), part=note(" · ".join(names)))
        for name, value in rows:
            yield _entry(Field(name=name, value=value, block=rows), f"{name}: {value}")
        return
    lines = [row for row in block.rows if any(row)]
    numbers = [
        all(_numeric(row[at]) for row in lines if at < len(row) and row[at].strip("-–—"))
        for at in range(len(block.columns))
    ]
    divided = page.columns(block.columns, lines)
    if not divided:
        yield from _stacked(block.columns, lines)
    for columns in divided:
        table = Columns(
            names=[block.columns[at] for at in columns],
            lines=[[row[at] if at < len(row) else "" for at in columns] for row in lines],
            numbers=[numbers[at] for at in columns],
        )
        if any(table.names):
            head = TableRow(cells=table.names, table=table, head=True)
            yield _entry(head, " · ".join(table.names))
        for line in table.lines:
            cells = [cell or NOTHING for cell in line]
            yield _entry(TableRow(cells=cells, table=table), " · ".join(cells))
        yield Entry(part=Gap())


def _stacked(names: Sequence[str], lines: Sequence[Sequence[str]]) -> Iterator[Entry]:
    """Rows of a table under their first cells, where columns have no room."""
    for line in lines:
        rest = zip((*names[1:], *[""] * len(line)), line[1:], strict=False)
        detail = " · ".join(f"{name} {cell}".strip() for name, cell in rest if cell)
        yield _entry(ListRow(title=line[0] or NOTHING, detail=detail), " · ".join(line))


def _numeric(cell: str) -> bool:
    return cell.strip().lstrip("+-−€$£¥~≈<>").replace(" ", "")[:1].isdigit()


def _metric(block: MetricBlock, page: Page) -> Iterator[Entry]:
    part = Hero(value=block.value, unit=block.unit, label=block.label, delta=block.delta)
    yield _entry(part, f"{block.label}: {block.value}")


def _chart(block: ChartBlock, page: Page) -> Iterator[Entry]:
    if block.title:
        yield Entry(text=block.title, heading=True)
    if block.summary:
        yield Entry(text=block.summary)
    if len(block.points) >= 2:
        yield _entry(Chart(block=block), block.title)
    else:
        yield from block_entries(ChartBlock(summary="", points=block.points), page)


def _map(block: MapBlock, page: Page) -> Iterator[Entry]:
    for pin in block.pins[:PINS_MAX]:
        row = ListRow(
            title=pin.label,
            detail=pin.detail,
            mark=f"{pin.letter}." if pin.letter else "",
            icon=None if pin.letter else "place",
        )
        yield _entry(row, pin.label)
    if len(block.pins) > PINS_MAX:
        unseen = len(block.pins) - PINS_MAX
        yield _entry(note(more(unseen)), more(unseen), unseen)
    if block.note:
        yield Entry(text=block.note)


def _timeline(block: TimelineBlock, page: Page) -> Iterator[Entry]:
    count = len(block.steps)
    order = range(count) if count <= _IN_ORDER_MAX else by_weight(block)[:STEPS_MAX]
    for place, index in enumerate(order):
        step = block.steps[index]
        row = StepRow(
            what=step.what,
            when=step.when,
            state="now" if step.current else "done" if step.done else "",
            first=place == 0,
            last=place == len(order) - 1,
        )
        yield _entry(row, step.what)
    if count > len(order):
        yield _entry(note(more(count - len(order))), more(count - len(order)), count - len(order))


def _divider(block: DividerBlock, page: Page) -> Iterator[Entry]:
    yield Entry(part=Rule())


_LAYOUTS: dict[type, Callable[[Any, Page], Iterator[Entry]]] = {
    TextBlock: _text,
    KeyValueBlock: _key_values,
    ListBlock: _list,
    TableBlock: _table,
    MetricBlock: _metric,
    ChartBlock: _chart,
    MapBlock: _map,
    TimelineBlock: _timeline,
    DividerBlock: _divider,
}
