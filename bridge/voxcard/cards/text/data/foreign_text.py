"""A tool's text read for what it is: words, or data that a program wrote into it."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from voxcard.cards.text.data.chat_layouts import as_markdown, is_chat_layout, layout_words
from voxcard.cards.text.data.key_values import key_values
from voxcard.cards.text.data.notations import data_of, unpacked, xml_of
from voxcard.cards.text.markdown.data_uris import without_files
from voxcard.cards.text.markdown.document import READ_MAX, plain
from voxcard.cards.text.markdown.html import known_tag
from voxcard.cards.text.sanitize import BYTES_MAX, clean
from voxcard.json_value import Json

_TRIES_MAX = 20  # places of one text where data may begin
_LEAD_MAX = 40  # characters of a name before it: `Result: {"ok":true}`
_JSON_FENCE = re.compile(r"(```|~~~)(?:json[0-9lc]?|js|javascript)?\Z", re.IGNORECASE)
_XML = re.compile(r"(?:<\?xml[^<>]{0,200}\?>\s{0,20})?<([A-Za-z][\w.:-]{0,60})[\s/>]")
# The lines of a table: its frames `+---+` and its rows `| a |`.
_FRAMED = re.compile(r"^\+[-=+]{2,500}\+$(?:\n[|+][^\n]{1,500}[|+]$){1,500}", re.MULTILINE)
# Colours of a terminal whose first character was written out, or lost on the way.
_WRITTEN_ESCAPE = re.compile(r"(?:\\u001b|\\x1b|\\033|\\e|\^\[|␛)\[[\d;]{0,20}[A-Za-z]", re.I)
_LOST_ESCAPE = re.compile(r"\[(?:\d{1,3};){0,5}\d{0,3}m")
_START = re.compile(r"[{\[]")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True, kw_only=True)
class Data:
    """An object or list that stands in a text."""

    value: Json
    is_layout: bool = False  # of a chat system, whose keys say nothing


def read_data(value: Json) -> Data:
    """What a server sent as data; data within its texts is in its place."""
    value = unpacked(value)
    if is_chat_layout(value):
        return Data(value=layout_words(value), is_layout=True)
    return Data(value=value)


def pieces(text: str) -> tuple[str | Data, ...]:
    """`text` in order: its Markdown, and the objects and lists that are in it.

    Data is all of the text (maybe in a fence, or one value a line), or stands alone at the end of
    a line. Bare base64 is taken out here, `data:` URIs where Markdown is read (`data_uris`).
    """
    text = without_files(_without_colours(clean(text[:BYTES_MAX]))).strip("\n")
    text = _without_frames(as_markdown(text))
    if (document := _xml(text)) is not None:
        return (document,)
    if "{" in text or "[" in text or text[:1] == '"':
        whole = _whole(text)
        if whole is not None:
            return (whole,)
        parts = (entry for entry in _parts(text[:READ_MAX]) if entry)
        return (*parts, text[READ_MAX:]) if text[READ_MAX:] else tuple(parts)
    return (text,) if text else ()


def _without_colours(text: str) -> str:
    if "[" not in text:
        return text
    text = _WRITTEN_ESCAPE.sub("", text)
    return _LOST_ESCAPE.sub("", text) if "[0m" in text else text


def _without_frames(text: str) -> str:
    """`text` with the tables that `+---+` frames as Markdown's."""
    if "+-" not in text and "+=" not in text:
        return text
    return _FRAMED.sub(_table, text)


def _table(match: re.Match[str]) -> str:
    rows = [line for line in match[0].split("\n") if line.lstrip().startswith("|")]
    if not rows:
        return match[0]
    delimiter = "|" + "---|" * (rows[0].strip().count("|") - 1)
    return "\n".join(["", rows[0], delimiter, *rows[1:], ""])


def _xml(text: str) -> Data | None:
    """What a text is that is XML; HTML is not."""
    root = _XML.match(text)
    if root is None or known_tag(root[1].lower()) or not text.endswith(">"):
        return None
    value = xml_of(text)
    return None if value is None else read_data(value)


def in_words(piece: str | Data) -> str:
    """A piece as it may be said or listed: no Markdown, HTML or JSON, no inline data."""
    return key_values(piece.value) if isinstance(piece, Data) else plain(piece)


def _whole(text: str) -> str | Data | None:
    """What a text is that is JSON from its first to its last character; None for any other."""
    inner = text.strip()
    first, _, rest = inner.partition("\n")
    fence = _json_fence(first)
    if fence and rest.endswith(fence[1]):
        inner = rest.removesuffix(fence[1]).strip()
    if inner[:1] not in ("{", "[", '"'):
        return None
    value = data_of(inner)
    if isinstance(value, str):
        return clean(value)
    if value is None and inner[:1] == "{" and "\n" in inner:
        lines = [line for line in inner.split("\n") if line.strip()]
        values = [data_of(line) for line in lines] if lines[-1].rstrip().endswith("}") else []
        value = values if values and all(isinstance(entry, dict) for entry in values) else None
    return read_data(value) if value else None


def _parts(text: str) -> Iterator[str | Data]:
    """Text and data by lines: a fence of JSON, or a line where a JSON value begins."""
    begin = at = tries = 0
    while at < len(text):
        end = _line_end(text, at)
        line = text[at:end]
        if line.lstrip()[:3] in ("```", "~~~"):
            value, end = _fenced(text, at, end)
        elif tries < _TRIES_MAX and (start := _START.search(line, 0, _LEAD_MAX)):
            tries += 1
            value, at, end = _beginning(text, at + start.start(), end)
        else:
            value = None
        if value:
            yield text[begin:at].strip("\n ")
            yield read_data(value)
            begin = end + 1
        at = end + 1
    yield text[begin:].strip("\n")


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return end if end >= 0 else len(text)


def _fenced(text: str, at: int, end: int) -> tuple[Json, int]:
    """The JSON in the fence that begins at `at`, if there is one, and where the fence ends."""
    mark = text[at:end].lstrip()[:3]
    close = text.find(f"\n{mark}", end)
    if close < 0:
        return None, len(text)
    value = data_of(text[end:close].strip()) if _json_fence(text[at:end]) else None
    return value if isinstance(value, dict | list) else None, _line_end(text, close + 1)


def _json_fence(line: str) -> re.Match[str] | None:
    """The opening of a fence whose content may be JSON."""
    return _JSON_FENCE.match("".join(line[:_LEAD_MAX].split()))


def _beginning(text: str, at: int, end: int) -> tuple[Json, int, int]:
    """The JSON value that begins at `at` and ends a line, where it begins and where that is."""
    value, stop = _value(text, at)
    after = _line_end(text, stop)
    if value and not text[stop:after].strip(" .;,"):
        return value, at, after
    return None, at, end


def _value(text: str, at: int) -> tuple[Json, int]:
    try:
        value, end = _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):
        return None, 0
    return (value, end) if isinstance(value, dict | list) else (None, 0)
