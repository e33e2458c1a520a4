"""Blocks for data of unknown shape: every text, value and link in it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from voxcard.cards.model import (
    Action,
    Block,
    KeyValueBlock,
    ListBlock,
    ListItem,
    MoreBlock,
    TextBlock,
)
from voxcard.cards.text.data.key_values import TEXT_MAX, scalar
from voxcard.cards.text.markdown.document import document
from voxcard.cards.text.sanitize import clean, host, label, web_link
from voxcard.json_value import Json

ENTRIES_MAX = 240  # more than 24 pages hold
LEVELS_MAX = 3  # of lists in an entry of a list
_DEPTH_MAX = 8
_TITLES = ("title", "name", "label", "headline", "heading", "text", "summary", "question")
_TEXTS = ("description", "content", "body", "caption", "message", "note", "narration", "subtitle",
          "detail", "details", "value", "takeaway", "paragraph", "markdown", "quote")  # fmt: skip
_AMOUNTS = ("value", "state", "amount", "price", "quantity", "temperature")
_UNITS = ("unit", "units", "unit_of_measurement", "currency")
_SENTENCE_BLANKS = 3
_LINE_MAX = 60  # a list of values that is no longer stands in one line
_DETAILS_MAX = 8  # of one entry of a list
# How something looks or where it is stored: never read aloud or shown as words.
LOOKS = frozenset(
    ("type", "kind", "id", "key", "variant", "style", "styles", "layout", "align", "alignment",
     "justify", "icon", "color", "colour", "background", "size", "width", "height", "weight",
     "class", "className", "theme", "animation", "transition", "duration", "durationMs", "delay",
     "easing", "zoom", "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "rx", "ry", "fill",
     "stroke", "opacity", "rotate", "scale", "polyline", "lat", "lng", "component", "catalogId",
     "schema", "version", "contentType", "mimeType", "svg", "html", "css", "path")
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How foreign data is read: keys that say nothing, texts that need no key before them, and
    what a key is called, with the unit its numbers are in."""

    hidden: frozenset[str] = frozenset()
    bare: bool = False  # texts that speak for themselves stand there without their key
    named: Callable[[str], tuple[str, str]] = field(default=lambda key: (label(key), ""))


def data_blocks(data: Json, reading: Reading | None = None) -> tuple[Block, ...]:
    """Every text, value and link of `data` in its order; what is too much is counted."""
    writer = _Writer(reading or Reading())
    blocks = list(writer.blocks(data, "", 0))
    if writer.left:
        blocks.append(MoreBlock(count=writer.left))
    return tuple(blocks)


class _Writer:
    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._entries = 0
        self.left = 0

    def blocks(self, value: Json, name: str, depth: int) -> Iterator[Block]:
        if isinstance(value, dict):
            yield from self._object(value, name, depth)
        elif isinstance(value, list):
            yield from self._list(value, name, depth)
        elif text := scalar(value):
            yield TextBlock(text=text)

    def _object(self, data: Mapping[str, Json], name: str, depth: int) -> Iterator[Block]:
        """Rows of single values, then each list or object under its key; what the object is
        called leads to its link."""
        data, title = _with_units(data), _title(data)
        if name and not (self._reading.bare and title):
            yield TextBlock(text=name, level=2)
        rows: list[tuple[str, str]] = []
        within: list[Action] = []
        links = {key: str(item) for key, item in data.items() if web_link(item)}
        for key, value in data.items():
            if key in self._reading.hidden or not self._room(value):
                continue
            if isinstance(value, dict | list) and not _in_line(value):
                yield from _flushed(rows)
                yield from self._below(key, value, depth)
            elif self._alone(key, value):
                yield from _flushed(rows)
                text = scalar(value)
                url = links.pop(next(iter(links)), "") if links and label(text) == title else ""
                yield _linked(text, url) if url else _text(value, text)
            elif key not in links and not web_link(value):
                rows.append(self._row(key, value))
                within += _links(value)
        yield from _flushed(rows)
        for key, url in links.items():
            yield _linked(self._name(key), url)
        for link in within:
            yield _linked(link.label, link.url)

    def _below(self, key: str, value: Json, depth: int) -> Iterator[Block]:
        if depth == _DEPTH_MAX:
            self.left += 1
        else:
            name = "" if self._reading.bare and isinstance(value, list) else self._name(key)
            yield from self.blocks(value, name, depth + 1)

    def _list(self, values: Sequence[Json], name: str, depth: int) -> Iterator[Block]:
        items = [item for value in values if self._room(value) for item in self._items(value, 0)]
        if items:
            if name:
                yield TextBlock(text=name, level=2)
            yield ListBlock(items=tuple(items))

    def _items(self, value: Json, level: int) -> Iterator[ListItem]:
        """An entry of a list: what it is called and its other values; below it the objects that
        are in it, and its further links."""
        if not isinstance(value, dict):
            own = [("", str(value))] if web_link(value) else _named_links(value)
            yield from _entry(_phrase(value), [], own, level)
            return
        value = _with_units(value)
        title = _title(value)
        details: list[str] = []
        urls: list[tuple[str, str]] = []
        below: list[ListItem] = []
        for key, item in value.items():
            if key in self._reading.hidden or item in (None, "", [], {}):
                continue
            if web_link(item):
                urls.append((self._name(key), str(item)))
            elif level < LEVELS_MAX and _has_more(item):
                below += self._below_item(key, item, level + 1)
            else:
                text = _phrase(item) if self._alone(key, item) else ": ".join(self._row(key, item))
                urls += _named_links(item)
                if not (title and isinstance(item, str) and label(scalar(item)) == title):
                    details.append(text)
        if len(details) > _DETAILS_MAX:
            self.left += len(details) - _DETAILS_MAX
        if not title and details:
            title = details.pop(0)
        yield from _entry(title, details[:_DETAILS_MAX], urls, level)
        yield from below

    def _below_item(self, key: str, value: Json, level: int) -> Iterator[ListItem]:
        """What is listed in an entry, under its key where that is not said by itself."""
        entries = value if isinstance(value, list) else [value]
        if not self._reading.bare:
            yield ListItem(title=f"{self._name(key)}:", level=level)
        for entry in entries:
            if self._room(entry):
                yield from self._items(entry, level)

    def _row(self, key: str, value: Json) -> tuple[str, str]:
        name, unit = self._reading.named(str(key))
        text = _phrase(value)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        return name, f"{text} {unit}".strip() if number else text

    def _alone(self, key: str, value: Json) -> bool:
        """A text that needs no key before it: by its key, or because it is a sentence."""
        if not self._reading.bare or not isinstance(value, str):
            return False
        return key in _TITLES or key in _TEXTS or value.count(" ") >= _SENTENCE_BLANKS

    def _name(self, key: str) -> str:
        return self._reading.named(str(key))[0]

    def _room(self, value: Json) -> bool:
        """Whether a value is not empty and still within the limit."""
        if value in (None, "", [], {}):
            return False
        self._entries += 1
        self.left += self._entries > ENTRIES_MAX
        return self._entries <= ENTRIES_MAX


def _with_units(data: Mapping[str, Json]) -> Mapping[str, Json]:
    """`data` with the unit it names behind the value it is of."""
    unit = next((key for key in _UNITS if isinstance(data.get(key), str) and data[key]), "")
    amount = next((key for key in _AMOUNTS if key in data), "")
    if not unit or not amount or isinstance(data[amount], dict | list):
        return data
    measured = f"{scalar(data[amount])} {data[unit]}".strip()
    return {key: measured if key == amount else item for key, item in data.items() if key != unit}


def _title(data: Mapping[str, Json]) -> str:
    texts = [data.get(key) for key in _TITLES]
    if "value" in data:  # `{"key": "Uptime", "value": "3 d"}`
        texts.append(data.get("key"))
    return next((label(scalar(text)) for text in texts if isinstance(text, str) and text), "")


def _entry(
    title: str, details: list[str], links: list[tuple[str, str]], level: int
) -> Iterator[ListItem]:
    """An entry with its first link, and one below it for each further link (name, url)."""
    (name, url), *further = links or [("", "")]
    below = min(level + bool(title), LEVELS_MAX)
    if title or url:
        title = title or name or url
        yield ListItem(title=title, detail=" · ".join(details), url=url, level=level)
    for name, url in further:
        yield ListItem(title=name or host(url), url=url, level=below)


def _named_links(text: Json) -> list[tuple[str, str]]:
    return [(link.label, link.url) for link in _links(text)]


def _has_more(value: Json) -> bool:
    """Objects in a list, or an object that leads somewhere: more than a phrase can say."""
    if isinstance(value, list):
        return any(isinstance(entry, dict) for entry in value)
    return isinstance(value, dict) and any(web_link(entry) for entry in value.values())


def _links(text: Json) -> tuple[Action, ...]:
    """The links in a text, bare or Markdown's."""
    if not isinstance(text, str) or "://" not in text or web_link(text):
        return ()
    return document(clean(text[:TEXT_MAX])).links


def _text(source: Json, words: str) -> TextBlock:
    """A text as it is said, or where it holds links, as the Markdown it is."""
    if _links(source):
        return TextBlock(text=clean(str(source)[:TEXT_MAX]), markdown=True)
    return TextBlock(text=words)


def _linked(name: str, url: str) -> ListBlock:
    return ListBlock(items=(ListItem(title=name or url, url=url),))


def _flushed(rows: list[tuple[str, str]]) -> Iterator[Block]:
    if rows:
        yield KeyValueBlock(rows=tuple(rows))
        rows.clear()


def _in_line(value: Json) -> bool:
    """A short list of plain values, which stands beside its key."""
    if not isinstance(value, list) or any(isinstance(entry, dict | list) for entry in value):
        return False
    return (
        not any(map(web_link, value)) and sum(len(scalar(entry)) for entry in value) <= _LINE_MAX
    )


def _phrase(value: Json) -> str:
    """A value in one line, lists and objects inside of it too."""
    if not isinstance(value, dict | list):
        return clean(scalar(value))
    if isinstance(value, dict):
        parts = [f"{key} {_phrase(item)}" for key, item in list(value.items())[:_DETAILS_MAX]]
    else:
        parts = [_phrase(entry) for entry in value[:_DETAILS_MAX]]
    if len(value) > _DETAILS_MAX:
        parts.append(f"+{len(value) - _DETAILS_MAX} more")
    return label(", ".join(parts))
