"""A Markdown text as blocks, its links as what a person may open; HTML stays text."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from voxcard.cards.model import (
    Action,
    Block,
    CodeBlock,
    DividerBlock,
    ImageBlock,
    ImageRef,
    KeyValueBlock,
    ListBlock,
    ListItem,
    TableBlock,
    TextBlock,
)
from voxcard.cards.text.markdown import heading, plain
from voxcard.cards.text.sanitize import host, label, web_link

TITLE_MAX = 80
LINKS_MAX = 12
LABEL_MAX = 80

_FENCE = re.compile(r" {0,3}(```+|~~~+) *([\w+#.-]{0,30})")
_HEADING = re.compile(r" {0,3}(#{1,6}) +(.*)\Z")
_RULE = re.compile(r" {0,3}([-*_])(?: *\1){2,} *\Z")
_ITEM = re.compile(r" {0,12}(?:[-*+]|(\d{1,9})[.)]) +(?:\[[ xX]\] +)?(.*)\Z")
_PAIR = re.compile(r" {0,3}\*\*([^*\n]{1,80}?)(?::\*\*|\*\* ?[:：]) *(\S.*)\Z")
_TABLE_RULE = re.compile(
    r" {0,12}(?:\| {0,12})?(?::?-{2,}:? {0,12}\| {0,12})+(?::?-{2,}:? {0,12})?\Z"
)
_TARGET = r"\(((?:[^()\s]|\([^()\s]{0,300}\)){1,2048})"
_IMAGE = re.compile(r" {0,3}!\[([^\[\]\n]{0,300})\]" + _TARGET + r"\) *\Z")
_CODE = re.compile(r"`{1,2}[^`\n]{1,500}`{1,2}")
_BARE = re.compile(r"(?<!\]\()(?<!\w)https?://[^\s<>\"'`\[\])]{1,2048}(?<![.,;:!?])")
_LINK = re.compile(
    r"(?<!!)\[([^\[\]\n]{1,300})\]" + _TARGET + r"(?: \"[^\"\n]{0,200}\")?\)"
    r"|(" + _BARE.pattern + ")"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Markdown:
    """What a text holds. `title` is its first heading, else a short first line (which is then
    no block any more); links of list items are in their items, all others are `links`."""

    title: str
    blocks: tuple[Block, ...]
    links: tuple[Action, ...]


def read(text: str, *, titled: bool = True) -> Markdown:
    """`text`, cleaned already, as blocks; anything it does not know is a paragraph.

    Not `titled`: the card has a title of its own, and every line stays in the blocks.
    """
    lines = text.split("\n")
    blocks: list[Block] = []
    prose: list[str] = []
    at = 0
    while at < len(lines):
        begin = at
        found, at = _block(lines, begin)
        blocks += found
        if not any(isinstance(block, CodeBlock) for block in found):
            prose += lines[begin:at]
    title, blocks = _titled(blocks) if titled else ("", blocks)
    items = {item.url for each in blocks if isinstance(each, ListBlock) for item in each.items}
    links = [link for link in _links("\n".join(prose)) if link.url not in items]
    return Markdown(title=title, blocks=tuple(blocks), links=tuple(links[:LINKS_MAX]))


def _block(lines: Sequence[str], at: int) -> tuple[list[Block], int]:
    """The block that begins at a line, and the line after it."""
    for starts, take in _STARTS:
        if starts(lines, at):
            return take(lines, at)
    return _paragraph(lines, at)


def _starts_table(lines: Sequence[str], at: int) -> bool:
    return "|" in lines[at] and at + 1 < len(lines) and bool(_TABLE_RULE.match(lines[at + 1]))


def _table(lines: Sequence[str], at: int) -> tuple[list[Block], int]:
    columns, end = _cells(lines[at]), at + 2
    while end < len(lines) and "|" in lines[end]:
        end += 1
    rows = tuple(_cells(line) for line in lines[at + 2 : end])
    return [TableBlock(columns=columns, rows=rows)], end


def _cells(line: str) -> tuple[str, ...]:
    line = line.strip().removeprefix("|").removesuffix("|")
    return tuple(plain(cell.strip()) for cell in line.split("|"))


def _code(lines: Sequence[str], at: int) -> tuple[list[Block], int]:
    opened = _FENCE.match(lines[at])
    assert opened is not None
    end = at + 1
    while end < len(lines) and not lines[end].lstrip(" ").startswith(opened[1]):
        end += 1
    text = "\n".join(lines[at + 1 : end]).strip("\n")
    return [CodeBlock(text=text, language=opened[2])] if text.strip() else [], end + 1


def _heading(lines: Sequence[str], at: int) -> tuple[list[Block], int]:
    found = _HEADING.match(lines[at])
    text = label(plain(heading(found[2]))) if found else ""
    level = len(found[1]) if found else 1
    return [TextBlock(text=text, level=level)] if text else [], at + 1


def _pairs(lines: Sequence[str], at: int) -> tuple[list[Block], int]:
    rows: list[tuple[str, str]] = []
    while at < len(lines) and (found := _PAIR.match(lines[at])):
        rows.append((label(plain(found[1])), plain(found[2])))
        at += 1
    return [KeyValueBlock(rows=tuple(rows))], at


def _list(lines: Sequence[str], at: int) -> tuple[list[Block], int]:
    first = _ITEM.match(lines[at])
    ordered = bool(first and first[1])
    texts: list[list[str]] = []
    while at < len(lines):
        found = _ITEM.match(lines[at])
        if found and not _RULE.match(lines[at]):
            texts.append([found[2]])
        elif lines[at][:2] == "  " and lines[at].strip():
            texts[-1].append(lines[at].strip())
        else:
            break
        at += 1
    items = tuple(_list_item(each) for each in texts if "".join(each).strip())
    return [ListBlock(items=items, ordered=ordered)] if items else [], at


def _list_item(lines: list[str]) -> ListItem:
    links = [link.url for link in _links("\n".join(lines))]
    title, detail = (plain(_hosts(text)).strip() for text in (lines[0], "\n".join(lines[1:])))
    return ListItem(title=title, detail=detail, url=links[0] if links else "")


def _hosts(text: str) -> str:
    """`text` with where a bare link leads in its place: it has a code, nobody types it."""
    return _BARE.sub(lambda found: host(found[0]) or found[0], text)


def _image(lines: Sequence[str], at: int) -> tuple[list[Block], int]:
    found = _IMAGE.match(lines[at])
    if found is None:
        return [], at + 1
    url = found[2] if web_link(found[2]) else ""
    alt = label(found[1])
    return [ImageBlock(image=ImageRef(url=url, alt=alt))] if url or alt else [], at + 1


def _paragraph(lines: Sequence[str], at: int) -> tuple[list[Block], int]:
    end = at
    while end < len(lines) and lines[end].strip():
        if end > at and any(starts(lines, end) for starts, _ in _STARTS):
            break
        end += 1
    if end == at:
        return [], at + 1
    return [TextBlock(text=_hosts("\n".join(lines[at:end])), markdown=True)], end


def _matches(pattern: re.Pattern[str]) -> Callable[[Sequence[str], int], bool]:
    return lambda lines, at: pattern.match(lines[at]) is not None


# What a line begins, first match first: a rule of stars looks like a list item too.
_STARTS: tuple[
    tuple[
        Callable[[Sequence[str], int], bool],
        Callable[[Sequence[str], int], tuple[list[Block], int]],
    ],
    ...,
] = (
    (_matches(_FENCE), _code),
    (_matches(_HEADING), _heading),
    (_starts_table, _table),
    (_matches(_RULE), lambda lines, at: ([DividerBlock()], at + 1)),
    (_matches(_IMAGE), _image),
    (_matches(_PAIR), _pairs),
    (_matches(_ITEM), _list),
)


def _titled(blocks: list[Block]) -> tuple[str, list[Block]]:
    """The title, and the blocks without the one line that is now it."""
    for index, block in enumerate(blocks):
        if isinstance(block, TextBlock) and block.level:
            return block.text, blocks if index else blocks[1:]
    first = blocks[0] if blocks else None
    if not isinstance(first, TextBlock):
        return "", blocks
    line, _, rest = first.text.partition("\n")
    title = label(plain(line))
    if not title or len(title) > TITLE_MAX or not (rest or blocks[1:]):
        return "", blocks
    kept = [TextBlock(text=rest, markdown=True)] if rest.strip() else []
    return title, [*kept, *blocks[1:]]


def _links(text: str) -> Iterator[Action]:
    """The web links of a text, each target once."""
    seen: set[str] = set()
    for found in _LINK.finditer(_CODE.sub("", text)):
        url = found[2] or found[3]
        secure = web_link(url)
        if secure is None or url in seen:
            continue
        seen.add(url)
        name = label(plain(found[1])) if found[1] else ""
        yield Action(
            id=f"l{len(seen) - 1}",
            label=(name or url.partition("://")[2].rstrip("/"))[:LABEL_MAX],
            kind="link",
            url=url,
            insecure=not secure,
        )
