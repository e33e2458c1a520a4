"""What the device's font cannot write: lines drawn as strips, characters sent as glyphs."""

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from voxwire import card as wire
from voxwire.capability import Screen

from voxcard.cards.fit.line_drawing import Paragraph
from voxcard.cards.text.cells import cut, is_shaped, plain_line, width, without_tones, wrap
from voxcard.cards.text.sanitize import clean
from voxcard.cards.text.scripts import Direction, direction_in, script_of

GLYPHS_MAX = 192
NO_FONT = "Text in %s, which this device cannot show."


class Bitmap(Protocol):
    """Rows of ceil(width / 8) bytes, first px in the top bit, 1 = ink; one cell high or more."""

    @property
    def width(self) -> int: ...

    @property
    def rows(self) -> bytes: ...


class Drawer(Protocol):
    """Draws text with the bridge's fonts, for the text cell of one screen."""

    def glyph(self, code_point: int, /) -> Bitmap | None:
        """One character, one cell wide or two; None when no font has it."""

    def lacks(self, code_point: int, /) -> bool:
        """Whether no font has a character."""

    def strip(self, text: str, width_max: int, rtl: bool = False) -> Bitmap:
        """A line, shaped and in visual order, at most `width_max` px wide."""

    def fits(self, text: str, width_max: int, rtl: bool = False) -> bool:
        """Whether `strip` shows all of a text, its letters told apart."""

    def paragraph(self, text: str, width_max: int, lines_max: int, rtl: bool) -> Paragraph:
        """A text broken into lines of at most `width_max` px, and how they are written."""

    def block(self, lines: tuple[str, ...], how: Paragraph, width_max: int, rtl: bool) -> Bitmap:
        """Lines of a paragraph one under the other, whole cells high."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """A blob that is to be on the device before the card is drawn: glyphs, strips or image."""

    id: int
    kind: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class _Drawing:
    """Lines that are drawn when the card is finished, as `rows` strips one under the other."""

    lines: tuple[str, ...]
    room: int  # px
    rtl: bool
    rows: int = 1
    how: Paragraph | None = None  # None: one line, cut to its room

    def drawn(self, drawer: Drawer) -> Bitmap:
        if self.how is None:
            return drawer.strip(self.lines[0], self.room, self.rtl)
        return drawer.block(self.lines, self.how, self.room, self.rtl)


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
        self._places: dict[_Drawing, int] = {}  # where its first strip is
        self._drawings: list[tuple[_Drawing, int]] = []  # of each strip: whose row it is
        self._blob: int | None = None
        self.strips = drawer is not None and "strips" in screen.blocks
        self.missing: set[int] = set()  # code points that stay a box

    def shaped(self, text: str) -> bool:
        """`text` will be a strip."""
        return self.strips and is_shaped(text)

    def groups(
        self, text: str, lines_max: int, heading: bool = False
    ) -> Iterator[tuple[wire.Line, ...]]:
        """`text` broken into at most `lines_max` lines of the wire, in groups that may not be
        torn apart: a line each, or the strips of lines higher than a row."""
        left = lines_max
        for paragraph in clean(text[: self._cols * lines_max * 8]).split("\n"):
            for group in self._paragraph(paragraph, left, heading):
                left -= len(group)
                if left < 0:
                    return
                yield group

    def line(self, text: str) -> wire.Line:
        """The wire form of one line that is broken already."""
        if self.shaped(text):
            return self._strip(text, self._cols)
        return wire.text_line(plain_line(text))

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
        row = self._screen.cell[1]
        used = {line.index for line in _lines(card) if line.blob == self._blob} - {None}
        return sum(4 + row * wire.row_bytes(self._drawings[index][0].room) for index in used)

    def finish(self, card: wire.Card) -> tuple[wire.Card, list[Resource]]:
        """The card with its strips numbered from 0, and the blobs it needs."""
        resources: list[Resource] = []
        # Other strips are of pictures.
        mine = (line for line in _lines(card) if line.blob == self._blob)
        used = sorted({line.index for line in mine if line.style in ("s", "sr")})
        if used and self._blob is not None:
            data = struct.pack(">H", len(used)) + b"".join(self._drawn(used))
            resources.append(Resource(id=self._blob, kind="strips", data=data))
            places = {index: place for place, index in enumerate(used)}
            card = _numbered(card, self._blob, places)
        glyphs = self._glyphs(card)
        if glyphs:
            resources.append(Resource(id=self._next_blob(), kind="glyphs", data=glyphs))
        return card, resources

    def _paragraph(
        self, text: str, lines_max: int, heading: bool
    ) -> Iterator[tuple[wire.Line, ...]]:
        script = self._unwritable(text)
        if script:
            text = NO_FONT % script
        rtl = self._is_rtl(text)
        if not text.strip() or not self.strips or not (rtl or is_shaped(text)):
            for line in wrap(text, self._cols, lines_max):
                line = plain_line(line)
                yield (wire.heading(line) if heading and line else wire.text_line(line),)
            return
        assert self._drawer is not None
        room, row = self._cols * self._screen.cell[0], self._screen.cell[1]
        how = self._drawer.paragraph(without_tones(text), room, lines_max, rtl)
        # As many lines together as a page has room for: what is between them is not lost.
        together = max(1, self._page_rows * row // how.pitch) if how.pitch > row else 1
        for at in range(0, len(how.lines), together):
            lines = how.lines[at : at + together]
            rows = -(-((len(lines) - 1) * how.pitch + how.writing.height) // row)
            if rows > self._page_rows or how.pitch <= row:
                yield from ((self._row(line, how, rtl),) for line in lines)
            else:
                yield self._place(_Drawing(lines=lines, how=how, room=room, rtl=rtl, rows=rows))

    def _row(self, text: str, how: Paragraph, rtl: bool) -> wire.Line:
        """A line of a drawn paragraph in one row; as text where the device can write it."""
        if not rtl and not is_shaped(text) and width(text) <= self._cols:
            return wire.text_line(plain_line(text))
        room, row = self._cols * self._screen.cell[0], self._screen.cell[1]
        fitting = how if how.pitch <= row else None
        return self._place(_Drawing(lines=(text,), how=fitting, room=room, rtl=rtl))[0]

    def _strip(self, text: str, cols: int) -> wire.Line:
        room, text = cols * self._screen.cell[0], without_tones(text)
        return self._place(_Drawing(lines=(text,), room=room, rtl=self._is_rtl(text)))[0]

    def _place(self, drawing: _Drawing) -> tuple[wire.Line, ...]:
        """The lines that show a drawing."""
        if self._blob is None:
            self._blob = self._next_blob()
        first = self._places.setdefault(drawing, len(self._drawings))
        if first == len(self._drawings):
            self._drawings += [(drawing, row) for row in range(drawing.rows)]
        rows = range(first, first + drawing.rows)
        return tuple(wire.strip(self._blob, index, drawing.rtl) for index in rows)

    def _drawn(self, used: list[int]) -> Iterator[bytes]:
        assert self._drawer is not None
        drawn: tuple[_Drawing, Bitmap] | None = None
        height = self._screen.cell[1]
        for index in used:
            drawing, row = self._drawings[index]
            if drawn is None or drawn[0] is not drawing:
                drawn = drawing, drawing.drawn(self._drawer)
                codes = set(map(ord, "".join(drawing.lines)))
                self.missing.update(code for code in codes if self._drawer.lacks(code))
            size = height * wire.row_bytes(drawn[1].width)
            rows = drawn[1].rows[row * size : (row + 1) * size]
            yield struct.pack(">HH", drawn[1].width, height) + rows

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
            drawn = self._drawer.glyph(code_point) if len(records) < GLYPHS_MAX else None
            if drawn is None:
                self.missing.add(code_point)
            else:
                records.append(struct.pack(">IB", code_point, drawn.width) + drawn.rows)
        return b"".join(records)

    def _outside(self, characters: set[str]) -> Iterator[int]:
        ranges = self._screen.glyphs
        for character in characters:
            code_point = ord(character)
            if not any(first <= code_point <= last for first, last in ranges):
                yield code_point


def strips(rows: bytes, width: int, cell_height: int) -> bytes:
    """An image of rows of bits as a blob of strips, one for each line of text it covers."""
    head = struct.pack(">HH", width, cell_height)
    size = cell_height * wire.row_bytes(width)
    cut = [head + rows[at : at + size] for at in range(0, len(rows), size)]
    return struct.pack(">H", len(cut)) + b"".join(cut)


def _lines(card: wire.Card) -> Iterator[wire.Line]:
    for page in card.pages:
        yield from page.lines
        words = (page.title, *(option.label for option in _options(page)))
        yield from (each for each in words if isinstance(each, wire.Line))


def _texts(card: wire.Card) -> Iterator[str]:
    yield card.foot
    for page in card.pages:
        yield from (line.text for line in page.lines)
        words = (page.title, *(option.label for option in _options(page)))
        yield from (each for each in words if isinstance(each, str))


def _options(page: Any) -> tuple[wire.Option, ...]:
    return page.options if isinstance(page, wire.ChoicePage) else ()


def _numbered(card: wire.Card, blob: int, places: dict[int, int]) -> wire.Card:
    """The card with the strips of one blob at new places."""

    def placed(words: Any) -> Any:
        mine = isinstance(words, wire.Line) and words.blob == blob
        return words._replace(index=places[words.index]) if mine else words

    pages: list[Any] = []
    for page in card.pages:
        page = page._replace(title=placed(page.title), lines=tuple(map(placed, page.lines)))
        if isinstance(page, wire.ChoicePage):
            options = (wire.Option(each.id, placed(each.label)) for each in page.options)
            page = page._replace(options=tuple(options))
        pages.append(page)
    return card._replace(pages=tuple(pages))
