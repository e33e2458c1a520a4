"""Charts in the page's own type: bars as boxes, lines drawn in 4 levels."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from voxwire.type import drawing
from voxwire.type.roles import ACCENT, DIM, INK, TRACK

from voxcard.cards.compose.rows import Row, Sheet
from voxcard.cards.model import ChartBlock
from voxcard.cards.text.data.key_values import number

BARS_MAX = 8
_SHARE = 45  # of the page's height that a chart takes, in percent
_LEAST = 12  # px of a chart's height
_FINER = 4  # times as fine a line is drawn before it becomes 4 levels


class Drawn(NamedTuple):
    """A picture in 4 levels, as SmoothDrawer's lines are."""

    width: int
    height: int
    baseline: int
    rows: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Values over their names, the last one bright and named; many values as a line."""

    block: ChartBlock

    def rows(self, sheet: Sheet, y: int) -> Iterator[Row]:
        frame, caption = sheet.frame, sheet.face("caption")
        around = 2 * caption.pitch + caption.descent
        wanted = (frame.bottom - frame.next_top) * _SHARE // 100
        # Where pages are low, as high as one can be; under the title or on the page after it.
        rooms = [frame.bottom - top - around for top in (frame.top, frame.next_top)]
        least = min(wanted, rooms[0] if rooms[0] >= _LEAST else rooms[1])
        if y + least + around > frame.bottom:
            y = frame.next_top  # of the next page
        height = max(least, min(frame.bottom - y - around, 2 * least))
        if self.block.kind == "line" or len(self.block.points) > BARS_MAX:
            yield self._line(sheet, y, height)
        else:
            yield self._bars(sheet, y, height)

    def _bars(self, sheet: Sheet, y: int, height: int) -> Row:
        caption, setting = sheet.face("caption"), sheet.setting
        points = self.block.points
        x, room = sheet.frame.column(y, height + 2 * caption.pitch)
        pitch = max(1, room // max(1, len(points)))
        wide = max(2, pitch * 7 // 10)
        low = min(0.0, *(value for _, value in points))
        top = max(0.0, *(value for _, value in points)) or 1.0
        span = top - low or 1.0
        zero = caption.pitch + round(top / span * height)
        items: list[Any] = []
        taken: list[tuple[int, int]] = []  # where amounts stand, from the last bar's on
        for index in reversed(range(len(points))):
            name, value = points[index]
            last = index == len(points) - 1
            left = x + index * pitch + (pitch - wide) // 2
            bar = max(2, round(abs(value) / span * height))
            above = zero - bar if value >= 0 else zero
            ink = ACCENT if last else TRACK
            items.append(drawing.Box(left, above, wide, bar, ink, min(4, wide // 4)))
            amount = setting.cut(caption, number(value), room)
            amount_px = setting.width(caption, amount)
            at = min(max(x, left + (wide - amount_px) // 2), x + room - amount_px)
            free = all(at + amount_px < begin or end < at for begin, end in taken)
            if last or (amount_px <= pitch and free):
                baseline = above - caption.cap // 3
                items += setting.run(caption, amount, at, baseline, ink=INK if last else DIM)
                taken.append((at, at + amount_px))
            items += setting.run(
                caption,
                setting.cut(caption, name, pitch - 2),
                left + wide // 2 - pitch // 2,
                caption.pitch + height + caption.ascent,
                ink=DIM,
                room=pitch,
                align="middle",
            )
        return Row(height=height + 2 * caption.pitch + caption.descent, items=tuple(items))

    def _line(self, sheet: Sheet, y: int, height: int) -> Row:
        caption, setting = sheet.face("caption"), sheet.setting
        points = self.block.points
        x, room = sheet.frame.column(y, height + 2 * caption.pitch)
        room = max(1, room)  # at the foot of a round page, from where it goes to the next
        values = [value for _, value in points]
        low, high = min(values), max(values)
        curve, last = curve_of(values, room, height)
        blob, place = setting.place(curve)
        top = caption.pitch
        items: list[Any] = [
            drawing.Box(x, top + height, room, 1, TRACK, 0),
            drawing.Smooth(x, top, room, height, blob, place, ACCENT),
        ]
        dot = max(4, caption.cap // 2)
        items.append(
            drawing.Box(
                x + last[0] - dot // 2, top + last[1] - dot // 2, dot, dot, ACCENT, dot // 2
            )
        )
        newest = setting.cut(caption, _amount(values[-1], self.block.unit), room)
        items += setting.run(caption, newest, x, caption.cap, room=room, align="right")
        extent = f"{number(low)} – {_amount(high, self.block.unit)}"
        if setting.width(caption, extent + newest) + caption.cap <= room:
            items += setting.run(caption, extent, x, caption.cap, ink=DIM)
        foot = top + height + caption.ascent
        half = room // 2 - caption.cap // 2
        first, final = (setting.cut(caption, points[at][0], half) for at in (0, -1))
        items += setting.run(caption, first, x, foot, ink=DIM)
        items += setting.run(caption, final, x, foot, ink=DIM, room=room, align="right")
        return Row(height=height + 2 * caption.pitch + caption.descent, items=tuple(items))


def _amount(value: float, unit: str) -> str:
    """A value with its unit; words stand apart from it."""
    return f"{number(value)} {unit}" if unit[:1].isalpha() else f"{number(value)}{unit}"


def curve_of(values: Sequence[float], width: int, height: int) -> tuple[Drawn, tuple[int, int]]:
    """A line through values, the lowest at the foot, and where it ends."""
    from PIL import Image, ImageDraw

    # In halves: the span of the largest and the least of numbers is none.
    low, high = min(values) / 2, max(values) / 2
    span = high - low or 1.0
    edge = 3
    image = Image.new("L", (width * _FINER, height * _FINER))
    step = (width - 2 * edge) / max(1, len(values) - 1)
    dots = [
        (edge + index * step, edge + (1 - (value / 2 - low) / span) * (height - 2 * edge))
        for index, value in enumerate(values)
    ]
    finer = [(x * _FINER, y * _FINER) for x, y in dots]
    ImageDraw.Draw(image).line(finer, fill=255, width=2 * _FINER + _FINER // 2, joint="curve")
    small = image.resize((width, height), Image.Resampling.BOX)
    end = (round(dots[-1][0]), round(dots[-1][1]))
    return Drawn(width, height, height, packed(small.tobytes(), width)), end


def packed(coverage: bytes, width: int) -> bytes:
    """Rows of coverage (0 to 255 a pixel) in 4 levels, as framebuf.GS2_HMSB has them."""
    rows = bytearray()
    for start in range(0, len(coverage), width):
        levels = [round(each / 85) for each in coverage[start : start + width]]
        levels += [0] * (-width % 4)
        for at in range(0, len(levels), 4):
            a, b, c, d = levels[at : at + 4]
            rows.append(a | b << 2 | c << 4 | d << 6)
    return bytes(rows)
