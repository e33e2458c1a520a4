"""Builds the pages of one card for one screen, with as much of it as asked for."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from voxwire import card as wire
from voxwire.capability import Screen

from voxcard.cards.card_plan import Version
from voxcard.cards.fit import qr_pages
from voxcard.cards.fit.choices import Choices
from voxcard.cards.fit.contents import Contents
from voxcard.cards.fit.entries import more
from voxcard.cards.fit.flow import Draft, Item, broken, flow
from voxcard.cards.fit.ink import Ink
from voxcard.cards.fit.picture import Picture, Pictures
from voxcard.cards.fit.room import columns, foot, room_below
from voxcard.cards.fit.strip_batch import Drawer, Resource, strips
from voxcard.cards.fit.styles import Styles
from voxcard.cards.model import Card, Play
from voxcard.cards.text.cells import cut
from voxcard.cards.text.sanitize import label as clean_label
from voxcard.cards.type.smooth import SmoothDrawer

ID_BYTES_MAX = 64
PAGE_MS_MIN = 1000
_UNSEEN = Item(groups=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The screen a card is for, and what its pages may be made from.

    `now` is in seconds since 1970. Without a `drawer`, characters the device lacks stay boxes.
    """

    screen: Screen
    now: float
    next_blob: Callable[[], int]
    short_link: qr_pages.ShortLink
    pictures: Pictures
    drawer: Drawer | None
    smooth: SmoothDrawer | None = None  # for screens with faces of type


class Plan:
    """A card and a screen, with everything that does not change between calls of `build`.

    Slides of one card share the `ink` of the first.
    """

    def __init__(
        self,
        card: Card,
        target: Target,
        *,
        ink: Ink | None = None,
        codes_max: int = qr_pages.CODES_MAX,
    ) -> None:
        screen, drawer, pictures = target.screen, target.drawer, target.pictures
        self.ink = ink or Ink(screen, drawer, target.next_blob, columns(screen), card.direction)
        self.room = room_below(card.title, screen, self.ink)
        self.codes = qr_pages.codes_of(card, screen, target.short_link, codes_max)
        self._card, self._target = card, target
        self._choices = Choices(card, screen, self.ink, self.room)
        self._styles = Styles(card, screen, self.ink, self.room)
        self._contents = Contents(
            card=card,
            screen=screen,
            pictures=pictures,
            room=self.room,
            codes=self.codes,
            choices=self._choices,
            styles=self._styles,
        )
        self._broken: dict[tuple[int, bool], list[tuple[list[Item], int]]] = {}
        self._blob_ids = {key: each.blob or target.next_blob() for key, each in pictures.items()}

    def build(self, codes: int, lines_max: int, buttons: bool) -> Version:
        """The card with `codes` QR pages, at most `lines_max` lines of text, choices if wanted."""
        pages, left_out = self._text_pages(codes, lines_max, buttons)
        if not pages and self._card.title and not self._named_by_code(codes):
            pages = [self._title_page()]
        shown = self.codes.shown[:codes]
        pages += [qr_pages.page(code, self._target.screen, self.ink) for code in shown]
        if buttons:
            pages += self._choices.pages()
            left_out += len(self._choices.left_out)
        if not pages:
            large = self._styles.title()
            pages = [wire.TextPage("" if large else self.room.title, large, 0)]
        below = foot(self._card.provenance, self.room.layout, self._target.now, len(pages))
        card = wire_card(self._card, pages, below, self._card.play)
        return Version(card=card, left_out=left_out)

    def slide(self, card: Card, codes_max: int) -> "Plan":
        """The plan of one of the card's slides, which shares its ink."""
        return Plan(card, self._target, ink=self.ink, codes_max=codes_max)

    def image_blobs(self, card: wire.Card) -> Iterator[Resource]:
        """The pictures that the finished card shows, but for those that come later."""
        for blob, picture in self._shown(card):
            if picture.ink:
                rows = strips(picture.data, picture.width, self._target.screen.cell[1])
                yield Resource(id=blob, kind="strips", data=rows)
            elif picture.data:
                yield Resource(id=blob, kind="image", data=picture.data)

    def frames(self, card: wire.Card) -> Iterator[int]:
        """The blobs of those that come later."""
        return (blob for blob, picture in self._shown(card) if not picture.data)

    def _shown(self, card: wire.Card) -> Iterator[tuple[int, Picture]]:
        blob_ids = {page.blob for page in card.pages if isinstance(page, wire.ImagePage)}
        blob_ids |= {line.blob for page in card.pages for line in page.lines}
        for key, blob in self._blob_ids.items():
            if blob in blob_ids:
                yield blob, self._target.pictures[key]

    def _text_pages(self, codes: int, lines_max: int, buttons: bool) -> tuple[list[object], int]:
        """Pages of at most `lines_max` lines, and how many things they leave out."""
        pages: list[object] = []
        left_out = 0
        segments = self._segments(codes, buttons)
        for index, (items, ms) in enumerate(segments):
            after = sum(len(later) for later, _ in segments[index + 1 :])
            if pages and lines_max < self.room.rows and items:
                unseen = len(items) + after
                return self._with_more(pages, unseen), left_out + unseen
            first_rows = 0 if pages else self.room.first_rows
            flowed = flow(items, self.room.cols, self.room.rows, lines_max, after, first_rows)
            # A segment begins a page of its own.
            lines_max -= len(flowed.drafts) * self.room.rows
            left_out += flowed.left_out
            pages += self._pages(flowed.drafts, ms, opening=not pages)
            if flowed.full:
                break
        return pages, left_out

    def _pages(self, drafts: Sequence[Draft], ms: int, opening: bool) -> Iterator[object]:
        """A segment's pages, which share its time; `opening`: the first is the card's first."""
        times = page_times(ms, len(drafts))
        for index, (draft, page_ms) in enumerate(zip(drafts, times, strict=True)):
            untitled = bool(self.room.whole_title) and opening and not index
            yield self._page(draft, page_ms, untitled)

    def _with_more(self, pages: list[object], unseen: int) -> list[object]:
        """`pages` with how much follows on the last line of the last one."""
        last = pages[-1]
        lines: tuple[wire.Line, ...] = ()  # a picture makes room
        ms = 0
        pictures = self._blob_ids.values()
        if isinstance(last, wire.TextPage) and not any(
            each.blob in pictures for each in last.lines
        ):
            lines, ms = last.lines[: self.room.rows - 1], last.ms
            unseen -= len(last.lines) < self.room.rows
        mark = wire.text_line(cut(more(unseen + 1), self.room.cols))
        return [*pages[:-1], wire.TextPage(self.room.title, (*lines, mark), ms)]

    def _named_by_code(self, codes: int) -> bool:
        """Whether all `codes` QR pages (or none) already show the card's title as their label."""
        labels = {code.label for code in self.codes.shown[:codes]}
        return not codes or labels == {clean_label(self._card.title)}

    def _title_page(self) -> wire.TextPage:
        title, large = clean_label(self._card.title), self._styles.title()
        groups = [large] if large else self.ink.groups(title, self.room.rows, heading=True)
        return wire.TextPage("", tuple(line for group in groups for line in group), 0)

    def _page(self, draft: Draft, ms: int, untitled: bool) -> object:
        if draft.picture is None:
            return wire.TextPage("" if untitled else self.room.title, draft.lines, ms)
        picture, blob = self._target.pictures[draft.picture], self._blob_ids[draft.picture]
        screen = self._target.screen
        if picture.ink:
            cols = wire.layout(screen, True).title.cols
            title = self.ink.words(draft.title, cols) if draft.title else self.room.title
            count = picture.height // screen.cell[1]
            lines = tuple(wire.strip(blob, index) for index in range(count))
            return wire.TextPage(title, lines, ms)
        return wire.ImagePage("", draft.lines, ms, blob, picture.width, picture.height)

    def _segments(self, codes: int, buttons: bool) -> list[tuple[list[Item], int]]:
        """The entries of each segment with their lines broken, and its time."""
        key = (codes, buttons)
        if key not in self._broken:
            self._broken[key] = list(self._broken_segments(codes, buttons))
        return self._broken[key]

    def _broken_segments(self, codes: int, buttons: bool) -> Iterator[tuple[list[Item], int]]:
        room = self.room.lines_max + 1
        for segment in self._contents.segments(codes, buttons):
            items = []
            large = self._styles.headline(segment.entries)
            for entry in segment.entries:
                entry = replace(entry, groups=(large,)) if large else entry
                # Past what 24 pages hold entries are counted, no longer broken.
                item = broken(entry, self.room.cols, room, self.ink) if room > 0 else _UNSEEN
                room -= len(item.lines)
                items.append(item)
            yield items, segment.ms


def page_times(ms: int, count: int) -> list[int]:
    """The time of each of the pages that share `ms`; 0 for none."""
    page_ms = ms // count if count else 0
    return [min(max(PAGE_MS_MIN, page_ms), wire.PAGE_MS_MAX) if page_ms else 0] * count


def wire_card(card: Card, pages: Sequence[object], below: str, play: Play | None) -> wire.Card:
    """A card of these pages, `below` at their foot; what it draws from is added last."""
    return wire.Card(
        short_id(card.id),
        card.revision,
        tuple(pages),
        below,
        card.ttl_s,
        card.priority,
        play.auto if play else False,
        play.loop if play else False,
        (),
    )


def short_id(card_id: str) -> str:
    """An id of bounded length; a longer one keeps its start and is told apart by a hash."""
    card_id = clean_label(card_id)
    if len(card_id.encode()) <= ID_BYTES_MAX:
        return card_id
    mark = sha256(card_id.encode()).hexdigest()[:12]
    start = card_id.encode()[: ID_BYTES_MAX - 13].decode(errors="ignore")
    return f"{start}~{mark}"
