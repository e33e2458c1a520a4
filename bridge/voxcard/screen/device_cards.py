"""Puts cards on one device: cut down to its screen, their blobs sent first."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from voxwire.bridge_only.card_writer import to_data
from voxwire.capability import Screen
from voxwire.type.scale import SIZES

from voxcard.cards.fit.fit import Fitted
from voxcard.cards.fit.picture import Pictures
from voxcard.cards.images.card_images import CardPictures
from voxcard.cards.live.live_card import LiveCards, StatusLines
from voxcard.cards.model import Card, CardRefused
from voxcard.cards.read.reading import Reading
from voxcard.cards.text.fixed_words import cards_in
from voxcard.json_value import Json, JsonObject
from voxcard.link.blobs import BlobFailed, Blobs
from voxcard.link.devices import DeviceLog
from voxcard.link.wire import Wire
from voxcard.screen.card_maker import CardMaker
from voxcard.screen.late_pictures import LatePictures
from voxcard.screen.shown_cards import ShownCards

MODES = ("off", "text", "full")
# What a device's own tools say is for the assistant (R-MCP-1): its whole state as raw data would
# cover the screen with what the answer says in a sentence.
OWN_TOOLS = "self."

KeepCard = Callable[[str, Card], None]  # device id, card


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A result that was read, and the id of its card on the screen; empty if it shows none."""

    reading: Reading
    card_id: str = ""


class DeviceCards:
    """The cards of one device. Nothing is shown before `greet`, or without a screen.

    `keep` puts a card into the history; `spawn(work, name)` runs the task that waits for late
    pictures; `shown` holds the cards that were sent last.
    """

    def __init__(
        self,
        maker: CardMaker,
        wire: Wire,
        blobs: Blobs,
        *,
        keep: KeepCard,
        spawn: Callable[[Coroutine[None, None, None], str], object],
        log: Callable[[], DeviceLog],
    ) -> None:
        self._maker = maker
        self._wire = wire
        self._blobs = blobs
        self._keep = keep
        self._spawn = spawn
        self._log = log
        self._device_id = ""
        self._screen: Screen | None = None
        self._mode = "off"
        self._locale = "en"
        self.shown = ShownCards()
        self._late = LatePictures(wire, blobs, self.shown, log)
        self._live = LiveCards()
        self._lines = StatusLines()

    def greet(self, device_id: str, screen: Screen | None, mode: str, locale: str = "en") -> None:
        """Begins a session of a device with this screen (None: it has none), which wants cards in
        this mode (one of MODES). `locale` is how it writes numbers and dates (`en`, `de_CH`)."""
        self._device_id, self._screen, self._mode = device_id, screen, mode
        self._locale, self.shown.front = locale, ""
        self._late.forget()

    def set_text_size(self, text_size: str) -> None:
        """The person wants type of another size (voxwire.type.scale.SIZES): the card that the
        device shows, or would show again, is cut anew."""
        screen = self._screen
        if screen is not None and text_size in SIZES and text_size != screen.text_size:
            self._screen = screen._replace(text_size=text_size)
            self._spawn(self._refit(), f"text size {self._device_id}")

    @property
    def locale(self) -> str:
        """The locale of the device."""
        return self._locale

    async def result(
        self, result: JsonObject, *, tool: str, call_id: str, arguments: JsonObject
    ) -> Shown:
        """Reads a tool's result and shows its card, if it has one.

        `arguments` are those of the call, which some dialects keep the card in."""
        with cards_in(self._locale):
            reading = await self._maker.read(
                result, tool=tool, call_id=call_id, arguments=arguments, locale=self._locale
            )
        for warning in reading.warnings:
            words = (warning.code, warning.path, warning.detail)
            self._log().info("card of %s: %s", tool, " ".join(words))
        if not reading.cards or (tool.startswith(OWN_TOOLS) and _only_words(reading.cards[0])):
            return Shown(reading=replace(reading, cards=()))
        card_id = await self.card(reading.cards[0], sender=tool.partition(".")[0])
        return Shown(reading=reading, card_id=card_id)

    async def source(self, source: JsonObject, *, call_id: str) -> str:
        """Shows a card from a source in any dialect; returns its id, empty if it was refused."""
        try:
            with cards_in(self._locale):
                card = await self._maker.read_source(source, call_id)
        except CardRefused as refused:
            self._log().info("card %s: refused, %s", call_id, refused)
            return ""
        return await self.card(card)

    async def card(self, card: Card, *, sender: str = "", keep: bool = True) -> str:
        """Shows a card; returns its id, empty if the device shows no cards.

        `sender` is the server it comes from: a live key is unique per sender. A card with a live
        key is redrawn in place while the device shows it. With `keep` it goes into the history.
        """
        return await self._draw(self._live.show(card, sender), keep=keep)

    async def update(self, event: Mapping[str, Json]) -> Card:
        """Applies a `card_update` {cardId, patch}; returns the card as it is now. Raises
        CardRefused, and changes nothing, if the update is to be ignored."""
        change = self._live.update(event)
        if change.redraw:
            self._log().info("card %s: %s", change.card.id, change.line)
            if self._mode != "full":
                self._lines.put(change.card.title or change.card.id, change.line)
                self._send_line()
            await self._draw(change.card, in_place=True)
        return change.card

    def clear(self, card_id: str) -> None:
        """Takes a card off the screen."""
        self.shown.dismissed(card_id)
        self._wire.send("card", op="clear", id=card_id)

    def _send_line(self) -> None:
        """Says in one line what changed, for a device that draws no card; one line in 2 s."""
        loop = asyncio.get_running_loop()
        line = self._lines.take(int(loop.time() * 1000))
        if line:
            self._wire.send("alert", status="Update", message=line)
        wait_ms = self._lines.wait_ms(int(loop.time() * 1000))
        if wait_ms:
            loop.call_later(wait_ms / 1000, self._send_line)

    async def _refit(self) -> None:
        before = self.shown.latest
        if before is not None:
            # A card of its own: what waits for pictures of the other pages ends.
            await self._draw(replace(before), in_place=True, keep=False, before=before)

    async def _draw(
        self, card: Card, *, in_place: bool = False, keep: bool = True, before: Card | None = None
    ) -> str:
        """Cuts a card and sends it; `before` is the same one, cut to another size of type."""
        screen = self._screen
        if screen is None or self._mode == "off":
            return ""
        pictures = CardPictures(ready={})
        if self._mode == "full":
            pictures = await self._maker.find_pictures(card, screen)
            self._late.frame(card, pictures, in_place=in_place)
        fitted = await self._fit_and_send_blobs(card, screen, pictures.ready)
        card_id = str(fitted.card.id)
        if not self._send(card, fitted, in_place=in_place, before=before):
            pictures.cancel()
            return card_id
        if keep:
            self._keep(self._device_id, card)
        if pictures.late:
            work = self._late.add(card, fitted.card, pictures, screen)
            self._spawn(work, f"pictures {card.id}")
        if self._screen is not None and self._screen.text_size != screen.text_size:
            await self._refit()  # it has changed meanwhile
        return card_id

    def _send(
        self, card: Card, fitted: Fitted, *, in_place: bool, before: Card | None = None
    ) -> bool:
        card_id, pages = str(fitted.card.id), len(fitted.card.pages)
        if before is None:
            update = self.shown.put(card_id, card, pages, in_place=in_place)
        elif self.shown.refit(before, card_id, card, pages):
            update = True
        else:
            return False
        op: Literal["show", "update"] = "update" if update else "show"
        self._wire.send("card", op=op, id=card_id, card=to_data(fitted.card))
        self._log().info("card %s: shown, %d pages", card_id, pages)
        return True

    async def _fit_and_send_blobs(self, card: Card, screen: Screen, images: Pictures) -> Fitted:
        """Cuts a card down and sends its blobs.

        A device without room for the pictures gets the card without them; one without room for
        drawn text shows boxes in its place."""
        fitted = await self._fit(card, screen, images)
        if not await self._send_blobs(fitted) and images:
            fitted = await self._fit(card, screen, {})
            await self._send_blobs(fitted)
        return fitted

    async def _fit(self, card: Card, screen: Screen, images: Pictures) -> Fitted:
        with cards_in(self._locale):
            return await self._maker.fit(
                card, screen, mode=self._mode, next_blob=self._blobs.next_id, images=images
            )

    async def _send_blobs(self, fitted: Fitted) -> bool:
        try:
            for blob in fitted.blobs:
                await self._blobs.send(blob.kind, blob.data, blob_id=blob.id, name=fitted.card.id)
        except BlobFailed as error:
            self._log().warning("card %s: not drawn so, %s", fitted.card.id, error)
            return False
        return True


def _only_words(card: Card) -> bool:
    """Whether a card is but the text of a plain result, without pictures or links."""
    return card.dialect == "mcp_result" and card.image is None and not card.actions
