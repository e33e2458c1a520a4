"""Cards on one device: cut down to its screen, their blobs first, and what their buttons mean."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from voxwire import card as wire_card

from voxcard.blobs import BlobFailed, Blobs
from voxcard.cards.model import Action, Card, Parsed
from voxcard.outgoing import Wire
from voxcard.toolhub.model import Json

REMEMBERED_MAX = 8  # cards whose buttons still work
MODES = ("off", "text", "full")

Offload = Callable[..., Awaitable[Any]]


class Fitted(Protocol):
    """What `fit` makes of a card: the wire's card, and (id, kind, data) of its blobs."""

    card: Any
    blobs: Any
    warnings: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class CardWork:
    """How cards are made. All of it is computing, so it runs through `offload`, off the loop.

    `parse(result, tool=, call_id=)` and `fit(card, screen, cards=, next_blob=)` are those of
    voxcard.cards; `keep(device_id, card)` puts a shown card into the history.
    """

    parse: Callable[..., Parsed]
    fit: Callable[..., Any]
    keep: Callable[[str, Card], None]
    offload: Offload


def as_result(source: Mapping[str, Json]) -> Mapping[str, Json]:
    """A tools/call result around a card's source; a result is left as it is."""
    if any(key in source for key in ("content", "_meta", "structuredContent")):
        return source
    if "blocks" in source:
        return {"content": [], "structuredContent": {"card": source}}
    if "title" in source or "v" in source:
        return {"content": [], "_meta": {"assistant_platform": {"card": source}}}
    return {"content": [], "structuredContent": source}


class Showing:
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
        self._shown: dict[str, Card] = {}
        self._pages: dict[str, int] = {}

    def greet(self, device_id: str, screen: Any, mode: str) -> None:
        """The device's screen (voxwire.capability.Screen or None) and what it wants shown."""
        self._device_id, self._screen, self._mode = device_id, screen, mode

    async def result(self, result: Mapping[str, Json], *, tool: str, call_id: str) -> str:
        """Show the card of a tool's result; its id, empty when there is none to be shown."""
        parsed = await self._work.offload(self._work.parse, result, tool=tool, call_id=call_id)
        for warned in parsed.warnings:
            self._log().info("card of %s: %s %s %s", tool, warned.code, warned.path, warned.detail)
        # One screen shows one card: the first; the rest of a group are its pages' business.
        return await self.card(parsed.cards[0]) if parsed.cards else ""

    async def source(self, source: Mapping[str, Json], *, call_id: str) -> str:
        """Show a card given as any dialect's source; its id, empty when it is none."""
        return await self.result(as_result(source), tool="", call_id=call_id)

    async def card(self, card: Card) -> str:
        """Show a card; its id, empty when the device shows none."""
        if self._screen is None or self._mode == "off":
            return ""
        fitted = await self._work.offload(
            self._work.fit, card, self._screen, cards=self._mode, next_blob=self._blobs.next_id
        )
        if not await self._send_blobs(fitted):
            return ""
        self._wire.send("card", op="show", card=wire_card.to_data(fitted.card))
        self._shown.pop(fitted.card.id, None)
        self._shown[fitted.card.id] = card
        self._pages[fitted.card.id] = len(fitted.card.pages)
        if len(self._shown) > REMEMBERED_MAX:
            forgotten = next(iter(self._shown))
            del self._shown[forgotten]
            self._pages.pop(forgotten, None)
        self._log().info("card %s: shown, %d pages", fitted.card.id, len(fitted.card.pages))
        self._work.keep(self._device_id, card)
        return str(fitted.card.id)

    def pages(self, card_id: str) -> int:
        """Pages of a card that was shown, 0 when it is forgotten."""
        return self._pages.get(card_id, 0)

    def action(self, card_id: str, action_id: str) -> Action | None:
        """The action behind a button of a card that was shown."""
        card = self._shown.get(card_id)
        actions = card.actions if card is not None else ()
        return next((action for action in actions if action.id == action_id), None)

    async def _send_blobs(self, fitted: Fitted) -> bool:
        try:
            for blob in fitted.blobs:
                await self._blobs.send(blob.kind, blob.data, blob_id=blob.id, name=fitted.card.id)
        except BlobFailed as error:
            self._log().warning("card %s: not shown, %s", fitted.card.id, error)
            return False
        return True
