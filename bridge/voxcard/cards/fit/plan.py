"""One card on one screen, with more or less of what it holds."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from voxwire import card as wire
from voxwire.capability import Screen

from voxcard.cards.fit import qr_pages
from voxcard.cards.fit.choices import Choices
from voxcard.cards.fit.entries import (
    BAR,
    Entry,
    Page,
    action_entries,
    block_entries,
    image_entry,
    more,
)
from voxcard.cards.fit.flow import Draft, Item, broken, flow
from voxcard.cards.fit.foot import foot
from voxcard.cards.fit.ink import Ink
from voxcard.cards.fit.picture import WAITED_FOR, Pictures
from voxcard.cards.fit.strip_batch import Drawer, Resource, strips
from voxcard.cards.model import Card, ChartBlock, ImageBlock, ImageRef
from voxcard.cards.text.cells import cut
from voxcard.cards.text.markdown.document import plain
from voxcard.cards.text.sanitize import label as clean_label

ID_BYTES_MAX = 64
PAGE_MS_MIN = 1000
_MANY_ROWS = 6  # of text under a title
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """A card with as much as one try put on its pages, and how many things it leaves out."""

    card: wire.Card
    left_out: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """Entries that share a time on the screen; 0 ms for those without one."""

    entries: Sequence[Entry]
    ms: int


class Plan:
    """Everything about a card and a screen that stays the same while `build` is tried.

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
        screen = target.screen
        self.card, self.target, self.screen = card, target, screen
        self.pictures = target.pictures
        titled = wire.layout(screen, True)
        self.cols = max(2, titled.body.cols)
        self.few_rows = titled.body.rows < _MANY_ROWS
        drawer, next_blob = target.drawer, target.next_blob
        self.ink = ink or Ink(screen, drawer, next_blob, self.cols, card.direction)
        title = clean_label(card.title)
        self.title = self.ink.words(title, titled.title.cols)
        self.whole_title = "" if self.ink.fits(title, titled.title.cols) else title
        self.grid = wire.layout(screen, bool(self.title))
        self.rows = max(1, self.grid.body.rows)
        # A title that is cut stands whole on the first page, which then has no other.
        untitled = wire.layout(screen, False).body.rows
        self.first_rows = max(self.rows, untitled) if self.whole_title else 0
        self.lines_max = self.rows * wire.PAGES_MAX
        links = qr_pages.coded(card, screen, target.short_link, codes_max)
        self.codes = [link for link in links if link.code][: qr_pages.CODES_MAX]
        urls = sum(bool(link.url) for link in links)
        self.codes_left = urls - codes_max if codes_max == qr_pages.CODES_MAX else 0
        self.plain_links = [link for link in links if link not in self.codes and not link.row]
        self.choices = Choices(card, screen, self.ink, self.whole_title, self.cols, self.rows)
        self._broken: dict[tuple[int, bool], list[tuple[list[Item], int]]] = {}
        self._blob_ids: dict[ImageRef | ChartBlock, int] = {
            picture: target.next_blob() for picture in self.pictures
        }

    def build(self, codes: int, lines_max: int, buttons: bool) -> Version:
        """The card with `codes` QR pages, at most `lines_max` lines of text, choices if wanted."""
        pages, left_out = self._text_pages(codes, lines_max, buttons)
        if not pages and self.card.title and not self._named_by_code(codes):
            pages = [self._title_page()]
        pages += [qr_pages.page(code, self.screen, self.ink) for code in self.codes[:codes]]
        if buttons:
            pages += self.choices.pages(self.title)
            left_out += len(self.choices.left_out)
        if not pages:
            pages = [wire.TextPage(self.title, (), 0)]
        play = self.card.play
        card = wire.Card(
            short_id(self.card.id),
            self.card.revision,
            tuple(pages),
            foot(self.card.provenance, self.grid, self.target.now, len(pages)),
            self.card.ttl_s,
            self.card.priority,
            play.auto if play else False,
            play.loop if play else False,
            (),
        )
        return Version(card=card, left_out=left_out)

    def image_blobs(self, card: wire.Card) -> Iterator[Resource]:
        """The pictures that the finished card shows."""
        blob_ids = {page.blob for page in card.pages if isinstance(page, wire.ImagePage)}
        blob_ids |= {line.blob for page in card.pages for line in page.lines}
        for key, blob in self._blob_ids.items():
            if blob in blob_ids:
                picture = self.pictures[key]
                if picture.ink:
                    rows = strips(picture.data, picture.width, self.screen.cell[1])
                    yield Resource(id=blob, kind="strips", data=rows)
                else:
                    yield Resource(id=blob, kind="image", data=picture.data)

    def _text_pages(self, codes: int, lines_max: int, buttons: bool) -> tuple[list[object], int]:
        """Pages of at most `lines_max` lines, and how many things they leave out."""
        pages: list[object] = []
        left_out = 0
        segments = self._items(codes, buttons)
        for index, (items, ms) in enumerate(segments):
            after = sum(len(later) for later, _ in segments[index + 1 :])
            if pages and lines_max < self.rows and items:
                unseen = len(items) + after
                return self._with_more(pages, unseen), left_out + unseen
            first_rows = 0 if pages else self.first_rows
            flowed = flow(items, self.cols, self.rows, lines_max, after, first_rows)
            lines_max -= len(flowed.drafts) * self.rows  # a segment begins a page of its own
            left_out += flowed.left_out
            page_ms = ms // len(flowed.drafts) if ms and flowed.drafts else 0
            page_ms = min(max(PAGE_MS_MIN, page_ms), wire.PAGE_MS_MAX) if page_ms else 0
            for draft in flowed.drafts:
                untitled = bool(self.whole_title) and not pages
                pages.append(self._page(draft, page_ms, untitled))
            if flowed.full:
                break
        return pages, left_out

    def _with_more(self, pages: list[object], unseen: int) -> list[object]:
        """`pages` with how much follows on the last line of the last one."""
        last = pages[-1]
        lines: tuple[wire.Line, ...] = ()  # a picture makes room
        ms = 0
        pictures = self._blob_ids.values()
        if isinstance(last, wire.TextPage) and not any(
            each.blob in pictures for each in last.lines
        ):
            lines, ms = last.lines[: self.rows - 1], last.ms
            unseen -= len(last.lines) < self.rows
        mark = wire.text_line(cut(more(unseen + 1), self.cols))
        return [*pages[:-1], wire.TextPage(self.title, (*lines, mark), ms)]

    def _named_by_code(self, codes: int) -> bool:
        """The only pages are codes that are called as the card is, or there are none."""
        labels = {code.label for code in self.codes[:codes]}
        return not codes or labels == {clean_label(self.card.title)}

    def _title_page(self) -> wire.TextPage:
        groups = self.ink.groups(clean_label(self.card.title), self.rows, heading=True)
        return wire.TextPage("", tuple(line for group in groups for line in group), 0)

    def _page(self, draft: Draft, ms: int, untitled: bool) -> object:
        if draft.picture is None:
            return wire.TextPage("" if untitled else self.title, draft.lines, ms)
        picture, blob = self.pictures[draft.picture], self._blob_ids[draft.picture]
        if picture.ink:
            count = picture.height // self.screen.cell[1]
            cols = wire.layout(self.screen, True).title.cols
            title = self.ink.words(draft.title, cols) if draft.title else self.title
            lines = tuple(wire.strip(blob, index) for index in range(count))
            return wire.TextPage(title, lines, ms)
        if picture is WAITED_FOR:
            mark = wire.text_line("[picture]")
            return wire.TextPage(self.title, (mark, *draft.lines), ms)
        return wire.ImagePage("", draft.lines, ms, blob, picture.width, picture.height)

    def _items(self, codes: int, buttons: bool) -> list[tuple[list[Item], int]]:
        """The entries of each segment with their lines broken, and its time."""
        key = (codes, buttons)
        if key not in self._broken:
            room = self.lines_max + 1
            segments: list[tuple[list[Item], int]] = []
            for segment in self._segments(codes, buttons):
                items = []
                for entry in segment.entries:
                    # Past what 24 pages hold entries are counted, no longer broken.
                    item = broken(entry, self.cols, room, self.ink) if room > 0 else _UNSEEN
                    room -= len(item.lines)
                    items.append(item)
                segments.append((items, segment.ms))
            self._broken[key] = segments
        return self._broken[key]

    def _segments(self, codes: int, buttons: bool) -> list[Segment]:
        """What is said before the QR pages: timed scenes first, then all that has no time."""
        page = self._entry_page(codes)
        head, untimed = list(self._head()), list(self._untimed(page, codes, buttons))
        play = self.card.play
        if not play:
            return [Segment(entries=head + untimed, ms=0)]
        scenes = [
            [entry for block in blocks for entry in block_entries(block, page)]
            for blocks in play.scenes
        ]
        scenes[:1] = [head + scenes[0]] if scenes else [head]
        times = (*play.durations_ms, *[0] * len(scenes))
        timed = [
            Segment(entries=entries, ms=ms) for entries, ms in zip(scenes, times, strict=False)
        ]
        return [*timed, Segment(entries=untimed, ms=0)]

    def _entry_page(self, codes: int) -> Page:
        return Page(
            cols=self.cols,
            bars=any(first <= ord(BAR) <= last for first, last in self.screen.glyphs),
            pictures=frozenset(self.pictures),
            titled=frozenset(key for key, picture in self.pictures.items() if picture.ink),
            coded=frozenset(code.url for code in self.codes[:codes] if code.url),
            wordless=self.rows >= 4
            or all(isinstance(block, ImageBlock) for block in self.card.blocks),
        )

    def _head(self) -> Iterator[Entry]:
        if self.whole_title:
            yield Entry(text=self.whole_title, heading=True)
        if self.card.subtitle:
            yield Entry(text=self.card.subtitle)

    def _untimed(self, page: Page, codes: int, buttons: bool) -> Iterator[Entry]:
        if self.choices.asked_in_text(buttons):
            yield Entry(text=self.choices.prompt)
        yield from self._body(page)
        for term, tip in self.card.glossary:
            yield Entry(text=f"{term}: {tip}")
        yield from action_entries(self.card, page, buttons and "choices" in self.screen.blocks)
        if buttons:
            yield from (Entry(text=f"• {name}") for name in self.choices.left_out)
        for index, code in enumerate(self.codes):
            yield from qr_pages.entries(code, index < codes)
        on_phone = "qr" in self.screen.blocks
        if on_phone and self.codes_left > 0:
            yield Entry(text=more(self.codes_left), left_out=self.codes_left)
        for link in self.plain_links:
            yield from qr_pages.entries(link, False, on_phone)

    def _body(self, page: Page) -> Iterator[Entry]:
        card = self.card
        if not card.play:
            images = [block for block in card.blocks if isinstance(block, ImageBlock)]
            mute = [block for block in images if not self._worth_a_line(block.image)]
            for block in card.blocks:
                if block not in mute:
                    yield from block_entries(block, page)
            if not card.blocks and "text" in card.twin.authored:
                text = plain(card.twin.text) if card.twin.markdown else card.twin.text
                yield Entry(text=text)
            if mute:
                yield Entry(text="[picture]" if len(mute) == 1 else f"[{len(mute)} pictures]")
        if card.image and self._worth_a_line(card.image):
            yield image_entry(card.image, page)
        elif card.icon and card.icon in self.pictures:
            yield image_entry(card.icon, page)

    def _worth_a_line(self, image: ImageRef) -> bool:
        """Whether a picture is drawn, or has words of its own, or there is nothing else to say.

        One that says no more than the title has a line only where there are many."""
        if image in self.pictures or image.alt not in ("", self.card.title):
            return True
        texts = any(not isinstance(block, ImageBlock) for block in self.card.blocks)
        return not texts or not self.few_rows


def short_id(card_id: str) -> str:
    """An id of bounded length; a longer one keeps its start and is told apart by a hash."""
    card_id = clean_label(card_id)
    if len(card_id.encode()) <= ID_BYTES_MAX:
        return card_id
    mark = sha256(card_id.encode()).hexdigest()[:12]
    start = card_id.encode()[: ID_BYTES_MAX - 13].decode(errors="ignore")
    return f"{start}~{mark}"
