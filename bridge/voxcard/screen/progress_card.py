"""Shows a long turn as a card: the steps done, the step being done, and how to stop it."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from voxcard.cards.live.run_card import Run, RunStep, run_source, run_update, wanted
from voxcard.cards.model import CardRefused
from voxcard.cards.text.fixed_words import cards_in, fixed_words
from voxcard.json_value import Json, JsonObject
from voxcard.screen.device_cards import DeviceCards


class ProgressCard:
    """The steps of one turn; the card appears with the third step and is cleared with the turn."""

    def __init__(
        self, turn_id: str, device_cards: DeviceCards, now_s: Callable[[], float]
    ) -> None:
        self._device_cards = device_cards
        self._now_s = now_s
        self._began_s = now_s()
        self._run = Run(key=f"run.{turn_id}", title=fixed_words(device_cards.locale)["working"])
        self._card_id = ""

    async def step(self, what: str) -> None:
        """Called when a step begins, which ends the one before it."""
        steps = tuple(replace(step, done=True) for step in self._run.steps)
        await self._change(replace(self._run, steps=(*steps, RunStep(what=what))))

    def end(self) -> None:
        """Called when the turn is over; clears the card."""
        if self._card_id:
            self._device_cards.clear(self._card_id)

    async def _change(self, after: Run) -> None:
        before = self._run
        self._run = replace(after, elapsed_s=int(self._now_s() - self._began_s))
        if not wanted(self._run):
            return
        if self._card_id:
            try:
                await self._device_cards.update(self._update(before))
            except CardRefused:
                # Forgotten among newer live cards: the turn goes on without it.
                self._card_id = ""
        else:
            call_id = self._run.key
            self._card_id = await self._device_cards.source(self._source(), call_id=call_id)

    def _source(self) -> JsonObject:
        with cards_in(self._device_cards.locale):
            return run_source(self._run)

    def _update(self, before: Run) -> Mapping[str, Json]:
        with cards_in(self._device_cards.locale):
            return run_update(before, self._run)
