"""One card on one screen, with more or less of what it holds."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from voxwire import card as wire
from voxwire.capability import Screen

from voxcard.cards.fit import codes
from voxcard.cards.fit.entries import BAR, Entry, Page, action_entries, block_entries, image_entry
from voxcard.cards.fit.flow import Draft, Item, broken, flow
from voxcard.cards.fit.ink import Drawer, Ink, Resource, strips
from voxcard.cards.model import MORE_ID, Card, ChartBlock, ImageRef
from voxcard.cards.text.age import age
from voxcard.cards.text.cells import cut, plain_line, width, wrap
from voxcard.cards.text.markdown import plain
from voxcard.cards.text.sanitize import encodable
from voxcard.cards.text.sanitize import label as clean_label

OPTIONS_MAX = 12
ID_MAX = 64
PAGE_MS_MIN = 1000
_UNSEEN = Item(lines=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """An image ready for the panel: pixels in the wire's form (depth 1 or 16).

    `ink`: rows of bits for a panel of any depth, as wide as its body at most and whole lines
    high; they go as strips, so they are drawn in the theme's ink on its paper.
    """

    width: int
    height: int
    data: bytes
    ink: bool = False


# Stands for a picture that comes later: its page says what it will show.
WAITED_FOR = Picture(width=0, height=0, data=b"")


Pictures = Mapping[ImageRef | ChartBlock, Picture]


class Plan:
    """Everything about a card and a screen that stays the same while `build` is tried."""

    def __init__(
        self,
        card: Card,
        screen: Screen,
        now: float,
        next_blob: Callable[[], int],
        short_link: codes.ShortLink,
        pictures: Pictures,
        drawer: Drawer | None,
        ink: Ink | None = None,
        codes_max: int = codes.CODES_MAX,
    ) -> None:
        self.card, self.screen, self.now, self.pictures = card, screen, now, pictures
        title = clean_label(card.title)
        titled = wire.layout(screen, True)
        self.cols = max(2, titled.body.cols)
        self.ink = ink or Ink(screen, drawer, next_blob, self.cols)
        self.title = self.ink.words(title, titled.title.cols)
        self.head = "" if self.ink.fits(title, titled.title.cols) else title
        self.grid = wire.layout(screen, bool(self.title))
        self.rows = max(1, self.grid.body.rows)
        self.lines_max = self.rows * wire.PAGES_MAX
        wanted = codes.coded(card, screen, short_link, codes_max)
        self.codes = [item for item in wanted if item.code][: codes.CODES_MAX]
        self.plain_links = [item for item in wanted if item not in self.codes and not item.row]
        self._segments: dict[tuple[int, bool], list[tuple[list[Item], int]]] = {}
        self._image_ids: dict[ImageRef | ChartBlock, int] = {
            picture: next_blob() for picture in pictures
        }

    def build(self, keep: int, lines_max: int, buttons: bool) -> wire.Card:
        """The card with `keep` QR pages, at most `lines_max` lines of text, choices if wanted."""
        pages: list[object] = []
        segments = self._broken(keep, buttons)
        for index, (items, ms) in enumerate(segments):
            after = sum(len(later) for later, _ in segments[index + 1 :])
            flowed = flow(items, self.cols, self.rows, max(1, lines_max), after)
            lines_max -= flowed.used
            each_ms = max(PAGE_MS_MIN, ms // len(flowed.drafts)) if ms and flowed.drafts else 0
            pages += [self._page(draft, each_ms) for draft in flowed.drafts]
            if flowed.left:
                break
        pages += [codes.page(item, self.screen, self.ink) for item in self.codes[:keep]]
        if buttons:
            pages += self._choices()
        if not pages:
            pages = [wire.TextPage(self.title, (), 0)]
        play = self.card.play
        return wire.Card(
            short_id(self.card.id),
            self.card.revision,
            tuple(pages),
            self._foot(len(pages)),
            self.card.ttl_s,
            self.card.priority,
            play.auto if play else False,
            play.loop if play else False,
            (),
        )

    def image_blobs(self, made: wire.Card) -> Iterator[Resource]:
        """The pictures that the finished card shows."""
        shown = {page.blob for page in made.pages if isinstance(page, wire.ImagePage)}
        shown |= {line.blob for page in made.pages for line in page.lines}
        for key, blob in self._image_ids.items():
            if blob in shown:
                picture = self.pictures[key]
                if picture.ink:
                    rows = strips(picture.data, picture.width, self.screen.cell[1])
                    yield Resource(id=blob, kind="strips", data=rows)
                else:
                    yield Resource(id=blob, kind="image", data=picture.data)

    def _page(self, draft: Draft, ms: int) -> object:
        if draft.picture is None:
            return wire.TextPage(self.title, draft.lines, ms)
        picture, blob = self.pictures[draft.picture], self._image_ids[draft.picture]
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

    def _broken(self, keep: int, buttons: bool) -> list[tuple[list[Item], int]]:
        key = (keep, buttons)
        if key not in self._segments:
            room = self.lines_max + 1
            made: list[tuple[list[Item], int]] = []
            for entries, ms in self._entries(keep, buttons):
                items = []
                for entry in entries:
                    # Past what 24 pages hold entries are counted, no longer broken.
                    item = broken(entry, self.cols, room, self.ink) if room > 0 else _UNSEEN
                    room -= len(item.lines)
                    items.append(item)
                made.append((items, ms))
            self._segments[key] = made
        return self._segments[key]

    def _entries(self, keep: int, buttons: bool) -> list[tuple[list[Entry], int]]:
        """What is said before the QR pages: timed scenes first, then all that has no time."""
        card = self.card
        page = Page(
            cols=self.cols,
            bars=any(first <= ord(BAR) <= last for first, last in self.screen.glyphs),
            pictures=frozenset(self.pictures),
            titled=frozenset(key for key, picture in self.pictures.items() if picture.ink),
            coded=frozenset(item.url for item in self.codes[:keep] if item.url),
        )
        scenes = card.play.scenes if card.play else ()
        times = card.play.durations_ms if card.play else ()
        segments = [(list(self._head()), times[0] if times else 0)]
        for index, (blocks, ms) in enumerate(zip(scenes, times, strict=False)):
            entries = [entry for block in blocks for entry in block_entries(block, page)]
            if index:
                segments.append((entries, ms))
            else:
                segments[0][0].extend(entries)
        rest = list(self._untimed(page, keep, buttons))
        if card.play:
            segments.append((rest, 0))
        else:
            segments[0][0].extend(rest)
        return segments

    def _head(self) -> Iterator[Entry]:
        if self.head:
            yield Entry(text=self.head, heading=True)
        if self.card.subtitle:
            yield Entry(text=self.card.subtitle)

    def _untimed(self, page: Page, keep: int, buttons: bool) -> Iterator[Entry]:
        card = self.card
        if self._prompt and not (buttons and self._asked) and not self._told_in_head:
            yield Entry(text="\n".join(self._prompt))
        if not card.play:
            for block in card.blocks:
                yield from block_entries(block, page)
            if not card.blocks and "text" in card.twin.authored:
                text = plain(card.twin.text) if card.twin.markdown else card.twin.text
                yield Entry(text=text)
        if card.image and (card.image in self.pictures or self._worth_a_mark(card.image)):
            yield image_entry(card.image, page)
        elif card.icon and card.icon in self.pictures:
            yield image_entry(card.icon, page)
        for term, tip in card.glossary:
            yield Entry(text=f"{term}: {tip}")
        shown = buttons and "choices" in self.screen.blocks
        yield from action_entries(card, page, shown)
        for index, item in enumerate(self.codes):
            yield from codes.entries(item, index < keep)
        listed = {} if "qr" in self.screen.blocks else {"on_phone": False}
        for item in self.plain_links:
            yield from codes.entries(item, False, **listed)

    def _worth_a_mark(self, image: ImageRef) -> bool:
        """A picture that says no more than the title is worth a line only where there are many."""
        told = image.alt not in ("", self.card.title)
        return told or self.rows >= 4 or not self.card.blocks

    @cached_property
    def _options(self) -> list[wire.Option]:
        buttons = [each for each in self.card.actions if each.kind in ("message", "control")]
        options = [
            wire.Option(
                action.id, self.ink.words(clean_label(action.label), max(2, self.cols - 2))
            )
            for action in buttons
            if len(action.id) <= ID_MAX and encodable(action.id)
        ][:OPTIONS_MAX]
        if self.card.parts and self.card.parts.has_more:
            options.append(wire.Option(MORE_ID, cut("More", self.cols)))
        return options

    @cached_property
    def _prompt(self) -> list[str]:
        """The question's lines; none when the title asks it already."""
        prompt = clean_label(self.card.question.prompt) if self.card.question else ""
        return wrap(prompt, self.cols) if prompt and not self._asked_by_title(prompt) else []

    def _asked_by_title(self, prompt: str) -> bool:
        """The title is the question, and stands there whole."""
        return prompt == clean_label(self.card.title) and not self.head

    @property
    def _told_in_head(self) -> bool:
        """The whole of a title that was cut, which opens the first page, is the question."""
        question = self.card.question
        return question is not None and clean_label(question.prompt) == self.head

    @property
    def _asked(self) -> bool:
        """The choice page has room for the whole question and a few options."""
        shown = "choices" in self.screen.blocks and bool(self._options)
        return shown and len(self._prompt) + min(len(self._options), 3) <= self.rows

    def _choices(self) -> Iterator[wire.ChoicePage]:
        """All options on one page; the device scrolls what its rows do not hold."""
        if "choices" in self.screen.blocks and self._options:
            lines = tuple(self.ink.line(line) for line in self._prompt if self._asked)
            yield wire.ChoicePage(self.title, lines, 0, tuple(self._options))

    def _foot(self, pages: int) -> str:
        """`source · 2h`, with room for the page indicator the device draws beside it."""
        origin = self.card.provenance
        if origin is None or not self.grid.foot.rows:
            return ""
        room = self.grid.foot.cols - 1 - max(4, width(f"{pages}/{pages}"))
        since = age(origin.fetched_at, self.now)
        tail = f" · {since}" if since else ""
        source = plain_line(clean_label(origin.source))
        short = cut(source, room - width(tail))
        return f"{short}{tail}" if short else cut(source, room)


def short_id(card_id: str) -> str:
    """An id of bounded length; a longer one keeps its start and is told apart by a hash."""
    card_id = clean_label(card_id)
    if len(card_id.encode()) <= ID_MAX:
        return card_id
    mark = sha256(card_id.encode()).hexdigest()[:12]
    start = card_id.encode()[: ID_MAX - 13].decode(errors="ignore")
    return f"{start}~{mark}"
