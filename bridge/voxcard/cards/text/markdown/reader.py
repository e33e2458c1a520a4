"""The tokens of a Markdown text as blocks: a reader for each kind of token, in a table."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

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
    TableBlock,
    TextBlock,
)
from voxcard.cards.text.diagrams import drawing_words
from voxcard.cards.text.markdown.block_words import block_words
from voxcard.cards.text.markdown.html import markdown_of
from voxcard.cards.text.markdown.inline import Inline, inline
from voxcard.cards.text.markdown.parser import tokens
from voxcard.cards.text.picture_words import picture_words
from voxcard.cards.text.sanitize import label

DONE, OPEN = "✓", "☐"

_LANGUAGE_MAX = 30
_PAIR_MAX = 80  # of a bold label before a colon
_TASK = re.compile(r"\[([ xX])\]\s")
_ALERT = re.compile(r"\[!([A-Z]{2,12})\]\n?")


class Reader:
    """Turns the tokens of one text into blocks.

    `holds_picture`: there was one without words from nowhere, which has no block.
    """

    def __init__(self, html: bool, hosts: bool, uris: tuple[str, ...]) -> None:
        self.links: list[Action] = []
        self.holds_picture = False
        self._html, self._hosts, self._uris = html, hosts, uris

    def read(self, text: str) -> Iterator[Block]:
        yield from self._blocks(tokens(text, html=self._html))

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
        yield from self._pictures(words.images)

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
        yield from self._pictures(images)

    def _pictures(self, images: Sequence[ImageRef]) -> Iterator[Block]:
        """Those that have words or can be had; that there are others is kept in mind."""
        for image in images:
            if image == ImageRef():
                self.holds_picture = True
            else:
                yield ImageBlock(image=image)

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
                lines += block_words(tuple(self._blocks([token, *inner]))).split("\n")
        title, *rest = [line for line in lines if line] or [""]
        task = _TASK.match(f"{title} ")
        if task:
            title = title[task.end() :].strip()
            mark = f"{mark} {OPEN if task[1] == ' ' else DONE}".strip()
        self.links += links[1:]
        item = ListItem(title=title, detail="\n".join(rest), url=links[0].url if links else "",
                        image=images[0] if images else None, mark=mark, level=level)  # fmt: skip
        if not title and images:
            item = replace(item, title=picture_words(images[0]))
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
        pictures = map(picture_words, words.images)
        return " ".join(filter(None, (words.text.replace("\n", " "), *pictures)))

    def _quote(self, token: Token, inner: Sequence[Token]) -> Iterator[Block]:
        blocks = list(self._blocks(inner))
        texts = [
            block.text for block in blocks if isinstance(block, TextBlock) and not block.level
        ]
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
        end = token.content.rfind(">") + 1
        text = markdown_of(token.content[:end])
        # Read once more, as Markdown without HTML: what is escaped in it is text.
        yield from self._blocks(tokens(text, html=False))
        # A block of HTML reaches to the end of its last line, on which Markdown may go on.
        yield from self._blocks(tokens(token.content[end:].lstrip(" "), html=False))


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
    numbers = [int(node.info) if node.info.isdecimal() else 1 for node, _ in nodes]
    if any(after <= before for before, after in pairwise(numbers)):
        numbers = [numbers[0] + index for index in range(len(numbers))]
    return [f"{number}." for number in numbers]


_READERS: dict[str, Callable[[Reader, Token, Sequence[Token]], Iterator[Block]]] = {
    "heading_open": Reader._heading,
    "paragraph_open": Reader._paragraph,
    "bullet_list_open": Reader._list,
    "ordered_list_open": Reader._list,
    "table_open": Reader._table,
    "blockquote_open": Reader._quote,
    "fence": Reader._code,
    "code_block": Reader._code,
    "html_block": Reader._html_block,
    "hr": lambda reader, token, inner: iter((DividerBlock(),)),
}
