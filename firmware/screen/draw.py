"""Paints the rows of a picture on a FrameBuffer, in the colours of a theme."""

import struct

import framebuf
from voxwire.type.roles import BAR_INK, DIM, PAPER, RAISED, ROLES

from screen import icons, qr
from screen.cells import codes

# Colours of voxwire.type.roles, in their order, as 0xRRGGBB; a mono panel knows lit and dark only.
THEMES = {
    "dark": (
        0x000000, 0xF4F6F8, 0x1F3A5F, 0xFFFFFF, 0x8793A3, 0x5BB8FF, 0x1B7F4B, 0x985500, 0xB3261E,
        0x1B2129, 0x4CC97C, 0xFFB84D, 0xFF8A80, 0x3A4552,
    ),
    "light": (
        0xFFFFFF, 0x14181F, 0x1F4E8C, 0xFFFFFF, 0x5C6773, 0x0B5CAD, 0x1B7F4B, 0xA05A00, 0xB3261E,
        0xECEFF3, 0x13683C, 0x7A4400, 0xA11D16, 0xC6CDD6,
    ),
}  # fmt: skip

PALETTE_BYTES = 32  # before the pixels of an image in 16 colours


def swapped(colour):
    """0xRRGGBB as the RGB565 number whose bytes in memory are in the panel's order."""
    value = (colour >> 8 & 0xF800) | (colour >> 5 & 0x07E0) | (colour >> 3 & 0x001F)
    return (value & 0xFF) << 8 | value >> 8


def mono_colours(theme):
    """Lit or dark for each role."""
    lit = 0 if theme == "light" else 1
    dark_roles = (PAPER, BAR_INK, RAISED)
    return tuple(1 - lit if role in dark_roles else lit for role in range(ROLES))


class Painter:
    """Paints items on a FrameBuffer; `resources` gives strips and images by blob id.

    Images are painted where their depth is the painter's own, else they are a frame.
    """

    def __init__(self, depth, glyphs, resources, theme="dark", faces=None):
        self._glyphs = glyphs
        self._resources = resources
        self._depth = depth
        self._format = framebuf.MONO_HLSB if depth == 1 else framebuf.RGB565
        self._palette = framebuf.FrameBuffer(bytearray(4), 2, 1, self._format)
        self._icon_what = self._icon_source = None
        self._faces, self._type = faces, None
        self.set_theme(theme)

    def set_theme(self, theme):
        """Take the colours of `dark` or `light`."""
        if self._depth == 1:
            self._colours = mono_colours(theme)
            self._black, self._white = 0, 1
        else:
            self._colours = tuple(swapped(colour) for colour in THEMES[theme])
            self._black, self._white = 0, 0xFFFF
        if self._faces is not None:
            from screen.type.paint import TypePainter  # few panels have faces of type

            self._type = TypePainter(
                self._depth, self._faces, self._resources, THEMES[theme], self._colours
            )

    def paint(self, canvas, items, top, bottom):
        """Paint rows `top` to `bottom` of a picture; canvas row 0 is screen row `top`."""
        canvas.fill(self._colours[PAPER])
        for item in items:
            if item.y < bottom and item.y + item.height > top:
                self._item(canvas, item, item.y - top, bottom - top)

    def _item(self, canvas, item, y, rows):
        kind = item.kind
        if kind in ("type", "box", "smooth"):
            self._type.paint(canvas, item, y, rows)
        elif kind == "fill":
            canvas.fill_rect(item.x, y, item.width, item.height, self._colours[item.ink])
        elif kind == "big":
            self._big(canvas, item, y)
        elif kind in ("text", "bold"):
            self._text(canvas, item, y, kind == "bold" and self._glyphs.cell[0] >= 8)
        elif kind == "icon":
            self._bits(canvas, self._icon(item.what), item.x, y, item)
        elif kind == "qr":
            qr.draw(canvas, item.what, item.x, y, 0, rows, self._black, self._white)
        elif kind == "strip":
            self._strip(canvas, item, y)
        else:
            self._image(canvas, item, y, rows)

    def rest(self):
        """A picture is drawn: its icon and glyphs make room."""
        self._icon_what = self._icon_source = None
        self._glyphs.rest()

    def _icon(self, what):
        # An icon lies in several bands: it is made once.
        if what != self._icon_what:
            data, side = icons.bitmap(*what)
            self._icon_what, self._icon_source = what, (data, side, side, framebuf.MONO_HLSB)
        return self._icon_source

    def _inks(self, item):
        paper = self._colours[item.paper]
        self._palette.pixel(0, 0, paper)
        self._palette.pixel(1, 0, self._colours[item.ink])
        return paper

    def _bits(self, canvas, source, x, y, item):
        self._inks(item)
        canvas.blit(source, x, y, -1, self._palette)

    def _text(self, canvas, item, y, bold):
        paper = self._inks(item)
        glyphs, palette = self._glyphs, self._palette
        wide, high = glyphs.cell
        x = item.x
        for code in codes(item.what):
            glyph = glyphs.get(code)
            step = wide if glyph and glyph[1] == wide else glyphs.advance(code, glyph)
            if glyph is not None:
                canvas.blit(glyph, x, y, -1, palette)
                if bold:
                    # The key is compared after the palette: only ink lands on what is there.
                    canvas.blit(glyph, x + 1, y, paper, palette)
            elif step:
                canvas.rect(x + 1, y + 1, step - 2, high - 2, self._colours[item.ink])
            x += step

    def _big(self, canvas, item, y):
        paper = self._inks(item)
        x = item.x
        for code in codes(item.what):
            glyph = self._glyphs.big(code)
            step = 2 * self._glyphs.advance(code, self._glyphs.get(code))
            if glyph is not None:
                canvas.blit(glyph, x, y, -1, self._palette)
                canvas.blit(glyph, x + 1, y, paper, self._palette)  # bold, as in `_text`
            elif step:
                canvas.rect(x + 2, y + 2, step - 4, item.height - 4, self._colours[item.ink])
            x += step

    def _strip(self, canvas, item, y):
        blob, index, right = item.what
        data = self._resources.get(blob)
        strip = find_strip(data, index) if data is not None else None
        if strip is None:
            canvas.rect(item.x, y + 1, item.width, item.height - 2, self._colours[DIM])
            return
        at, width, height = strip
        source = (data[at : at + height * ((width + 7) // 8)], width, height, framebuf.MONO_HLSB)
        x = item.x + item.width - width if right else item.x
        self._bits(canvas, source, x, y, item)

    def _image(self, canvas, item, y, rows):
        data = self._resources.get(item.what)
        stride = (item.width + 7) // 8 if self._depth == 1 else item.width * 2
        start, pixels, palette = 0, self._format, None
        if data is not None and self._depth > 1 and len(data) != item.height * stride:
            start, stride, pixels = PALETTE_BYTES, (item.width + 1) // 2, framebuf.GS4_HMSB
        if data is None or len(data) != start + item.height * stride:
            canvas.rect(item.x, y, item.width, item.height, self._colours[DIM])
            return
        if start:
            colours = bytearray(data[0:start])
            palette = framebuf.FrameBuffer(colours, start // 2, 1, self._format)
            if item.kind == "sign":
                palette.pixel(0, 0, self._colours[PAPER])
        come = (self._resources.count(item.what) - start) // stride
        if come < item.height:
            canvas.rect(item.x, y, item.width, item.height, self._colours[DIM])
        # Only the rows in this band, of those that have come.
        first, last = max(0, -y), min(item.height, rows - y, come)
        if first >= last:
            return
        part = data[start + first * stride : start + last * stride]
        source = (part, item.width, last - first, pixels)
        canvas.blit(source, item.x, y + first, -1, palette)


def find_strip(data, index, per_byte=8):
    """(offset of the rows, width, height) of picture `index` of a blob, or None.

    The blob: u16 number of pictures; each u16 width, u16 height, rows of `per_byte` px a byte.
    """
    if len(data) < 2 or not 0 <= index < struct.unpack_from(">H", data, 0)[0]:
        return None
    at = 2
    for number in range(index + 1):
        if at + 4 > len(data):
            return None
        width, height = struct.unpack_from(">HH", data, at)
        at, size = at + 4, height * -(-width // per_byte)
        if number == index:
            break
        at += size
    return (at, width, height) if at + size <= len(data) and width and height else None
