"""The card of a turn that takes many steps: what was done, what is being done, how to stop it."""

from collections.abc import Callable
from dataclasses import replace

from voxcard.cards.model import CardRefused
from voxcard.cards.runs import Run, RunStep, run_source, run_update, wanted
from voxcard.showing import Showing

TITLE = "Working"


class RunCard:
    """The run of one turn; its card appears with the third step and goes with the turn."""

    def __init__(self, turn_id: str, showing: Showing, now_s: Callable[[], float]) -> None:
        self._showing = showing
        self._now_s = now_s
        self._began_s = now_s()
        self._run = Run(key=f"run.{turn_id}", title=TITLE)
        self._card_id = ""

    async def step(self, what: str) -> None:
        """A step begins; those before it are done."""
        steps = tuple(replace(step, done=True) for step in self._run.steps)
        await self._change(replace(self._run, steps=(*steps, RunStep(what=what))))

    def end(self) -> None:
        """The turn is over: its answer stands for it now."""
        if self._card_id:
            self._showing.clear(self._card_id)

    async def _change(self, after: Run) -> None:
        before = self._run
        self._run = replace(after, elapsed_s=int(self._now_s() - self._began_s))
        if not wanted(self._run):
            return
        if self._card_id:
            try:
                await self._showing.update(run_update(before, self._run))
            except CardRefused:
                # Forgotten among newer live cards: the turn goes on without it.
                self._card_id = ""
        else:
            call_id = self._run.key
            self._card_id = await self._showing.source(run_source(self._run), call_id=call_id)
