"""Lines of twice the size, and names with their values flush right, on screens that draw them."""

from collections.abc import Iterator, Sequence
from functools import cached_property

from voxwire import card as wire
from voxwire.capability import Screen

from voxcard.cards.fit.entries import Entry, Groups, Lines
from voxcard.cards.fit.ink import Ink
from voxcard.cards.fit.room import Room
from voxcard.cards.icons.weather import weather_of
from voxcard.cards.model import Block, Card, MetricBlock, TextBlock
from voxcard.cards.text.cells import plain_line, width, wrap
from voxcard.cards.text.sanitize import label as clean_label

_HEADLINE_LINES = 2
_LABEL_LINES = 2
_CHARACTERS_MAX = 256  # no row holds more
_PICTOGRAPHS = "\U0001f000"  # a device takes all from here on for wide: it could not be flush


class Styles:
    """Makes the lines of a card in the styles that a screen has; none where they have no room, or
    where the bridge has to draw the text."""

    def __init__(self, card: Card, screen: Screen, ink: Ink, room: Room) -> None:
        self._card, self._screen, self._ink, self._room = card, screen, ink, room
        self._big, self._fields = "big" in screen.blocks, "fields" in screen.blocks

    def fields(self, pairs: Sequence[tuple[str, str]]) -> Lines:
        """A line for each name and value, if each has a row that holds both, two cells
        between."""
        lines: list[wire.Line] = []
        for name, value in pairs if self._fields else ():
            line = self._field(name, value)
            if line is None:
                return ()
            lines.append(line)
        return tuple(lines)

    def hero(self, block: Block) -> Groups:
        """The value that a card opens with in large figures, its unit and change beside it, its
        label over it, or under a title beside or below it (at worst on the next page); none for
        other blocks."""
        value = self._value
        opens = value is not None and not self._card.play and self._card.blocks[0] == block
        if value is None or not self._big or not opens or not all(map(self._is_plain, value)):
            return ()
        valued, named = self._hero_lines(*(plain_line(clean_label(each)) for each in value))
        titled, rows = bool(self._room.title), self._room.rows
        if not valued or len(named) > _LABEL_LINES or not all(map(self._fits, valued + named)):
            return ()
        if len(valued + named) <= rows:
            return (valued + named if titled else named + valued,)
        return (valued, *((line,) for line in named)) if titled and len(valued) <= rows else ()

    def _hero_lines(self, label: str, figures: str, unit: str, delta: str) -> tuple[Lines, Lines]:
        """The lines of a value, and those of its label."""
        whole = f"{figures} {unit}".strip()
        large = whole if width(whole) <= self._half else figures
        rest = " · ".join(filter(None, (unit if large is not whole else "", delta)))
        if label == clean_label(self._card.title):
            label = ""
        beside = 2 * width(large) + 1 + width(label) <= self._room.cols
        if self._room.title and not rest and beside:
            label, rest = "", label
        named = (wire.text_line(line) for line in wrap(label, self._room.cols, 3) if label)
        return tuple(self._valued(large, rest)) if figures else (), tuple(named)

    def headline(self, entries: Sequence[Entry]) -> Lines:
        """The lines of a card that is one short sentence."""
        texts = all(isinstance(block, TextBlock) for block in self._card.blocks)
        if not self._big or len(entries) != 1 or not texts or self._card.play:
            return ()
        [entry] = entries
        sign = entry.hang or entry.picture or entry.left_out or entry.text[:1] in ("[", "•")
        if sign or entry.groups:
            return ()
        return self._large(entry.text, self._room.first_rows or self._room.rows)

    def title(self) -> Lines:
        """The lines of a page without a title that says the card's title and nothing else."""
        rows = wire.layout(self._screen, False).body.rows
        return self._large(self._card.title, rows) if self._big else ()

    def _large(self, text: str, rows: int) -> Lines:
        """A text in lines of twice the size that have place in `rows`, no word cut."""
        if not self._is_plain(text):
            return ()
        lines: list[str] = []
        for word in plain_line(clean_label(text)).split():
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and width(longer) <= self._half:
                lines[-1] = longer
            else:
                lines.append(word)
        whole = all(width(line) <= self._half for line in lines)
        if not whole or len(lines) > min(_HEADLINE_LINES, rows // 2):
            return ()
        return tuple(line for each in lines for line in (wire.big(each), wire.text_line("")))

    @property
    def _half(self) -> int:
        """Cells of a line of twice the size."""
        return self._room.cols // 2

    @cached_property
    def _value(self) -> tuple[str, str, str, str] | None:
        """Label, value, unit and change that a card opens with."""
        weather, title = weather_of(self._card), self._card.title
        if weather:
            place, value, unit, sky = weather
            return (sky if place in title else f"{place}, {sky}", value, unit, "")
        first = self._card.blocks[0] if self._card.blocks else None
        if not isinstance(first, MetricBlock):
            return None
        return (first.label, first.value, first.unit, first.delta)

    def _is_plain(self, text: str) -> bool:
        return len(text) <= _CHARACTERS_MAX and self._ink.is_plain(text)

    def _field(self, name: str, value: str) -> wire.Line | None:
        plain = self._is_plain(name) and self._is_plain(value)
        if not plain or not name or max(value, default="") >= _PICTOGRAPHS:
            return None
        name, value = plain_line(clean_label(name)), plain_line(clean_label(value))
        line = wire.field(name, value)
        return line if width(line.text) <= self._room.cols else None

    def _valued(self, large: str, rest: str) -> Iterator[wire.Line]:
        """A value in two rows, and the rest beside its lower one, or below it."""
        beside = 2 * width(large) + bool(rest) + width(rest) <= self._room.cols
        flush = max(rest, default="") < _PICTOGRAPHS
        yield wire.big(large)
        yield wire.field("", rest) if rest and beside and flush else wire.text_line("")
        if rest and not (beside and flush):
            yield wire.text_line(rest)

    def _fits(self, line: wire.Line) -> bool:
        cells = width(line.text)
        return cells <= (self._half if line.style == "b" else self._room.cols)
