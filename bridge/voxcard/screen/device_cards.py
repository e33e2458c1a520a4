"""Cards on one device: cut down to its screen, their blobs first, and what their buttons mean."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

from voxwire import card as wire_card

from voxcard.cards.live.live_card import LiveCards, StatusLines
from voxcard.cards.model import Action, Card, CardRefused, Parsed
from voxcard.cards.text.twins import messaging_text
from voxcard.json_value import Json
from voxcard.link.blobs import BlobFailed, Blobs
from voxcard.link.wire import Wire

REMEMBERED_MAX = 8  # cards whose buttons still work
MODES = ("off", "text", "full")

Offload = Callable[..., Awaitable[Any]]


class Found(Protocol):
    """A card's pictures: those that are `ready`, and whether some are `late`; `rest()` is all of
    them when the last one has come or failed."""

    ready: Any
    late: Any

    async def rest(self) -> Any: ...


class Fitted(Protocol):
    """What `fit` makes of a card: the wire's card, and (id, kind, data) of its blobs."""

    card: Any
    blobs: Any
    warnings: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class CardWork:
    """How cards are made. All of it is computing, so it runs through `offload`, off the loop.

    `parse(result, tool=, call_id=, arguments=, template=, locale=)` and `fit(card, screen, cards=,
    next_blob=, images=)` are those of voxcard.cards, `source(source, card_id=)` reads a card that
    is in no result and raises CardRefused; `keep(device_id, card)` puts a shown card
    into the history. `text(result, parsed)` is what the assistant reads of a result with cards.
    `pictures(card, screen)` finds what it shows, without it there are words
    only; `spawn(work, name)` runs what waits for late ones.
    """

    parse: Callable[..., Parsed]
    source: Callable[..., Parsed]
    fit: Callable[..., Any]
    keep: Callable[[str, Card], None]
    offload: Offload
    text: Callable[[Mapping[str, Json], Parsed], str] = lambda result, parsed: ""
    pictures: Callable[[Card, Any], Awaitable[Found]] | None = None
    spawn: Callable[[Coroutine[Any, Any, None], str], object] | None = None


class Shown(NamedTuple):
    """What became of a result's card: its id (empty: none is on the screen), what the assistant
    reads and what is said of it (empty: the result's own text)."""

    card_id: str = ""
    text: str = ""
    speak: str = ""


class DeviceCards:
    """The cards of one device. `greet` first: without a screen nothing is ever shown."""

    def __init__(
        self,
        work: CardWork,
        wire: Wire,
        blobs: Blobs,
        log: Callable[[], logging.LoggerAdapter[Any]],
    ) -> None:
        self._work = work
        self._wire = wire
        self._blobs = blobs
        self._log = log
        self._device_id = ""
        self._screen: Any = None
        self._mode = "off"
        self._locale = "en"
        self._front = ""  # the card that the device shows, as far as is known
        self._shown: dict[str, Card] = {}
        self._pages: dict[str, int] = {}
        self._live = LiveCards()
        self._lines = StatusLines()

    def greet(self, device_id: str, screen: Any, mode: str, locale: str = "en") -> None:
        """The device's screen (voxwire.capability.Screen or None), what it wants shown, and how
        numbers and dates are written there (`en`, `de_CH`)."""
        self._device_id, self._screen, self._mode = device_id, screen, mode
        self._locale, self._front = locale, ""

    async def result(
        self,
        result: Mapping[str, Json],
        *,
        tool: str,
        call_id: str,
        arguments: Mapping[str, Json] | None = None,
        template: Json = None,
    ) -> Shown:
        """Show the card of a tool's result, when there is one.

        `arguments` are those of the call: some cards are in them. `template` is the layout that
        the result is the data of, when it names one."""
        parsed = await self._work.offload(
            self._work.parse,
            result,
            tool=tool,
            call_id=call_id,
            arguments=arguments,
            template=template,
            locale=self._locale,
        )
        for warned in parsed.warnings:
            self._log().info("card of %s: %s %s %s", tool, warned.code, warned.path, warned.detail)
        if not parsed.cards:
            return Shown()
        card = parsed.cards[0]
        text = await self._work.offload(self._work.text, result, parsed)
        card_id = await self.card(card, sender=tool.partition(".")[0])
        return Shown(card_id=card_id, text=text, speak=card.twin.speak)

    async def source(self, source: Mapping[str, Json], *, call_id: str) -> str:
        """Show a card given as any dialect's source; its id, empty when it is none."""
        try:
            parsed = await self._work.offload(self._work.source, source, card_id=call_id)
        except CardRefused as refused:
            self._log().info("card %s: refused, %s", call_id, refused)
            return ""
        return await self.card(parsed.cards[0])

    async def card(self, card: Card, *, sender: str = "", keep: bool = True) -> str:
        """Show a card of `sender` (a server, where one has live keys of its own); its id, empty
        when the device shows none. With `keep` it goes into the history.

        A card with a live key is redrawn where it is while the device shows it.
        """
        return await self._draw(self._live.show(card, sender), keep=keep)

    async def update(self, event: Mapping[str, Json]) -> Card:
        """Apply a `card_update` {cardId, patch}; the card as it is now. CardRefused, and no
        change, when the update is to be ignored."""
        change = self._live.update(event)
        if change.redraw:
            self._log().info("card %s: %s", change.card.id, change.line)
            if self._mode != "full":
                self._lines.put(change.card.title or change.card.id, change.line)
                self._tell_lines()
            await self._draw(change.card, in_place=True)
        return change.card

    def clear(self, card_id: str) -> None:
        """Take a card off the screen."""
        self.dismissed(card_id)
        self._wire.send("card", op="clear", id=card_id)

    def dismissed(self, card_id: str) -> None:
        """The device put a card away; shown again it comes to the front again."""
        if card_id == self._front:
            self._front = ""

    def _tell_lines(self) -> None:
        """Where no card is drawn, a short line says what changed, at most one in two seconds."""
        loop = asyncio.get_running_loop()
        line = self._lines.take(int(loop.time() * 1000))
        if line:
            self._wire.send("alert", status="Update", message=line)
        wait_ms = self._lines.wait_ms(int(loop.time() * 1000))
        if wait_ms:
            loop.call_later(wait_ms / 1000, self._tell_lines)

    async def _draw(self, card: Card, *, in_place: bool = False, keep: bool = True) -> str:
        if self._screen is None or self._mode == "off":
            return ""
        found = None
        if self._work.pictures and self._mode == "full":
            found = await self._work.pictures(card, self._screen)
        fitted = await self._fitted(card, found.ready if found else {})
        if fitted is None:
            return ""
        before = self._shown.pop(fitted.card.id, None)
        newer = before is not None and card.revision > before.revision
        op: Literal["show", "update"] = "show"
        if newer and (in_place or fitted.card.id == self._front):
            op = "update"
        self._wire.send("card", op=op, id=fitted.card.id, card=wire_card.to_data(fitted.card))
        if op == "show":
            self._front = fitted.card.id
        self._shown[fitted.card.id] = card
        self._pages[fitted.card.id] = len(fitted.card.pages)
        if len(self._shown) > REMEMBERED_MAX:
            forgotten = next(iter(self._shown))
            del self._shown[forgotten]
            self._pages.pop(forgotten, None)
        self._log().info("card %s: shown, %d pages", fitted.card.id, len(fitted.card.pages))
        if keep:
            self._work.keep(self._device_id, card)
        if found and found.late and self._work.spawn:
            self._work.spawn(self._complete(card, fitted.card.id, found), f"pictures {card.id}")
        return str(fitted.card.id)

    async def _complete(self, card: Card, card_id: str, found: Found) -> None:
        """Put late pictures in their places, which pages of words have kept."""
        before = dict(found.ready)
        images = await found.rest()
        if images == before or self._shown.get(card_id) is not card:
            return
        fitted = await self._fit(card, images)
        if await self._send_blobs(fitted) and self._shown.get(card_id) is card:
            data = wire_card.to_data(fitted.card)
            self._wire.send("card", op="update", id=card_id, card=data)
            self._log().info("card %s: its pictures have come", card_id)

    async def _fitted(self, card: Card, images: Mapping[Any, Any]) -> Fitted | None:
        """The card cut down, with what it draws from on the device; None when that fails.

        A device that has no room for the pictures gets the card without them."""
        fitted = await self._fit(card, images)
        if await self._send_blobs(fitted):
            return fitted
        if not images:
            return None
        fitted = await self._fit(card, {})
        return fitted if await self._send_blobs(fitted) else None

    async def _fit(self, card: Card, images: Mapping[Any, Any]) -> Fitted:
        fitted: Fitted = await self._work.offload(
            self._work.fit,
            card,
            self._screen,
            cards=self._mode,
            next_blob=self._blobs.next_id,
            images=images,
        )
        return fitted

    def pages(self, card_id: str) -> int:
        """Pages of a card that was shown, 0 when it is forgotten."""
        return self._pages.get(card_id, 0)

    def messaging(self, card_id: str) -> str:
        """A card that was shown, for a chat surface: its text, links as `Label: URL`."""
        card = self._shown.get(card_id)
        return messaging_text(card) if card is not None else ""

    def action(self, card_id: str, action_id: str) -> Action | None:
        """The action behind a button of a card that was shown."""
        card = self._shown.get(card_id)
        actions = card.actions if card is not None else ()
        return next((action for action in actions if action.id == action_id), None)

    def next_part(self, card_id: str) -> tuple[str, Mapping[str, Json]] | None:
        """The tool and the arguments that give the next part of a card that was shown."""
        card = self._shown.get(card_id)
        if card is None or card.parts is None or card.parts.next_call is None:
            return None
        tool = card.extra.get("tool")
        return (str(tool), card.parts.next_call) if tool else None

    async def _send_blobs(self, fitted: Fitted) -> bool:
        try:
            for blob in fitted.blobs:
                await self._blobs.send(blob.kind, blob.data, blob_id=blob.id, name=fitted.card.id)
        except BlobFailed as error:
            self._log().warning("card %s: not drawn so, %s", fitted.card.id, error)
            return False
        return True
