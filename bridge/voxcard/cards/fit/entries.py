"""What a card says on a small screen, entry by entry, before lines are broken."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from voxwire.card import Line

from voxcard.cards.model import (
    Block,
    Card,
    ChartBlock,
    CodeBlock,
    DividerBlock,
    ImageBlock,
    ImageRef,
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
from voxcard.cards.text.cells import width
from voxcard.cards.text.data.key_values import number
from voxcard.cards.text.diagrams import DRAWN
from voxcard.cards.text.links import Link
from voxcard.cards.text.markdown.document import document, plain
from voxcard.cards.text.picture_words import picture_words
from voxcard.cards.text.sanitize import host
from voxcard.cards.text.speech_twin import latest
from voxcard.cards.text.text_twin import HIDDEN, measure

PINS_MAX = 3
STEPS_MAX = 8
POINTS_MAX = 8
CODE_LINES_MAX = 8
# Not the full block: bars of neighbouring rows would grow together.
BAR = "▇"
STAY = "\xa0"  # a space where no line may break
LEVELS_MAX = 3
NOTHING = "–"  # where a value is missing
Lines = tuple[Line, ...]
Groups = tuple[Lines, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A paragraph, row or picture that is kept or left out as a whole (a long one is cut)."""

    text: str = ""
    heading: bool = False
    picture: ImageRef | ChartBlock | None = None
    titled: bool = False  # a picture under a title, which a heading before it becomes
    left_out: int = 0  # how many things this line says, or shows, to be left out
    hang: int = 0  # cells by which the further lines of a paragraph stand in
    groups: Groups = ()  # of lines in styles of their own; what is in a group stays together
    part: Any = None  # how it is laid out in type (voxcard.cards.compose), None: as its text


# Of a table's names and lines, which columns stand beside each other.
Divide = Callable[[Sequence[str], Sequence[Sequence[str]]], list[list[int]]]


def undivided(names: Sequence[str], lines: Sequence[Sequence[str]]) -> list[list[int]]:
    """All columns beside each other."""
    return [list(range(len(names)))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What entries depend on: columns, whether bars can be drawn, the pictures at hand, and the
    links that have a QR page."""

    cols: int
    bars: bool = False
    pictures: Collection[ImageRef | ChartBlock] = ()
    titled: Collection[ImageRef | ChartBlock] = ()  # of the pictures, those under a title
    coded: Collection[str] = ()
    wordless: bool = True  # a picture that has no words and cannot be drawn is worth a line
    columns: Divide = undivided
    # A line for each name and value, and the lines of a large value; none: as text (see Styles).
    fields: Callable[[Sequence[tuple[str, str]]], Lines] = lambda pairs: ()
    hero: Callable[[Block], Groups] = lambda block: ()


Writer = Callable[[Block, Page], Iterator[Entry]]


def where(link: Link) -> str:
    """Where a link leads, in words; http is said, because it is not private."""
    return f"http://{host(link.url)}" if link.insecure else host(link.url)


def block_entries(block: Block, page: Page) -> Iterator[Entry]:
    """The entries of one block."""
    large = page.hero(block)
    yield from (Entry(groups=large),) if large else _WRITERS[type(block)](block, page)


def image_entry(image: ImageRef, page: Page) -> Entry:
    """The picture where there is one to draw, else its words."""
    if image in page.pictures:
        return Entry(text=image.alt, picture=image)
    return Entry(text=picture_words(image))


def action_entries(card: Card, page: Page, buttons: bool) -> Iterator[Entry]:
    """What buttons say where they are no page of their own (`buttons`: choices have one)."""
    for action in card.actions:
        if action.kind == "copy":
            yield Entry(text=f"{action.label}: {action.text}")
        elif action.kind != "link" and not buttons:
            yield Entry(text=f"• {action.label}")


def _text(block: TextBlock, page: Page) -> Iterator[Entry]:
    if block.markdown and not block.level:
        for part in document(block.text).blocks:
            yield from block_entries(part, page)
        return
    text = plain(block.text) if block.markdown else block.text
    if text.strip():
        yield Entry(text=text, heading=block.level > 0)


def _key_values(block: KeyValueBlock, page: Page) -> Iterator[Entry]:
    yield from _pairs(block.rows, page)


def _pairs(rows: Iterable[tuple[str, str]], page: Page) -> Iterator[Entry]:
    """Rows of a name and its value, either of which may be missing; without both no row."""
    pairs = [(name, value or NOTHING) for name, value in rows if name or value]
    lines = iter(page.fields([pair for pair in pairs if pair[0]]))
    for name, value in pairs:
        line = next(lines, None) if name else None
        yield Entry(text=f"{name}: {value}" if name else value, groups=((line,),) if line else ())


def _list(block: ListBlock, page: Page) -> Iterator[Entry]:
    one_line = [
        f"{_marked(item)} {item.title} · {item.detail}" for item in block.items if item.detail
    ]
    # Items are alike: all in a line of their own, or all with their detail below.
    beside = all("\n" not in text and width(text) <= page.cols for text in one_line)
    for item in block.items:
        mark = _marked(item)
        hang = len(mark) + 1
        rows = [f"{mark} {item.title}"]
        if item.detail and beside:
            rows = [f"{rows[0]}{STAY}· {item.detail}"]
        elif item.detail:
            rows += [" " * hang + line for line in item.detail.split("\n")]
        if item.url and item.url not in page.coded:
            rows.append(" " * hang + host(item.url))
        yield Entry(text="\n".join(rows), hang=hang)


def _marked(item: ListItem) -> str:
    """Indent of nested lists and the item's mark."""
    return "  " * min(item.level, LEVELS_MAX) + (item.mark or "•")


def _table(block: TableBlock, page: Page) -> Iterator[Entry]:
    if len(block.columns) == 2:
        cells: list[tuple[str, ...]] = [(*row, "", "") for row in block.rows]
        rows = [(row[0], " · ".join(filter(None, row[1:]))) for row in cells]
        head = (block.columns[0], block.columns[1])
        if all(head) and page.fields([head, *rows]):
            rows.insert(0, head)
        else:
            yield Entry(text=" · ".join(block.columns))
        yield from _pairs(rows, page)
        return
    for row in filter(any, block.rows):
        # A row may hold more cells than there are names.
        names = (*block.columns[1:], *[""] * len(row))
        rest = [
            f"  {name}: {cell}" if name else f"  {cell}"
            for name, cell in zip(names, row[1:], strict=False)
            if cell
        ]
        yield Entry(text="\n".join([row[0] or NOTHING, *rest]))


def _chart(block: ChartBlock, page: Page) -> Iterator[Entry]:
    if block.title:
        yield Entry(text=block.title, heading=True)
    if block.summary:
        yield Entry(text=block.summary)
    if block in page.pictures:
        yield Entry(picture=block, titled=block in page.titled)
        return
    points = block.points[:POINTS_MAX]
    names = [f"{name} {number(value)}{block.unit}" for name, value in points]
    longest = max((width(name) for name in names), default=0)
    room = page.cols - longest - 1
    top = max((value for _, value in points), default=0)
    bars = page.bars and room >= 3 and top > 0 and all(value >= 0 for _, value in points)
    for name, (_, value) in zip(names, points, strict=True):
        cells = round(value / top * room) if bars else 0
        blank = " " * (longest - width(name) + 1)
        yield Entry(text=f"{name}{blank}{BAR * cells}" if cells else name)
    yield from _more(len(block.points) - len(points))


def _map(block: MapBlock, page: Page) -> Iterator[Entry]:
    for pin in block.pins[:PINS_MAX]:
        name = f"{pin.letter}. {pin.label}" if pin.letter else pin.label
        yield Entry(text=f"{name}\n  {pin.detail}" if pin.detail else name)
    yield from _more(len(block.pins) - PINS_MAX)
    if block.note:
        yield Entry(text=block.note)


def _more(count: int) -> Iterator[Entry]:
    if count > 0:
        yield Entry(text=more(count), left_out=count)


def more(count: int) -> str:
    """The line that says how much was left out."""
    return f"+{count} more"


def _timeline(block: TimelineBlock, page: Page) -> Iterator[Entry]:
    """The step that matters first, then what is to come, then the past from its end."""
    for index in by_weight(block)[:STEPS_MAX]:
        step = block.steps[index]
        mark = "✓ " if step.done else "▸ " if step.current else ""
        yield Entry(text=f"{mark}{step.when} {step.what}" if step.when else f"{mark}{step.what}")
    yield from _more(len(block.steps) - STEPS_MAX)


def by_weight(block: TimelineBlock) -> list[int]:
    """Indices of the steps, the most relevant first."""
    if not block.steps:
        return []
    first, last = latest(block), len(block.steps)
    if block.steps[0].when > block.steps[-1].when > "":  # told newest first
        return [first, *range(first - 1, -1, -1), *range(first + 1, last)]
    return [first, *range(first + 1, last), *range(first - 1, -1, -1)]


def _code(block: CodeBlock, page: Page) -> Iterator[Entry]:
    if block.summary:
        yield Entry(text=block.summary)
        if block.language.lower() in DRAWN:
            return  # a diagram's or formula's source says less than its words
    lines = block.text.split("\n")
    yield Entry(text="\n".join(lines[:CODE_LINES_MAX]))
    yield from _more(len(lines) - CODE_LINES_MAX)


def _image(block: ImageBlock, page: Page) -> Iterator[Entry]:
    if block.image.alt or block.image in page.pictures or page.wordless:
        yield image_entry(block.image, page)


def _media(block: MediaBlock, page: Page) -> Iterator[Entry]:
    if block.poster is not None and block.poster in page.pictures:
        yield image_entry(block.poster, page)
    rows = [f"[{block.kind}] {block.title}".strip()]
    if block.url and block.url not in page.coded:
        rows.append(f"  {host(block.url)}")
    yield Entry(text="\n".join(rows))


def _input(block: InputBlock, page: Page) -> Iterator[Entry]:
    yield Entry(text=f"{block.label}: {HIDDEN if block.secret else block.value}")


_WRITERS: dict[type, Callable[[Any, Page], Iterator[Entry]]] = {
    TextBlock: _text,
    KeyValueBlock: _key_values,
    ListBlock: _list,
    TableBlock: _table,
    MetricBlock: lambda block, page: _pairs([(block.label, measure(block))], page),
    ChartBlock: _chart,
    MapBlock: _map,
    QrBlock: lambda block, page: iter(()),  # a page of its own
    ImageBlock: _image,
    MediaBlock: _media,
    CodeBlock: _code,
    TimelineBlock: _timeline,
    InputBlock: _input,
    VisualBlock: lambda block, page: iter((Entry(text=block.summary),)),
    DividerBlock: lambda block, page: iter((Entry(),)),
    MoreBlock: lambda block, page: _more(block.count),
}
