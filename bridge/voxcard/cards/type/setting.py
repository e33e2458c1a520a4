"""Sets texts in the faces of one screen: how wide they are, where lines break, what is drawn."""

import re
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from voxwire import card as wire
from voxwire.capability import Screen
from voxwire.type import drawing
from voxwire.type.roles import INK, PAPER
from voxwire.type.scale import Scale, cap_px, scale

from voxcard.cards.fit.strip_batch import Resource
from voxcard.cards.text.cells import cut, is_shaped, plain_line, without_tones, wrap
from voxcard.cards.text.sanitize import clean
from voxcard.cards.text.scripts import Direction, direction_in, script_of
from voxcard.cards.type.metrics import Metrics, metrics
from voxcard.cards.type.signs import Signs
from voxcard.cards.type.smooth import Line, SmoothDrawer

GLYPHS_MAX = 192
# A number and its unit stay on one line: between them is a space that does not break.
_UNIT, _STAY = re.compile(r"(?<=\d) (?=(?:%|°[CF]?|[^\W\d_]{1,3})(?![^\W\d_]))"), "\xa0"
NO_FONT = "Text in %s, which this device cannot show."


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """The faces that texts of each role are set in, and px of air around them."""

    faces: Scale
    gap: int  # between things that do not belong together

    def face(self, role: str) -> Metrics:
        """The face of a role of voxwire.type.scale.Scale."""
        return metrics(getattr(self.faces, role))


@dataclass(frozen=True, slots=True, kw_only=True)
class Styles:
    """How pages of a screen may be set: a short answer `short`, little in the `larger` ones, the
    largest first; what needs many pages in the `smaller`, down to the size of captions."""

    short: Style
    larger: tuple[Style, ...]
    usual: Style
    smaller: tuple[Style, ...]

    @property
    def dense(self) -> Style:
        """The smallest that a text is set in."""
        return (self.usual, *self.smaller)[-1]


@lru_cache(maxsize=64)
def styles(screen: Screen) -> Styles:
    """The styles of a screen, at the size of text that its person chose."""
    usual = scale(screen, screen.text_size)
    body, headline, least = map(cap_px, (usual.body, usual.headline, usual.caption))
    caps = [
        cap_px(face) for face in screen.faces if face[0] == "t" and f"b{face[1:]}" in screen.faces
    ]
    icons = sorted(cap_px(face) for face in screen.faces if face[0] == "i")

    def in_size(cap: int) -> Style:
        return _style(usual._replace(body=f"t{cap}", title=f"b{cap}"), icons)

    caps.sort(reverse=True)
    return Styles(
        short=_style(usual._replace(body=usual.headline, title=usual.headline), icons),
        larger=tuple(in_size(cap) for cap in caps if body < cap <= headline),
        usual=_style(usual, icons),
        smaller=tuple(in_size(cap) for cap in caps if least <= cap < body),
    )


def _style(faces: Scale, icons: Sequence[int]) -> Style:
    """Of its faces, with the largest icons that are no higher than a line of its text."""
    body = metrics(faces.body)
    fitting = [side for side in icons if side <= body.pitch]
    icon = f"i{fitting[-1]}" if fitting else faces.icon
    return Style(faces=faces._replace(icon=icon), gap=max(2, body.cap * 2 // 5))


class Setting:
    """A screen, and everything that is drawn for its texts.

    `direction` is the card's, which decides for texts that may be either.
    """

    def __init__(
        self,
        screen: Screen,
        drawer: SmoothDrawer | None,
        next_blob: Any,
        direction: Direction = "ltr",
    ) -> None:
        self.screen = screen
        self._drawer, self._next_blob, self._direction = drawer, next_blob, direction
        self._index = {face: index for index, face in enumerate(screen.faces)}
        self._lines: list[Line] = []
        self._places: dict[tuple[str, str, int], int] = {}
        self._widths: dict[tuple[str, str], int] = {}  # of words, which come again and again
        self._blob: int | None = None
        self.signs = Signs(next_blob)
        self.missing: set[int] = set()  # code points that stay a box

    def index(self, face: str) -> int:
        """Where the screen has a face."""
        return self._index[face]

    def shaped(self, text: str) -> bool:
        """Whether the bridge has to draw a text."""
        return self._drawer is not None and is_shaped(text)

    def width(self, face: Metrics, text: str) -> int:
        """Px of one line of text."""
        key = (face.name, text)
        if key not in self._widths:
            self._widths[key] = self._width(face, text)
        return self._widths[key]

    def lines(
        self, face: Metrics, text: str, width: int, lines_max: int, hang: int = 0
    ) -> list[str]:
        """`text` on lines of at most `width` px."""
        text = _UNIT.sub(_STAY, self.legible(clean(text)))
        if self.shaped(text) and self._drawer is not None:
            drawn, rtl = without_tones(text), self.rtl(text)
            return list(
                self._drawer.paragraph(face.name, drawn, width, lines_max, rtl=rtl, hang=hang)[0]
            )
        lines = wrap(
            text, width, lines_max, lambda piece: self.width(face, piece), hang, hyphen="-"
        )
        return lines if hang else without_widow(self, face, text, lines, width)

    def cut(self, face: Metrics, text: str, width: int) -> str:
        """`text` on one line, with an ellipsis when something had to go."""
        text = self.legible(clean(text).replace("\n", " "))
        if self.shaped(text):
            return text  # cut when it is drawn
        return cut(plain_line(text), width, lambda piece: self.width(face, piece))

    def legible(self, text: str) -> str:
        """The text, or a sentence that says in which script it is where most would be boxes."""
        if self._drawer is None or text.isascii():
            return text
        letters = {each for each in text if each.isalpha()}
        boxes = [each for each in letters if self._drawer.lacks(ord(each)) and not _own(each)]
        if 2 * len(boxes) <= len(letters):
            return text
        self.missing.update(map(ord, boxes))
        return NO_FONT % script_of(min(boxes))

    def rtl(self, text: str) -> bool:
        """Whether a text begins at the right."""
        return direction_in(text, self._direction) == "rtl"

    def run(
        self,
        face: Metrics,
        text: str,
        x: int,
        baseline: int,
        *,
        ink: int = INK,
        paper: int = PAPER,
        room: int = 0,
        align: str = "",
    ) -> Iterator[Any]:
        """The item that draws one line: from `x` on, or at the `right` or in the `middle` of
        `room` px there. Without `align` it begins where its script does."""
        text = clean(text).replace("\n", " ")
        if not text.strip():
            return
        shaped = self.shaped(text)
        align = align or ("right" if room and self.rtl(text) else "left")
        if shaped:
            line, place = self._place(face, text, room)
            x += _shift(align, room, line.width)
            yield drawing.Smooth(
                x, baseline - line.baseline, line.width, line.height, self._blob, place, ink
            )
            return
        text = plain_line(text)
        if align != "left":
            x += _shift(align, room, self.width(face, text))
        yield drawing.Text(x, baseline, self.index(face.name), ink, text, paper)

    def reach(self, face: Metrics, text: str) -> tuple[int, int]:
        """Px that a line's ink may take over and under its baseline."""
        if not self.shaped(text):
            return face.ascent, face.descent
        line = self._place(face, text, self.screen.width)[0]
        return max(face.ascent, line.baseline), max(face.descent, line.height - line.baseline)

    def label(self, face: Metrics, text: str, room: int) -> Any:
        """A choice's label: text, or a drawn line."""
        if not self.shaped(text):
            return self.cut(face, text, room)
        _, place = self._place(face, text, room)
        return wire.strip(self._blob or 0, place)

    def strip_bytes(self, card: wire.Card) -> int:
        """Bytes on the device of what is drawn for a card."""
        return sum(4 + len(self._lines[index].rows) for index in self._used(card))

    def finish(self, card: wire.Card) -> tuple[wire.Card, list[Resource]]:
        """The card with its drawn lines numbered from 0, and the blobs it needs."""
        blobs: list[Resource] = []
        used = self._used(card)
        if used and self._blob is not None:
            lines = [self._lines[index] for index in used]
            data = struct.pack(">H", len(lines)) + b"".join(
                struct.pack(">HH", line.width, line.height) + line.rows for line in lines
            )
            blobs.append(Resource(id=self._blob, kind="smooth", data=data))
            card = _numbered(card, {place: number for number, place in enumerate(used)})
        blobs += self.signs.shown(card)
        glyphs = self._glyphs(card)
        if glyphs:
            blobs.append(Resource(id=self._next_blob(), kind="type", data=glyphs))
        return card, blobs

    def place(self, line: Line) -> tuple[int, int]:
        """(blob, index) of something else that is drawn in 4 levels."""
        if self._blob is None:
            self._blob = self._next_blob()
        self._lines.append(line)
        return self._blob, len(self._lines) - 1

    def _place(self, face: Metrics, text: str, room: int) -> tuple[Line, int]:
        assert self._drawer is not None
        room = room or self.screen.width
        key = (face.name, text, room)
        if key not in self._places:
            line = self._drawer.line(face.name, without_tones(text), room, self.rtl(text))
            self._places[key] = self.place(line)[1]
        return self._lines[self._places[key]], self._places[key]

    def _width(self, face: Metrics, text: str) -> int:
        if self.shaped(text) and self._drawer is not None:
            return self._drawer.width(face.name, without_tones(text), self.rtl(text))
        advances = face.advances
        return sum(
            advances[code] if code in advances else self._foreign(face, code)
            for code in map(ord, plain_line(clean(text)))
        )

    def _foreign(self, face: Metrics, code: int) -> int:
        return self._drawer.advance(face.name, code) if self._drawer else face.cap

    def _used(self, card: wire.Card) -> list[int]:
        return sorted(set(_drawn(card.pages)))

    def _glyphs(self, card: wire.Card) -> bytes:
        records: list[bytes] = []
        for index, code in sorted(set(self._needed(card.pages))):
            face = self.screen.faces[index]
            record = None
            if self._drawer is not None and len(records) < GLYPHS_MAX:
                record = self._drawer.glyph(face, code)
            if record is None:
                self.missing.add(code)
            else:
                records.append(struct.pack(">IB", code, index) + record)
        return b"".join(records)

    def _needed(self, pages: Iterable[Any]) -> Iterator[tuple[int, int]]:
        """(face, code point) of every character that the device's faces lack."""
        for index, text in _texts(pages):
            if text.isascii():
                continue
            own = metrics(self.screen.faces[index]).advances
            yield from ((index, ord(each)) for each in text if ord(each) not in own)


def without_widow(
    setting: Setting, face: Metrics, text: str, lines: list[str], width: int
) -> list[str]:
    """The lines of a text, its last word not alone on its line of `width` px where the line before
    can spare one."""
    if len(lines) < 2 or " " in lines[-1].strip() or not lines[-1] or not lines[-2]:
        return lines
    start, _, word = lines[-2].rpartition(" ")
    joined = f"{word} {lines[-1]}"
    # Neither where it is the rest of a word that was broken, nor a number from its unit.
    whole, start_of_it, end_of_it = (_UNIT.sub(_STAY, each) for each in (text, start, joined))
    apart = f"{start_of_it} {end_of_it}" in whole
    if " " not in start or not apart or setting.width(face, joined) > width:
        return lines
    return [*lines[:-2], start, joined]


def _own(character: str) -> bool:
    return ord(character) in metrics("t20").advances


def _shift(align: str, room: int, width: int) -> int:
    if align == "right":
        return max(0, room - width)
    return max(0, room - width) // 2 if align == "middle" else 0


def _texts(pages: Iterable[Any]) -> Iterator[tuple[int, str]]:
    for page in pages:
        for item in page.items:
            if isinstance(item, drawing.Text):
                yield item.face, item.text
        for choice in page.options:
            if isinstance(choice.label, str):
                yield choice.face, choice.label.replace("\n", " ")


def _drawn(pages: Iterable[Any]) -> Iterator[int]:
    for page in pages:
        yield from (item.index for item in page.items if isinstance(item, drawing.Smooth))
        labels = (choice.label for choice in page.options)
        yield from (label.index for label in labels if not isinstance(label, str))


def _numbered(card: wire.Card, places: dict[int, int]) -> wire.Card:
    """The card with its drawn lines at new places."""

    def item_of(item: Any) -> Any:
        moved = isinstance(item, drawing.Smooth)
        return item._replace(index=places[item.index]) if moved else item

    def choice_of(choice: Any) -> Any:
        if isinstance(choice.label, str):
            return choice
        return choice._replace(label=choice.label._replace(index=places[choice.label.index]))

    pages = [
        page._replace(
            items=tuple(map(item_of, page.items)), options=tuple(map(choice_of, page.options))
        )
        for page in card.pages
    ]
    return card._replace(pages=tuple(pages))
