"""HTML as Markdown: its words, links, lists and tables; styles and scripts are left out."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html.parser import HTMLParser

from voxcard.cards.text.sanitize import TEXT_MAX

_LEVELS_MAX = 8  # of lists in lists
_BULLETS = -1  # the number of a list without numbers
BREAKS = frozenset(
    ("address", "article", "aside", "blockquote", "body", "br", "center", "dd", "details", "div",
     "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4",
     "h5", "h6", "header", "hr", "html", "li", "main", "nav", "ol", "option", "p", "pre",
     "section", "summary", "table", "tbody", "tfoot", "thead", "title", "tr", "ul")
)  # fmt: skip
_WORDS = frozenset(
    ("a", "abbr", "b", "bdi", "bdo", "big", "button", "caption", "cite", "code", "col",
     "colgroup", "data", "del", "dfn", "em", "font", "i", "iframe", "img", "input", "ins", "kbd",
     "label", "legend", "link", "mark", "meta", "meter", "path", "q", "ruby", "s", "samp",
     "head", "select", "small", "source", "span", "strike", "strong", "sub", "sup", "svg", "td",
     "textarea", "th", "time", "tt", "u", "var", "video", "audio", "wbr")
)  # fmt: skip
_ROW_GROUPS = frozenset(("tbody", "tfoot", "thead"))
_SILENT = frozenset(("noscript", "script", "style", "svg", "template"))
_VOID = frozenset(("br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"))
_LEVELS = {"title": 1, "h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
_STARTS = re.compile(r"\s{0,200}<(?:!doctype\s+html|!--|([a-z][a-z0-9]{0,20})\b)", re.IGNORECASE)
_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~&])")
_CLOSED = re.compile(r"</([a-z][a-z0-9:_.-]{0,60})")
_SPACE = re.compile(r"\s+")
# As CommonMark has it, HTML ends at a blank line, and what begins after it is Markdown again.
_DOCUMENT = re.compile(r"<(?:!doctype|html|head|body|style|script)\b", re.IGNORECASE)
_PROSE_AFTER_BLANK = re.compile(r"\n[ \t]*\n(?=[^\s<])")
_INDENTED_AFTER_BLANK = re.compile(r"\n[ \t]*\n(?= {4}|\t)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """A start or end tag; attributes that have no value are empty."""

    name: str
    closing: bool
    attributes: Mapping[str, str]


def known_tag(name: str) -> bool:
    """Whether HTML has an element of this name; `<name>` in a text may be a placeholder."""
    return name in BREAKS or name in _WORDS or name in _SILENT


def tag_of(source: str) -> Tag | None:
    """The one tag that `source` is; None for a comment or declaration."""
    reader = _One()
    reader.feed(source)
    reader.close()
    return reader.tag


class _One(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tag: Tag | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.tag = self.tag or Tag(name=tag, closing=False, attributes=attributes)

    def handle_endtag(self, tag: str) -> None:
        self.tag = self.tag or Tag(name=tag, closing=True, attributes={})


def is_html(text: str) -> bool:
    """Whether all of `text` is HTML: it begins with one of its tags and ends with one."""
    start = _STARTS.match(text)
    if start is None or not text.rstrip().endswith(">"):
        return False
    if start[1] is not None and not known_tag(start[1].lower()):
        return False
    if not _PROSE_AFTER_BLANK.search(text) or _INDENTED_AFTER_BLANK.search(text):
        return True
    return bool(_DOCUMENT.search(text))


def markdown_of(source: str) -> str:
    """The Markdown that says what the HTML `source` says; its first 65 536 characters."""
    source = source[:TEXT_MAX]
    end = source.rfind(">") + 1  # what opens after it is no tag, and takes the parser long
    reader = _Reader(frozenset(_CLOSED.findall(source.lower())))
    reader.feed(source[:end] + source[end:].replace("<", "&lt;"))
    reader.close()
    return reader.whole()


class _Reader(HTMLParser):
    """Writes Markdown while tags open and close, whatever is missing or too many."""

    def __init__(self, closed: frozenset[str]) -> None:
        super().__init__()
        self._closed = closed  # names that some end tag has
        self._parts: list[str] = []
        self._silent = self._raw = 0
        self._lists: list[int] = []  # of each open list the next number, or _BULLETS
        self._links: list[str] = []
        self._rows = 0
        self._cells: list[list[str]] = []

    def whole(self) -> str:
        self._end_row()
        return "".join(self._parts).strip("\n")

    def handle_data(self, data: str) -> None:
        if self._silent:
            return
        if self._raw:
            self._write(data)
            return
        text = _SPACE.sub(" ", data.replace("\xa0", " "))
        self._write(_SPECIAL.sub(r"\\\1", text).lstrip() if self._fresh() else
                    _SPECIAL.sub(r"\\\1", text))  # fmt: skip

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if self._silent or tag in _SILENT:
            self._silent += tag in _SILENT
        elif not known_tag(tag) and tag not in self._closed:
            self._write(_SPECIAL.sub(r"\\\1", self.get_starttag_text() or ""))
        elif tag == "a":
            self._links.append(attributes.get("href", ""))
            self._write("[")
        elif tag == "img":
            alt = _SPECIAL.sub(r"\\\1", attributes.get("alt", ""))
            self._write(f"![{alt}]({_target(attributes.get('src', ''))})")
        elif tag in ("ol", "ul"):
            start = _whole_number(attributes.get("start", ""), 1)
            self._lists.append(start if tag == "ol" else _BULLETS)
        elif tag in ("td", "th"):
            self._cells.append([])
        elif tag == "input" and attributes.get("type", "").lower() == "checkbox":
            self._write("[x] " if "checked" in attributes else "[ ] ")
        else:
            if tag == "li" and self._lists and self._lists[-1] != _BULLETS:
                self._lists[-1] = _whole_number(attributes.get("value", ""), self._lists[-1])
            self._begin(tag)

    def _begin(self, tag: str) -> None:
        if tag in _ROW_GROUPS:
            return
        if tag == "tr":
            self._end_row()
        elif tag == "li":
            self._write(
                "\n" + "   " * min(_LEVELS_MAX, max(0, len(self._lists) - 1)) + self._mark()
            )
        elif tag in _LEVELS:
            self._write("\n\n" + "#" * _LEVELS[tag] + " ")
        elif tag == "pre":
            self._raw += 1
            self._write("\n\n```\n")
        elif tag == "hr":
            self._write("\n\n---\n\n")
        elif tag in ("br", "caption", "dd", "dt", "option"):
            self._write("\n")
        elif tag in BREAKS:
            self._write("\n" if self._lists else "\n\n")

    def _mark(self) -> str:
        number = self._lists[-1] if self._lists else _BULLETS
        if number == _BULLETS:
            return "- "
        self._lists[-1] += 1
        return f"{number}. "

    def handle_endtag(self, tag: str) -> None:
        if tag in _SILENT:
            self._silent = max(0, self._silent - 1)
        elif self._silent:
            return
        elif tag == "a" and self._links:
            self._write(f"]({_target(self._links.pop())})")
        elif tag in ("ol", "ul") and self._lists:
            self._lists.pop()
            self._write("\n" if self._lists else "\n\n")
        elif tag in ("tr", "table"):
            self._end_row()
            if tag == "table":
                self._rows = 0
                self._write("\n\n")
        elif tag == "pre" and self._raw:
            self._raw -= 1
            self._write("\n```\n\n")
        elif tag == "caption":
            self._write("\n")
        elif tag in BREAKS and tag not in _VOID | _ROW_GROUPS and not self._lists:
            self._write("\n\n")

    def _end_row(self) -> None:
        cells, self._cells = self._cells, []
        if cells:
            texts = (" ".join("".join(cell).split()) for cell in cells)
            start = "\n\n" if not self._rows else "\n"
            self._write(start + "| " + " | ".join(texts) + " |")
            if not self._rows:
                self._write("\n|" + "---|" * len(cells))
            self._rows += 1

    def _write(self, text: str) -> None:
        (self._cells[-1] if self._cells else self._parts).append(text)

    def _fresh(self) -> bool:
        """Nothing stands on the line yet."""
        last = self._parts[-1] if self._parts and not self._cells else ""
        return not self._cells and (not last or last.endswith("\n"))


def _whole_number(text: str, otherwise: int) -> int:
    """A list's number as an attribute gives it; CommonMark has at most nine digits."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else otherwise


def _target(url: str) -> str:
    """A link's target as Markdown takes it."""
    return "<" + url.replace("<", "%3C").replace(">", "%3E").replace("\n", "") + ">"
