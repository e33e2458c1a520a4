"""A page that a picture fills, with its words over its foot."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from voxwire.type import drawing
from voxwire.type.roles import DIM, PAPER

from voxcard.cards.compose.rows import Row, Sheet
from voxcard.cards.fit.picture import Picture

_ROUND_FOOT = 11  # hundredths of the diameter, under words: the chord there holds some


@dataclass(frozen=True, slots=True, kw_only=True)
class PicturePart:
    """A picture with a page of its own."""

    picture: Picture
    blob: int
    caption: str = ""
    fills_page: ClassVar[bool] = True

    def rows(self, sheet: Sheet, y: int) -> Iterator[Row]:
        return iter(())


def picture_items(part: PicturePart, sheet: Sheet) -> Iterator[Any]:
    """What the page of a picture shows; while it is still to come, the device draws a frame."""
    screen, setting = sheet.setting.screen, sheet.setting
    caption = sheet.face("caption")
    width, height = part.picture.width, part.picture.height
    # On a round panel a picture fills the circle's rectangle: it stays in the middle.
    words = caption.pitch if part.caption and not sheet.frame.round else 0
    y = max(0, (screen.height - height - words) // 2)
    yield drawing.Photo((screen.width - width) // 2, y, width, height, part.blob)
    if not part.caption:
        return
    rim = screen.height * _ROUND_FOOT // 100 if sheet.frame.round else 0
    foot = min(y + height, screen.height - rim - caption.pitch)
    left, room = sheet.frame.span(foot, caption.pitch)
    text = setting.cut(caption, part.caption, room)
    if foot < y + height:
        yield drawing.Box(0, foot, screen.width, screen.height - foot, PAPER, 0)
    baseline = foot + caption.ascent - caption.cap // 6
    yield from setting.run(caption, text, left, baseline, ink=DIM, room=room, align="middle")
