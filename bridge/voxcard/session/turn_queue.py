"""Whose turn it is on one device: one turn at a time, and the session's state with it."""

import asyncio
import secrets
from collections.abc import Callable, Coroutine
from typing import Any

from voxwire import session
from voxwire.errors import WireError

from voxcard.errors import VoxcardError
from voxcard.link.devices import DeviceLog
from voxcard.link.wire import Wire
from voxcard.session.context import Parts, TurnContext, Watch
from voxcard.session.turn import BROKEN, Turn
from voxcard.session.turn_record import TurnRecord
from voxcard.session.uplink import Microphone

HANDOVER_S = 3.0  # for an interrupted turn to let go of the conversation


class TurnQueue:
    """`turn` is the running one, or None; `microphone` is open while it listens.

    `spawn(coroutine, name)` runs tasks in the bridge's task group; `on_turn(record)` gets every
    finished turn.
    """

    def __init__(
        self,
        wire: Wire,
        log: Callable[[], DeviceLog],
        *,
        spawn: Callable[[Coroutine[Any, Any, None], str], "asyncio.Task[None]"],
        on_turn: Callable[[TurnRecord], None],
    ) -> None:
        self.turn: Turn | None = None
        self.microphone: Microphone | None = None
        self._wire = wire
        self._log = log
        self._spawn = spawn
        self._on_turn = on_turn
        self._task: asyncio.Task[None] | None = None
        self._session = session.start(0)

    @property
    def state(self) -> str:
        """Of the session, by voxwire.session."""
        return str(self._session.state)

    def begin(
        self,
        context: TurnContext,
        kind: str,
        open_parts: Callable[[], Parts],
        *,
        turn_id: str = "",
        microphone: Microphone | None = None,
        watch: Watch | None = None,
    ) -> Turn:
        """Start a turn when none runs; the bridge's own turns get an id here."""
        turn_id = turn_id or f"b{secrets.token_hex(4)}"
        turn = Turn(context, turn_id, kind, open_parts, microphone=microphone, watch=watch)
        previous, self.turn, self.microphone = self._task, turn, microphone
        self._log().info("turn %s: %s", turn.id, kind)
        self._task = self._spawn(self._run(turn, previous), f"turn {context.device.id} {turn.id}")
        return turn

    def end(self, reason: str, *, tell: bool = False) -> None:
        """End the running turn, if there is one; `tell` the device, unless it knows."""
        turn = self.turn
        if turn is not None:
            turn.error = reason
            self._cancel("cancel")
            if tell:
                self._wire.send("turn", id=turn.id, state="done")

    def abort(self, seq: int | None) -> None:
        """The device ended the turn when frame `seq` was the last one heard."""
        if self.turn is not None:
            self.turn.abort(seq)
            self._cancel("abort")

    async def free(self, limit_s: float) -> None:
        """Wait until no turn runs, at most `limit_s`."""
        if self._task is not None:
            await asyncio.wait((self._task,), timeout=limit_s)

    async def outcome(self, turn: Turn) -> None:
        """Wait for a turn that was just begun; VoxcardError says why it failed. Cancelling the
        caller ends it."""
        task = self._task
        assert task is not None
        try:
            await asyncio.wait((task,))
        except asyncio.CancelledError:
            if self.turn is turn:
                self.end("", tell=True)
            raise
        if turn.error:
            raise VoxcardError(turn.error)

    async def _run(self, turn: Turn, previous: "asyncio.Task[None] | None") -> None:
        turn.begun = True
        try:
            if previous is not None and not previous.done():
                # The assistant keeps one conversation a device: one turn at a time in it.
                await asyncio.wait((previous,), timeout=HANDOVER_S)
            await turn.run()
        except Exception:
            self._log().exception("turn %s failed", turn.id)
            turn.error = turn.error or BROKEN
            self._wire.send("turn", id=turn.id, state="done", text=turn.error)
        finally:
            if self.turn is turn:
                self.turn = self.microphone = None
                if self.state not in (session.IDLE, session.OFFLINE):
                    self.move("cancel")
            self._report(turn.record())

    def _report(self, record: TurnRecord) -> None:
        stages = " ".join(f"{name}={ms}" for name, ms in record.stages_ms.items())
        self._log().info(
            "turn %s: done%s, frames up %d lost %d down %d, %s",
            record.turn,
            " interrupted" if record.interrupted else " with an error" if record.error else "",
            record.frames_up,
            record.frames_lost,
            record.frames_down,
            stages,
        )
        self._on_turn(record)

    def _cancel(self, event: str) -> None:
        turn, task = self.turn, self._task
        self.turn = self.microphone = None
        self.move(event)
        if task is not None:
            task.cancel()
        if turn is not None and not turn.begun:
            # A task that is cancelled before its first step never runs, its `finally` neither.
            self._report(turn.record())

    def move(self, event: str) -> bool:
        """Apply a session event; False (and a log line) when it is not legal now."""
        before = self.state
        now_ms = round(asyncio.get_running_loop().time() * 1000)
        try:
            self._session = session.apply(self._session, event, now_ms)
        except WireError as error:
            self._log().warning("%s", error)
            return False
        if self.state != before:
            self._log().info("%s -> %s", before, self.state)
        return True
