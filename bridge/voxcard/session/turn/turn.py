"""Runs one turn until the device is idle again: the shell of turn.flow."""

import asyncio
import time
from collections.abc import Callable

from voxcard.errors import VoxcardError
from voxcard.session.downlink import Downlink
from voxcard.session.turn import flow as turn_flow
from voxcard.session.turn import stages
from voxcard.session.turn.answer import Answer
from voxcard.session.turn.context import Parts, TurnContext
from voxcard.session.turn.events import (
    AnswerEnded,
    AnswerFailed,
    CloseMicrophone,
    Effect,
    EndTurn,
    Event,
    Flow,
    Mark,
    SayFailure,
    SendRest,
    SpeechEnded,
    SpeechSent,
    SpeechStarted,
    StopAnswer,
    TellSpeechStop,
    Ticked,
    TurnState,
)
from voxcard.session.turn.record import TurnRecord
from voxcard.session.turn.request import TurnRequest

TICK_S = 0.5  # the longest between two looks at the clock
CLOSE_S = 2.0  # for an assistant to let go of a turn
SAY_S = 20.0  # to speak a sentence about a failure


class Turn:
    """Pulls the assistant's parts, speaks, listens to the clock; decides nothing.

    `feed(event)` applies what happened, `flow()` is the state that results. Effects of flow come
    back by `take`.
    """

    def __init__(
        self,
        context: TurnContext,
        request: TurnRequest,
        *,
        feed: Callable[[Event], None],
        flow: Callable[[], Flow],
    ) -> None:
        self.id = request.id
        self.microphone = request.microphone
        self.final = TurnState(id=request.id, kind=request.kind)  # complete when the turn is over
        self.begun = False
        self._context = context
        self._request = request
        self._feed, self._flow = feed, flow
        self._speech = Downlink(
            context.wire,
            context.speaker,
            on_start=lambda: feed(SpeechStarted(turn=request.id)),
            on_first_frame=lambda: self.mark("first_audio"),
        )
        self._answer = Answer(
            context,
            request,
            self._speech,
            mark=self.mark,
            mark_own=self._mark_own,
            end_of_speech=self._end_of_speech,
            feed=feed,
        )
        self._moments = stages.Moments()
        self._work: asyncio.Queue[Effect] = asyncio.Queue()
        self._limit: asyncio.Timeout | None = None
        self._stopped = ""  # why StopAnswer came
        self._at_s = time.time()
        self.mark("wake")

    def take(self, effect: Effect) -> None:
        """Carry out an effect of flow; what takes time is done by `run`, in order."""
        match effect:
            case CloseMicrophone() if self.microphone is not None:
                self.microphone.close()
            case Mark(moment=moment):
                self.mark(moment)
            case TellSpeechStop(listen=listen):
                self._speech.stop(listen)
            case StopAnswer(error=error):
                self._stopped = error
                if self._limit is not None:
                    self._limit.reschedule(asyncio.get_running_loop().time())
            case _:
                self._work.put_nowait(effect)

    def mark(self, moment: stages.Moment) -> None:
        """Note when `moment` was; only its first time counts."""
        self._moments.mark(moment, asyncio.get_running_loop().time() * 1000)

    def _mark_own(self, name: str) -> None:
        self._moments.mark_own(name, asyncio.get_running_loop().time() * 1000)

    async def run(self) -> None:
        """Run to the end. Cancelling is safe at any await: the assistant learns what was heard."""
        try:
            # A helper that fails ends the turn: without it the turn would wait for ever.
            async with asyncio.TaskGroup() as group:
                sender = group.create_task(self._speech.run(), name=f"speech {self.id}")
                clock = group.create_task(self._watch_clock(), name=f"clock {self.id}")
                try:
                    await self._answer_and_finish(sender)
                finally:
                    sender.cancel()
                    clock.cancel()
        except asyncio.CancelledError:
            if self._speech.started:
                self._context.interrupted(self._speech.heard(self.final.played_seq))
            raise
        finally:
            if self.microphone is not None:
                self.microphone.close()
            self.mark("end")

    async def _answer_and_finish(self, sender: "asyncio.Task[None]") -> None:
        error = await self._run_answer()
        if error:
            self._feed(AnswerFailed(turn=self.id, error=error))
        else:
            self._feed(AnswerEnded(turn=self.id, asks=self._answer.asks))
        await self._finish(sender)

    async def _finish(self, sender: "asyncio.Task[None]") -> None:
        """Do what is left, until the turn is over."""
        while True:
            match await self._work.get():
                case SayFailure(error=error):
                    await self._say_failure(error)
                    self._feed(AnswerEnded(turn=self.id))
                case SendRest():
                    self._speech.end()
                    await sender
                    last_seq, buffer_ms = self._speech.last_seq, self._context.speaker.buffer_ms
                    self._feed(SpeechSent(turn=self.id, last_seq=last_seq, buffer_ms=buffer_ms))
                case EndTurn():
                    return

    async def _run_answer(self) -> str:
        """Act on every part; why the answer failed, or an empty text."""
        parts = self._request.open_parts()
        try:
            async with asyncio.timeout(None) as self._limit:
                return self._stopped or await self._answer.pull(parts)
        except TimeoutError:
            if self._limit is not None and self._limit.expired():
                return self._stopped
            self._context.log.exception("the assistant failed")
        except VoxcardError as error:
            return str(error)
        except Exception:
            self._context.log.exception("the assistant failed")
        finally:
            self._limit = None
            await self._close(parts)
        return turn_flow.BROKEN

    async def _say_failure(self, error: str) -> None:
        self._context.log.warning("turn %s: %s", self.id, error)
        self._request.watch("failed", error, {})
        try:
            async with asyncio.timeout(SAY_S):
                announced = False
                async for speech in self._context.say(error):
                    if not announced:
                        self._speech.sentence(error)
                        announced = True
                    await self._speech.speech(speech.pcm, speech.rate_hz)
        except Exception as problem:
            # The screen shows it; a voice that fails must not hide why the turn did.
            self._context.log.warning("the failure cannot be spoken (%r)", problem)

    async def _close(self, parts: Parts) -> None:
        try:
            async with asyncio.timeout(CLOSE_S):
                await parts.aclose()
        except Exception:
            self._context.log.exception("the assistant did not let go of turn %s", self.id)

    async def _watch_clock(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            now_ms = loop.time() * 1000
            due_ms = turn_flow.due_ms(self._flow(), self._frame_ms())
            wait_s = TICK_S if due_ms is None else min(TICK_S, max(0.0, (due_ms - now_ms) / 1000))
            await asyncio.sleep(wait_s)
            self._feed(Ticked(frame_ms=self._frame_ms()))

    def _frame_ms(self) -> int:
        return round(self.microphone.last_s * 1000) if self.microphone is not None else 0

    def _end_of_speech(self, end_ms: int | None) -> None:
        listening_ms = self._moments.at_ms.get("listening")
        if end_ms is not None and listening_ms is not None:
            frame_ms = self._context.speaker.frame_ms  # the same both ways
            self._moments.mark("end_of_speech", stages.at_ms(end_ms, listening_ms, frame_ms))
        self._feed(SpeechEnded(turn=self.id))

    def record(self) -> TurnRecord:
        """The record of the turn; complete when `run` has ended."""
        microphone, device, final = self.microphone, self._context.device, self.final
        return TurnRecord(
            device=device.id,
            session=device.session_id,
            turn=self.id,
            kind=final.kind,
            at_s=self._at_s,
            transcript=self._answer.transcript,
            reply=" ".join(self._answer.reply),
            tools=tuple(self._answer.tools),
            cards=tuple(self._answer.cards),
            stages_ms=stages.times(self._moments.at_ms, self._moments.own_ms),
            frames_up=microphone.received if microphone else 0,
            frames_lost=microphone.lost if microphone else 0,
            frames_down=self._speech.sent,
            last_seq_sent=self._speech.last_seq,
            last_seq_played=final.played_seq,
            interrupted=final.interrupted,
            error=final.error,
            recording=microphone.recording() if microphone else b"",
        )
