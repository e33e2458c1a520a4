"""Lines drawn by the bridge, as one blob of strips for a device: a strip is a row of text."""

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from voxwire import card as wire

from voxcard.cards.drawing.lines import Paragraph


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

    def paragraph(
        self, text: str, width_max: int, lines_max: int, *, rtl: bool, hang: int = 0
    ) -> Paragraph:
        """A text broken into lines of at most `width_max` px, and how they are written."""

    def block(self, lines: tuple[str, ...], how: Paragraph, width_max: int, rtl: bool) -> Bitmap:
        """Lines of a paragraph one under the other, whole cells high."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """A blob that a card is drawn from: glyphs, strips or image."""

    id: int
    kind: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """Lines to draw one under the other, `rows` rows of text high and about `width` px wide.

    Without `how` it is one line, cut to its room.
    """

    lines: tuple[str, ...]
    room: int  # px
    width: int
    rtl: bool
    rows: int = 1
    how: Paragraph | None = None

    def drawn(self, drawer: Drawer) -> Bitmap:
        """The bitmap of the drawing."""
        if self.how is None:
            return drawer.strip(self.lines[0], self.room, self.rtl)
        return drawer.block(self.lines, self.how, self.room, self.rtl)


class StripBatch:
    """Allots rows of one blob to drawings, and draws those that a finished card shows."""

    def __init__(self, row_height: int, next_blob: Callable[[], int]) -> None:
        self._height = row_height
        self._next_blob = next_blob
        self._blob: int | None = None
        self._first: dict[Drawing, int] = {}  # the place of its first row
        self._rows: list[tuple[Drawing, int]] = []  # what is at each place: whose row it is

    def place(self, drawing: Drawing) -> tuple[wire.Line, ...]:
        """The lines that show a drawing."""
        if self._blob is None:
            self._blob = self._next_blob()
        first = self._first.setdefault(drawing, len(self._rows))
        if first == len(self._rows):
            self._rows += [(drawing, row) for row in range(drawing.rows)]
        places = range(first, first + drawing.rows)
        return tuple(wire.strip(self._blob, place, drawing.rtl) for place in places)

    def size(self, card: wire.Card) -> int:
        """About how many bytes the strips of a card take."""
        widths = (self._rows[place][0].width for place in self._used(card))
        return sum(4 + self._height * wire.row_bytes(width) for width in widths)

    def finish(self, card: wire.Card, drawer: Drawer) -> tuple[wire.Card, Resource | None, str]:
        """The card with its strips numbered from 0, their blob, and all the text in it."""
        used = self._used(card)
        if not used or self._blob is None:
            return card, None, ""
        data = struct.pack(">H", len(used)) + b"".join(self._drawn(used, drawer))
        places = {place: number for number, place in enumerate(used)}
        text = "".join(line for place in used for line in self._rows[place][0].lines)
        blob = Resource(id=self._blob, kind="strips", data=data)
        return _numbered(card, self._blob, places), blob, text

    def _used(self, card: wire.Card) -> list[int]:
        # Other strips are of pictures.
        lines = lines_of(card) if self._blob is not None else ()
        return sorted({line.index for line in lines if line.blob == self._blob})

    def _drawn(self, used: list[int], drawer: Drawer) -> Iterator[bytes]:
        latest: tuple[Drawing, Bitmap] | None = None
        for place in used:
            drawing, row = self._rows[place]
            if latest is None or latest[0] is not drawing:
                latest = drawing, drawing.drawn(drawer)
            bitmap = latest[1]
            size = self._height * wire.row_bytes(bitmap.width)
            rows = bitmap.rows[row * size : (row + 1) * size]
            yield struct.pack(">HH", bitmap.width, self._height) + rows


def strips(rows: bytes, width: int, cell_height: int) -> bytes:
    """An image of rows of bits as a blob of strips, one for each line of text it covers."""
    head = struct.pack(">HH", width, cell_height)
    size = cell_height * wire.row_bytes(width)
    cut = [head + rows[at : at + size] for at in range(0, len(rows), size)]
    return struct.pack(">H", len(cut)) + b"".join(cut)


def lines_of(card: wire.Card) -> Iterator[wire.Line]:
    """Every line of a card that may be a strip: of its pages, titles and labels."""
    for page in card.pages:
        yield from page.lines
        words = (page.title, *(option.label for option in options_of(page)))
        yield from (each for each in words if isinstance(each, wire.Line))


def options_of(page: Any) -> tuple[wire.Option, ...]:
    """The options of a page; none where it is no page of choices."""
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
