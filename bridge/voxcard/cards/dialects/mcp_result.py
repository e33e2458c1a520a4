"""Plain MCP results: links, pictures and questions of a tools/call result that has no card."""

import re
from base64 import b64decode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from voxcard.cards.dialects.context import NO_CONTEXT, Context
from voxcard.cards.dialects.elicitation import question
from voxcard.cards.dialects.foreign import Reading, data_blocks
from voxcard.cards.dialects.markdown_blocks import read, titled_blocks
from voxcard.cards.model import (
    Action,
    Block,
    Card,
    CardRefused,
    ImageBlock,
    ImageRef,
    ListBlock,
    MoreBlock,
    NoCard,
    Parsed,
    Twin,
    Warned,
)
from voxcard.cards.text.data.foreign_text import Data, in_words, pieces, read_data
from voxcard.cards.text.fixed_words import WORDS
from voxcard.cards.text.sanitize import BYTES_MAX, clean, label, web_link
from voxcard.json_value import Json

CONTENT_MAX = 100  # entries of a result that are looked at
LINKS_MAX = 24
PICTURES_MAX = 4
# What is said of a result at most: a longer text is a card, so that the rest of it is somewhere.
SAID_LINES, SAID_CHARACTERS = 3, 280
TEXT_TYPES = ("text/plain", "text/markdown")
PICTURE_BYTES_MAX = 5 << 20

_LAYOUT = Reading(bare=True)  # of a chat system's card: its texts without their keys
_SENTENCE_END = re.compile(r"[.!?…。！？]\s")


def parse(source: Json, card_id: str = "card", context: Context = NO_CONTEXT) -> Parsed:
    """A card of a result's links and pictures, of the question it waits with, or of a text that
    is longer than what is spoken.

    NoCard when there is none of these: the text alone answers (R-MCP-1).
    """
    if not isinstance(source, dict):
        raise NoCard("", "no card: a result must be a JSON object")
    kind = source.get("resultType")
    if kind is not None and kind not in ("complete", "input_required"):
        raise CardRefused("resultType", "is unknown to MCP, so the result is invalid")
    if kind == "input_required":
        return question(source.get("inputRequests"), card_id)
    warnings: list[Warned] = []
    title, blocks, text_links = _body(source)
    links = (*_links(source, warnings), *text_links)
    pictures = tuple(_pictures(source, warnings))
    spoken = words(source)
    silent = source.get("isError") is True or is_said_whole(spoken)
    if silent and not links and not pictures and not any(map(_is_seen, blocks)):
        raise NoCard("", "no card")
    left = sum(warned.code == "truncated" for warned in warnings)
    card = Card(
        id=card_id,
        dialect="mcp_result",
        title=title or next(filter(None, map(_name, links)), ""),
        blocks=(*blocks, *map(_picture_block, pictures[1:]), *_more(left)),
        actions=_numbered(links),
        image=pictures[0] if pictures else None,
        twin=Twin(text=spoken),
        warnings=tuple(warnings),
    )
    return Parsed(cards=(card,), warnings=tuple(warnings))


def _name(link: Action) -> str:
    """What a link is called, where that is more than its address."""
    return "" if link.label in link.url else link.label


def _is_seen(block: Block) -> bool:
    """Whether a block of a text says more to the eye than to the ear: a picture, a link."""
    if isinstance(block, ListBlock):
        return any(item.url for item in block.items)
    return isinstance(block, ImageBlock)


def _picture_block(picture: ImageRef) -> ImageBlock:
    return ImageBlock(image=picture)


def is_said_whole(text: str) -> bool:
    """Whether a text in words is so short that all of it is spoken: three sentences or lines."""
    lines = [line for line in text[: SAID_CHARACTERS + 1].split("\n") if line.strip()]
    sentences = sum(len(_SENTENCE_END.findall(line)) + 1 for line in lines)
    return len(text) <= SAID_CHARACTERS and sentences <= SAID_LINES


def _body(result: Mapping[str, Any]) -> tuple[str, tuple[Block, ...], tuple[Action, ...]]:
    """The title, blocks and links of a result's text: Markdown, and the data that is in it."""
    blocks: list[Block] = []
    links: list[Action] = []
    for piece in _pieces(result):
        if isinstance(piece, Data):
            blocks += data_blocks(piece.value, _LAYOUT if piece.is_layout else None)
        else:
            markdown = read(piece, titled=False)
            blocks += markdown.blocks
            links += markdown.links
    title, rest = titled_blocks(blocks)
    return title, rest, tuple(links)


def _pieces(result: Mapping[str, Any]) -> list[str | Data]:
    """The text of a result as Markdown and data; its structured content when it has none
    (R-MCP-9). Several texts that are one object each are a list that a server sent so."""
    texts = _texts(result)
    beside = (text for text in _embedded(result) if not any(text.strip() in own for own in texts))
    parts = [piece for text in (*texts, *beside) for piece in pieces(text)]
    if not parts and result.get("structuredContent") is not None:
        return [read_data(result["structuredContent"])]
    values = [piece.value for piece in parts if isinstance(piece, Data)]
    if len(values) > 1 and len(values) == len(parts):
        lists = [value if isinstance(value, list) else [value] for value in values]
        return [Data(value=[entry for entries in lists for entry in entries])]
    return parts


def _numbered(links: Iterable[Action]) -> tuple[Action, ...]:
    """Each target once, with an id of its own."""
    first: dict[str, Action] = {}
    for link in links:
        first.setdefault(link.url, link)
    return tuple(replace(value, id=f"l{index}") for index, value in enumerate(first.values()))


def _more(left: int) -> tuple[Block, ...]:
    return (MoreBlock(count=left),) if left else ()


def visible_text(result: Mapping[str, Any]) -> str:
    """The text blocks meant for the user as they were sent, a line break between them (R-MCP-4),
    else the text of embedded resources; maybe empty."""
    return clean("\n".join(_texts(result)))


def words(result: Mapping[str, Any]) -> str:
    """What a result says: its text without Markdown and HTML, data as `key: value` lines."""
    return "\n".join(filter(None, map(in_words, _pieces(result))))


def _texts(result: Mapping[str, Any]) -> list[str]:
    texts = [entry["text"] for entry in _content(result, "text") if _is_text(entry.get("text"))]
    room, kept = BYTES_MAX, []
    for text in texts or _embedded(result):
        kept.append(text[: max(0, room)])
        room -= len(text)
    return kept


def _embedded(result: Mapping[str, Any]) -> Iterator[str]:
    for resource in _resources(result):
        if _mime(resource) in TEXT_TYPES and _is_text(resource.get("text")):
            yield resource["text"]


def _resources(result: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for entry in _content(result, "resource"):
        resource = entry.get("resource")
        if isinstance(resource, dict):
            yield resource


def _mime(entry: Mapping[str, Any]) -> str:
    return str(entry.get("mimeType")).partition(";")[0].strip().lower()


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _content(result: Mapping[str, Any], kind: str) -> Iterator[Mapping[str, Any]]:
    content = result.get("content")
    for entry in content[:CONTENT_MAX] if isinstance(content, list) else ():
        if isinstance(entry, dict) and entry.get("type") == kind and is_for_user(entry):
            yield entry


def is_for_user(entry: Mapping[str, Any]) -> bool:
    """Whether an entry of the content is for the user, or for anybody (R-MCP-4)."""
    annotations = entry.get("annotations")
    audience = annotations.get("audience") if isinstance(annotations, dict) else None
    return not isinstance(audience, list) or not audience or "user" in audience


def _links(result: Mapping[str, Any], warnings: list[Warned]) -> Iterator[Action]:
    count = 0
    for entry in _content(result, "resource_link"):
        url = entry.get("uri")
        if not web_link(url):
            warnings.append(
                Warned(code="dropped", path="content", detail="a link that is no https")
            )
        elif count == LINKS_MAX:
            warnings.append(Warned(code="truncated", path="content", detail="a link too many"))
        else:
            name = next((entry[key] for key in ("title", "name") if _is_text(entry.get(key))), "")
            name = label(name) or label(unquote(str(url).rsplit("/", 1)[-1])) or WORDS["link"]
            yield Action(id=f"l{count}", label=name[:80], kind="link", url=str(url))
            count += 1


def _pictures(result: Mapping[str, Any], warnings: list[Warned]) -> Iterator[ImageRef]:
    for index, data in enumerate(_picture_data(result)):
        if not isinstance(data, str) or not data:
            warnings.append(
                Warned(code="dropped", path="content", detail="a picture without data")
            )
        elif index >= PICTURES_MAX or len(data) > PICTURE_BYTES_MAX * 4 // 3 + 4:
            warnings.append(Warned(code="truncated", path="content", detail="a picture too many"))
        else:
            try:
                yield ImageRef(data=b64decode(data))
            except ValueError:
                warnings.append(Warned(code="dropped", path="content", detail="no base64"))


def _picture_data(result: Mapping[str, Any]) -> Iterator[Any]:
    """The base64 of pictures, then of embedded resources that are pictures."""
    yield from (entry.get("data") for entry in _content(result, "image"))
    for resource in _resources(result):
        if _mime(resource).startswith("image/"):
            yield resource.get("blob")
