"""Emoji in colour that stand before texts; each is a small image."""

from collections.abc import Callable, Iterator
from typing import Any

from voxwire import card as wire
from voxwire.type import drawing

from voxcard.cards.drawing.emoji import emoji_picture
from voxcard.cards.fit.strip_batch import Resource

COUNT_MAX = 12  # of a card; each is a blob


class Signs:
    """The emoji of one card, drawn once for each size."""

    def __init__(self, next_blob: Callable[[], int]) -> None:
        self._next_blob = next_blob
        self._pictures: dict[tuple[str, int], Resource | None] = {}

    def blob(self, emoji: str, side: int) -> int:
        """The blob of an emoji of `side` px a side; 0 where none can be drawn."""
        key = (emoji, side)
        if key not in self._pictures:
            drawn = sum(each is not None for each in self._pictures.values())
            data = emoji_picture(emoji, side) if drawn < COUNT_MAX else None
            self._pictures[key] = (
                Resource(id=self._next_blob(), kind="image", data=data) if data else None
            )
        picture = self._pictures[key]
        return picture.id if picture else 0

    def shown(self, card: wire.Card) -> Iterator[Resource]:
        """Those that a finished card shows."""
        blobs = {item.blob for page in card.pages for item in page.items if _is_photo(item)}
        for each in self._pictures.values():
            if each is not None and each.id in blobs:
                yield each


def _is_photo(item: Any) -> bool:
    return isinstance(item, drawing.Photo)
