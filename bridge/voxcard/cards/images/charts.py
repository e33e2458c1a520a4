"""A chart drawn for one panel: bars with their labels, columns, or a line, in two colours."""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from voxwire import card as wire
from voxwire.capability import Screen

from voxcard.cards.fit.picture import Picture
from voxcard.cards.fit.strip_batch import Drawer
from voxcard.cards.images.decode import available
from voxcard.cards.model import ChartBlock
from voxcard.cards.text.sanitize import label

# On panels lower than this a chart takes all of it, foot included.
LOW = 100
POINTS_MAX = 500
_NAME_MAX = 60  # characters
_MAGNITUDE_MAX = 1e15
_MAGNITUDE_MIN = 1e-200  # smaller is zero: no scale could tell it from that
_GAP = 3  # px between a label, its bar and its value
_BAR_MIN = 0.3  # share of the width that bars need beside their labels
# From where on, in what unit.
_UNITS = ((1e12, 1e12, "T"), (1e9, 1e9, "G"), (1e6, 1e6, "M"), (1e4, 1e3, "k"))

Points = Sequence[tuple[str, float]]


class Area(NamedTuple):
    """px; right and bottom are outside."""

    left: int
    top: int
    right: int
    bottom: int


def draw(chart: ChartBlock, screen: Screen, drawer: Drawer) -> Picture | None:
    """The chart on the panel's whole body; None when it has no points, when one of them is so
    large that only words can say it, or when Pillow is missing.

    On a mono panel it is an image, on any other `ink`: rows of bits that go as strips.
    """
    points = [
        (label(name)[:_NAME_MAX], value if abs(value) >= _MAGNITUDE_MIN else 0.0)
        for name, value in chart.points[:POINTS_MAX]
    ]
    width, height = _size(screen)
    too_large = any(not abs(value) < _MAGNITUDE_MAX for _, value in chart.points)
    if not points or too_large or not available() or min(width, height) < 24:
        return None
    canvas = _Canvas(width, height, drawer, screen.cell[1])
    _plot(chart, points, canvas)
    return Picture(width=width, height=height, data=canvas.rows(), ink=screen.depth != 1)


def short(value: float) -> str:
    """A number in at most six characters or so: 1250, 48.9, 12.5k, 3M."""
    for start, size, unit in _UNITS:
        if abs(value) >= start:
            return f"{value / size:.3g}{unit}"
    return f"{value:.4g}"


def _size(screen: Screen) -> tuple[int, int]:
    if screen.depth == 1 and screen.shape != "round" and screen.height < LOW:
        return screen.width, screen.height
    body = wire.layout(screen, screen.depth != 1).body  # lines of strips stand under a title
    return body.cols * screen.cell[0], body.rows * screen.cell[1]


def _plot(chart: ChartBlock, points: Points, canvas: "_Canvas") -> None:
    rows = canvas.height // canvas.line
    if chart.kind == "pie":
        points, write = _shares(points), lambda value: f"{value:.0f}%"
    else:
        write = _writer(chart.unit)
    if chart.kind == "line" and len(points) > 2:
        _line(points, canvas, write)
    elif len(points) <= rows:
        _bars(points, canvas, write)
    elif len(points) * 3 <= canvas.width:
        _columns(points, canvas, write)
    else:
        _line(points, canvas, write)


def _writer(unit: str) -> Callable[[float], str]:
    """Values with their unit where it is short enough to stand at every one."""
    unit = unit.strip()
    gap = "" if unit in ("%", "°", "°C", "°F", "€", "$", "£") else " "
    return lambda value: short(value) + (gap + unit if 0 < len(unit) <= 4 else "")


def _shares(points: Points) -> Points:
    """Values as percent of their sum, for a pie that is drawn as bars."""
    whole = sum(max(0.0, value) for _, value in points) or 1.0
    return [(name, 100 * max(0.0, value) / whole) for name, value in points]


def _bars(points: Points, canvas: "_Canvas", write: Callable[[float], str]) -> None:
    """One row for each: label, bar, value; label and value above the bar where rows allow."""
    values = [value for _, value in points]
    low, high = min(0.0, *values), max(0.0, *values)
    texts = [write(value) for value in values]
    value_px = max(canvas.measure(text) for text in texts)
    label_px = max(canvas.measure(name) for name, _ in points)
    beside = canvas.width - value_px - label_px - 2 * _GAP
    stacked = 2 * len(points) * canvas.line <= canvas.height
    stacked = stacked and beside < canvas.width * (1 - _BAR_MIN)
    if beside < canvas.width * _BAR_MIN:
        label_px = int(canvas.width * (1 - _BAR_MIN)) - value_px - 2 * _GAP
    pitch = min(canvas.height // len(points), (5 if stacked else 3) * canvas.line // 2)
    top = (canvas.height - pitch * len(points)) // 2
    for (name, value), text in zip(points, texts, strict=True):
        if stacked:
            canvas.text(name, 0, top, canvas.width - canvas.measure(text) - _GAP)
            canvas.text(text, canvas.width, top, value_px, "right")
            area = Area(0, top + canvas.line, canvas.width, top + pitch - 3)
        else:
            y = top + (pitch - canvas.line) // 2
            canvas.text(name, 0, y, label_px)
            canvas.text(text, canvas.width, y, value_px, "right")
            left, right = label_px + _GAP, canvas.width - value_px - _GAP
            area = Area(left if label_px > 0 else 0, top + 2, right, top + pitch - 2)
        _bar(canvas, area, value, low, high)
        top += pitch


def _bar(canvas: "_Canvas", area: Area, value: float, low: float, high: float) -> None:
    """A bar from zero to its value; a dotted rail shows the whole of its scale."""
    span = (high - low) or 1.0
    room = area.right - area.left - 1
    zero = area.left + round(-low / span * room)
    end = area.left + round((value - low) / span * room)
    canvas.dots(Area(area.left, area.bottom - 1, area.right, area.bottom))
    if value:
        canvas.fill(Area(min(zero, end), area.top, max(zero, end) + 1, area.bottom))
    canvas.fill(Area(zero, area.top, zero + 1, area.bottom))


def _columns(points: Points, canvas: "_Canvas", write: Callable[[float], str]) -> None:
    values = [value for _, value in points]
    scale = _axes(canvas, min(0.0, *values), max(0.0, *values), write)
    area = scale.area
    pitch = (area.right - area.left) / len(points)
    zero = scale.y(0.0)
    for index, value in enumerate(values):
        left = area.left + int(index * pitch)
        right = max(left + 1, area.left + int((index + 1) * pitch) - 1)
        y = scale.y(value)
        canvas.fill(Area(left, min(y, zero), right, max(y, zero) + 1))
    _names(points, canvas, area, lambda index: area.left + int((index + 0.5) * pitch))


def _line(points: Points, canvas: "_Canvas", write: Callable[[float], str]) -> None:
    values = [value for _, value in points]
    low, high = min(values), max(values)
    if 0 < low <= high / 2 or low == high > 0:
        low = 0.0  # little is gained by cutting the scale, and a cut scale exaggerates
    scale = _axes(canvas, low, high, write)
    area = scale.area
    step = (area.right - 1 - area.left - 4) / max(1, len(points) - 1)
    places = [
        (area.left + 2 + round(index * step), scale.y(value)) for index, value in enumerate(values)
    ]
    canvas.path(places, dots=step >= 8)
    _names(points, canvas, area, lambda index: places[index][0])


class _Scale(NamedTuple):
    area: Area
    low: float
    high: float

    def y(self, value: float) -> int:
        """The row of a value."""
        share = (value - self.low) / (self.high - self.low)
        return self.area.bottom - 1 - round(share * (self.area.bottom - self.area.top - 1))


def _ticks(low: float, high: float, count: int) -> list[float]:
    """At most `count` + 1 round values, the first not above `low`, the last not below `high`."""
    span = (high - low) or abs(high) or 1.0
    step: float = 10.0 ** math.floor(math.log10(span / count))
    for times in (1, 2, 2.5, 5, 10, 20, 25, 50, 100):
        first = math.floor(low / (step * times) + 1e-9)
        last = max(first + 1, math.ceil(high / (step * times) - 1e-9))
        if last - first <= count:
            return [at * step * times for at in range(first, last + 1)]
    return [low, low + span]


def _axes(canvas: "_Canvas", low: float, high: float, write: Callable[[float], str]) -> _Scale:
    """The scale at the left with two to five values; what remains for the points."""
    bottom = canvas.height - canvas.line - 1
    ticks = _ticks(low, high, max(1, min(4, bottom // (2 * canvas.line))))
    texts = [write(tick) for tick in ticks]
    left = max(map(canvas.measure, texts)) + _GAP
    if left > canvas.width * 0.3:
        # The summary beside the chart says the unit.
        texts = [short(tick) for tick in ticks]
        left = max(map(canvas.measure, texts)) + _GAP
    scale = _Scale(Area(left + 2, canvas.line // 2, canvas.width, bottom), ticks[0], ticks[-1])
    for tick, text in zip(ticks, texts, strict=True):
        y = scale.y(tick)
        # The lowest value would stand in the row of names.
        y_text = min(y - canvas.line // 2, bottom - canvas.line + 2)
        canvas.text(text, left - _GAP, y_text, left, "right")
        canvas.dots(Area(left, y, canvas.width, y + 1))
    canvas.fill(Area(left, scale.area.top, left + 1, bottom))
    canvas.fill(Area(left, bottom - 1, canvas.width, bottom))
    return scale


def _names(points: Points, canvas: "_Canvas", area: Area, x_of: Callable[[int], int]) -> None:
    """Names under the points: the first, the last, and those between that have room."""
    y = canvas.height - canvas.line
    first, last = points[0][0], points[-1][0] if len(points) > 1 else ""
    needed = canvas.measure(first) + canvas.measure(last) + 2 * _GAP
    start = area.left if needed <= canvas.width - area.left else 0
    half = (canvas.width - start) // 2 - _GAP
    right = canvas.width - canvas.text(last, canvas.width, y, half, "right") - _GAP
    taken = start
    for index, (name, _) in enumerate(points[:-1] or points):
        size = min(canvas.measure(name), half)
        x = max(start, x_of(index) - size // 2)
        if index == 0:
            x = min(x, max(start, right - size))
        if x >= taken and x + size <= right:
            canvas.text(name, x, y, half)
            taken = x + size + 2 * _GAP


class _Canvas:
    """Bits, 1 = ink, with labels in any script."""

    def __init__(self, width: int, height: int, drawer: Drawer, line: int) -> None:
        from PIL import Image, ImageDraw

        self.width, self.height, self.line = width, height, line
        self._new = Image.frombytes
        self._drawer = drawer
        self._image = Image.new("1", (width, height), 0)
        self._draw = ImageDraw.Draw(self._image)

    def rows(self) -> bytes:
        """Packed rows, first px in the top bit."""
        return bytes(self._image.tobytes())

    def measure(self, text: str) -> int:
        """px of a label, at most the canvas's width."""
        return int(self._strip(text, self.width).width) if text else 0

    def text(self, text: str, x: int, y: int, width_max: int, side: str = "left") -> int:
        """Write a label from its left end, or up to its right end; the px it takes."""
        if not text or width_max <= 0:
            return 0
        kept = text
        while kept and self.measure(text) > width_max:
            kept = kept[:-1].rstrip()
            text = kept + "…"
        strip = self._strip(text, width_max)
        bits: Any = self._new("1", (strip.width, self.line), strip.rows)
        self._image.paste(1, (x if side == "left" else x - strip.width, y), bits)
        return int(strip.width)

    def _strip(self, text: str, width_max: int) -> Any:
        return self._drawer.strip(text, width_max)

    def fill(self, area: Area) -> None:
        """A solid rectangle."""
        if area.right > area.left and area.bottom > area.top:
            self._draw.rectangle((area.left, area.top, area.right - 1, area.bottom - 1), fill=1)

    def dots(self, area: Area) -> None:
        """A thin dotted line along the top of an area."""
        for x in range(area.left, area.right, 4):
            self._draw.point((x, area.top), fill=1)

    def path(self, places: Sequence[tuple[int, int]], dots: bool) -> None:
        """A line through points, marked when they stand apart."""
        self._draw.line(list(places), fill=1, width=2 if self.height > LOW else 1)
        for x, y in places if dots else places[-1:]:
            self._draw.rectangle((x - 1, y - 1, x + 1, y + 1), fill=1)
