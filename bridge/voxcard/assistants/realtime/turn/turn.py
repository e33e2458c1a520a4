"""Runs one turn with a Realtime server: the shell of flow."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from voxcard.assistants import Failed, HeardReply, Hush, NextReply, Reply, Speech, ToolReply, Turn
from voxcard.assistants.pipeline.server_problem import ServerProblem
from voxcard.assistants.realtime.turn.answering import Phase
from voxcard.assistants.realtime.turn.answers import Parts
from voxcard.assistants.realtime.turn.flow import TurnFlow
from voxcard.assistants.realtime.turn.microphone import Microphone
from voxcard.assistants.realtime.wire.server_events import ResponseCreated
from voxcard.assistants.realtime.wire.session import Session

# How long a phase lasts at most. A server hears and answers its events in order, so word of speech
# comes a way there and back after the microphone closed, and what its detector lags behind.
PHASE_S: Mapping[Phase, float] = {"closing": 1.0, "settling": 2.0}


class RealtimeTurn:
    """`renew` opens another session, for a turn of which nothing came yet."""

    def __init__(
        self,
        flow: TurnFlow,
        session: Session,
        microphone: Microphone | None,
        renew: Callable[[], Awaitable[Session]],
        limit_s: float,
    ) -> None:
        self._flow = flow
        self._session = session
        self._microphone = microphone
        self._renew = renew
        self._limit_s = limit_s
        self._hearing: asyncio.Task[None] | None = None
        self._is_renewed = False
        self._phase: Phase = "listening"  # as it was before the last event
        self._phase_ends_s = 0.0

    async def parts(self) -> Turn:
        """The parts of the turn; it may be closed at any of them."""
        if self._microphone is not None:
            work = self._microphone.run()
            self._hearing = asyncio.create_task(work, name="realtime microphone")
        try:
            parts = self._flow.begin()
            while True:
                for part in parts:
                    if isinstance(part, Speech) and self._session.connection.is_interrupted:
                        continue  # the person speaks already
                    reply: Reply = yield part
                    if isinstance(part, Hush) and isinstance(reply, HeardReply):
                        self._flow.hushed(reply)
                    elif isinstance(part, Failed):
                        return
                if self._flow.tools_due:
                    while isinstance(reply := (yield NextReply()), ToolReply):
                        self._flow.gave(reply)
                    self._flow.tools_done()
                if self._flow.phase == "over":
                    return
                if not self._flow.needs_microphone:
                    await self._stop_hearing()
                parts = await self._next()
        finally:
            await self._stop_hearing()

    async def _next(self) -> Parts:
        """What follows from the next event."""
        phase, connection = self._flow.phase, self._session.connection
        try:
            event = await connection.receive(self._patience_s())
        except ServerProblem:
            is_over = not connection.is_open or connection.is_old
            if phase == "settling" or (phase == "closing" and not is_over):
                return self._flow.waited()
            if not (is_over and self._flow.is_untouched) or self._is_renewed:
                raise
            await self._move()
            return iter(())
        if isinstance(event, ResponseCreated):
            self._is_renewed = False
            if self._microphone is not None:
                self._microphone.heard()
        return self._flow.take(event)

    def _patience_s(self) -> float | None:
        """How long the server may say nothing."""
        phase, now_s = self._flow.phase, asyncio.get_running_loop().time()
        if phase != self._phase:
            self._phase, self._phase_ends_s = phase, now_s + PHASE_S.get(phase, 0.0)
        if phase in PHASE_S:
            return max(0.0, self._phase_ends_s - now_s)
        if phase == "answering":
            return self._limit_s
        # While nobody speaks a session is renewed before it ends.
        return self._session.connection.left_s if self._flow.is_untouched else None

    async def _move(self) -> None:
        """Go on with another session."""
        self._is_renewed = True
        self._session = await self._renew()
        self._flow.move(self._session)
        if self._microphone is not None:
            self._microphone.move(self._session)

    async def _stop_hearing(self) -> None:
        task, self._hearing = self._hearing, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
