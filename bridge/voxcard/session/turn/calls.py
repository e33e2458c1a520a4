"""Tool calls of a turn: made one at a time or beside the answer, their cards shown."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from voxcard.assistants import CallTool, Running, ToolReply
from voxcard.screen.progress_card import ProgressCard
from voxcard.session.turn.context import TurnContext
from voxcard.session.turn.record import ToolCall
from voxcard.session.turn.request import TurnRequest
from voxcard.toolhub.model import ToolOutcome

AT_ONCE = 8  # calls beside each other; one more waits for the first that is done


class Calls:
    """`on_progress(text)` hears how far a call is, `on_card(card_id)` which card its result shows,
    `on_done(call)` what became of it.
    """

    def __init__(
        self,
        context: TurnContext,
        request: TurnRequest,
        *,
        on_progress: Callable[[str], None],
        on_card: Callable[[str], None],
        on_done: Callable[[ToolCall], None],
    ) -> None:
        self._context = context
        self._turn_id = request.id
        self._watch = request.watch
        self._on_progress, self._on_card, self._on_done = on_progress, on_card, on_done
        self._count = 0
        self._room = asyncio.Semaphore(AT_ONCE)
        self._running: set[asyncio.Task[ToolReply]] = set()
        self._replies: list[ToolReply] = []
        self._run = ProgressCard(
            request.id, context.device_cards, lambda: asyncio.get_running_loop().time()
        )

    def start(self, part: CallTool) -> None:
        """Make a call beside what follows; `next` and `ready` give its reply."""
        task = asyncio.create_task(self.call(part), name=f"call {part.name}")
        self._running.add(task)

    async def next(self) -> ToolReply | None:
        """The reply of the next started call that is done; None when none is left."""
        if not self._replies and self._running:
            done, self._running = await asyncio.wait(
                self._running, return_when=asyncio.FIRST_COMPLETED
            )
            self._replies += [task.result() for task in done]
        return self._replies.pop(0) if self._replies else None

    def ready(self) -> ToolReply | Running | None:
        """As `next`, but at once: Running when calls run and none is done."""
        if not self._replies:
            done = {task for task in self._running if task.done()}
            self._running -= done
            self._replies += [task.result() for task in done]
        if self._replies:
            return self._replies.pop(0)
        return Running() if self._running else None

    async def finish(self) -> None:
        """Let every started call come to its end: what was asked for is done."""
        while await self.next() is not None:
            pass

    async def end(self) -> None:
        """The turn is over: cancel what still runs."""
        self._run.end()
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    async def call(self, part: CallTool) -> ToolReply:
        """Make one call and show the card of its result."""
        self._count += 1
        call_id = f"{self._turn_id}.{self._count}"
        async with self._room:
            await self._run.step(part.name.rpartition(".")[2].replace("_", " "))
            began_s = asyncio.get_running_loop().time()
            outcome = await self._context.tools.call(
                self._context.device.id, part.name, part.arguments, on_progress=self._on_progress
            )
            self._note(part, outcome, asyncio.get_running_loop().time() - began_s)
            return replace(await self._reply(part, outcome, call_id), id=part.id)

    def _note(self, part: CallTool, outcome: ToolOutcome, seconds: float) -> None:
        ms = round(seconds * 1000)
        self._on_done(
            ToolCall(
                name=part.name,
                arguments=part.arguments,
                text=outcome.text,
                is_error=outcome.is_error,
                ms=ms,
                pictures=outcome.pictures,
            )
        )
        ended = "failed" if outcome.is_error else "done"
        self._context.log.info("tool %s: %s in %d ms", part.name, ended, ms)
        detail = {"name": part.name, "arguments": part.arguments, "is_error": outcome.is_error}
        self._watch("tool", outcome.text, detail)

    async def _reply(self, part: CallTool, outcome: ToolOutcome, call_id: str) -> ToolReply:
        reply = ToolReply(
            text=outcome.text,
            is_error=outcome.is_error,
            structured=outcome.structured,
            pictures=outcome.pictures,
        )
        if outcome.is_error or not outcome.result:
            return reply
        shown = await self._context.device_cards.result(
            outcome.result, tool=part.name, call_id=call_id, arguments=part.arguments
        )
        if not shown.reading.cards:
            return replace(reply, speak=shown.reading.speak)
        self._on_card(shown.card_id)
        text, speak = shown.reading.text or outcome.text, shown.reading.speak
        return replace(reply, text=text, speak=speak, card_shown=bool(shown.card_id))
