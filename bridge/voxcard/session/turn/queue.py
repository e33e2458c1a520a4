"""Turn queue of one device: owns the session's state and the running turn's task."""

import asyncio
import secrets
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

from voxwire.message import TEXT_MAX

from voxcard.errors import VoxcardError
from voxcard.link.devices import DeviceLog
from voxcard.link.wire import Wire
from voxcard.session.turn import flow as turn_flow
from voxcard.session.turn.context import TurnContext
from voxcard.session.turn.events import (
    Began,
    Broke,
    CancelTurn,
    DoubtSession,
    Effect,
    Ended,
    EndTurn,
    Event,
    Report,
    TellTurn,
)
from voxcard.session.turn.record import TurnRecord
from voxcard.session.turn.request import TurnRequest
from voxcard.session.turn.turn import Turn
from voxcard.session.uplink import Microphone

HANDOVER_S = 3.0  # for an interrupted turn to let go of the conversation


class TurnQueue:
    """`turn` is the running one, or None. Everything that happens comes in by `feed`.

    `spawn(coroutine, name)` runs tasks in the bridge's task group; `on_turn(record)` gets every
    finished turn; `doubt_session()` is called when the device may not know of its session.
    """

    def __init__(
        self,
        wire: Wire,
        log: Callable[[], DeviceLog],
        *,
        spawn: Callable[[Coroutine[Any, Any, None], str], "asyncio.Task[None]"],
        on_turn: Callable[[TurnRecord], None],
        doubt_session: Callable[[], None],
    ) -> None:
        self.turn: Turn | None = None
        self._wire = wire
        self._log = log
        self._spawn = spawn
        self._on_turn = on_turn
        self._doubt_session = doubt_session
        self._task: asyncio.Task[None] | None = None
        self._flow = turn_flow.start(0)

    @property
    def state(self) -> str:
        """The session's state, one of voxwire.session."""
        return self._flow.state

    @property
    def microphone(self) -> Microphone | None:
        """The microphone of the running turn."""
        return self.turn.microphone if self.turn is not None else None

    def feed(self, event: Event) -> None:
        """Apply what happened, and carry out what follows from it."""
        before = self.state
        now_ms = round(asyncio.get_running_loop().time() * 1000)
        self._flow, effects = turn_flow.apply(self._flow, event, now_ms)
        if self.state != before:
            self._log().info("%s -> %s", before, self.state)
        for effect in effects:
            self._carry_out(effect)

    def begin(self, context: TurnContext, request: TurnRequest) -> Turn:
        """Start a turn; a running one ends. VoxcardError when the device can have none now."""
        request = replace(request, id=request.id or f"b{secrets.token_hex(4)}")
        microphone = request.microphone
        realtime = microphone is not None and microphone.realtime
        self.feed(Began(turn=request.id, kind=request.kind, realtime=realtime))
        if self._flow.turn is None or self._flow.turn.id != request.id:
            raise VoxcardError(
                f"{context.device.id} is {self.state}.", "Try again when it is idle."
            )
        turn = Turn(context, request, feed=self.feed, flow=lambda: self._flow, report=self._report)
        previous, self.turn = self._task, turn
        self._log().info("turn %s: %s", turn.id, request.kind)
        self._task = self._spawn(self._run(turn, previous), f"turn {context.device.id} {turn.id}")
        return turn

    async def free(self) -> None:
        """Wait until no turn runs; without a limit."""
        while self._task is not None and not self._task.done():
            await asyncio.wait((self._task,))

    async def outcome(self, turn: Turn) -> None:
        """Wait for a turn that was just begun; VoxcardError says why it failed. Cancelling the
        caller ends it."""
        task = self._task
        assert task is not None
        try:
            await asyncio.wait((task,))
        except asyncio.CancelledError:
            if self.turn is turn:
                self.feed(Ended(tell=True))
            raise
        if turn.final.error:
            raise VoxcardError(turn.final.error)

    async def _run(self, turn: Turn, previous: "asyncio.Task[None] | None") -> None:
        turn.begun = True
        try:
            if previous is not None and not previous.done():
                # The assistant keeps one conversation a device: one turn at a time in it.
                await asyncio.wait((previous,), timeout=HANDOVER_S)
            await turn.run()
        except Exception:
            self._log().exception("turn %s failed", turn.id)
            self.feed(Broke(turn=turn.id))
        finally:
            if self.turn is turn:
                self.feed(Ended())
            self._report(turn.record())

    def _carry_out(self, effect: Effect) -> None:
        match effect:
            case TellTurn(turn=turn_id, state=state, text=text, hear_ms=hear_ms):
                text = text[:TEXT_MAX]
                self._wire.send(
                    "turn", id=turn_id, state=state, text=text or None, hear_ms=hear_ms
                )
            case DoubtSession():
                self._doubt_session()
            case Report(text=text):
                self._log().warning("%s", text)
            case CancelTurn() | EndTurn():
                self._over(effect)
            case _ if self.turn is not None:
                self.turn.take(effect)

    def _over(self, effect: CancelTurn | EndTurn) -> None:
        turn, self.turn = self.turn, None
        if turn is None:
            return
        turn.final = effect.turn
        turn.cancelled = isinstance(effect, CancelTurn)
        if isinstance(effect, EndTurn):
            turn.take(effect)
        elif self._task is not None:
            self._task.cancel()
            if not turn.begun:
                # A task cancelled before its first step never runs, its `finally` neither.
                self._report(turn.record())

    def _report(self, record: TurnRecord | None) -> None:
        if record is None:
            return
        times = " ".join(f"{name}={ms}" for name, ms in record.stages_ms.items())
        self._log().info(
            "turn %s: done%s, frames up %d lost %d down %d, %s",
            record.turn,
            " interrupted" if record.interrupted else " with an error" if record.error else "",
            record.frames_up,
            record.frames_lost,
            record.frames_down,
            times,
        )
        self._on_turn(record)
