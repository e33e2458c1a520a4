"""The cards an assistant shows, asks with and changes through the bridge's own tools."""

import asyncio
import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace

from voxcard.cards.dialects.codai import parser as codai
from voxcard.cards.dialects.codai import short_forms
from voxcard.cards.model import Card, CardRefused
from voxcard.cards.text import twins
from voxcard.errors import VoxcardError
from voxcard.json_value import Json
from voxcard.screen.device_screen import DeviceScreen

_CORRECT = "Correct it and try again."


class AssistantCards:
    """The bridge's card tools on one device after another.

    `screen_of(device_id)` returns the screen of a device, or raises VoxcardError;
    `last_card(device_id)`, called in a thread, reads the newest card of its history. Every method
    returns words for the model; VoxcardError says what it has to change.
    """

    def __init__(
        self,
        screen_of: Callable[[str], DeviceScreen],
        last_card: Callable[[str], Card | None],
        *,
        answer_limit_s: float,
    ) -> None:
        self._screen_of = screen_of
        self._last_card = last_card
        self._answer_limit_s = answer_limit_s

    async def show(self, device_id: str, name: str, arguments: Mapping[str, Json]) -> str:
        """Shows the card of the tool `name`; returns its text twin."""
        card = await _parsed(name, arguments)
        if not await self._screen_of(device_id).cards.card(card):
            raise VoxcardError("This device shows no cards now.", "Say it instead.")
        return card.twin.text

    async def ask(self, device_id: str, name: str, arguments: Mapping[str, Json]) -> str:
        """Asks with the card of the tool `name`; returns the choice, empty if nobody made one."""
        questions = self._screen_of(device_id).questions
        chosen = await questions.ask(await _parsed(name, arguments), self._answer_limit_s)
        return "" if chosen is None else chosen.text or chosen.label

    async def show_last(self, device_id: str) -> str:
        """Shows the newest card of the history once more; returns its title."""
        screen = self._screen_of(device_id)
        card = await asyncio.to_thread(self._last_card, device_id)
        if card is None:
            raise VoxcardError("There was no card yet.", "Ask for something first.")
        if not await screen.cards.card(card):
            raise VoxcardError("This device shows no cards.", "")
        return card.title

    async def update(self, device_id: str, name: str, arguments: Mapping[str, Json]) -> str:
        """Patches a live card {cardId, patch}; returns its text twin as it is now."""
        cards = self._screen_of(device_id).cards
        try:
            card = await cards.update(arguments)
        except CardRefused as refused:
            raise VoxcardError(f"Not updated: {refused}.", _CORRECT) from refused
        return card.twin.text


async def _parsed(name: str, arguments: Mapping[str, Json]) -> Card:
    """Parses the card of a tool's arguments off the event loop."""
    card_id = f"{name}.{secrets.token_hex(4)}"

    def parse() -> Card:
        if name == "show_card":
            parsed = codai.parse(arguments["card"], card_id)
        else:
            parsed = short_forms.parse(name, arguments, card_id)
        return replace(twins.complete(parsed.cards[0]), trust="model")

    try:
        return await asyncio.to_thread(parse)
    except CardRefused as refused:
        raise VoxcardError(f"Not shown: {refused}.", _CORRECT) from refused
