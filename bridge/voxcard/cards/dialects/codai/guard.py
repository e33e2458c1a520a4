"""Limits of a codai card: https links only, byte budgets, no network access from visuals."""

import html
import json
import re
from collections.abc import Iterator, Mapping

from voxcard.cards.dialects.codai.fields import is_data_uri
from voxcard.cards.model import CardRefused
from voxcard.cards.text.sanitize import https_link
from voxcard.json_value import Json

CARD_BYTES_MAX = 32_768
INLINE_BYTES_MAX = 256 << 10  # of all data:image URIs, as they are written
VISUAL_BYTES_MAX = 64 << 10

_LINK_KEY = re.compile(r"(?:ur[li]|href|src|link)s?\Z", re.IGNORECASE)
_IMAGE_KEY = re.compile(
    r"(?:image|img|gallery|thumbnail|thumb|poster|icon|photo|logo|avatar|picture|favicon)s?"
    r"(?:ur[li]|src)?\Z",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"(?:(?:https?|wss?|ftp|file|blob|data|javascript):|//)", re.IGNORECASE)

# The namespaces of SVG and XHTML name a format; nothing is fetched from them.
_NAMESPACE = re.compile(
    r"""xmlns(?::\w{1,20})?\s{0,4}=\s{0,4}["']https?://www\.w3\.org/[\w/.#-]*"""
)
_NETWORK = re.compile(r"""https?:[/\\]{2}|["'(=,]\s{0,20}[/\\]{2}[^\s/\\*]""", re.IGNORECASE)
_BASE = re.compile(r"<base[\s/>]", re.IGNORECASE)
_REFRESH = re.compile(
    r"<meta[^<>]{0,1000}?http-equiv\s{0,9}=\s{0,9}[\"']?\s{0,9}refresh", re.IGNORECASE
)
_PROLOGUE = re.compile(r"(?:<\?[^>]{0,500}>|<!--[^>]{0,500}-->|<!doctype svg[^>]{0,500}>)", re.I)


def check_links(card: Mapping[str, Json]) -> int:
    """CardRefused for a link that is not https (R001-21) or too much inline picture (R001-37).

    Gives the bytes of its inline pictures, which do not count towards the card's size.
    """
    inline = 0
    for path, key, value, image in _strings(card, "", "", False):
        if image and is_data_uri(value):
            inline += len(value)
            if inline > INLINE_BYTES_MAX:
                raise CardRefused(
                    path, f"inline images exceed {INLINE_BYTES_MAX} bytes; use https links"
                )
        elif value.strip() and (
            _LINK_KEY.search(key) or (image and _ADDRESS.match(value.lstrip()))
        ):
            https_link(value, path)
    return inline


def _strings(
    value: Json, path: str, key: str, image: bool
) -> Iterator[tuple[str, str, str, bool]]:
    """Every text of the card: its path, its key, and whether it stands for a picture."""
    if isinstance(value, str):
        yield path, key, value, image
    elif isinstance(value, list):
        for index, entry in enumerate(value):
            yield from _strings(entry, f"{path}.{index}", key, image)
    elif isinstance(value, dict):
        pictured = image or value.get("type") in ("gallery", "image")
        for name, item in value.items():
            below = f"{path}.{name}" if path else str(name)
            yield from _strings(item, below, name, pictured or bool(_IMAGE_KEY.search(name)))


def json_bytes(value: Json) -> int:
    """UTF-8 bytes of the shortest JSON of `value`."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return len(text) if text.isascii() else len(text.encode(errors="replace"))


def check_bytes(size: int) -> None:
    """CardRefused for a card over its cap (R001-36)."""
    if size > CARD_BYTES_MAX:
        raise CardRefused("", f"card exceeds {CARD_BYTES_MAX} bytes")


def check_visual(source: str, kind: str, path: str) -> None:
    """CardRefused for a visual's source that a sandbox would refuse (R001-38, R001-43)."""
    if len(source.encode(errors="replace")) > VISUAL_BYTES_MAX:
        raise CardRefused(path, f"exceeds {VISUAL_BYTES_MAX} bytes; draw something simpler")
    seen = html.unescape(source).replace("\\/", "/")
    if _NETWORK.search(_NAMESPACE.sub("", seen)):
        raise CardRefused(path, "must not refer to http(s):// or // URLs; use data: images")
    if _BASE.search(seen):
        raise CardRefused(path, "must not contain <base>")
    if _REFRESH.search(seen):
        raise CardRefused(path, "must not contain a meta refresh")
    start = source.lstrip()
    if not start[:4].lower() == "<svg" and ("svg" in kind.lower() or _is_svg(start)):
        raise CardRefused(path, "an svg must start with <svg")


def _is_svg(start: str) -> bool:
    """An svg behind a prologue or comments."""
    for _ in range(8):
        start = start.lstrip()
        prologue = _PROLOGUE.match(start)
        if prologue is None:
            break
        start = start[prologue.end() :]
    return start.lstrip()[:4].lower() == "<svg"
