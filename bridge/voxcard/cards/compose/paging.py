"""Puts rows onto pages: what stays together, and where a card that is too long is cut."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from voxcard.cards.compose.rows import Gap, Part, Row, Sheet, moved

# Of the gap between two parts, where both are of one kind: percent.
_AIR = {"Field": 35, "ListRow": 45, "TableRow": 0, "StepRow": 0, "Paragraph": 60, "Gap": 0}


@dataclass(slots=True)
class Leaf:
    """A page being filled: rows at their heights, and how many parts are whole by its end."""

    rows: list[tuple[int, Row]] = field(default_factory=list)
    end: int = 0  # px
    parts: int = 0
    picture: Any = None  # what fills it instead of rows

    @property
    def items(self) -> Iterator[Any]:
        """Everything on it."""
        for y, row in self.rows:
            yield from moved(row.items, y)


class _Pack:
    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._frame = sheet.frame
        self.leaves = [Leaf(end=self._frame.top)]

    @property
    def _leaf(self) -> Leaf:
        return self.leaves[-1]

    def turn(self) -> None:
        """Begin a page; rows that do not stand alone at the foot of one come along."""
        taken: list[Row] = []
        while len(self._leaf.rows) > 1 and self._leaf.rows[-1][1].keep:
            taken.insert(0, self._leaf.rows.pop()[1])
        self.leaves.append(Leaf(end=self._frame.next_top))
        for row in taken:
            self._append(row)

    def add(self, part: Part, before: Part | None) -> None:
        """Lay a part out below the one before it."""
        if not self._leaf.rows:
            if isinstance(part, Gap):
                return
        elif before is not None:
            self._leaf.end += self._gap(before, part)
        rows = list(part.rows(self._sheet, self._leaf.end))
        height = sum(row.height for row in rows)
        room = self._frame.bottom - self._frame.next_top
        begins = self._leaf.end + (rows[0].height if rows else 0) <= self._frame.bottom
        whole = self._leaf.end + height <= self._frame.bottom
        # A title may leave no room for rows on its page.
        low = self._leaf.rows or self._leaf.end > self._frame.next_top
        if low and not (begins and (whole or height * 2 > room)):
            self.turn()
            rows = list(part.rows(self._sheet, self._leaf.end))
        for row in rows:
            if self._leaf.rows and self._leaf.end + row.height > self._frame.bottom:
                self.turn()
            self._append(row)

    def add_picture(self, picture: Any) -> None:
        """A page with nothing but a picture."""
        if self._leaf.rows:
            self.turn()
        self._leaf.picture = picture
        self.leaves.append(Leaf(end=self._frame.next_top))

    def _append(self, row: Row) -> None:
        self._leaf.rows.append((self._leaf.end, row))
        self._leaf.end += row.height

    def _gap(self, before: Part, part: Part) -> int:
        name = type(part).__name__
        share = _AIR.get(name, 100) if type(before) is type(part) else 100
        return self._sheet.style.gap * share // 100


def pack(parts: Sequence[Part], sheet: Sheet) -> list[Leaf]:
    """The pages that parts take; those with `fills_page` have one of their own."""
    work = _Pack(sheet)
    before: Part | None = None
    for number, part in enumerate(parts, start=1):
        if getattr(part, "fills_page", False):
            work.add_picture(part)
            work.leaves[-2].parts = number
        else:
            work.add(part, before)
        before = part
        work.leaves[-1].parts = number
    if not work.leaves[-1].rows and len(work.leaves) > 1:
        work.leaves.pop()
    for leaf, following in zip(work.leaves, work.leaves[1:], strict=False):
        leaf.parts = min(leaf.parts or following.parts, following.parts)
    return work.leaves


def cut_after(leaf: Leaf, sheet: Sheet, remark: Part) -> Leaf:
    """A page with a remark at its end, for which rows make room."""
    rows = list(remark.rows(sheet, leaf.end))
    height = sum(row.height for row in rows)
    kept = Leaf(rows=list(leaf.rows), end=leaf.end, parts=leaf.parts, picture=leaf.picture)
    while kept.rows and kept.end + height > sheet.frame.bottom:
        kept.end = kept.rows.pop()[0]
    for row in remark.rows(sheet, kept.end):
        kept.rows.append((kept.end, row))
        kept.end += row.height
    return kept
