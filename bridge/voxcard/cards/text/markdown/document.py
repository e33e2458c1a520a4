"""Markdown (CommonMark with tables and strikethrough) as blocks of a screen, or as plain text.

What each construct becomes is a table in docs/cards.md.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from voxcard.cards.model import Action, Block, ImageBlock, ImageRef, MoreBlock, TextBlock
from voxcard.cards.text.markdown.block_words import block_words
from voxcard.cards.text.markdown.data_uris import lifted
from voxcard.cards.text.markdown.html import is_html, markdown_of
from voxcard.cards.text.markdown.parser import tokens
from voxcard.cards.text.markdown.reader import Reader
from voxcard.cards.text.sanitize import TEXT_MAX

READ_MAX = 16_384  # more than 24 pages of the largest screen hold

_CACHED = 64
# Without one of these a text has no Markdown in it.
_MARKER = re.compile(
    r"[\\`*_~#|\[\]<>]|&\S|://|data:|  $|^[ \t]*(?:[-+=]|\d{1,9}[.)])|^(?: {4}|\t)", re.MULTILINE
)


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
    words = block_words(_document(text, html, hosts="://" not in text).blocks)
    return words or (text[:READ_MAX].strip("\n") if _is_words(text) else "")


def _is_words(text: str) -> bool:
    """Whether a text without blocks has words all the same: `1986.` is an empty list."""
    return any(map(str.isalnum, text[:READ_MAX])) and not text.lstrip().startswith(("<", "["))


def sections(text: str) -> Iterator[tuple[int, str]]:
    """(level, Markdown) of a text in order: each heading, and what stands between (level 0)."""
    if not _MARKER.search(text[:READ_MAX]):
        yield 0, text
        return
    lines, begin = text.split("\n"), 0
    for token, following in pairwise(tokens(text, html=True)):
        if token.type == "heading_open" and token.level == 0 and token.map:
            yield 0, "\n".join(lines[begin : token.map[0]])
            yield int(token.tag[1]), following.content
            begin = token.map[1]
    yield 0, "\n".join(lines[begin:])


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
    reader = Reader(html, hosts, uris)
    blocks = list(reader.read(read))
    if left := text[READ_MAX:].strip():
        blocks.append(MoreBlock(count=left.count(chr(10)) + 1))
    elif not blocks and reader.holds_picture:
        blocks.append(ImageBlock(image=ImageRef()))
    elif not blocks and _is_words(text):
        blocks.append(TextBlock(text=text.strip("\n")))
    return Document(blocks=tuple(blocks), links=tuple(reader.links))


def _paragraphs(text: str) -> Iterator[str]:
    return (part.strip("\n") for part in re.split(r"\n{2,}", text) if part.strip())
