"""A2UI pictures, videos and sounds: https links or inline pictures, their words otherwise."""

import re
from base64 import b64decode
from collections.abc import Callable
from typing import Literal

from voxcard.cards.dialects.a2ui.components.walk import Reader
from voxcard.cards.dialects.a2ui.pieces import Component, Done, Piece
from voxcard.cards.dialects.a2ui.values import Scope
from voxcard.cards.model import ImageBlock, ImageRef, MediaBlock
from voxcard.cards.text.fixed_words import WORDS
from voxcard.cards.text.sanitize import label, web_link

INLINE_MAX = 256 << 10  # bytes of base64 text (R001-37)
ALT_MAX = 300
_INLINE = re.compile(r"data:image/[a-z0-9.+-]{1,40};base64,", re.IGNORECASE)


def _image(reader: Reader, component: Component, scope: Scope) -> list[Piece]:
    alt = _description(reader, component, scope)
    picture = _picture(reader, component, "url", scope, alt)
    return [Done(block=ImageBlock(image=picture))] if picture.url or picture.data or alt else []


def _picture(reader: Reader, component: Component, key: str, scope: Scope, alt: str) -> ImageRef:
    """The picture a property leads to; only its words, with a note, when it is no good link."""
    path = reader.path(component)
    url = reader.values.resolve(component.get(key), scope, path)
    if web_link(url):
        return ImageRef(alt=alt, url=str(url))
    inline = _INLINE.match(url) if isinstance(url, str) else None
    if inline and isinstance(url, str) and len(url) <= INLINE_MAX:
        try:
            return ImageRef(alt=alt, data=b64decode(url[inline.end() :]))
        except ValueError:
            pass  # told below like any other picture that is none
    if url:
        reader.notes.add("insecure", path, "a picture is neither an https link nor a small one")
    return ImageRef(alt=alt)


def _media(
    reader: Reader, component: Component, scope: Scope, kind: Literal["video", "audio"]
) -> list[Piece]:
    title = _description(reader, component, scope)
    path = reader.path(component)
    poster = _picture(reader, component, "posterUrl", scope, title)
    shown = poster if poster.url or poster.data else None
    url = reader.values.resolve(component.get("url"), scope, path)
    if web_link(url):
        named = title or WORDS[kind]
        return [Done(block=MediaBlock(kind=kind, title=named, url=str(url), poster=shown))]
    reader.notes.add("insecure", path, f"a link to {kind} is not https")
    return [Done(block=ImageBlock(image=poster))] if shown or title else []


def _description(reader: Reader, component: Component, scope: Scope) -> str:
    spoken = reader.accessibility(component, "label", scope)
    return (spoken or label(reader.text(component, "description", scope)))[:ALT_MAX]


MEDIA: dict[str, Callable[[Reader, Component, Scope], list[Piece]]] = {
    "Image": _image,
    "Video": lambda reader, component, scope: _media(reader, component, scope, "video"),
    "AudioPlayer": lambda reader, component, scope: _media(reader, component, scope, "audio"),
}
