"""A2UI pictures, videos and sounds: https links or inline pictures, their words otherwise."""

import re
from base64 import b64decode
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from voxcard.cards.clean import label, web_link
from voxcard.cards.dialects.a2ui_pieces import Done, Piece
from voxcard.cards.dialects.a2ui_values import Scope
from voxcard.cards.model import ImageBlock, ImageRef, MediaBlock

if TYPE_CHECKING:
    from voxcard.cards.dialects.a2ui_render import Render

Json = Any
Component = Mapping[str, Json]

INLINE_MAX = 256 << 10  # bytes of base64 text (R001-37)
ALT_MAX = 300
_INLINE = re.compile(r"data:image/[a-z0-9.+-]{1,40};base64,", re.IGNORECASE)


def _image(render: "Render", component: Component, scope: Scope) -> list[Piece]:
    alt = _description(render, component, scope)
    picture = _picture(render, component, "url", scope, alt)
    return [Done(block=ImageBlock(image=picture))] if picture.url or picture.data or alt else []


def _picture(render: "Render", component: Component, key: str, scope: Scope, alt: str) -> ImageRef:
    """The picture a property leads to; only its words, with a note, when it is no good link."""
    path = render.path(component)
    url = render.values.resolve(component.get(key), scope, path)
    if web_link(url):
        return ImageRef(alt=alt, url=str(url))
    found = _INLINE.match(url) if isinstance(url, str) else None
    if found and isinstance(url, str) and len(url) <= INLINE_MAX:
        try:
            return ImageRef(alt=alt, data=b64decode(url[found.end() :]))
        except ValueError:
            pass  # told below like any other picture that is none
    if url:
        render.notes.add("insecure", path, "a picture is neither an https link nor a small one")
    return ImageRef(alt=alt)


def _media(
    render: "Render", component: Component, scope: Scope, kind: Literal["video", "audio"]
) -> list[Piece]:
    title = _description(render, component, scope)
    path = render.path(component)
    poster = _picture(render, component, "posterUrl", scope, title)
    shown = poster if poster.url or poster.data else None
    url = render.values.resolve(component.get("url"), scope, path)
    if web_link(url):
        named = title or {"video": "Video", "audio": "Sound"}[kind]
        return [Done(block=MediaBlock(kind=kind, title=named, url=str(url), poster=shown))]
    render.notes.add("insecure", path, f"a link to {kind} is not https")
    return [Done(block=ImageBlock(image=poster))] if shown or title else []


def _description(render: "Render", component: Component, scope: Scope) -> str:
    spoken = render.accessibility(component, "label", scope)
    return (spoken or label(render.text(component, "description", scope)))[:ALT_MAX]


MEDIA: dict[str, Callable[["Render", Component, Scope], list[Piece]]] = {
    "Image": _image,
    "Video": lambda render, component, scope: _media(render, component, scope, "video"),
    "AudioPlayer": lambda render, component, scope: _media(render, component, scope, "audio"),
}
