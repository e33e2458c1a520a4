"""Glyphs of a colour font (COLR version 1 of OpenType 1.9) as arrays of pixels.

A glyph is a tree of paints: outlines filled with a colour or a gradient, one upon the other. Drawn
is what Noto Color Emoji has: solid colours, linear and radial gradients that go on as they end,
transformations, and the composite modes SRC_IN and SOFT_LIGHT; ValueError names anything else.
Colours are float32, premultiplied, red to alpha. A glyph takes about 10 ms: not on the event loop.
"""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from fontTools.misc.transform import Transform
from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables.otTables import CompositeMode, Paint, PaintFormat

_FINER = 4  # px of the drawing for one of the picture, each way
_CURVE = np.linspace(0, 1, 7)[1:, None]  # a curve is six straight lines

Pixels = Any  # an array of height, width, red green blue alpha; or of one colour for them all


class _Outline(BasePen):  # type: ignore[misc]
    """The contours of a glyph as straight edges (x0, y0, x1, y1) in font units."""

    def __init__(self, glyphs: Any) -> None:
        super().__init__(glyphs)
        self.edges: list[tuple[float, ...]] = []
        self._points: list[tuple[float, float]] = []

    def _moveTo(self, pt: tuple[float, float]) -> None:  # noqa: N802 - BasePen names it
        self._points = [pt]

    def _lineTo(self, pt: tuple[float, float]) -> None:  # noqa: N802
        self._points.append(pt)

    def _qCurveToOne(  # noqa: N802
        self, pt1: tuple[float, float], pt2: tuple[float, float]
    ) -> None:
        start, control, end = (np.array(point) for point in (self._points[-1], pt1, pt2))
        rest = 1 - _CURVE
        curve = rest * rest * start + 2 * rest * _CURVE * control + _CURVE * _CURVE * end
        self._points += map(tuple, curve.tolist())

    def _closePath(self) -> None:  # noqa: N802
        ends = self._points[1:] + self._points[:1]
        self.edges += [(*start, *end) for start, end in zip(self._points, ends, strict=True)]


class ColourFont:
    """The font in `path`; glyphs go by their names in it."""

    def __init__(self, path: Path) -> None:
        self.tables = TTFont(path, lazy=True)
        self._glyphs = self.tables.getGlyphSet()
        colr = self.tables["COLR"].table
        self._paints = {
            record.BaseGlyph: record.Paint for record in colr.BaseGlyphList.BaseGlyphPaintRecord
        }
        self._layers = colr.LayerList.Paint if colr.LayerList else []
        self._colours = [
            (colour.red, colour.green, colour.blue, colour.alpha)
            for colour in self.tables["CPAL"].palettes[0]
        ]
        self.edges = lru_cache(maxsize=4096)(self._edges)
        self._reading = Lock()  # the tables are read when they are asked for

    def has(self, glyph: str) -> bool:
        """Whether a glyph has colours."""
        return glyph in self._paints

    def pixels(self, glyph: str, px: int) -> Pixels:
        """A glyph as wide and high as `px`, centred."""
        top, bottom = self.tables["hhea"].ascent, self.tables["hhea"].descent
        advance = self.tables["hmtx"][glyph][0]
        scale = px * _FINER / max(advance, top - bottom)
        side = px * _FINER
        place = Transform(
            scale, 0, 0, -scale, (side - advance * scale) / 2, (side + (top + bottom) * scale) / 2
        )
        with self._reading:
            drawn = _Canvas(self, side).paint(self._paints[glyph], place)
        finer = np.broadcast_to(drawn, (side, side, 4)).reshape(px, _FINER, px, _FINER, 4)
        return finer.mean(axis=(1, 3))

    def layers(self, paint: Paint) -> list[Paint]:
        """The paints of a PaintColrLayers, the lowest first."""
        first = paint.FirstLayerIndex
        return list(self._layers[first : first + paint.NumLayers])

    def colour(self, index: int, alpha: float) -> Any:
        """A colour of the palette; 0xFFFF is that of the text, here black."""
        red, green, blue, own = (0, 0, 0, 255) if index == 0xFFFF else self._colours[index]
        alpha = alpha * own / 255
        return np.array((red * alpha, green * alpha, blue * alpha, 255 * alpha), np.float32) / 255

    def _edges(self, glyph: str) -> Any:
        pen = _Outline(self._glyphs)
        self._glyphs[glyph].draw(pen)
        return np.array(pen.edges, np.float32).reshape(-1, 4).T


class _Canvas:
    """Paints of one glyph on `side` px square; `place` turns font units into px."""

    def __init__(self, font: ColourFont, side: int) -> None:
        self._font = font
        self._side = side
        middles = np.arange(side, dtype=np.float32) + 0.5
        self._x, self._y = np.meshgrid(middles, middles)
        self._painters: dict[int, Callable[[Paint, Transform], Pixels]] = {
            PaintFormat.PaintColrLayers: self._layers,
            PaintFormat.PaintSolid: self._solid,
            PaintFormat.PaintLinearGradient: self._linear,
            PaintFormat.PaintRadialGradient: self._radial,
            PaintFormat.PaintGlyph: self._glyph,
            PaintFormat.PaintTransform: self._moved,
            PaintFormat.PaintTranslate: self._moved,
            PaintFormat.PaintScale: self._moved,
            PaintFormat.PaintScaleAroundCenter: self._moved,
            PaintFormat.PaintComposite: self._composite,
        }

    def paint(self, paint: Paint, place: Transform) -> Pixels:
        painter = self._painters.get(paint.Format)
        if painter is None:
            raise ValueError(f"{PaintFormat(paint.Format).name} is not drawn")
        return painter(paint, place)

    def _layers(self, paint: Paint, place: Transform) -> Pixels:
        picture = np.zeros((self._side, self._side, 4), np.float32)
        for layer in self._font.layers(paint):
            pixels = self.paint(layer, place)
            picture *= 1 - pixels[..., 3:]
            picture += pixels
        return picture

    def _solid(self, paint: Paint, place: Transform) -> Pixels:
        return self._font.colour(paint.PaletteIndex, paint.Alpha)

    def _moved(self, paint: Paint, place: Transform) -> Pixels:
        return self.paint(paint.Paint, place.transform(paint.getTransform()))

    def _glyph(self, paint: Paint, place: Transform) -> Pixels:
        return self._inside(paint.Glyph, place)[..., None] * self.paint(paint.Paint, place)

    def _inside(self, glyph: str, place: Transform) -> Any:
        """1 where the middle of a pixel has a glyph's outlines around it, else 0."""
        x0, y0, x1, y1 = self._font.edges(glyph)
        left, top = _moved(place, x0, y0)
        right, bottom = _moved(place, x1, y1)
        middles = self._y[:, 0]
        down = (top[:, None] <= middles) & (middles < bottom[:, None])
        up = (bottom[:, None] <= middles) & (middles < top[:, None])
        edge, row = np.nonzero(down | up)
        slope = (right - left)[edge] / (bottom - top)[edge]
        at = left[edge] + (middles[row] - top[edge]) * slope
        # From the first pixel right of an edge on there is one winding more, or one less.
        column = np.clip(np.ceil(at - 0.5), 0, self._side).astype(np.intp)
        turns = np.zeros((self._side, self._side + 1), np.int32)
        np.add.at(turns, (row, column), np.where(down[edge, row], 1, -1))
        return (turns.cumsum(axis=1)[:, :-1] != 0).astype(np.float32)

    def _linear(self, paint: Paint, place: Transform) -> Pixels:
        x, y = self._units(place)
        # Colours run at a right angle to the line from the first point to the third.
        normal_x, normal_y = paint.y0 - paint.y2, paint.x2 - paint.x0
        whole = (paint.x1 - paint.x0) * normal_x + (paint.y1 - paint.y0) * normal_y
        at = (x - paint.x0) * normal_x + (y - paint.y0) * normal_y
        return self._stops(paint.ColorLine, at / (whole or 1))

    def _radial(self, paint: Paint, place: Transform) -> Pixels:
        """Where a pixel lies on the largest circle between two, `t` of the way from one to the
        other: (p - c0 - t (c1 - c0))² = (r0 + t (r1 - r0))²."""
        x, y = self._units(place)
        x, y = x - paint.x0, y - paint.y0
        across, down, grows = paint.x1 - paint.x0, paint.y1 - paint.y0, paint.r1 - paint.r0
        a = across * across + down * down - grows * grows
        b = x * across + y * down + paint.r0 * grows
        c = x * x + y * y - paint.r0 * paint.r0
        if a == 0:
            at = c / np.where(b == 0, 1, 2 * b)
            return self._stops(paint.ColorLine, at)
        root = np.sqrt(np.maximum(b * b - a * c, 0))
        one, other = (b + root) / a, (b - root) / a
        high, low = np.maximum(one, other), np.minimum(one, other)
        at = np.where(paint.r0 + high * grows >= 0, high, low)
        real = (b * b >= a * c) & (paint.r0 + at * grows >= 0)
        return self._stops(paint.ColorLine, at) * real[..., None]

    def _units(self, place: Transform) -> tuple[Any, Any]:
        """The pixels' places in font units."""
        return _moved(place.inverse(), self._x, self._y)

    def _stops(self, line: Any, at: Any) -> Pixels:
        stops = sorted(line.ColorStop, key=lambda stop: stop.StopOffset)
        offsets = [stop.StopOffset for stop in stops]
        colours = np.array([self._font.colour(stop.PaletteIndex, stop.Alpha) for stop in stops])
        channels = [np.interp(at, offsets, colours[:, channel]) for channel in range(4)]
        return np.stack(channels, axis=-1).astype(np.float32)

    def _composite(self, paint: Paint, place: Transform) -> Pixels:
        source = self.paint(paint.SourcePaint, place)
        backdrop = self.paint(paint.BackdropPaint, place)
        if paint.CompositeMode == CompositeMode.SRC_IN:
            return source * backdrop[..., 3:]
        if paint.CompositeMode == CompositeMode.SOFT_LIGHT:
            return soft_light(source, backdrop)
        raise ValueError(f"{paint.CompositeMode.name} is not drawn")


def _moved(place: Transform, x: Any, y: Any) -> tuple[Any, Any]:
    return place.xx * x + place.yx * y + place.dx, place.xy * x + place.yy * y + place.dy


def soft_light(source: Pixels, backdrop: Pixels) -> Pixels:
    """W3C, Compositing and Blending Level 1, section 10.1.9."""
    over, under = source[..., 3:], backdrop[..., 3:]
    s = source[..., :3] / np.where(over == 0, 1, over)
    b = backdrop[..., :3] / np.where(under == 0, 1, under)
    curve = np.where(b <= 0.25, ((16 * b - 12) * b + 4) * b, np.sqrt(b))
    mixed = np.where(s <= 0.5, b - (1 - 2 * s) * b * (1 - b), b + (2 * s - 1) * (curve - b))
    colour = source[..., :3] * (1 - under) + backdrop[..., :3] * (1 - over) + over * under * mixed
    return np.concatenate((colour, over + under - over * under), axis=-1)
