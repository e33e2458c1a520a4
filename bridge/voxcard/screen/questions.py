"""Asks questions on a device's screen: shows a card and waits for a choice."""

import asyncio
from dataclasses import replace

from voxcard.cards.model import Action, Card, Question
from voxcard.cards.text.fixed_words import fixed_words
from voxcard.errors import VoxcardError
from voxcard.screen.device_cards import DeviceCards

SURE_S = 30.0  # to confirm what was chosen


class ScreenQuestions:
    """The open questions of one device."""

    def __init__(self, device_cards: DeviceCards) -> None:
        self._device_cards = device_cards
        self._waiting: dict[str, asyncio.Future[Action | None]] = {}

    @property
    def locale(self) -> str:
        """The locale of the device."""
        return self._device_cards.locale

    async def show(self, card: Card) -> None:
        """Shows a card that belongs to a question; nothing waits for it, and it is not kept."""
        await self._device_cards.card(card, keep=False)

    async def ask(self, card: Card, limit_s: float, *, keep: bool = True) -> Action | None:
        """Shows `card` and waits for one of its actions; returns None if it is put away, or if
        nobody chooses in time.

        An action that needs confirming is returned only when it was confirmed. With `keep` the
        card goes into the history. Raises VoxcardError if the device shows no cards now.
        """
        card_id = await self._device_cards.card(card, keep=keep)
        if not card_id:
            raise VoxcardError("This device shows no cards now.", "Ask it aloud instead.")
        answer = asyncio.get_running_loop().create_future()
        self._waiting[card_id] = answer
        try:
            async with asyncio.timeout(limit_s):
                action: Action | None = await answer
        except TimeoutError:
            return None
        finally:
            del self._waiting[card_id]
            self._device_cards.clear(card_id)
        if action is not None and action.confirm and not await self.sure(action):
            return None
        return action

    async def sure(self, action: Action) -> bool:
        """Asks an action's `confirm` question; returns whether the person is sure."""
        words = fixed_words(self.locale)
        card = Card(
            id=f"sure.{action.id}",
            dialect="bridge",
            title=words["sure"],
            question=Question(kind="approval", prompt=action.confirm),
            actions=(
                replace(action, id="sure", kind="control", confirm=""),
                Action(id="no", label=words["no"], kind="control", text="no"),
            ),
        )
        chosen = await self.ask(card, SURE_S)
        return chosen is not None and chosen.id == "sure"

    def answered(self, card_id: str, action: Action) -> bool:
        """Called when an action is chosen; returns whether a question was waiting for it."""
        return self._end(card_id, action)

    def dismissed(self, card_id: str) -> None:
        """Called when a card is put away, which leaves its question unanswered."""
        self._end(card_id, None)

    def _end(self, card_id: str, action: Action | None) -> bool:
        answer = self._waiting.get(card_id)
        if answer is None:
            return False
        if not answer.done():
            answer.set_result(action)
        return True
