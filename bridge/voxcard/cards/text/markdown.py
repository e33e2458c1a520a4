"""Markdown (CommonMark with tables and strikethrough) as blocks of a screen, or as plain text.

What each construct becomes is a table in docs/cards.md.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

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
    MoreBlock,
    TableBlock,
    TextBlock,
)
from voxcard.cards.text.data_uris import lifted
from voxcard.cards.text.diagrams import DRAWN, drawing_words
from voxcard.cards.text.html import is_html, markdown_of
from voxcard.cards.text.markdown_inline import Inline, inline
from voxcard.cards.text.sanitize import label

TEXT_MAX = 65_536
READ_MAX = 16_384  # more than 24 pages of the largest screen hold
DONE, OPEN = "✓", "☐"

_NESTING_MAX = 60
_OPEN_MAX = 24  # brackets that wait for their end; the parser's time grows with their square
_BRACKET = re.compile(r"!?\[|\]|\n\n")
_WEIGHTS = {"[": 1, "![": 8}  # what an image is called is parsed once more
_LANGUAGE_MAX = 30
_PAIR_MAX = 80  # of a bold label before a colon
_CACHED = 64
# Without one of these a text has no Markdown in it.
_MARKER = re.compile(
    r"[\\`*_~#|\[\]<>]|&\S|://|data:|  $|^[ \t]*(?:[-+=]|\d{1,9}[.)])|^(?: {4}|\t)", re.MULTILINE
)
_TASK = re.compile(r"\[([ xX])\]\s")
_ALERT = re.compile(r"\[!([A-Z]{2,12})\]\n?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A text's blocks, and its links in order; those of list items are in their items."""

    blocks: tuple[Block, ...]
    links: tuple[Action, ...] = ()


def document(text: str, *, html: bool = True) -> Document:
    """`text`, cleaned already, as blocks without markers; its first 16 384 characters, and what
    is left out after them is counted in lines. Not `html`: tags are text like any other."""
    if not _MARKER.search(text[:READ_MAX]) and len(text) <= READ_MAX:
        text = text.strip("\n")
        return Document(blocks=tuple(TextBlock(text=part) for part in _paragraphs(text)))
    return _document(text, html, hosts=True)


def plain(text: str, *, html: bool = True) -> str:
    """The words of a Markdown text, line by line, without its markers; bare links stay whole."""
    if not _MARKER.search(text[:READ_MAX]) and len(text) <= READ_MAX:
        return text.strip("\n")
    return _plain(_document(text, html, hosts="://" not in text).blocks) or text[:READ_MAX].strip(
        "\n"
    ) * _is_words(text)


def _is_words(text: str) -> bool:
    """What gives no block is not always silent: `1986.` is an empty list, by the rules."""
    return any(map(str.isalnum, text[:READ_MAX])) and not text.lstrip().startswith(("<", "["))


def sections(text: str) -> Iterator[tuple[int, str]]:
    """(level, Markdown) of a text in order: each heading, and what stands between (level 0)."""
    if not _MARKER.search(text[:READ_MAX]):
        yield 0, text
        return
    lines, begin = text.split("\n"), 0
    tokens = _parser(True).parse(_tamed(text))
    for token, following in pairwise(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map:
            yield 0, "\n".join(lines[begin : token.map[0]])
            yield int(token.tag[1]), following.content
            begin = token.map[1]
    yield 0, "\n".join(lines[begin:])


@cache
def _parser(html: bool) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": html, "maxNesting": _NESTING_MAX})
    parser.enable(["table", "strikethrough"])
    # What a link may be is decided where it becomes one, and it is kept as it is written.
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    parser.normalizeLink = lambda url: url  # type: ignore[method-assign]
    parser.normalizeLinkText = lambda link: link  # type: ignore[method-assign]
    return parser


def _tamed(text: str) -> str:
    """`text` with no more brackets open at once than can be parsed in reasonable time."""
    if text.count("[") <= _OPEN_MAX:
        return text
    parts: list[str] = []
    opened: list[int] = []
    at = 0
    for match in _BRACKET.finditer(text):
        if match[0] == "\n\n":  # a paragraph is parsed by itself
            opened.clear()
        elif match[0] == "]":
            del opened[-1:]
        elif sum(opened) < _OPEN_MAX:
            opened.append(_WEIGHTS[match[0]])
        else:
            parts += [text[at : match.start()], "("]
            at = match.end()
    return "".join([*parts, text[at:]])


def _document(text: str, html: bool, hosts: bool) -> Document:
    """Read once for all who ask soon after, but not kept where it may hold large pictures.
    `hosts`: where a bare link stands, the text says its host."""
    read = _short if len(text) <= TEXT_MAX else _parsed
    return read(text, html, hosts)


@lru_cache(maxsize=_CACHED)
def _short(text: str, html: bool, hosts: bool) -> Document:
    return _parsed(text, html, hosts)


def _parsed(text: str, html: bool, hosts: bool) -> Document:
    text, uris = lifted(text)
    if html and is_html(text):
        text = markdown_of(text)
    read = text[:READ_MAX]
    reader = _Reader(html, hosts, uris)
    blocks = list(reader.read(read))
    if left := text[READ_MAX:].strip():
        blocks.append(MoreBlock(count=left.count(chr(10)) + 1))
    elif not blocks and _is_words(text):
        blocks.append(TextBlock(text=text.strip("\n")))
    return Document(blocks=tuple(blocks), links=tuple(reader.links))


def _paragraphs(text: str) -> Iterator[str]:
    return (part.strip("\n") for part in re.split(r"\n{2,}", text) if part.strip())


class _Reader:
    """Turns the tokens of one text into blocks."""

    def __init__(self, html: bool, hosts: bool, uris: tuple[str, ...]) -> None:
        self.links: list[Action] = []
        self._html, self._hosts, self._uris = html, hosts, uris

    def read(self, text: str) -> Iterator[Block]:
        yield from self._blocks(_parser(self._html).parse(_tamed(text)))

    def _blocks(self, tokens: Sequence[Token]) -> Iterator[Block]:
        for token, inner in _nodes(tokens):
            reader = _READERS.get(token.type)
            if reader:
                yield from reader(self, token, inner)

    def _inline(self, inner: Sequence[Token]) -> Inline:
        children = inner[0].children if inner else None
        return inline(children or (), self._uris, hosts=self._hosts)

    def _heading(self, token: Token, inner: Sequence[Token]) -> Iterator[Block]:
        words = self._inline(inner)
        self.links += words.links
        if text := label(words.text):
            yield TextBlock(text=text, level=int(token.tag[1]))
        yield from (ImageBlock(image=image) for image in words.images)

    def _paragraph(self, token: Token, inner: Sequence[Token]) -> Iterator[Block]:
        """Lines that are `**label**: value` are rows, all others text; then the pictures."""
        rows: list[tuple[str, str]] = []
        lines: list[str] = []
        images: list[ImageRef] = []
        for line in _lines((inner[0].children if inner else None) or ()):
            words = inline(line, self._uris, hosts=self._hosts)
            self.links += words.links
            images += words.images
            pair = _pair(line, words.text)
            if (pair and lines) or (rows and not pair and words.text):
                yield from _said(rows, lines)
                rows, lines = [], []
            if pair:
                rows.append(pair)
            else:
                lines.append(words.text)
        yield from _said(rows, lines)
        yield from (ImageBlock(image=image) for image in images)

    def _list(self, token: Token, inner: Sequence[Token]) -> Iterator[Block]:
        if items := tuple(self._items(token, inner, 0)):
            yield ListBlock(items=items)

    def _items(self, token: Token, inner: Sequence[Token], level: int) -> Iterator[ListItem]:
        nodes = list(_nodes(inner))
        for mark, (_, content) in zip(_marks(token, nodes), nodes, strict=True):
            yield from self._item(mark, content, level)

    def _item(self, mark: str, content: Sequence[Token], level: int) -> Iterator[ListItem]:
        lines: list[str] = []
        nested: list[ListItem] = []
        images: list[ImageRef] = []
        links: list[Action] = []
        for token, inner in _nodes(content):
            if token.type in ("bullet_list_open", "ordered_list_open"):
                nested += self._items(token, inner, level + 1)
            elif token.type == "paragraph_open":
                words = self._inline(inner)
                links += words.links
                images += words.images
                lines += words.text.split("\n")
            else:
                lines += _plain(tuple(self._blocks([token, *inner]))).split("\n")
        title, *rest = [line for line in lines if line] or [""]
        task = _TASK.match(f"{title} ")
        if task:
            title = title[task.end() :].strip()
            mark = f"{mark} {OPEN if task[1] == ' ' else DONE}".strip()
        self.links += links[1:]
        item = ListItem(title=title, detail="\n".join(rest), url=links[0].url if links else "",
                        image=images[0] if images else None, mark=mark, level=level)  # fmt: skip
        if not title and images:
            item = replace(item, title=f"[picture] {images[0].alt}".strip())
        if item.title:
            yield item
        yield from nested

    def _table(self, token: Token, inner: Sequence[Token]) -> Iterator[Block]:
        rows = []
        for _, part in _nodes(inner):
            for _, cells in _nodes(part):
                rows.append(tuple(self._cell(cell) for _, cell in _nodes(cells)))
        columns, *body = rows
        yield TableBlock(columns=columns if any(columns) else (), rows=tuple(body))

    def _cell(self, inner: Sequence[Token]) -> str:
        words = self._inline(inner)
        self.links += words.links
        pictures = (f"[picture] {image.alt}".strip() for image in words.images)
        return " ".join(filter(None, (words.text.replace("\n", " "), *pictures)))

    def _quote(self, token: Token, inner: Sequence[Token]) -> Iterator[Block]:
        blocks = list(self._blocks(inner))
        texts = [each.text for each in blocks if isinstance(each, TextBlock) and not each.level]
        if not texts or len(texts) < len(blocks):
            yield from map(_quoted, blocks)
            return
        text = "\n".join(texts)
        alert = _ALERT.match(text)
        if alert:
            yield TextBlock(text=f"{alert[1].capitalize()}: {text[alert.end() :]}".strip())
        else:
            yield TextBlock(text=f"“{text}”")

    def _code(self, token: Token, inner: Sequence[Token]) -> Iterator[Block]:
        language = (token.info.split() or [""])[0][:_LANGUAGE_MAX]
        text = token.content.strip("\n")
        if text.strip():
            summary = drawing_words(language.lower(), text)
            yield CodeBlock(text=text, language=language, summary=summary)

    def _html_block(self, token: Token, inner: Sequence[Token]) -> Iterator[Block]:
        text = markdown_of(token.content)
        # Read once more, as Markdown without HTML: what is escaped in it is text.
        yield from self._blocks(_parser(False).parse(_tamed(text)))


def _quoted(block: Block) -> Block:
    if isinstance(block, TextBlock) and not block.level:
        return replace(block, text=f"“{block.text}”")
    return block


def _said(rows: list[tuple[str, str]], lines: list[str]) -> Iterator[Block]:
    if rows:
        yield KeyValueBlock(rows=tuple(rows))
    if text := "\n".join(line for line in lines if line):
        yield TextBlock(text=text)


def _nodes(tokens: Sequence[Token]) -> Iterator[tuple[Token, Sequence[Token]]]:
    """Each token that opens something (or stands alone) with the tokens inside of it."""
    at = 0
    while at < len(tokens):
        token, end = tokens[at], at
        if token.nesting == 1:
            end += 1
            while end < len(tokens) and (
                tokens[end].nesting != -1 or tokens[end].level != token.level
            ):
                end += 1
        yield token, tokens[at + 1 : end]
        at = end + 1


def _lines(children: Sequence[Token]) -> Iterator[list[Token]]:
    """The tokens of each line of a paragraph; a line ends where nothing is open any more."""
    line: list[Token] = []
    depth = 0
    for token in children:
        depth += token.nesting
        if token.type in ("softbreak", "hardbreak") and not depth:
            yield line
            line = []
        else:
            line.append(token)
    yield line


def _pair(line: Sequence[Token], text: str) -> tuple[str, str] | None:
    """The label and the value of a line that is `**label**: value` or `**label:** value`."""
    line = [token for token in line if token.type != "text" or token.content]
    if len(line) < 4 or line[0].type != "strong_open":
        return None
    end = next((at for at, token in enumerate(line) if token.type == "strong_close"), 0)
    name = inline(line[:end]).text
    if not name or not text.startswith(name):
        return None
    value = text[len(name) :].lstrip()
    if name[-1] not in ":：":
        if value[:1] not in (":", "："):
            return None
        value = value[1:]
    name, value = label(name.rstrip(":： ")), value.strip()
    return (name, value) if name and value and len(name) <= _PAIR_MAX else None


def _marks(token: Token, nodes: Sequence[tuple[Token, Sequence[Token]]]) -> list[str]:
    """The numbers the author gave, counted on where they do not grow; bullets have none."""
    if token.type != "ordered_list_open":
        return [""] * len(nodes)
    numbers = [int(each.info) if each.info.isdecimal() else 1 for each, _ in nodes]
    if any(after <= before for before, after in pairwise(numbers)):
        numbers = [numbers[0] + index for index in range(len(numbers))]
    return [f"{number}." for number in numbers]


_READERS: dict[str, Callable[[_Reader, Token, Sequence[Token]], Iterator[Block]]] = {
    "heading_open": _Reader._heading,
    "paragraph_open": _Reader._paragraph,
    "bullet_list_open": _Reader._list,
    "ordered_list_open": _Reader._list,
    "table_open": _Reader._table,
    "blockquote_open": _Reader._quote,
    "fence": _Reader._code,
    "code_block": _Reader._code,
    "html_block": _Reader._html_block,
    "hr": lambda reader, token, inner: iter((DividerBlock(),)),
}


def _plain(blocks: Sequence[Block]) -> str:
    """Blocks line by line, a blank line between them."""
    return "\n\n".join(filter(None, map(_words, blocks)))


def _words(block: Block) -> str:
    if isinstance(block, TextBlock):
        return block.text
    if isinstance(block, KeyValueBlock):
        return "\n".join(f"{name}: {value}" for name, value in block.rows)
    if isinstance(block, ListBlock):
        return "\n".join(line for item in block.items for line in item_lines(item))
    if isinstance(block, TableBlock):
        rows = (block.columns, *block.rows) if block.columns else block.rows
        return "\n".join(" · ".join(filter(None, row)) for row in rows)
    if isinstance(block, CodeBlock):
        return block.summary if block.language.lower() in DRAWN else block.text
    if isinstance(block, MoreBlock):
        return f"+{block.count} more"
    if isinstance(block, ImageBlock):
        return f"[picture] {block.image.alt}".strip()
    return ""


def item_lines(item: ListItem) -> list[str]:
    """A list's item in lines: its mark, then what it says, the following lines below it."""
    indent = "  " * item.level
    mark = item.mark or "•"
    rest = [f"{indent}  {line}" for line in item.detail.split("\n") if line]
    return [f"{indent}{mark} {item.title}", *rest]
