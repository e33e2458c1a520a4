"""What the text pages of a card say, in reading order, before lines are broken."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from voxwire.capability import Screen

from voxcard.cards.fit import qr_pages
from voxcard.cards.fit.choices import Choices
from voxcard.cards.fit.entries import (
    BAR,
    Divide,
    Entry,
    Page,
    Writer,
    action_entries,
    block_entries,
    image_entry,
    more,
    undivided,
)
from voxcard.cards.fit.picture import Pictures
from voxcard.cards.fit.room import Room
from voxcard.cards.fit.styles import Styles
from voxcard.cards.model import Block, Card, ImageBlock, ImageRef
from voxcard.cards.text.markdown.document import plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """Entries that share a time on the screen; 0 ms for those without one."""

    entries: Sequence[Entry]
    ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """A card, and what its text pages depend on."""

    card: Card
    screen: Screen
    pictures: Pictures
    room: Room
    codes: qr_pages.Codes
    choices: Choices
    write: Writer = block_entries
    columns: Divide = undivided
    styles: Styles | None = None

    def segments(self, codes: int, buttons: bool) -> list[Segment]:
        """What is said before `codes` QR pages and, with `buttons`, the choices: timed scenes
        first, then all that has no time."""
        page = self._entry_page(codes)
        head, untimed = list(self._head()), list(self._untimed(page, codes, buttons))
        play = self.card.play
        if not play:
            return [Segment(entries=head + untimed, ms=0)]
        scenes = [
            [entry for block in blocks for entry in self.write(block, page)]
            for blocks in play.scenes
        ]
        scenes[:1] = [head + scenes[0]] if scenes else [head]
        times = (*play.durations_ms, *[0] * len(scenes))
        pairs = [*zip(scenes, times, strict=False), (untimed, 0)]
        return [Segment(entries=entries, ms=ms) for entries, ms in pairs]

    def _entry_page(self, codes: int) -> Page:
        page = Page(
            cols=self.room.cols,
            bars=any(first <= ord(BAR) <= last for first, last in self.screen.glyphs),
            pictures=frozenset(self.pictures),
            titled=frozenset(key for key, picture in self.pictures.items() if picture.ink),
            coded=frozenset(code.url for code in self.codes.shown[:codes] if code.url),
            wordless=self.room.rows >= 4
            or all(isinstance(block, ImageBlock) for block in self.card.blocks),
            columns=self.columns,
        )
        if self.styles is None:
            return page
        return replace(page, fields=self.styles.fields, hero=self.styles.hero)

    def _head(self) -> Iterator[Entry]:
        if self.room.whole_title:
            yield Entry(text=self.room.whole_title, heading=True)
        if self.card.subtitle:
            yield Entry(text=self.card.subtitle)

    def _untimed(self, page: Page, codes: int, buttons: bool) -> Iterator[Entry]:
        if self.choices.asked_in_text(buttons):
            yield Entry(text=self.choices.prompt)
        if not self.card.play:
            yield from self._body(self.card.blocks, page)
        yield from self._picture(page)
        for term, tip in self.card.glossary:
            yield Entry(text=f"{term}: {tip}")
        yield from action_entries(self.card, page, buttons and "choices" in self.screen.blocks)
        if buttons:
            yield from (Entry(text=f"• {name}") for name in self.choices.left_out)
        yield from self._links(codes)

    def _body(self, blocks: Sequence[Block], page: Page) -> Iterator[Entry]:
        images = [block for block in blocks if isinstance(block, ImageBlock)]
        mute = [block for block in images if not self._worth_a_line(block.image)]
        for block in blocks:
            if block not in mute:
                yield from self.write(block, page)
        twin = self.card.twin
        if not blocks and "text" in twin.authored:
            yield Entry(text=plain(twin.text) if twin.markdown else twin.text)
        count = len(mute)
        if mute and self.card.image and not self._worth_a_line(self.card.image):
            count += 1  # the card's own, which has no line below
        if mute:
            yield Entry(text="[picture]" if count == 1 else f"[{count} pictures]")

    def _picture(self, page: Page) -> Iterator[Entry]:
        """The picture of the whole card, or its icon where one was found."""
        card = self.card
        if card.image and self._worth_a_line(card.image):
            yield image_entry(card.image, page)
        elif card.icon and card.icon in self.pictures:
            yield image_entry(card.icon, page)

    def _links(self, codes: int) -> Iterator[Entry]:
        """Targets of codes and links that their QR page does not show in full."""
        for index, code in enumerate(self.codes.shown):
            yield from qr_pages.entries(code, index < codes)
        on_phone = "qr" in self.screen.blocks
        if on_phone and self.codes.left_out > 0:
            yield Entry(text=more(self.codes.left_out), left_out=self.codes.left_out)
        for link in self.codes.plain_links:
            yield from qr_pages.entries(link, False, on_phone)

    def _worth_a_line(self, image: ImageRef) -> bool:
        """Whether a picture is drawn, or has words of its own, or there is nothing else to say.

        One that says no more than the title has a line only where there are many."""
        if image in self.pictures or image.alt not in ("", self.card.title):
            return True
        texts = any(not isinstance(block, ImageBlock) for block in self.card.blocks)
        return not texts or not self.room.few_rows
