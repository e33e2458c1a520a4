"""Puts rows onto pages: what stays together, and where a card that is too long is cut."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, NamedTuple

from voxcard.cards.compose.rows import Gap, Part, Row, Rule, Sheet, moved

# Of the gap between two parts, where both are of one kind: percent.
_AIR = {"Field": 35, "ListRow": 45, "TableRow": 0, "StepRow": 0, "Paragraph": 60, "Gap": 0}


class Placed(NamedTuple):
    """A row at its height, and which part it is of, counted from 1."""

    y: int
    row: Row
    part: int


@dataclass(slots=True)
class Leaf:
    """A page being filled: rows at their heights, and how many parts are whole by its end."""

    rows: list[Placed] = field(default_factory=list)
    end: int = 0  # px
    parts: int = 0
    picture: Any = None  # what fills it instead of rows

    @property
    def items(self) -> Iterator[Any]:
        """Everything on it."""
        for placed in self.rows:
            yield from moved(placed.row.items, placed.y)


class _Pack:
    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._frame = sheet.frame
        self.leaves = [Leaf(end=self._frame.top)]
        self._parts: list[Part] = []  # the last one is under way

    @property
    def _leaf(self) -> Leaf:
        return self.leaves[-1]

    def turn(self) -> bool:
        """Begin a page; rows that do not stand alone at the foot of one come along.

        They are laid out anew: chords of a round panel differ. Whether the part under way is to
        be begun again, because all of its rows came along.
        """
        taken: list[Placed] = []
        while len(self._leaf.rows) > 1 and self._leaf.rows[-1].row.keep:
            taken.insert(0, self._leaf.rows.pop())
        stays = self._leaf.rows[-1].part if self._leaf.rows else 0
        self._leaf.parts = min([len(self._parts), *(placed.part for placed in taken)]) - 1
        self.leaves.append(Leaf(end=self._frame.next_top))
        again = False
        for number, placed in groupby(taken, lambda each: each.part):
            if number == stays:
                rows = [each.row for each in placed]
            elif number == len(self._parts):
                rows, again = [], True
            else:
                rows = self._rows(self._parts[number - 1])
            for row in rows:
                self._append(row, number)
        return again

    def add(self, part: Part, before: Part | None) -> None:
        """Lay a part out below the one before it."""
        self._parts.append(part)
        self._add(part, before)
        self._leaf.parts = len(self._parts)

    def _add(self, part: Part, before: Part | None) -> None:
        if self._leaf.rows and before is not None:
            self._leaf.end += self._gap(before, part)
        rows = self._rows(part)
        height = sum(row.height for row in rows)
        room = self._frame.bottom - self._frame.next_top
        begins = self._leaf.end + (rows[0].height if rows else 0) <= self._frame.bottom
        whole = self._leaf.end + height <= self._frame.bottom
        if isinstance(part, Gap | Rule) and not (self._leaf.rows and whole):
            return  # the page's edge parts as well
        # A title may leave no room for rows on its page.
        low = self._leaf.rows or self._leaf.end > self._frame.next_top
        if low and not (begins and (whole or height * 2 > room)):
            self.turn()
            rows = self._rows(part)
        at = 0
        while at < len(rows):
            full = self._leaf.end + rows[at].height > self._frame.bottom
            if self._leaf.rows and full and self.turn():
                rows, at = self._rows(part), 0
                continue
            self._append(rows[at], len(self._parts))
            at += 1

    def add_picture(self, picture: Any) -> None:
        """A page with nothing but a picture."""
        self._parts.append(picture)
        if self._leaf.rows:
            self.turn()
        self._leaf.picture, self._leaf.parts = picture, len(self._parts)
        self.leaves.append(Leaf(end=self._frame.next_top, parts=len(self._parts)))

    def _rows(self, part: Part) -> list[Row]:
        """A part's rows, those that no page holds left away."""
        rows: list[Row] = []
        height = 0
        for row in part.rows(self._sheet, self._leaf.end):
            rows.append(row)
            height += row.height
            if height > self._sheet.height_max:
                break
        return rows

    def _append(self, row: Row, part: int) -> None:
        self._leaf.rows.append(Placed(self._leaf.end, row, part))
        self._leaf.end += row.height

    def _gap(self, before: Part, part: Part) -> int:
        name = type(part).__name__
        share = _AIR.get(name, 100) if type(before) is type(part) else 100
        return self._sheet.style.gap * share // 100


def pack(parts: Sequence[Part], sheet: Sheet) -> list[Leaf]:
    """The pages that parts take; those with `fills_page` have one of their own.

    One page more than the sheet wants is the last: what follows it is not laid out.
    """
    work = _Pack(sheet)
    before: Part | None = None
    for part in parts:
        if getattr(part, "fills_page", False):
            work.add_picture(part)
        else:
            work.add(part, before)
        before = part
        if len(work.leaves) > sheet.pages_max and work.leaves[-1].rows:
            break
    if not work.leaves[-1].rows and len(work.leaves) > 1:
        work.leaves.pop()
    return work.leaves


def cut_after(leaf: Leaf, sheet: Sheet, remark: Callable[[int], Part]) -> Leaf:
    """A page with a remark at its end, for which rows make room; it is made of how many parts
    are whole by then."""
    kept = replace(leaf, rows=list(leaf.rows))
    if kept.picture is not None:  # which makes room
        kept.picture, kept.parts = None, kept.parts - 1
    rows = list(remark(kept.parts).rows(sheet, kept.end))
    height = sum(row.height for row in rows)
    while kept.rows and kept.end + height > sheet.frame.bottom:
        kept.end, _, part = kept.rows.pop()
        kept.parts = min(kept.parts, part - 1)
    for row in remark(kept.parts).rows(sheet, kept.end):
        kept.rows.append(Placed(kept.end, row, kept.parts))
        kept.end += row.height
    return kept
