"""Paints smoothed type and round boxes: 4 levels a pixel, blended from ink and paper."""

import framebuf
from voxwire.type.roles import DIM

from screen.cells import codes
from screen.draw import find_strip, swapped
from screen.type.face import row_bytes

LEVELS = 4
PX_PER_BYTE = 4


def blended(ink, paper, level):
    """0xRRGGBB of `level` thirds of an ink on a paper."""
    mixed = 0
    for shift in (16, 8, 0):
        over, under = ink >> shift & 0xFF, paper >> shift & 0xFF
        mixed |= (under + (over - under) * level // (LEVELS - 1)) << shift
    return mixed


class TypePainter:
    """Paints items of the kinds "type", "box" and "smooth" on a FrameBuffer.

    `theme` holds 0xRRGGBB of each role, `colours` the numbers a canvas takes of them.
    """

    def __init__(self, depth, faces, resources, theme, colours):
        self._faces, self._resources = faces, resources
        self._theme, self._colours, self._mono = theme, colours, depth == 1
        pixels = framebuf.MONO_HLSB if self._mono else framebuf.RGB565
        self._palette = framebuf.FrameBuffer(bytearray(2 * LEVELS), LEVELS, 1, pixels)
        self._inks = None  # of the palette

    def paint(self, canvas, item, y, rows):
        """Paint an item whose top is row `y` of a canvas of `rows` rows."""
        if item.kind == "type":
            self._write(canvas, item, y)
        elif item.kind == "box":
            self._box(canvas, item, y, rows)
        else:
            self._smooth(canvas, item, y)

    def _mix(self, item):
        """The palette of an item's ink on its paper; the number of the paper's colour."""
        inks = (item.ink, item.paper)
        if inks != self._inks:
            self._inks = inks
            for level in range(LEVELS):
                self._palette.pixel(level, 0, self._colour(item.ink, item.paper, level))
        return self._palette.pixel(0, 0)

    def _colour(self, ink, paper, level):
        if self._mono:
            return self._colours[ink if level > 1 else paper]
        return swapped(blended(self._theme[ink], self._theme[paper], level))

    def _write(self, canvas, item, y):
        paper = self._mix(item)
        index, words = item.what
        faces, palette = self._faces, self._palette
        cap = faces.heads(index).cap  # page.type_item has one and a half over the baseline
        baseline, x = y + cap * 3 // 2, item.x
        for code in codes(words):
            glyph = faces.get(index, code)
            step = faces.advance(index, code, glyph)
            if glyph is None:
                if step:
                    canvas.rect(x + 1, baseline - cap, step - 2, cap, self._colours[item.ink])
            elif glyph[3] is not None:
                # What is paper after the palette is clear: letters may reach into each other.
                canvas.blit(glyph[3], x + glyph[1], baseline - glyph[2], paper, palette)
            x += step

    def _box(self, canvas, item, y, rows):
        radius = min(item.what or 0, item.width // 2, item.height // 2)
        colour = self._colours[item.ink]
        canvas.fill_rect(item.x, y + radius, item.width, item.height - 2 * radius, colour)
        for row in range(radius):
            top, bottom = y + row, y + item.height - 1 - row
            if not (0 <= top < rows or 0 <= bottom < rows):
                continue
            whole, level = _corner(radius, row)
            edge = self._colour(item.ink, item.paper, level)
            for at in (top, bottom) if bottom > top else (top,):
                canvas.fill_rect(item.x + whole, at, item.width - 2 * whole, 1, colour)
                if level:
                    canvas.pixel(item.x + whole - 1, at, edge)
                    canvas.pixel(item.x + item.width - whole, at, edge)

    def _smooth(self, canvas, item, y):
        blob, index = item.what
        data = self._resources.get(blob)
        place = find_strip(data, index, PX_PER_BYTE) if data is not None else None
        if place is None:
            canvas.rect(item.x, y + 1, item.width, item.height - 2, self._colours[DIM])
            return
        at, width, height = place
        paper = self._mix(item)
        source = (data[at : at + height * row_bytes(width)], width, height, framebuf.GS2_HMSB)
        canvas.blit(source, item.x, y, paper, self._palette)


def _corner(radius, row):
    """Of a round corner's row: px from the edge to where it is full, and the level before it."""
    # In sixteenths of a px, at the middle of the row.
    away = 16 * (radius - row) - 8
    square = 256 * radius * radius - away * away
    root = 0
    step = 16 * radius
    while step:
        while (root + step) * (root + step) <= square:
            root += step
        step //= 2
    inset = 16 * radius - root
    whole = -(-inset // 16)
    return whole, (16 * whole - inset) * (LEVELS - 1) // 16 if whole else 0
