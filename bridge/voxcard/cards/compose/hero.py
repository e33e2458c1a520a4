"""The one big value of a page: a number, a price, a time, a temperature."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from voxwire.type.roles import ACCENT, DIM
from voxwire.type.scale import cap_px

from voxcard.cards.compose.entries import change_ink, icon_item
from voxcard.cards.compose.rows import Paragraph, Row, Sheet
from voxcard.cards.type.metrics import Metrics, metrics


@dataclass(frozen=True, slots=True, kw_only=True)
class Hero:
    """`label` over a value in the largest figures that fit, unit and change; an icon beside."""

    value: str
    unit: str = ""
    label: str = ""
    delta: str = ""
    icon: str | None = None

    titled: bool = False  # what is about stands over it: the label says how it is

    def rows(self, sheet: Sheet, y: int) -> Iterator[Row]:
        label = Paragraph(text=self.label, role="body", ink=DIM, keep=True, lines_max=2)
        if self.label and not self.titled:
            for row in label.rows(sheet, y):
                y += row.height
                yield row
        for row in self._value(sheet, y):
            y += row.height
            yield row
        if self.label and self.titled:
            under = Paragraph(text=self.label, role="title", lines_max=2)
            for row in under.rows(sheet, y):
                y += row.height
                yield row
        if self.delta:
            delta = Paragraph(text=self.delta, role="title", ink=change_ink(self.delta))
            yield from delta.rows(sheet, y)

    def _value(self, sheet: Sheet, y: int) -> Iterator[Row]:
        setting, gap = sheet.setting, sheet.face("body").cap // 2
        icon_px = cap_px(sheet.style.faces.picture) if self.icon else 0
        x, room = sheet.frame.span(y, cap_px(sheet.style.faces.hero) * 3 // 2)
        faces = self._faces(sheet, room)
        if faces is None:
            role = self._words(sheet, room)
            words = " ".join(filter(None, (self.value, self.unit)))
            if setting.width(sheet.face(role), words) > room and " " not in self.value:
                words = f"{self.value}\n{self.unit}"  # neither is broken
            yield from Paragraph(text=words, role=role).rows(sheet, y)
            return
        beside = self._faces(sheet, room - icon_px - gap) if icon_px else None
        # Figures do not become words in size for a picture.
        if beside is not None and beside[0].name[0] == faces[0].name[0]:
            faces = beside
        else:
            icon_px = 0
        face, unit = faces
        wide = setting.width(face, self.value)
        whole = wide + (setting.width(unit, self.unit) + gap if self.unit else 0)
        if sheet.frame.round:
            whole += icon_px + gap if icon_px else 0
            x, room = x + max(0, room - whole) // 2, whole
        baseline = face.cap + gap
        items: list[Any] = [*setting.run(face, self.value, x, baseline)]
        items += setting.run(unit, self.unit, x + wide + gap, baseline, ink=DIM)
        if self.icon and icon_px:
            at, middle = x + room - icon_px, baseline - face.cap // 2
            items += icon_item(sheet, self.icon, at, middle, ACCENT, "picture")
        yield Row(height=max(baseline + gap, icon_px + gap), items=tuple(items))

    def _words(self, sheet: Sheet, room: int) -> str:
        """The largest role in which no word of the value is broken."""
        for role in ("headline", "title"):
            width = max(sheet.setting.width(sheet.face(role), word) for word in self.value.split())
            if width <= room:
                return role
        return "body"

    def _faces(self, sheet: Sheet, room: int) -> tuple[Metrics, Metrics] | None:
        """The largest faces in which the value, and its unit, fit."""
        gap = sheet.face("body").cap // 2
        for name in _figures(sheet):
            face = metrics(name)
            figures = name[0] == "d" and any(ord(each) not in face.advances for each in self.value)
            unit = sheet.face("headline" if face.cap > 2 * sheet.face("body").cap else "body")
            needed = sheet.setting.width(face, self.value)
            needed += sheet.setting.width(unit, self.unit) + gap if self.unit else 0
            if needed <= room and not figures:
                return face, unit
        return None


def _figures(sheet: Sheet) -> list[str]:
    """The faces of figures, the usual one first, then the smaller ones, then the headline."""
    usual = cap_px(sheet.style.faces.hero)
    heights = [cap_px(face) for face in sheet.setting.screen.faces if face[0] == "d"]
    figures = [f"d{height}" for height in sorted(heights, reverse=True) if height <= usual]
    return [*figures, sheet.style.faces.headline, sheet.style.faces.title]
