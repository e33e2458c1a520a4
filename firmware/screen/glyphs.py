"""Bitmaps of characters: out of the font, from batches sent with cards."""

import struct

import framebuf
from voxwire.errors import WireError

from screen import font
from screen.cells import cells
from screen.icons import doubled

# Glyphs kept in RAM, in two generations: what is used survives, what is not is forgotten.
KEPT = 64
_BIG = 1 << 24  # above every code point: the key of a doubled glyph


class Glyphs:
    """Looks up code points for drawing.

    A glyph is (bytes, width px, height px, MONO_HLSB), as framebuf's blit takes it. `on_missing`
    is called once for each code point that has none.
    """

    def __init__(self, path, on_missing=None):
        """Open the font at `path`; WireError when it is none, OSError when it is absent."""
        (self._read, self._in_memory), self.font = _opened(path)
        self.cell = (self.font.width, self.font.height)
        self._more = None  # of a language: (read, font)
        self._young, self._old = {}, {}
        self._batches = {}  # blob id -> {code: (offset, width)}, bytes
        self._on_missing = on_missing
        self._missing = set()

    def add_font(self, path):
        """Take what the font lacks from the one at `path`, instead of any before; none is there
        for a language that the font has all characters of."""
        try:
            self._more = _opened(path)
        except OSError:
            self._more = None

    def get(self, code):
        """The glyph of a code point, or None when there is none."""
        return self._young.get(code) or self._keep(code, self._old.get(code) or self._load(code))

    def big(self, code):
        """The glyph of a code point twice as wide and high, or None."""
        key = code | _BIG
        large = self._young.get(key) or self._old.get(key)
        if large is None:
            glyph = self.get(code)
            large = _large(glyph) if glyph else None
        return self._keep(key, large)

    def _keep(self, key, glyph):
        if glyph is not None and key not in self._young:
            if len(self._young) >= KEPT // 2:
                self._old, self._young = self._young, {}
            self._young[key] = glyph
        return glyph

    def rest(self):
        """A picture is drawn: keep nothing that lies in memory anyway, the next one finds it."""
        if self._in_memory:
            self._young.clear()
            self._old.clear()

    def advance(self, code, glyph):
        """Px to the next character: whole cells, as many as the glyph or its width class takes."""
        wide = self.cell[0]
        if glyph is not None:
            return -(-glyph[1] // wide) * wide
        return cells(code) * wide

    def _load(self, code):
        at = font.locate(self.font, code)
        if at >= 0:
            wide, high = self.cell
            return (self._read(at, self.font.glyph_bytes), wide, high, framebuf.MONO_HLSB)
        if self._more is not None:
            (read, _), more = self._more
            at = font.locate(more, code)
            if at >= 0:
                return (read(at, more.glyph_bytes), more.width, more.height, framebuf.MONO_HLSB)
        for index, data in self._batches.values():
            if code in index:
                at, width = index[code]
                size = self.cell[1] * ((width + 7) // 8)
                return (bytes(data[at : at + size]), width, self.cell[1], framebuf.MONO_HLSB)
        if cells(code) and code not in self._missing:
            # Bounded: a hostile text cannot fill the heap with what it lacks.
            if len(self._missing) < 256:
                self._missing.add(code)
            if self._on_missing:
                self._on_missing(code)
        return None

    def add_batch(self, blob_id, data):
        """Take a batch: records of u32 code point, u8 width px, rows; WireError if one is cut."""
        index, at = {}, 0
        while at < len(data):
            if at + 5 > len(data):
                raise WireError("glyphs", "is cut off")
            code, width = struct.unpack_from(">IB", data, at)
            size = self.cell[1] * ((width + 7) // 8)
            if not 1 <= width <= 4 * self.cell[0] or at + 5 + size > len(data):
                raise WireError("glyphs", "is cut off at U+%04X" % code)
            index[code] = (at + 5, width)
            self._missing.discard(code)
            at += 5 + size
        self._batches[blob_id] = (index, data)

    def drop_batch(self, blob_id):
        """Forget a batch, if there is one of this id, and the glyphs that came with it."""
        batch = self._batches.pop(blob_id, None)
        for code in batch[0] if batch else ():
            for key in (code, code | _BIG):
                self._young.pop(key, None)
                self._old.pop(key, None)

    def ranges(self):
        """((first, last), ...) code points of the font file."""
        return font.ranges(self.font)


def _opened(path):
    """(what `_reader` returns, Font) of a font file."""
    reader = _reader(path)
    read = reader[0]
    head = font.read_head(read(0, font.HEAD_BYTES))
    return reader, font.make(head, read(font.HEAD_BYTES, head.ranges * font.RANGE_BYTES))


def _reader(path):
    """(read(offset, size) of a font file, whether it lies in memory); OSError when it is absent.

    Images with the firmware frozen in have the fonts as modules: glyphs are read where they lie.
    """
    name = path[path.rindex("/") + 1 :].split(".")[0]
    try:
        data = memoryview(__import__("font_" + name).DATA)
    except ImportError:
        file = open(path, "rb")

        def read(offset, size):
            file.seek(offset)
            return file.read(size)

        return read, False
    return (lambda offset, size: data[offset : offset + size]), True


def _large(glyph):
    data, width, height, pixels = glyph
    stride = (width + 7) // 8
    return (bytes(doubled(data, stride, True)), 16 * stride, 2 * height, pixels)
