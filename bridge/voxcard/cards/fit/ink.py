"""What the device's font cannot write: lines drawn as strips, characters sent as glyphs."""

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from voxwire import card as wire
from voxwire.capability import Screen

from voxcard.cards.text.cells import cut, is_shaped, plain_line, width
from voxcard.cards.text.twins import direction

GLYPHS_MAX = 192


class Bitmap(Protocol):
    """Rows of ceil(width / 8) bytes, first px in the top bit, 1 = ink; one cell high."""

    @property
    def width(self) -> int: ...

    @property
    def rows(self) -> bytes: ...


class Drawer(Protocol):
    """Draws text with the bridge's fonts, for the text cell of one screen."""

    def glyph(self, code_point: int, /) -> Bitmap | None:
        """One character, one cell wide or two; None when no font has it."""

    def strip(self, text: str, width_max: int, rtl: bool = False) -> Bitmap:
        """A line, shaped and in visual order, at most `width_max` px wide."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """A blob that is to be on the device before the card is drawn: glyphs, strips or image."""

    id: int
    kind: str
    data: bytes


class Ink:
    """Turns texts into wire lines and gathers what has to be drawn for them."""

    def __init__(
        self, screen: Screen, drawer: Drawer | None, next_blob: Callable[[], int], cols: int
    ) -> None:
        self._screen = screen
        self._drawer = drawer
        self._next_blob = next_blob
        self._width = cols * screen.cell[0]
        self._strips: dict[tuple[str, int], int] = {}  # text and room in px -> its index
        self._blob: int | None = None
        self.strips = drawer is not None and "strips" in screen.blocks
        self.missing: set[int] = set()  # code points that stay a box

    def shaped(self, text: str) -> bool:
        """`text` will be a strip."""
        return self.strips and is_shaped(text)

    def line(self, text: str, heading: bool = False) -> wire.Line:
        """The wire form of one broken line."""
        if not self.shaped(text):
            text = plain_line(text)
            return wire.heading(text) if heading and text else wire.text_line(text)
        return self._strip(text, self._width)

    def words(self, text: str, cols: int) -> str | wire.Line:
        """The wire form of a title or a label in one row of `cols` cells."""
        if not self.shaped(text):
            return cut(plain_line(text), cols)
        return self._strip(text, cols * self._screen.cell[0])

    def fits(self, text: str, cols: int) -> bool:
        """Whether a row of `cols` cells holds all of a title or a label."""
        if not self.shaped(text) or self._drawer is None:
            return width(plain_line(text)) <= cols
        room = cols * self._screen.cell[0]
        return bool(self._drawer.strip(text, room + 1, direction(text) == "rtl").width <= room)

    def _strip(self, text: str, room: int) -> wire.Line:
        if self._blob is None:
            self._blob = self._next_blob()
        index = self._strips.setdefault((text, room), len(self._strips))
        return wire.strip(self._blob, index, direction(text) == "rtl")

    def finish(self, card: wire.Card) -> tuple[wire.Card, list[Resource]]:
        """The card with its strips numbered from 0, and the blobs it needs."""
        resources: list[Resource] = []
        # Other strips are of pictures.
        mine = (line for line in _lines(card) if line.blob == self._blob)
        used = sorted({line.index for line in mine if line.style in ("s", "sr")})
        if used and self._blob is not None:
            texts = list(self._strips)
            data = struct.pack(">H", len(used)) + b"".join(self._drawn(*texts[i]) for i in used)
            resources.append(Resource(id=self._blob, kind="strips", data=data))
            places = {index: place for place, index in enumerate(used)}
            card = _numbered(card, self._blob, places)
        glyphs = self._glyphs(card)
        if glyphs:
            resources.append(Resource(id=self._next_blob(), kind="glyphs", data=glyphs))
        return card, resources

    def _drawn(self, text: str, room: int) -> bytes:
        assert self._drawer is not None
        drawn = self._drawer.strip(text, room, direction(text) == "rtl")
        return struct.pack(">HH", drawn.width, self._screen.cell[1]) + drawn.rows

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
