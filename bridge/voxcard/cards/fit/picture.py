"""Pictures on the pages of a card, and what stands for one that is still to come."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from voxwire import card as wire
from voxwire.type import drawing

from voxcard.cards.model import ChartBlock, ImageRef


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """An image ready for the panel: pixels in the wire's form (depth 1 or 16).

    Without `data` it has a frame of its size on its page: it comes later, or the device has it
    already, as `blob`.
    `ink`: rows of bits for a panel of any depth, as wide as its body at most and whole lines
    high; they go as strips, so they are drawn in the theme's ink on its paper.
    """

    width: int
    height: int
    data: bytes
    ink: bool = False
    blob: int = 0


Pictures = Mapping[ImageRef | ChartBlock, Picture]


def with_picture(card: wire.Card, blob: int, picture: Picture | None) -> wire.Card:
    """The card with a picture where a frame stands for it; with its words when it is None.

    Nothing else changes, so that nobody's page is turned and no text is drawn again.
    """
    pages = tuple(_in_place(page, blob, picture) for page in card.pages)
    kept = tuple(each for each in card.resources if picture is not None or each != blob)
    return card._replace(pages=pages, resources=kept)


def _in_place(page: Any, blob: int, picture: Picture | None) -> object:
    if isinstance(page, drawing.DrawnPage):
        placed = (_photo_in_place(item, blob, picture) for item in page.items)
        return page._replace(items=tuple(item for item in placed if item is not None))
    if not isinstance(page, wire.ImagePage) or page.blob != blob:
        return page
    if picture is None:
        return wire.TextPage(page.title, (wire.text_line("[picture]"), *page.lines), page.ms)
    return page._replace(width=picture.width, height=picture.height)


def _photo_in_place(item: Any, blob: int, picture: Picture | None) -> Any:
    """A photo of its own size around the middle of its frame; without one its words stay."""
    if not isinstance(item, drawing.Photo) or item.blob != blob:
        return item
    if picture is None:
        return None
    x = item.x + (item.width - picture.width) // 2
    y = item.y + (item.height - picture.height) // 2
    return item._replace(x=x, y=max(0, y), width=picture.width, height=picture.height)
