"""Lays a card out in type for one screen, with as much of it as asked for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from voxwire import card as wire
from voxwire.type import drawing

from voxcard.cards.card_plan import Version
from voxcard.cards.compose.code_page import code_page, says_all
from voxcard.cards.compose.look import Look
from voxcard.cards.compose.options import CardChoices, OptionRows
from voxcard.cards.compose.paging import Leaf, cut_after
from voxcard.cards.compose.picture_page import picture_items
from voxcard.cards.compose.rows import Gap, Rule, Sheet, note
from voxcard.cards.compose.text_pages import Set, TextPages
from voxcard.cards.compose.writers import written
from voxcard.cards.fit import qr_pages
from voxcard.cards.fit.contents import Contents
from voxcard.cards.fit.entries import Entry, more
from voxcard.cards.fit.ink import Ink
from voxcard.cards.fit.picture import Picture
from voxcard.cards.fit.plan import Target, wire_card
from voxcard.cards.fit.room import columns, room_below
from voxcard.cards.fit.strip_batch import Resource
from voxcard.cards.model import Card
from voxcard.cards.text.sanitize import label as clean_label
from voxcard.cards.type.setting import Setting


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """What `fit` counts by: a page of a composed card is a line of it."""

    rows: int = 1
    lines_max: int = wire.PAGES_MAX


class TypePlan:
    """A card and a screen with faces of type; what does not change between calls of `build`.

    Slides of one card share the `ink` (a Setting) of the first.
    """

    def __init__(
        self,
        card: Card,
        target: Target,
        *,
        ink: Setting | None = None,
        codes_max: int = qr_pages.CODES_MAX,
    ) -> None:
        screen = target.screen
        self.room = Room()
        self.ink = ink or Setting(screen, target.smooth, target.next_blob, card.direction)
        self._card, self._target = card, target
        self._look = Look(card, target, self.ink)
        codes = qr_pages.codes_of(card, screen, target.short_link, codes_max)
        self.codes = replace(codes, shown=[self._said(item) for item in codes.shown])
        cells = Ink(screen, None, target.next_blob, columns(screen), card.direction)
        room = replace(room_below("", screen, cells), whole_title="")
        self._choices = CardChoices(card, screen, cells, room)
        contents = Contents(
            card=card,
            screen=screen,
            pictures=target.pictures,
            room=room,
            codes=self.codes,
            choices=self._choices,
            write=written,
            columns=self._look.columns,
        )
        self._text = TextPages(self._look, contents, self._choices)

    def build(self, codes: int, lines_max: int, buttons: bool) -> Version:
        """The card with `codes` QR pages, at most `lines_max` pages of text, choices if wanted."""
        whole = self._text.set(codes, buttons)
        leaves, left_out = self._cut(whole, lines_max)
        shown, options = self.codes.shown[:codes], self._text.options(buttons)
        left_out += len(self._choices.left_out) if buttons else 0
        below = self._text.below(leaves, whole.style, len(shown)) if options else ()
        rows = OptionRows(options=options, setting=self.ink, style=whole.style)
        frame = whole.chrome.frame(max(2, len(leaves) + len(shown) + len(options)))
        own = [] if below or not options else list(rows.pages(frame))
        if self._needless(whole, leaves, len(shown) + len(own)):
            leaves = ()
        pages = list(self._leaves(leaves, whole, len(shown) + len(own), below))
        style, screen = self._look.usual, self._target.screen
        pages += [code_page(code, screen, self.ink, style) for code in shown]
        count = len(pages) + len(own)
        for number, choices in enumerate(own, start=len(pages)):
            items = tuple(whole.chrome.items(max(1, number), count))
            pages.append(drawing.DrawnPage("", (), 0, items, choices, None))
        card = wire_card(self._card, pages, "", self._card.play)
        return Version(card=card, left_out=left_out)

    def slide(self, card: Card, codes_max: int) -> "TypePlan":
        """The plan of one of the card's slides, which shares its ink."""
        return TypePlan(card, self._target, ink=self.ink, codes_max=codes_max)

    def image_blobs(self, card: wire.Card) -> Iterator[Resource]:
        """The pictures that the finished card shows."""
        for blob, picture in self._shown(card):
            if picture.data:
                yield Resource(id=blob, kind="image", data=picture.data)

    def frames(self, card: wire.Card) -> Iterator[int]:
        """The blobs of those that come later."""
        return (blob for blob, picture in self._shown(card) if not picture.data)

    def _shown(self, card: wire.Card) -> Iterator[tuple[int, Picture]]:
        items = (item for page in card.pages for item in page.items)
        shown = {item.blob for item in items if isinstance(item, drawing.Photo)}
        for key, blob in self._look.blob_ids.items():
            if blob in shown:
                yield blob, self._target.pictures[key]

    def _said(self, item: qr_pages.Coded) -> qr_pages.Coded:
        screen = self._target.screen
        return replace(item, complete=says_all(item, screen, self.ink, self._look.usual))

    def _cut(self, whole: Set, pages_max: int) -> tuple[tuple[Leaf, ...], int]:
        """At most so many leaves, and how many things they leave out."""
        left_out = sum(entry.left_out for entry in whole.entries)
        if len(whole.leaves) <= pages_max:
            return whole.leaves, left_out
        *kept, last = whole.leaves[:pages_max]
        frame = whole.chrome.frame(pages_max + 1)
        sheet = Sheet(setting=self.ink, style=whole.style, frame=frame)

        def unseen(parts: int) -> int:
            return sum(map(_is_thing, whole.entries[parts:]))

        last = cut_after(last, sheet, lambda parts: note(more(unseen(parts))))
        return (*kept, last), left_out + unseen(last.parts)

    def _needless(self, whole: Set, leaves: Sequence[Leaf], others: int) -> bool:
        """Whether the only text page has nothing but a title, which other pages repeat whole."""
        empty = self._look.title_alone or not leaves[0].rows
        if not others or len(leaves) != 1 or not empty or leaves[0].picture is not None:
            return False
        title = clean_label(self._card.title)
        labels = {code.label for code in self.codes.shown}
        repeated = bool(self._choices.named) and whole.chrome.fits_small
        return not title or labels == {title} or repeated

    def _leaves(
        self, leaves: Sequence[Leaf], whole: Set, others: int, below: tuple[Any, ...]
    ) -> Iterator[drawing.DrawnPage]:
        """The text pages, before as many others; what is chosen below the last one."""
        count = len(leaves) + others
        for number, leaf in enumerate(leaves):
            items = (*whole.chrome.items(number, count), *self._leaf_items(leaf, whole, count))
            time = whole.times_ms[number] if number < len(whole.times_ms) else 0
            options = below if number == len(leaves) - 1 else ()
            yield drawing.DrawnPage("", (), time, items, options, None)

    def _leaf_items(self, leaf: Leaf, whole: Set, pages: int) -> Iterator[Any]:
        if leaf.picture is not None:
            yield from picture_items(leaf.picture, self._look.sheet(whole.style, pages))
            return
        spare = whole.chrome.frame(pages).bottom - leaf.end
        alone = len(whole.leaves) == 1 and not self._choices.named and not whole.chrome.title
        by = spare // 3 if alone and spare > 0 and whole.chrome.screen.shape != "round" else 0
        for item in leaf.items:
            yield item._replace(y=item.y + by) if by else item


def _is_thing(entry: Entry) -> bool:
    """Whether an entry is more than air."""
    return bool(entry.text or entry.picture) or not isinstance(entry.part, Gap | Rule | None)
