"""Rows of the kinds that cards have: fields, lists, steps, tables."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from voxwire.type import drawing
from voxwire.type.roles import ACCENT, BAD_INK, DIM, GOOD_INK, INK, PAPER, TRACK, WARN_INK
from voxwire.type.scale import cap_px

from voxcard.cards.compose.rows import Paragraph, Row, Sheet
from voxcard.cards.icons.table import ICONS
from voxcard.cards.type.metrics import Metrics

# Words by which a card says how something stands; the word is the sign, its tint a second one.
_TINTS = {
    "delivered": GOOD_INK, "done": GOOD_INK, "ok": GOOD_INK, "paid": GOOD_INK, "on time": GOOD_INK,
    "online": GOOD_INK, "out for delivery": GOOD_INK, "confirmed": GOOD_INK, "open": GOOD_INK,
    "passed": GOOD_INK, "success": GOOD_INK, "up": GOOD_INK,
    "late": WARN_INK, "delayed": WARN_INK, "pending": WARN_INK, "warning": WARN_INK,
    "waiting": WARN_INK, "in transit": ACCENT, "running": ACCENT, "in progress": ACCENT,
    "error": BAD_INK, "failed": BAD_INK, "down": BAD_INK, "cancelled": BAD_INK,
    "canceled": BAD_INK, "offline": BAD_INK, "overdue": BAD_INK, "closed": BAD_INK,
}  # fmt: skip
_UP, _DOWN = ("+", "▲", "↑"), ("-", "−", "–", "▼", "↓")
_LEVEL = 60  # px of the body's capitals by which a nested item stands in, in percent


def tint(value: str) -> int:
    """The ink of a value: of how things stand, where it is one of the words for that."""
    return _TINTS.get(value.strip().casefold().rstrip(".!"), INK)


def change_ink(delta: str) -> int:
    """The ink of a change: up, down, or neither."""
    start = delta.strip()[:1]
    follows = any(each.isdigit() for each in delta)
    if start in _UP and start:
        return GOOD_INK
    return BAD_INK if start in _DOWN and start and follows else DIM


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A name and its value: beside each other in all rows of a block, or one over the other."""

    name: str
    value: str
    block: Sequence[tuple[str, str]]

    def rows(self, sheet: Sheet, y: int) -> Iterator[Row]:
        faces = sheet.once(self.block, self._faces)
        if not self.name:
            yield from Paragraph(text=self.value, ink=tint(self.value)).rows(sheet, y)
        elif faces is not None and self._fits(sheet, y, *faces):
            yield self._row(sheet, y, *faces)
        else:
            above = Paragraph(text=self.name, role="caption", ink=DIM, keep=True)
            head = list(above.rows(sheet, y))
            yield from head
            below = Paragraph(text=self.value, ink=tint(self.value))
            yield from below.rows(sheet, y + sum(row.height for row in head))

    def _faces(self, sheet: Sheet) -> tuple[Metrics, Metrics] | None:
        """The faces of names and values in which every row of the block is one line."""
        if any("\n" in name or "\n" in value for name, value in self.block):
            return None
        frame, width = sheet.frame, sheet.setting.width
        pitch = sheet.face("body").pitch
        rooms = [frame.column(y, pitch)[1] for y in (frame.top, frame.bottom - 2 * pitch)]
        for roles in (("body", "title"), ("caption", "title"), ("caption", "body")):
            name_face, value_face = map(sheet.face, roles)
            gap = value_face.cap // 2
            if all(
                width(name_face, name) + gap + width(value_face, value) <= min(rooms)
                for name, value in self.block
            ):
                return name_face, value_face
        return None

    def _fits(self, sheet: Sheet, y: int, names: Metrics, values: Metrics) -> bool:
        """Whether there is room at this height: near the rim of a round panel there is less."""
        width = sheet.setting.width
        needed = width(names, self.name) + values.cap // 2 + width(values, self.value)
        return needed <= sheet.frame.column(y, sheet.face("body").pitch)[1]

    def _row(self, sheet: Sheet, y: int, names: Metrics, values: Metrics) -> Row:
        setting, pitch = sheet.setting, sheet.face("body").pitch
        x, room = sheet.frame.column(y, pitch)
        reaches = [setting.reach(names, self.name), setting.reach(values, self.value)]
        baseline = max(values.ascent - values.cap // 12, *(reach[0] for reach in reaches))
        below = max(reach[1] for reach in reaches)
        mirrored = setting.rtl(self.name)
        sides = ("right", "left") if mirrored else ("left", "right")
        items = (
            *setting.run(names, self.name, x, baseline, ink=DIM, room=room, align=sides[0]),
            *setting.run(
                values, self.value, x, baseline, ink=tint(self.value), room=room, align=sides[1]
            ),
        )
        height = max(pitch, baseline + below) if setting.shaped(self.name + self.value) else pitch
        return Row(height=height, items=items)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListRow:
    """An entry of a list: its icon, number or dot, the title, and its detail in a second line."""

    title: str
    detail: str = ""
    mark: str = ""
    icon: str | None = None
    level: int = 0
    block: Sequence["ListRow"] = ()  # the rows that are alike: details beside or below in all

    def rows(self, sheet: Sheet, y: int) -> Iterator[Row]:
        body, caption = sheet.face("body"), sheet.face("caption")
        indent = self.level * body.cap * _LEVEL // 100
        lead = self._lead_px(sheet) + indent
        lines = list(_column(sheet, body, self.title, y, lead, INK))
        alike = sheet.once(self.block, self._are_one_line) if self.block else None
        if self.detail and lines and (self.is_one_line(sheet) if alike is None else alike):
            x, room = sheet.frame.column(y, body.pitch)
            baseline = body.ascent - body.cap // 12
            beside = sheet.setting.run(
                caption, self.detail, x, baseline, ink=DIM, room=room, align="right"
            )
            lines[0] = Row(height=lines[0].height, items=(*lines[0].items, *beside))
        elif self.detail:
            at = y + sum(row.height for row in lines)
            lines += _column(sheet, caption, self.detail, at, lead, DIM, self.title)
        if lines:
            first = lines[0]
            mark = tuple(self._mark(sheet, y, indent))
            lines[0] = Row(height=first.height, items=(*mark, *first.items), keep=len(lines) > 1)
        yield from lines

    def _are_one_line(self, sheet: Sheet) -> bool:
        return all(row.is_one_line(sheet) for row in self.block)

    def is_one_line(self, sheet: Sheet) -> bool:
        """Whether title and detail have room beside each other."""
        setting, body, caption = sheet.setting, sheet.face("body"), sheet.face("caption")
        if setting.shaped(self.title + self.detail) or setting.rtl(self.title):
            return False
        indent = self.level * body.cap * _LEVEL // 100 + self._lead_px(sheet)
        needed = indent + setting.width(body, self.title) + body.cap
        needed += setting.width(caption, self.detail)
        rows = (sheet.frame.top, sheet.frame.bottom - 2 * body.pitch)
        return needed <= min(sheet.frame.column(y, body.pitch)[1] for y in rows)

    def _lead_px(self, sheet: Sheet) -> int:
        body = sheet.face("body")
        if self.icon:
            return _icon_px(sheet) + body.cap // 2
        if self.mark:
            return sheet.setting.width(body, self.mark) + body.cap // 2
        return body.cap

    def _mark(self, sheet: Sheet, y: int, indent: int) -> Iterator[Any]:
        body, setting = sheet.face("body"), sheet.setting
        x, room = sheet.frame.column(y, body.pitch)
        baseline, dot = body.ascent - body.cap // 12, max(3, body.cap // 4)
        if setting.rtl(self.title):
            wide = _icon_px(sheet) if self.icon else setting.width(body, self.mark) or 2 * dot
            x += room - wide - indent
        else:
            x += indent
        if self.icon:
            yield from icon_item(sheet, self.icon, x, baseline - body.cap // 2, ACCENT)
        elif self.mark:
            yield from setting.run(body, self.mark, x, baseline, ink=DIM)
        else:
            yield drawing.Box(
                x + dot // 2, baseline - body.cap // 2 - dot // 2, dot, dot, DIM, dot // 2
            )


def _icon_px(sheet: Sheet) -> int:
    return int(sheet.style.faces.icon[1:])


def icon_item(
    sheet: Sheet, name: str, x: int, middle: int, ink: int, role: str = "icon"
) -> Iterator[Any]:
    """An icon, or an emoji in colour or else in ink, whose middle is at the height `middle`."""
    setting, face = sheet.setting, getattr(sheet.style.faces, role)
    side = cap_px(face)
    if name in ICONS:
        glyph = chr(ICONS[name].code)
        yield drawing.Text(x, middle + side // 2, setting.index(face), ink, glyph, PAPER)
        return
    blob = setting.signs.blob(name, side)
    if blob:
        yield drawing.Photo(x, middle - side // 2, side, side, blob)
        return
    body = sheet.face("body")
    yield from setting.run(body, name, x, middle + body.cap // 2, ink=ink)


def _column(
    sheet: Sheet, face: Metrics, text: str, y: int, lead: int, ink: int, first: str = ""
) -> Iterator[Row]:
    """Lines of a text that stand in by `lead` px, on round panels too, at the side on which the
    text `first` begins, else its own."""
    setting = sheet.setting
    above, below = setting.reach(face, text) if setting.shaped(text) else (0, 0)
    height = max(face.pitch, above + below)
    baseline = above or face.ascent - face.cap // 12
    x, room = sheet.frame.column(y, height)
    for line in setting.lines(face, text, room - lead, 40):
        rtl = setting.rtl(first or line)
        items = setting.run(
            face, line, x + (0 if rtl else lead), baseline, ink=ink, room=room - lead,
            align="right" if rtl else "",
        )  # fmt: skip
        yield Row(height=height, items=tuple(items))


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRow:
    """A step: a dot on the line that joins them, what it is, and when."""

    what: str
    when: str = ""
    state: str = ""  # "done", "now", ""
    first: bool = False
    last: bool = False

    def rows(self, sheet: Sheet, y: int) -> Iterator[Row]:
        face = sheet.face("title" if self.state == "now" else "body")
        body, caption = sheet.face("body"), sheet.face("caption")
        lead = body.cap + body.cap // 2
        when_px = sheet.setting.width(caption, self.when) + body.cap // 2 if self.when else 0
        x, room = sheet.frame.column(y, body.pitch)
        beside = sheet.setting.width(face, self.what) + lead + when_px <= room
        beside = beside and not sheet.setting.rtl(self.what)
        ink = DIM if self.state == "" else INK
        lines = list(_column(sheet, face, self.what, y, lead, ink))
        if self.when and not beside:
            below = y + sum(row.height for row in lines)
            lines += _column(sheet, caption, self.when, below, lead, DIM, self.what)
        elif self.when and lines:
            when = sheet.setting.run(
                caption, self.when, x, face.ascent - face.cap // 12, ink=DIM, room=room,
                align="right",
            )  # fmt: skip
            lines[0] = Row(height=lines[0].height, items=(*lines[0].items, *when))
        gap = sheet.style.gap
        for number, row in enumerate(lines):
            begins, ends = number == 0, number == len(lines) - 1
            height = row.height + (gap if ends else 0)
            rail = self._rail(sheet, y, height, begins, ends)
            yield Row(height=height, items=(*rail, *row.items), keep=not ends)
            y += height

    def _rail(self, sheet: Sheet, y: int, height: int, begins: bool, ends: bool) -> Iterator[Any]:
        """The line that joins steps beside one row of text, and the dot of the first row: where
        its script begins."""
        body = sheet.face("body")
        middle = body.ascent - body.cap // 2 - body.cap // 12
        x, room = sheet.frame.column(y, height)
        rtl = sheet.setting.rtl(self.what)
        centre, wide = x + (room - body.cap // 2 if rtl else body.cap // 2), max(1, body.cap // 10)
        top = middle if self.first and begins else 0
        bottom = height if not self.last else middle if begins else 0
        if bottom > top:
            yield drawing.Box(centre - wide // 2, top, wide, bottom - top, TRACK, 0)
        if begins:
            side = body.cap * {"now": 90, "done": 65}.get(self.state, 65) // 100
            ink = {"now": ACCENT, "done": GOOD_INK}.get(self.state, TRACK)
            yield drawing.Box(centre - side // 2, middle - side // 2, side, side, ink, side // 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """Cells under the names of their columns; `widths` px of each, numbers flush right."""

    cells: Sequence[str]
    table: "Columns"
    head: bool = False

    def fits(self, sheet: Sheet) -> bool:
        """Whether no cell is cut."""
        return self.table.fits(sheet)

    def rows(self, sheet: Sheet, y: int) -> Iterator[Row]:
        role = "caption" if self.head else "body"
        face = sheet.face(role)
        widths: list[int] = sheet.once(self.table, self.table.widths)
        x, _ = sheet.frame.column(y, face.pitch)
        baseline, gap = face.ascent - face.cap // 12, sheet.face("body").cap
        items: list[Any] = []
        for number, (cell, width) in enumerate(zip(self.cells, widths, strict=False)):
            flush = "right" if number and self.table.numbers[number] else ""
            ink = DIM if self.head else (INK if number == 0 else tint(cell))
            text = sheet.setting.cut(face, cell, width)
            items += sheet.setting.run(face, text, x, baseline, ink=ink, room=width, align=flush)
            x += width + gap
        yield Row(height=face.pitch, items=tuple(items), keep=self.head)


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Columns of a table that a page shows beside each other."""

    names: Sequence[str]
    lines: Sequence[Sequence[str]]
    numbers: Sequence[bool]

    def widths(self, sheet: Sheet) -> list[int]:
        """Px of each column; what is to spare goes between the first and the others."""
        natural = self.natural(sheet)
        gaps = sheet.face("body").cap * (len(natural) - 1)
        room = sheet.frame.column(sheet.frame.top, sheet.face("body").pitch)[1] - gaps
        spare = room - sum(natural)
        if spare >= 0:
            return [natural[0] + spare, *natural[1:]]
        first = max(natural[0] + spare, room // 3)
        others = (room - first) // max(1, len(natural) - 1)
        return [first, *(min(width, others) for width in natural[1:])]

    def fits(self, sheet: Sheet) -> bool:
        """Whether all columns are as wide as they have to be."""
        natural, body = self.natural(sheet), sheet.face("body")
        room = sheet.frame.column(sheet.frame.top, body.pitch)[1]
        return sum(natural) + body.cap * (len(natural) - 1) <= room

    def natural(self, sheet: Sheet) -> list[int]:
        """Px that the widest cell of each column takes."""
        caption, body = sheet.face("caption"), sheet.face("body")
        width = sheet.setting.width
        return [
            max(
                width(caption, name),
                *(width(body, line[number]) for line in self.lines if number < len(line)),
                0,
            )
            for number, name in enumerate(self.names)
        ]
