"""The block types of codai cards, one function each, in a table."""

from collections.abc import Callable, Iterator
from typing import Literal

from voxcard.cards.dialects.codai.data import (
    chart,
    comparison,
    metric,
    products,
    table,
    timeline,
    titled,
    weather,
)
from voxcard.cards.dialects.codai.fields import Fields, picture
from voxcard.cards.dialects.codai.guard import check_visual
from voxcard.cards.dialects.codai.places import pinned
from voxcard.cards.dialects.codai.questions import Reading, approval, choices
from voxcard.cards.dialects.codai.unknown import unknown
from voxcard.cards.model import (
    Block,
    CodeBlock,
    DividerBlock,
    ImageBlock,
    KeyValueBlock,
    ListBlock,
    ListItem,
    MediaBlock,
    QrBlock,
    TextBlock,
    VisualBlock,
)
from voxcard.cards.text.diagrams import diagram_words, math_words
from voxcard.cards.text.fixed_words import WORDS
from voxcard.cards.text.markdown.reader import DONE, OPEN
from voxcard.cards.text.sanitize import https_link, label

QR_BYTES_MAX = 2953  # of version 40, level L


def read_block(fields: Fields, reading: Reading) -> Iterator[Block]:
    """The model's blocks for one codai block; a type newer than this table becomes text."""
    kind = fields.get("type")
    if not isinstance(kind, str):
        raise fields.refused("type", "is missing" if kind is None else "must be text")
    reader = _READERS.get(kind.strip().lower())
    if reader is None:
        fields.warn("unknown", f"the block type {label(kind)[:40]} is shown as text")
        yield from unknown(fields, kind)
    else:
        yield from reader(fields, reading)


def _text(fields: Fields, reading: Reading) -> Iterator[Block]:
    text = fields.required("text", "markdown", "content")
    heading = fields.get("variant", "style") in ("heading", "title", "h1", "h2", "h3")
    yield TextBlock(text=text, level=int(heading), markdown=True)


def _gallery(fields: Fields, reading: Reading) -> Iterator[Block]:
    images = list(fields.objects("images", "items", "photos"))
    if not images:
        raise fields.refused("images", "needs at least one image with url and alt")
    for image in images:
        yield from _image(image, reading)


def _image(fields: Fields, reading: Reading) -> Iterator[Block]:
    alt = label(fields.required("alt", why="; say in words what the image shows"))
    url = fields.required("url", "src", "image")
    if not url.startswith("data:"):
        https_link(url, f"{fields.path}.url")
    yield ImageBlock(image=picture(url, alt))
    if caption := fields.line("caption", "title"):
        yield TextBlock(text=caption)


def _links(fields: Fields, reading: Reading) -> Iterator[Block]:
    entries = list(fields.objects("items", "links"))
    if not entries and fields.get("url") is not None:
        yield ListBlock(items=(_linked(fields),))  # one preview written into the block itself
    else:
        yield from titled(fields, ListBlock(items=tuple(map(_linked, entries))))


def _linked(entry: Fields) -> ListItem:
    url = entry.link("url", "href", "link")
    site = entry.line("site", "siteName", "domain")
    return ListItem(
        title=entry.line("title", "label", "name", "text") or site or url,
        detail=entry.line("description", "snippet", "summary", "subtitle") or site,
        url=url,
        image=entry.image("image", "thumbnail"),
    )


def _list(fields: Fields, reading: Reading) -> Iterator[Block]:
    ordered = fields.get("ordered") is True or fields.get("variant", "style") == "ordered"
    items = [
        ListItem(
            title=entry.line("title", "label", "name", "text"),
            detail=entry.line("detail", "description", "value", "subtitle"),
            url=entry.link("url", "href", "link"),
            mark=f"{number}." if ordered else _task(entry),
        )
        for number, entry in enumerate(fields.objects("items", "entries"), 1)
    ]
    yield from titled(fields, ListBlock(items=tuple(items)))


def _task(entry: Fields) -> str:
    """✓ or ☐ before an entry that says whether it is done."""
    done = entry.get("checked", "done", "completed")
    return (DONE if done else OPEN) if isinstance(done, bool) else ""


def _media(kind: Literal["video", "audio"]) -> Callable[[Fields, Reading], Iterator[Block]]:
    def media(fields: Fields, reading: Reading) -> Iterator[Block]:
        title = fields.line("title", "label", "name", "alt", "caption")
        url = fields.link("url", "src", "href", "source")
        poster = fields.image("poster", "posterUrl", "thumbnail", "image")
        if url:
            named = title or WORDS[kind]
            yield MediaBlock(kind=kind, title=named, url=url, poster=poster)
        elif title:
            yield TextBlock(text=title)
        fields.get("autoplay", "loop", "controls", "muted", "mimeType")
        if text := fields.text("summary", "description", "transcript"):
            yield TextBlock(text=text, markdown=True)
        if rows := tuple(fields.rest()):
            yield KeyValueBlock(rows=rows)

    return media


def _qr(fields: Fields, reading: Reading) -> Iterator[Block]:
    data = fields.required("data", "value", "text", "content", "payload", "url")
    if len(data.encode()) > QR_BYTES_MAX:
        raise fields.refused("data", f"exceeds {QR_BYTES_MAX} bytes, the most a code can hold")
    if data[:11].lower().startswith(("http:", "https:", "javascript:", "data:", "file:", "//")):
        https_link(data, f"{fields.path}.data")
    secret = any(fields.get(key) is True for key in ("secret", "localOnly", "local", "private"))
    yield QrBlock(data=data, caption=fields.line("caption", "label", "title", "alt"),
                  local_only=secret)  # fmt: skip


def _visual(fields: Fields, reading: Reading) -> Iterator[Block]:
    reading.visuals += 1
    if reading.visuals > 1:
        raise fields.refused("type", "a card holds at most one visual block")
    summary = fields.required("summary", "alt", why="; say in words what the visual shows")
    source = fields.get("source", "html", "svg")
    if not isinstance(source, str):
        raise fields.refused("source", "is missing" if source is None else "must be text")
    kind = fields.line("kind", "format", "mimeType", "language")
    check_visual(source, kind, f"{fields.path}.source")
    yield VisualBlock(summary=summary)


def _code(fields: Fields, reading: Reading) -> Iterator[Block]:
    code = fields.required("code", "text", "source", "content")
    title = fields.line("title", "filename", "file", "summary")
    yield CodeBlock(text=code, language=fields.line("language", "lang")[:20], summary=title)


def _diagram(fields: Fields, reading: Reading) -> Iterator[Block]:
    source = fields.required("source", "code", "mermaid", "text", "content")
    summary = fields.line("summary", "alt", "title") or diagram_words(source)
    yield CodeBlock(text=source, language="mermaid", summary=summary)


def _math(fields: Fields, reading: Reading) -> Iterator[Block]:
    source = fields.required("source", "latex", "tex", "math", "expression", "text", "content")
    title = fields.line("summary", "alt", "title")
    shown = math_words(source)
    yield CodeBlock(text=source, language="latex", summary=f"{title}: {shown}" if title else shown)


def _changes(fields: Fields, reading: Reading) -> Iterator[Block]:
    """Changed files with how many lines came and went; a diff follows its file."""
    items, diffs = [], []
    for entry in fields.objects("files", "changes", "items"):
        added = entry.number("additions", "added", "insertions")
        removed = entry.number("deletions", "removed")
        count = f"+{added or 0:g} −{removed or 0:g}" if (added, removed) != (None, None) else ""
        status = entry.line("status", "kind", "action")
        path = entry.line("path", "file", "filename", "label", "name", "title")
        items.append(ListItem(title=path, detail=f"{status} {count}".strip()
                              or entry.line("summary", "description")))  # fmt: skip
        if diff := entry.text("diff", "patch"):
            diffs.append(CodeBlock(text=diff, language="diff", summary=path))
    if whole := fields.text("diff", "patch"):
        diffs.append(CodeBlock(text=whole, language="diff"))
    if summary := fields.text("summary", "description"):
        yield TextBlock(text=summary, markdown=True)
    if items:
        yield from titled(fields, ListBlock(items=tuple(items)))
    yield from diffs


def _plain(
    read: Callable[[Fields], Iterator[Block]],
) -> Callable[[Fields, Reading], Iterator[Block]]:
    """A block reader that does not use `Reading`."""
    return lambda fields, reading: read(fields)


_READERS: dict[str, Callable[[Fields, Reading], Iterator[Block]]] = {
    "text": _text,
    "table": _plain(table),
    "metric": _plain(metric),
    "weather": _plain(weather),
    "places": pinned,
    "map": pinned,
    "links": _links,
    "products": _plain(products),
    "timeline": _plain(timeline),
    "steps": _plain(timeline),
    "chart": _plain(chart),
    "qr": _qr,
    "gallery": _gallery,
    "image": _image,
    "list": _list,
    "choices": choices,
    "choice": choices,
    "comparison": _plain(comparison),
    "compare": _plain(comparison),
    "visual": _visual,
    "code": _code,
    "diagram": _diagram,
    "math": _math,
    "approval": approval,
    "changes": _changes,
    "video": _media("video"),
    "audio": _media("audio"),
    "divider": lambda fields, reading: iter((DividerBlock(),)),
}
