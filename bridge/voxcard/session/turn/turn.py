"""Runs one turn until the device is idle again: the shell of turn.flow."""

import asyncio
from collections.abc import Callable

from voxwire.session import LISTENING

from voxcard.assistants import HeardReply
from voxcard.session.downlink import QUEUE_MS, Downlink
from voxcard.session.turn import flow as turn_flow
from voxcard.session.turn import stages
from voxcard.session.turn.answer import Answer
from voxcard.session.turn.context import TurnContext
from voxcard.session.turn.events import (
    AnswerEnded,
    AnswerFailed,
    CloseMicrophone,
    CutHeard,
    Effect,
    EndTurn,
    Event,
    Flow,
    ForgetEnd,
    Hushed,
    Mark,
    NextListening,
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
from voxcard.session.turn.exchange import Exchange
from voxcard.session.turn.pulling import Pulling
from voxcard.session.turn.record import TurnRecord
from voxcard.session.turn.request import TurnRequest

TICK_S = 0.5  # the longest between two looks at the clock
# An assistant that waits because its speech is not sent yet cannot silence it: where a person may
# speak into the answer, all that a device may speak in one go is taken.
OPEN_QUEUE_MS = 300_000


class Turn:
    """Pulls the assistant's parts, speaks, listens to the clock; decides nothing.

    `feed(event)` applies what happened, `flow()` is the state that results. Effects of flow come
    back by `take`. `report(record)` gets every exchange that is over before the turn is.
    """

    def __init__(
        self,
        context: TurnContext,
        request: TurnRequest,
        *,
        feed: Callable[[Event], None],
        flow: Callable[[], Flow],
        report: Callable[[TurnRecord], None],
    ) -> None:
        self.id = request.id
        self.microphone = request.microphone
        self.final = TurnState(id=request.id, kind=request.kind)  # complete when the turn is over
        self.begun = False
        self.cancelled = False  # it ended before its own end
        self.feed = feed
        self.exchange = Exchange()
        self._context = context
        self._request = request
        self._flow, self._report = flow, report
        realtime = request.microphone is not None and request.microphone.realtime
        self._speech = Downlink(
            context.wire,
            context.speaker,
            on_start=lambda: feed(SpeechStarted(turn=request.id, first_seq=self._speech.base)),
            on_first_frame=lambda: self.mark("first_audio"),
            queue_ms=OPEN_QUEUE_MS if realtime else QUEUE_MS,
        )
        self._answer = Answer(context, request, self._speech, self)
        self._first_frame_ms: float | None = None  # when the microphone's first frame came
        self._work: asyncio.Queue[Effect] = asyncio.Queue()
        self._pulling = Pulling(request.id, context.log)
        self._group = asyncio.TaskGroup()
        self._finishing: asyncio.Task[None] | None = None
        self.mark("wake")

    def take(self, effect: Effect) -> None:
        """Carry out an effect of flow; what takes time is done by `run`, in order."""
        match effect:
            case CloseMicrophone() if self.microphone is not None:
                self.microphone.close()
            case Mark(moment=moment):
                if moment == "endpoint" and self._request.held:
                    self.mark("end_of_speech")  # the release, whenever the last word was
                self.mark(moment)
            case ForgetEnd():
                self.exchange.moments.forget_end()
            case TellSpeechStop(listen=listen, cut=cut):
                self._speech.stop(listen=listen, cut=cut)
            case CutHeard(seq=seq, reported=reported):
                self.exchange.last_seq_played = seq
                self._speech.cut_heard(seq, reported=reported)
            case StopAnswer(error=error):
                self._pulling.stop(error)
            case NextListening(turn=final):
                self._next_exchange(final)
                self._work.put_nowait(effect)
            case _:
                self._work.put_nowait(effect)

    def mark(self, moment: stages.Moment) -> None:
        """Note when `moment` was; only its first time counts."""
        now_ms = _now_s() * 1000
        if moment == "listening" and self._first_frame_ms is None:
            self._first_frame_ms = now_ms
        self.exchange.moments.mark(moment, now_ms)

    def mark_own(self, name: str) -> None:
        """Note a moment that only the assistant knows."""
        self.exchange.moments.mark_own(name, _now_s() * 1000)

    async def run(self) -> None:
        """Run to the end. Cancelling is safe at any await: the assistant learns what was heard."""
        try:
            # A helper that fails ends the turn: without it the turn would wait for ever.
            async with self._group as group:
                sender = group.create_task(self._speech.run(), name=f"speech {self.id}")
                clock = group.create_task(self._watch_clock(), name=f"clock {self.id}")
                try:
                    await self._answer_and_finish()
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

    async def _answer_and_finish(self) -> None:
        error = await self._pulling.run(self._request.open_parts, self._answer.pull)
        await self.settled()
        error = self._pulling.stopped or error
        if error:
            self.feed(AnswerFailed(turn=self.id, error=error))
        else:
            self.feed(AnswerEnded(turn=self.id, asks=self.exchange.asks))
        await self._finish()

    async def _finish(self) -> None:
        """Do what is left of an answer, until the turn is over or listens again."""
        while True:
            match await self._work.get():
                case SayFailure(error=error):
                    await self._answer.say_failure(error)
                    self.feed(AnswerEnded(turn=self.id))
                case SendRest():
                    await self._speech.drained()
                    last_seq, buffer_ms = self._speech.last_seq, self._context.speaker.buffer_ms
                    self.feed(SpeechSent(turn=self.id, last_seq=last_seq, buffer_ms=buffer_ms))
                case EndTurn() | NextListening():
                    return

    async def hush(self) -> HeardReply:
        """Silence the speaker; what was heard of the speech, "" before one."""
        if not self._speech.started:
            return HeardReply(text="", played_ms=0)
        self.exchange.hushed, self.exchange.last_seq_sent = True, self._speech.last_seq
        heard = self._speech.drop()
        self.feed(Hushed(turn=self.id))
        reply = await heard
        await self.settled()
        return reply

    def interrupted(self, heard: HeardReply) -> None:
        """Tell the assistant what was heard of an answer that was hushed before it was ended."""
        self._context.interrupted(heard)

    def next_utterance(self) -> bool:
        """Let the answer play to its end, then listen again; False: the turn is over."""
        if self.microphone is None or not self.microphone.realtime:
            self._context.log.warning("turn %s: no microphone is open for one more", self.id)
            return False
        if self.microphone.closed or self._pulling.stopped:
            return False
        if self._flow().state != LISTENING:
            self.feed(AnswerEnded(turn=self.id, again=True))
            self._finishing = self._group.create_task(self._finish(), name=f"finish {self.id}")
        return True

    async def settled(self) -> None:
        """Wait until the turn listens again, if an answer before still plays."""
        if self._finishing is not None:
            await asyncio.wait((self._finishing,))
            self._finishing = None

    def _next_exchange(self, final: TurnState) -> None:
        self.mark("end")
        self._report(self._record(final))
        microphone = self.microphone
        self.exchange = Exchange(
            number=self.exchange.number + 1,
            frames_up=microphone.received if microphone else 0,
            frames_lost=microphone.lost if microphone else 0,
            frames_down=self._speech.sent,
        )
        self._speech.renew()
        self.mark("wake")
        self.mark("listening")

    async def _watch_clock(self) -> None:
        while True:
            now_ms = _now_s() * 1000
            due_ms = turn_flow.due_ms(self._flow(), self._frame_ms())
            wait_s = TICK_S if due_ms is None else min(TICK_S, max(0.0, (due_ms - now_ms) / 1000))
            await asyncio.sleep(wait_s)
            self.feed(Ticked(frame_ms=self._frame_ms()))

    def _frame_ms(self) -> int:
        return round(self.microphone.last_s * 1000) if self.microphone is not None else 0

    def end_of_speech(self, end_ms: int | None, *, hears_on: bool = False) -> None:
        """The assistant heard the end of speech, `end_ms` into the microphone's sound."""
        if end_ms is not None and self._first_frame_ms is not None and not self._request.held:
            frame_ms = self._context.speaker.frame_ms  # the same both ways
            at_ms = stages.at_ms(end_ms, self._first_frame_ms, frame_ms)
            self.exchange.moments.mark("end_of_speech", at_ms)
        self.feed(SpeechEnded(turn=self.id, hears_on=hears_on))

    def record(self) -> TurnRecord | None:
        """The record of the turn, complete when `run` has ended; None when nothing came after the
        last exchange that was reported."""
        one_of_many = self.exchange.number > 1
        if one_of_many and self.exchange.is_empty and not self.final.error:
            return None
        return self._record(self.final)

    def _record(self, final: TurnState) -> TurnRecord:
        device, speech = self._context.device, self._speech
        return self.exchange.record(device, final, self.microphone, speech.sent, speech.last_seq)


def _now_s() -> float:
    return asyncio.get_running_loop().time()
