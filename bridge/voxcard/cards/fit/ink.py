"""Writes texts for one screen: in its own font, with glyphs sent along, or as drawn strips."""

import struct
from collections.abc import Callable, Iterator

from voxwire import card as wire
from voxwire.capability import Screen

from voxcard.cards.fit.strip_batch import Drawer, Drawing, Resource, StripBatch, options_of
from voxcard.cards.text.cells import cut, is_shaped, plain_line, width, without_tones, wrap
from voxcard.cards.text.sanitize import clean
from voxcard.cards.text.scripts import Direction, direction_in, script_of

GLYPHS_MAX = 192
NO_FONT = "Text in %s, which this device cannot show."

Group = tuple[wire.Line, ...]  # lines that stay on one page


class Ink:
    """Turns texts into wire lines and gathers what has to be drawn for them.

    `direction` is the card's, which decides for paragraphs that may be either.
    """

    def __init__(
        self,
        screen: Screen,
        drawer: Drawer | None,
        next_blob: Callable[[], int],
        cols: int,
        direction: Direction = "ltr",
    ) -> None:
        self._screen, self._drawer, self._next_blob = screen, drawer, next_blob
        self._cols, self._direction = cols, direction
        self._page_rows = wire.layout(screen, True).body.rows
        self._room = cols * screen.cell[0]  # px
        self._batch = StripBatch(screen.cell[1], next_blob)
        self.strips = drawer is not None and "strips" in screen.blocks
        self.missing: set[int] = set()  # code points that stay a box

    def shaped(self, text: str) -> bool:
        """`text` will be a strip."""
        return self.strips and is_shaped(text)

    def is_plain(self, text: str) -> bool:
        """A device writes `text` letter by letter, from the left, in one line."""
        drawn = self._is_rtl(text) or is_shaped(text) or self._unwritable(text)
        return "\n" not in text and not drawn

    def groups(
        self, text: str, lines_max: int, heading: bool = False, hang: int = 0
    ) -> Iterator[Group]:
        """`text` broken into at most `lines_max` lines of the wire, in groups that may not be
        torn apart: a line each, or the strips of lines higher than a row. `hang` as in `wrap`."""
        left = lines_max
        for paragraph in clean(text[: self._cols * lines_max * 8]).split("\n"):
            for group in self._paragraph(paragraph, left, heading, hang):
                left -= len(group)
                if left < 0:
                    return
                yield group

    def row(self, text: str, cols: int) -> wire.Line:
        """The wire form of one line in a row of `cols` cells."""
        words = self.words(text, cols)
        return wire.text_line(words) if isinstance(words, str) else words

    def words(self, text: str, cols: int) -> str | wire.Line:
        """The wire form of a title or a label in one row of `cols` cells."""
        script = self._unwritable(text)
        if script:
            return cut(f"[{script}]", cols)
        return self._strip(text, cols) if self.shaped(text) else cut(plain_line(text), cols)

    def fits(self, text: str, cols: int) -> bool:
        """Whether a row of `cols` cells holds all of a title or a label."""
        if not self.shaped(text) or self._drawer is None or self._unwritable(text):
            return width(plain_line(text)) <= cols
        room = cols * self._screen.cell[0]
        return self._drawer.fits(without_tones(text), room, self._is_rtl(text))

    def strip_bytes(self, card: wire.Card) -> int:
        """About what the strips of a card take on the device."""
        return self._batch.size(card)

    def finish(self, card: wire.Card) -> tuple[wire.Card, list[Resource]]:
        """The card with its strips numbered from 0, and the blobs it needs."""
        blobs: list[Resource] = []
        if self._drawer is not None:
            card, strips, text = self._batch.finish(card, self._drawer)
            blobs += [strips] if strips else []
            self.missing |= {code for code in map(ord, set(text)) if self._drawer.lacks(code)}
        glyphs = self._glyphs(card)
        if glyphs:
            blobs.append(Resource(id=self._next_blob(), kind="glyphs", data=glyphs))
        return card, blobs

    def _paragraph(self, text: str, lines_max: int, heading: bool, hang: int) -> Iterator[Group]:
        script = self._unwritable(text)
        if script:
            text = NO_FONT % script
        rtl = self._is_rtl(text)
        if text.strip() and self.strips and (rtl or is_shaped(text)):
            yield from self._drawn(text, lines_max, rtl, hang)
            return
        for line in wrap(text, self._cols, lines_max, hang=hang):
            line = plain_line(line)
            yield (wire.heading(line) if heading and line else wire.text_line(line),)

    def _drawn(self, text: str, lines_max: int, rtl: bool, hang: int) -> Iterator[Group]:
        """The lines of a paragraph that the bridge draws."""
        assert self._drawer is not None
        row = self._screen.cell[1]
        how = self._drawer.paragraph(
            without_tones(text), self._room, lines_max, rtl=rtl, hang=hang
        )
        # As many lines together as a page has room for: what is between them is not lost.
        together = max(1, self._page_rows * row // how.pitch) if how.pitch > row else 1
        for at in range(0, len(how.lines), together):
            lines, widest = how.lines[at : at + together], max(how.widths[at : at + together])
            rows = -(-((len(lines) - 1) * how.pitch + how.writing.height) // row)
            drawing = Drawing(
                lines=lines, room=self._room, width=widest, rtl=rtl, rows=max(rows, 1), how=how
            )
            if how.pitch <= row and self._written_by_device(lines[0], rtl):
                yield (wire.text_line(plain_line(lines[0])),)
            elif rows > self._page_rows:
                yield from ((self._strip(line, self._cols),) for line in lines)
            else:
                yield self._batch.place(drawing)

    def _written_by_device(self, line: str, rtl: bool) -> bool:
        return not rtl and not is_shaped(line) and width(line) <= self._cols

    def _strip(self, text: str, cols: int) -> wire.Line:
        room, text = cols * self._screen.cell[0], without_tones(text)
        rtl = self._is_rtl(text)
        return self._batch.place(Drawing(lines=(text,), room=room, width=room, rtl=rtl))[0]

    def _is_rtl(self, text: str) -> bool:
        return direction_in(text, self._direction) == "rtl"

    def _unwritable(self, text: str) -> str:
        """The script of a text most of whose letters would be boxes; empty when it is legible."""
        if self._drawer is None or text.isascii():
            return ""
        letters = {each for each in text if each.isalpha()}
        boxes = [code for code in self._outside(letters) if self._drawer.lacks(code)]
        return script_of(chr(min(boxes))) if 2 * len(boxes) > len(letters) else ""

    def _glyphs(self, card: wire.Card) -> bytes:
        needed = sorted(self._outside(set("".join(_texts(card)))))
        if self._drawer is None or "glyphs" not in self._screen.blocks:
            self.missing.update(needed)
            return b""
        records: list[bytes] = []
        for code_point in needed:
            picture = self._drawer.glyph(code_point) if len(records) < GLYPHS_MAX else None
            if picture is None:
                self.missing.add(code_point)
            else:
                records.append(struct.pack(">IB", code_point, picture.width) + picture.rows)
        return b"".join(records)

    def _outside(self, characters: set[str]) -> Iterator[int]:
        ranges = self._screen.glyphs
        for character in characters:
            code_point = ord(character)
            if not any(first <= code_point <= last for first, last in ranges):
                yield code_point


def _texts(card: wire.Card) -> Iterator[str]:
    yield card.foot
    for page in card.pages:
        yield from (line.text for line in page.lines)
        words = (page.title, *(option.label for option in options_of(page)))
        yield from (each for each in words if isinstance(each, str))
