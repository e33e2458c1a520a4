"""Measures words in the faces of a panel and writes lines of them.

A face is named as in voxwire.type.scale. Words with a character that a face lacks are set in the
cells of the bitmap font, which are a face of the kind c here, twice as large beside large type.
"""

from voxwire.type.roles import INK, PAPER
from voxwire.type.scale import cap_px

from screen.cells import width as cells_wide
from screen.layout import Item
from screen.type.page import type_item

_KEPT = 48  # widths and line breaks: a level that moves must not cost one


class Ruler:
    """`faces` is the Faces of a panel, `screen` its capability."""

    def __init__(self, screen, faces):
        self.screen, self._faces = screen, faces
        self._cap = screen.cell[1] * 5 // 8  # of the bitmap font
        self.cells = "c%d" % self._cap  # small, rather than to cut what is to be done
        self._kept = {}

    def kept(self, key, make, *arguments):
        """What `make` gives, or gave the last time it was asked for with this key."""
        known = self._kept.get(key)
        if known is None:
            if len(self._kept) >= _KEPT:
                self._kept.clear()
            known = self._kept[key] = make(*arguments)
        return known

    def width(self, name, words):
        """Px that words take."""
        return self.kept((name, words), self._width, name, words)

    def _width(self, name, words):
        return self._px(self.face(name, words), words)

    def _px(self, name, words):
        if name[0] == "c":
            return cells_wide(words) * self.screen.cell[0] * self._times(name)
        return self._faces.width(self.screen.faces.index(name), words)

    def face(self, name, words):
        """The face that words are set in instead of another: that one, or the cells."""
        if name[0] == "c" or not self._faces.lacks(self.screen.faces.index(name), words):
            return name
        return "c%d" % (2 * self._cap) if cap_px(name) * 2 >= self._cap * 3 else self.cells

    def _times(self, name):
        return 1 if name == self.cells else 2

    def line(self, name, x, baseline, words, ink=INK, paper=PAPER):
        """One line from its pen on."""
        name = self.face(name, words)
        if name[0] != "c":
            index = self.screen.faces.index(name)
            return type_item(self.screen, x, baseline, index, words, ink, paper)
        high = self.screen.cell[1] * self._times(name)
        kind = "big" if high > self.screen.cell[1] else "text"
        top = baseline - high * 13 // 16
        return Item(kind, x, top, self.width(name, words), high, words, ink, paper)

    def clip(self, name, words, wide):
        """The words, ended by an ellipsis where they are wider than that."""
        name = self.face(name, words)
        if self._px(name, words) <= wide:
            return words
        words = words[: wide * 4 // cap_px(name) + 1]  # no letter is narrower on the whole
        while words and self._px(name, words + "…") > wide:
            words = words[:-1]
        return words.rstrip() + "…" if words else ""

    def measured(self, name, words):
        """[(word, px), ...]; a newline is a word of its own. `name` is what `face` gives."""
        parts = words.replace("\n", " \n ").split(" ")
        return [(part, self._px(name, part)) for part in parts if part]
