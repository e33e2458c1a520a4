"""The faces of a panel: glyphs read from flash one by one, the used ones kept."""

import struct

import framebuf
from voxwire.errors import WireError
from voxwire.type import scale as typography

from screen.cells import cells, codes
from screen.type import face as files

# Bytes of glyphs kept in RAM, in two generations: what is used survives.
KEPT_BYTES = 16384
_RECORD = 44  # of a glyph's objects on a 32-bit heap
MISSING_MAX = 256


class Faces:
    """Glyphs by (index of the face, code point), and how wide texts are.

    A glyph is (advance, left, top, source); `source` is what framebuf's blit takes, None for a
    blank. `names` are the faces by index; those without a file are absent and write boxes.
    `on_missing` is called once with each code point of a face that has no glyph.
    """

    def __init__(self, folder, names, on_missing=None):
        self._open = [_opened(folder + name + ".font") for name in names]
        self.names = tuple([name for name, opened in zip(names, self._open) if opened is not None])
        self._open = [opened for opened in self._open if opened is not None]
        self._young, self._old, self._bytes = {}, {}, 0
        self._batches = {}  # blob id -> {(face, code): offset}, bytes
        self._on_missing = on_missing
        self._missing = set()  # keys of what nothing has

    def heads(self, index):
        """The Face of an index."""
        return self._open[index][1]

    def get(self, index, code):
        """The glyph, or None when nothing has it."""
        key = index << 21 | code
        glyph = self._young.get(key)
        if glyph is None:
            glyph = self._old.get(key) or self._load(index, code)
            if glyph is not None:
                self._keep(key, glyph)
        return glyph

    def advance(self, index, code, glyph):
        """Px from a character to the next."""
        if glyph is not None:
            return glyph[0]
        return cells(code) * typography.cap_px(self.names[index]) * 3 // 4

    def lacks(self, index, text):
        """Whether a face's file is without a character of a text; nobody is told of it."""
        face, young = self._open[index][1], self._young
        for code in codes(text):
            # What is kept has come from the file, but for the glyphs of cards.
            if index << 21 | code not in young and cells(code) and files.locate(face, code) < 0:
                return True
        return False

    def width(self, index, text):
        """Px that a text takes."""
        total = 0
        for code in codes(text):
            total += self.advance(index, code, self.get(index, code))
        return total

    def add_batch(self, blob_id, data):
        """Take the glyphs that came with a card: u32 code point, u8 face, then as in a file.
        WireError if one is cut off."""
        places, at = {}, 0
        while at < len(data):
            if at + 5 + files.RECORD_BYTES > len(data):
                raise WireError("type", "is cut off")
            code, index = struct.unpack_from(">IB", data, at)
            record = files.read_record(data, at + 5)
            places[index << 21 | code] = at + 5
            self._missing.discard(index << 21 | code)
            at += 5 + files.RECORD_BYTES + record.height * files.row_bytes(record.width)
        if at > len(data):
            raise WireError("type", "is cut off")
        self._batches[blob_id] = (places, data)

    def drop_batch(self, blob_id):
        """Forget a batch, if there is one of this id, and its glyphs."""
        batch = self._batches.pop(blob_id, None)
        for key in batch[0] if batch else ():
            self._young.pop(key, None)
            self._old.pop(key, None)

    def _keep(self, key, glyph):
        self._bytes += _RECORD + (len(glyph[3][0]) if glyph[3] else 0)
        if self._bytes > KEPT_BYTES // 2:
            self._old, self._young, self._bytes = self._young, {}, 0
        self._young[key] = glyph

    def _load(self, index, code):
        if index < len(self._open):
            read, face = self._open[index]
            at = files.locate(face, code)
            if at >= 0:
                begin, end = struct.unpack(">II", read(at, 8))
                return _glyph(read(begin, end - begin), 0)
        key = index << 21 | code
        for places, data in self._batches.values():
            if key in places:
                return _glyph(data, places[key])
        if cells(code) and key not in self._missing:
            # Bounded: a hostile text cannot fill the heap with what it lacks.
            if len(self._missing) < MISSING_MAX:
                self._missing.add(key)
            if self._on_missing:
                self._on_missing(code)
        return None


def _glyph(data, at):
    record = files.read_record(data, at)
    at += files.RECORD_BYTES
    source = None
    if record.width:
        rows = bytes(data[at : at + record.height * files.row_bytes(record.width)])
        source = (rows, record.width, record.height, framebuf.GS2_HMSB)
    return (record.advance, record.left, record.top, source)


def _opened(path):
    """(read(offset, size), Face) of a file, None where there is none."""
    try:
        file = open(path, "rb")
    except OSError:
        return None

    def read(offset, size):
        file.seek(offset)
        return file.read(size)

    head = files.read_head(read(0, files.HEAD_BYTES))
    table = read(files.HEAD_BYTES, head.ranges * files.RANGE_BYTES)
    return read, files.make(head, table)
