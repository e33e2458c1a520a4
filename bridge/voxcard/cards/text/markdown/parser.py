"""markdown-it-py, set up once, on text that cannot keep it busy."""

import re
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

_NESTING_MAX = 60
_OPEN_MAX = 24  # brackets that wait for their end; the parser's time grows with their square
# A footnote, and where it is called. The name of none is longer.
_NOTE = re.compile(r"^ {0,3}\[\^([\w-]{1,20})\]:", re.MULTILINE)
_CALL = re.compile(r" ?\[\^([\w-]{1,20})\]")
_BRACKET = re.compile(r"!?\[|\]|\n\n")
_WEIGHTS = {"[": 1, "![": 8}  # what an image is called is parsed once more


def tokens(text: str, *, html: bool) -> list[Token]:
    """The tokens of `text`: CommonMark with tables and strikethrough, and HTML if it is meant."""
    return _parser(html).parse(_tamed(_with_notes(text)))


@cache
def _parser(html: bool) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": html, "maxNesting": _NESTING_MAX})
    parser.enable(["table", "strikethrough"])
    # What a link may be is decided where it becomes one, and it is kept as it is written.
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    parser.normalizeLink = lambda url: url  # type: ignore[method-assign]
    parser.normalizeLinkText = lambda link: link  # type: ignore[method-assign]
    return parser


def _with_notes(text: str) -> str:
    """`text` with footnotes as plain text: `(1)` where one is called, and before what it says.

    A note of one word would be a link's definition otherwise, and its words would be gone."""
    names = frozenset(_NOTE.findall(text)) if "[^" in text else ()
    if not names:
        return text
    text = _NOTE.sub(r"(\1)", text)
    return _CALL.sub(lambda call: f" ({call[1]})" if call[1] in names else call[0], text)


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
