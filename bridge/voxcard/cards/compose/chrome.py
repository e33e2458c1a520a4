"""What stands around a page's rows: its title, where it comes from, which page it is."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import cos, radians, sin
from typing import Any

from voxwire.capability import Screen
from voxwire.type import drawing
from voxwire.type.roles import ACCENT, DIM, INK, TRACK
from voxwire.type.scale import cap_px

from voxcard.cards.compose.entries import icon_item
from voxcard.cards.compose.rows import Paragraph, Row, Sheet, moved
from voxcard.cards.type.frame import Frame, chord
from voxcard.cards.type.metrics import Metrics, metrics
from voxcard.cards.type.setting import Setting, Style

DOTS_MAX = 9
TITLE_LINES = 3
# Hundredths of the diameter above the title, under the foot, and under rows.
_ROUND_TOP, _ROUND_FOOT, _ROUND_ROWS = 11, 9, 19


@dataclass(frozen=True, kw_only=True)
class Chrome:
    """Of one card on one screen: `title` on the first page, small on the others; `icon` before
    it; `source` at the foot. `quiet`: the title steps back, a value is what the page is about.
    `alone`: the first page has no title, which is its text."""

    screen: Screen
    setting: Setting
    style: Style
    title: str = ""
    icon: str | None = None
    source: str = ""
    quiet: bool = False
    alone: bool = False

    def frame(self, pages: int) -> Frame:
        """The room that is left for rows on a card of so many pages."""
        gap = self.style.gap
        title = sum(row.height for row in self._title_rows)
        return Frame(
            screen=self.screen,
            top=self._edge + title + (gap if self._title_rows else 0),
            next_top=self._edge + self._small_height() + (gap // 2 if self.title else 0),
            bottom=self.screen.height - max(self._foot_height(pages), self._under_rows),
        )

    def items(self, page: int, pages: int) -> Iterator[Any]:
        """The title and the foot of a page, counted from 0."""
        if self.title and not (self.alone and page == 0):
            yield from self._title(first=page == 0)
        yield from self._foot(page, pages)

    @cached_property
    def _heading(self) -> tuple[Paragraph, bool]:
        """The title on the first page: in one line, smaller where that holds it, without the icon
        before it is broken; and whether the icon stands there."""
        style = self.style
        caps = {cap_px(name) for name in self.screen.faces if name[0] == "b"}
        body, least = style.face("body").cap, style.face("caption").cap
        names = [style.faces.title]
        names += [f"b{cap}" for cap in sorted(caps, reverse=True) if least <= cap < body]
        if self.quiet:
            names = [style.faces.body, style.faces.caption]
        ink = DIM if self.quiet else INK
        for icon in (True, False) if self._icon_px else (False,):
            for name in names:
                if self.setting.width(metrics(name), self.title) <= self._room(name, icon):
                    return Paragraph(text=self.title, face=name, ink=ink), icon
        name = names[min(1, len(names) - 1)]
        return Paragraph(text=self.title, face=name, ink=ink, lines_max=TITLE_LINES), False

    def _room(self, face: str, icon: bool) -> int:
        height = metrics(face).pitch
        return self._title_frame.span(self._edge, height)[1] - (self._icon_px if icon else 0)

    @property
    def _icon_px(self) -> int:
        side = cap_px(self.style.faces.icon)
        return side + self.style.gap if self.icon and self.screen.shape != "round" else 0

    @property
    def _under_rows(self) -> int:
        round_panel = self.screen.shape == "round"
        return int(self.screen.height) * _ROUND_ROWS // 100 if round_panel else 0

    @property
    def _edge(self) -> int:
        """Px over the title."""
        if self.screen.shape == "round":
            return int(self.screen.height) * _ROUND_TOP // 100
        return self.style.gap // 2

    @property
    def _title_frame(self) -> Frame:
        height = self.screen.height
        return Frame(screen=self.screen, top=self._edge, next_top=self._edge, bottom=height)

    @cached_property
    def _title_rows(self) -> list[Row]:
        if not self.title or self.alone:
            return []
        sheet = Sheet(setting=self.setting, style=self.style, frame=self._title_frame)
        return list(self._heading[0].rows(sheet, self._edge))

    def _small_height(self) -> int:
        return self.style.face("caption").pitch if self.title else 0

    def _title(self, first: bool) -> Iterator[Any]:
        if not first:
            yield from self._small_title()
            return
        y, shift = self._edge, 0
        if self._heading[1] and self.icon:
            face = metrics(self._heading[0].face)
            sheet = Sheet(setting=self.setting, style=self.style, frame=self._title_frame)
            middle = y + face.ascent - face.cap // 12 - face.cap // 2
            x = self._title_frame.span(y, face.pitch)[0]
            yield from icon_item(sheet, self.icon, x, middle, ACCENT)
            shift = 0 if self.setting.rtl(self.title) else self._icon_px
        for row in self._title_rows:
            for item in moved(row.items, y):
                yield item._replace(x=item.x + shift)
            y += row.height

    @property
    def fits_small(self) -> bool:
        """Whether pages after the first show the whole title."""
        face = self.style.face("caption")
        return (
            self.setting.width(face, self.title)
            <= self._title_frame.span(self._edge, face.pitch)[1]
        )

    def _small_title(self) -> Iterator[Any]:
        face = self.style.face("caption")
        x, room = self._title_frame.span(self._edge, face.pitch)
        text = self.setting.cut(face, self.title, room)
        align = "middle" if self.screen.shape == "round" else ""
        baseline = self._edge + face.ascent - face.cap // 12
        yield from self.setting.run(face, text, x, baseline, ink=DIM, room=room, align=align)

    def _foot_height(self, pages: int) -> int:
        gap = self.style.gap
        if self.source:
            return self.style.face("caption").pitch + gap // 3 + self._round_edge()
        dots = max(6, self.style.face("caption").cap // 2)
        if pages <= 1:
            return gap // 2
        if pages > DOTS_MAX and self.screen.shape != "round":
            return self.style.face("caption").pitch + gap // 3
        return dots + gap // 2 + (self._round_edge() if self.screen.shape == "round" else 0)

    def _round_edge(self) -> int:
        return self.screen.height * _ROUND_FOOT // 100 if self.screen.shape == "round" else 0

    def _foot(self, page: int, pages: int) -> Iterator[Any]:
        caption = self.style.face("caption")
        if self.screen.shape == "round":
            yield from _rim_dots(self.screen, page, pages)
            yield from self._round_source()
            return
        x, room = Frame(screen=self.screen, top=0, next_top=0, bottom=0).span(0, 1)
        baseline = self.screen.height - caption.descent - 1
        side = max(4, caption.cap // 2)
        if pages > DOTS_MAX:
            number = f"{page + 1}/{pages}"
            yield from self.setting.run(
                caption, number, x, baseline, ink=DIM, room=room, align="right"
            )
            room -= self.setting.width(caption, number) + caption.cap
        elif pages > 1:
            step = side * 2
            wide = pages * step - side
            middle = baseline - caption.cap // 2 if self.source else self.screen.height - side
            left = x + room - wide if self.source else (self.screen.width - wide) // 2
            for index in range(pages):
                ink = ACCENT if index == page else TRACK
                yield drawing.Box(
                    left + index * step, middle - side // 2, side, side, ink, side // 2
                )
            room -= wide + caption.cap
        if self.source:
            text = self._shortened(caption, room)
            yield from self.setting.run(caption, text, x, baseline, ink=DIM)

    def _round_source(self) -> Iterator[Any]:
        caption = self.style.face("caption")
        bottom = self.screen.height - self._round_edge()
        x, room = chord(self.screen, bottom - caption.pitch, caption.pitch)
        text = self._shortened(caption, room)
        if self.source and text:
            baseline = bottom - caption.descent
            yield from self.setting.run(
                caption, text, x, baseline, ink=DIM, room=room, align="middle"
            )

    def _shortened(self, face: Metrics, room: int) -> str:
        """`source · 2h`, its age whole."""
        start, dot, age = self.source.rpartition(" · ")
        if not dot:
            return self.setting.cut(face, self.source, room)
        tail = f" · {age}"
        start = self.setting.cut(face, start, room - self.setting.width(face, tail))
        return f"{start}{tail}" if len(start) > 1 else self.setting.cut(face, self.source, room)


def _rim_dots(screen: Screen, page: int, pages: int) -> Iterator[Any]:
    """Dots along the lower edge of a round panel; a number's worth of them at most."""
    if pages <= 1:
        return
    shown = min(pages, 2 * DOTS_MAX)
    side = max(4, screen.height // 40)
    radius = min(screen.width, screen.height) / 2 - side * 1.4
    step = 2.2 * side / radius * 57.3
    for index in range(shown):
        angle = radians(90 + (shown - 1) * step / 2 - index * step)
        x = screen.width / 2 + radius * cos(angle)
        y = screen.height / 2 + radius * sin(angle)
        ink = ACCENT if index == min(page, shown - 1) else TRACK
        yield drawing.Box(round(x - side / 2), round(y - side / 2), side, side, ink, side // 2)
