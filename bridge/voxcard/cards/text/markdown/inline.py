"""Inline content of a Markdown paragraph: words, links and pictures."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from markdown_it.token import Token

from voxcard.cards.model import Action, ImageRef
from voxcard.cards.text.markdown.data_uris import picture
from voxcard.cards.text.markdown.html import BREAKS, known_tag, tag_of
from voxcard.cards.text.sanitize import host, label, web_link

LABEL_MAX = 80
ADDRESS_MAX = 40  # of a link that has no name; a longer one is called by its host
_BARE = re.compile(r"(?<!\w)https?://[^\s<>\"'`\[\]]{1,2048}", re.IGNORECASE)
_AFTER = ".,;:!?*_"  # what ends a sentence is no part of a link
_REACHED = ("tel:", "mailto:", "sms:")


@dataclass(slots=True, kw_only=True)
class Inline:
    """What a run of inline tokens says: `text` with its line breaks, `links` in order, `images`
    taken out of the text."""

    text: str = ""
    links: list[Action] = field(default_factory=list)
    images: list[ImageRef] = field(default_factory=list)


def inline(tokens: Sequence[Token], uris: tuple[str, ...] = (), *, hosts: bool = True) -> Inline:
    """The words of inline tokens. `uris`: inline data that image sources stand for; `hosts`: a
    bare link is said by its host."""
    writer = _Writer(
        uris, hosts, "".join(entry.content for entry in tokens if entry.type == "html_inline")
    )
    for token in tokens:
        writer.write(token)
    return writer.whole()


def link(name: str, url: str) -> Action | None:
    """The link to `url`, named or called by its address; None for what no browser may open."""
    secure = web_link(url)
    if secure is None:
        return None
    shown = label(name)
    if not shown or shown == url or "://" in shown:
        shown = url.partition("://")[2].rstrip("/")
        shown = shown if len(shown) <= ADDRESS_MAX else host(url)
    return Action(id="", label=shown[:LABEL_MAX], kind="link", url=url, insecure=not secure)


class _Writer:
    """Writes tokens one after the other; `tags` is all HTML of the run, to see what is closed."""

    def __init__(self, uris: tuple[str, ...], hosts: bool, tags: str) -> None:
        self._uris, self._hosts, self._tags = uris, hosts, tags.lower()
        self._parts: list[str] = []
        self._open: list[tuple[int, str]] = []
        self._marks: list[str] = []  # of each emphasis that is open what it writes at its ends
        self._done = Inline()

    def whole(self) -> Inline:
        while self._open:
            self._close()
        self._done.text = "".join(self._parts).replace("\xa0", " ").strip()
        return self._done

    def write(self, token: Token) -> None:
        writer = _WRITERS.get(token.type)
        if writer:
            writer(self, token)

    def _text(self, token: Token) -> None:
        text = token.content
        if not self._open and "://" in text:
            text = _BARE.sub(self._bare, text)
        self._parts.append(text)

    def _bare(self, match: re.Match[str]) -> str:
        """Where a bare link leads, in its place: it has a code, nobody types it."""
        url = match[0].rstrip(_AFTER)
        while url.endswith(")") and url.count(")") > url.count("("):
            url = url[:-1].rstrip(_AFTER)
        action = link("", url)
        if action is None:
            return match[0]
        self._done.links.append(action)
        return self._address(url) + match[0][len(url) :]

    def _address(self, url: str) -> str:
        return (host(url) if self._hosts else "") or url

    def _link_open(self, token: Token) -> None:
        self._open.append((len(self._parts), str(token.attrs.get("href", ""))))

    def _close(self, token: Token | None = None) -> None:
        if not self._open:
            return
        start, url = self._open.pop()
        name = "".join(self._parts[start:])
        action = link(name, url)
        if action is not None:
            self._done.links.append(action)
            if "://" in name:
                self._parts[start:] = [self._address(url)]
        elif url.lower().startswith(_REACHED):
            number = url.partition(":")[2].partition("?")[0]
            if number.lower() not in name.lower():
                self._parts.append(f" ({number})")

    def _image(self, token: Token) -> None:
        self._picture(token.content, str(token.attrs.get("src", "")))

    def _picture(self, alt: str, source: str) -> None:
        alt = label(alt)
        if self._open and (alt or web_link(self._open[-1][1]) is not None):
            self._parts.append(alt)  # a picture to press is called by what it shows
            return
        data = picture(source, self._uris) if source[:5].lower() == "data:" else b""
        # One of a path without a host cannot be had; that there is one is said.
        url = source if web_link(source) else ""
        if alt or source:
            self._done.images.append(ImageRef(alt=alt, url=url, data=data))

    def _html(self, token: Token) -> None:
        tag = tag_of(token.content)
        if tag is None:  # a comment
            return
        if not known_tag(tag.name) and f"</{tag.name}" not in self._tags:
            self._parts.append(token.content)
        elif tag.name == "a":
            self._close() if tag.closing else self._open.append(
                (len(self._parts), tag.attributes.get("href", ""))
            )
        elif tag.name == "img":
            self._picture(tag.attributes.get("alt", ""), tag.attributes.get("src", ""))
        elif tag.name in BREAKS and not tag.closing:
            self._parts.append("\n• " if tag.name == "li" else "\n")

    def _emphasis(self, token: Token) -> None:
        """Nothing, but inside of a word or number: 2*3*4 is a product."""
        last = self._parts[-1][-1:] if self._parts else ""
        self._marks.append(token.markup if last.isascii() and last.isalnum() else "")
        self._parts.append(self._marks[-1])

    def _emphasis_end(self, token: Token) -> None:
        self._parts.append(self._marks.pop() if self._marks else "")

    def _break(self, token: Token) -> None:
        self._parts.append("\n")


_WRITERS: dict[str, Callable[[_Writer, Token], None]] = {
    "text": _Writer._text,
    "code_inline": lambda writer, token: writer._parts.append(token.content),
    "softbreak": _Writer._break,
    "hardbreak": _Writer._break,
    "link_open": _Writer._link_open,
    "link_close": _Writer._close,
    "image": _Writer._image,
    "html_inline": _Writer._html,
    "em_open": _Writer._emphasis,
    "em_close": _Writer._emphasis_end,
    "strong_open": _Writer._emphasis,
    "strong_close": _Writer._emphasis_end,
}
