"""One turn, from its first moment until the device is idle again."""

import asyncio
import time
from collections.abc import Callable

from voxwire import session
from voxwire.message import TEXT_MAX

from voxcard.errors import VoxcardError
from voxcard.session import stages
from voxcard.session.answer import Answer
from voxcard.session.context import Parts, TurnContext, Watch
from voxcard.session.downlink import Downlink
from voxcard.session.turn_record import TurnRecord
from voxcard.session.uplink import Microphone

TICK_S = 0.5
PLAYED_S = 3.0  # from when the device should have played everything, to its report
CLOSE_S = 2.0  # for an assistant to let go of a turn
SAY_S = 20.0  # to speak a sentence about a failure

TOO_LONG = "That took too long. Please try again."
MICROPHONE_LOST = "I cannot hear the microphone. Please try again."
BROKEN = "Something went wrong here. Please try again."
NOT_PLAYED = "the device did not report that it played the reply"


class Turn:
    """`kind` is voice, text or say. `open_parts` starts the assistant's answer."""

    def __init__(
        self,
        context: TurnContext,
        turn_id: str,
        kind: str,
        open_parts: Callable[[], Parts],
        *,
        microphone: Microphone | None = None,
        watch: Watch | None = None,
    ) -> None:
        self.id = turn_id
        self.kind = kind
        self.microphone = microphone
        self.error = ""
        self.begun = False
        self._context = context
        self._open_parts = open_parts
        self._watch = watch or (lambda _kind, _text, _detail: None)
        self._speech = Downlink(
            context.wire, context.speaker, on_start=self._speech_starts, on_frame=self._frame_left
        )
        self._answer = Answer(
            context,
            turn_id,
            self._speech,
            self._watch,
            mark=self._mark,
            end_of_speech=self._end_of_speech,
            alive=self._alive,
        )
        self._moments = stages.Moments()
        self._limit: asyncio.Timeout | None = None
        self._lost = ""  # why the limit ended the turn, when not by its time
        self._played: asyncio.Future[int] | None = None
        self._played_seq: int | None = None
        self._aborted = False
        self._alive_s = 0.0
        self._at_s = time.time()
        self._mark("wake")

    # what the relay tells it

    def heard_frame(self) -> None:
        """The first microphone frame came."""
        self._mark("listening")

    def microphone_closed(self) -> None:
        """The person let go of the button: what was said is complete."""
        if self.microphone is not None:
            self.microphone.close()
        self._end_of_speech(None)

    def fail(self, reason: str) -> None:
        """End the answer with `reason` said to the person."""
        self._lost = reason
        if self._limit is not None:
            self._limit.reschedule(asyncio.get_running_loop().time())

    def abort(self, seq: int | None) -> None:
        """It was interrupted when frame `seq` was the last one heard; cancel its task next."""
        self._aborted = True
        self._played_seq = seq

    def played(self, seq: int) -> None:
        """The device played everything up to frame `seq`."""
        self._played_seq = seq
        if self._played is not None and not self._played.done():
            self._played.set_result(seq)

    # its life

    async def run(self) -> None:
        """Run to the end; the device is idle after it, whatever happens."""
        helpers = [asyncio.create_task(self._speech.run(), name=f"speech {self.id}")]
        if self.kind != "say":
            helpers.append(asyncio.create_task(self._keep_alive(), name=f"alive {self.id}"))
        try:
            if self.kind == "text":
                self._think()
            problem = await self._run_answer()
            if problem:
                await self._say_failure(problem)
            await self._finish(helpers[0])
        except asyncio.CancelledError:
            if self._speech.started:
                self._context.interrupted(self._speech.heard(self._played_seq))
            self.error = self.error or self._lost
            raise
        finally:
            for helper in helpers:
                helper.cancel()
            await asyncio.gather(*helpers, return_exceptions=True)
            if self.microphone is not None:
                self.microphone.close()
            self._mark("end")

    async def _run_answer(self) -> str:
        """Act on every part; why it failed, or an empty text."""
        parts = self._open_parts()
        try:
            async with asyncio.timeout(None) as self._limit:
                if self._lost:
                    return self._lost
                if self._context.state() == session.THINKING:
                    self._limit_to(session.THINKING)
                return await self._answer.pull(parts)
        except TimeoutError:
            if self._limit is not None and self._limit.expired():
                return self._lost or TOO_LONG
            self._context.log.exception("the assistant failed")
        except VoxcardError as error:
            return str(error)
        except Exception:
            self._context.log.exception("the assistant failed")
        finally:
            self._limit = None
            await self._close(parts)
        return BROKEN

    async def _say_failure(self, problem: str) -> None:
        self.error = problem
        self._context.log.warning("turn %s: %s", self.id, problem)
        self._watch("failed", problem, {})
        self._answer.asks = False
        self._listening_ends()
        try:
            async with asyncio.timeout(SAY_S):
                said = False
                async for speech in self._context.say(problem):
                    if not said:
                        self._speech.sentence(problem)
                        said = True
                    await self._speech.speech(speech.pcm, speech.rate_hz)
        except Exception as error:
            # The screen shows it; a voice that fails must not hide why the turn did.
            self._context.log.warning("the failure cannot be spoken (%r)", error)

    async def _finish(self, sender: "asyncio.Task[None]") -> None:
        """Speak to the end, wait for the device's report, close the turn."""
        if self._speech.started:
            self._played = asyncio.get_running_loop().create_future()
            self._speech.end()
            await sender
            self._mark("last_audio")
            self._speech.stop(self._answer.asks)
            await self._wait_played()
        if self._context.state() != session.IDLE:
            self._context.move("played" if self._context.state() == session.SPEAKING else "cancel")
        if self.kind != "say":
            text = self.error[:TEXT_MAX] or None
            self._context.wire.send("turn", id=self.id, state="done", text=text)

    async def _wait_played(self) -> None:
        if not self._speech.sent or self._played is None:
            return
        try:
            async with asyncio.timeout(self._context.speaker.buffer_ms / 1000 + PLAYED_S):
                await self._played
            self._mark("played")
        except TimeoutError:
            self.error = self.error or NOT_PLAYED
            self._context.log.warning("turn %s: %s", self.id, NOT_PLAYED)

    async def _close(self, parts: Parts) -> None:
        try:
            async with asyncio.timeout(CLOSE_S):
                await parts.aclose()
        except Exception:
            self._context.log.exception("the assistant did not let go of turn %s", self.id)

    async def _keep_alive(self) -> None:
        loop = asyncio.get_running_loop()
        self._alive_s = since_s = loop.time()
        while True:
            await asyncio.sleep(TICK_S)
            now_s, microphone = loop.time(), self.microphone
            if microphone is not None and self._context.state() == session.LISTENING:
                if (now_s - since_s) * 1000 >= session.LIMITS[session.LISTENING].ms:
                    self.microphone_closed()
                elif (now_s - microphone.last_s) * 1000 >= session.MICROPHONE_MS:
                    self.fail(MICROPHONE_LOST)
            if (now_s - self._alive_s) * 1000 >= session.ALIVE_MS:
                self._alive("")

    # steps

    def _end_of_speech(self, end_ms: int | None) -> None:
        listening = self._moments.at_ms.get("listening")
        if end_ms is not None and listening is not None:
            frame_ms = self._context.speaker.frame_ms  # the same both ways
            self._moments.mark("end_of_speech", stages.at_ms(end_ms, listening, frame_ms))
        if self._context.state() == session.LISTENING:
            self._mark("endpoint")
            self._listening_ends()

    def _listening_ends(self) -> None:
        if self.microphone is not None and not self.microphone.realtime:
            self.microphone.close()
        if self._context.state() == session.LISTENING and self._context.move("endpoint"):
            self._thinking()

    def _think(self) -> None:
        if self._context.move("think"):
            self._thinking()

    def _thinking(self) -> None:
        self._limit_to(session.THINKING)
        self._context.wire.send("turn", id=self.id, state="thinking")

    def _speech_starts(self) -> None:
        self._listening_ends()
        self._context.move("speak")
        self._limit_to(session.SPEAKING)

    def _frame_left(self, first: bool) -> None:
        if first:
            self._mark("first_audio")

    def _alive(self, text: str) -> None:
        self._alive_s = asyncio.get_running_loop().time()
        self._context.wire.send("turn", id=self.id, state="alive", text=text[:TEXT_MAX] or None)

    def _limit_to(self, state: str) -> None:
        if self._limit is not None and not self._lost:
            now_s = asyncio.get_running_loop().time()
            self._limit.reschedule(now_s + session.LIMITS[state].ms / 1000)

    def _mark(self, moment: str) -> None:
        self._moments.mark(moment, asyncio.get_running_loop().time() * 1000)

    def record(self) -> TurnRecord:
        """What it was; complete when `run` has ended."""
        microphone, device = self.microphone, self._context.device
        return TurnRecord(
            device=device.id,
            session=device.session_id,
            turn=self.id,
            kind=self.kind,
            at_s=self._at_s,
            transcript=self._answer.transcript,
            reply=" ".join(self._answer.reply),
            tools=tuple(self._answer.tools),
            cards=tuple(self._answer.cards),
            stages_ms=stages.times(self._moments.at_ms),
            frames_up=microphone.received if microphone else 0,
            frames_lost=microphone.lost if microphone else 0,
            frames_down=self._speech.sent,
            last_seq_sent=self._speech.last_seq,
            last_seq_played=self._played_seq,
            interrupted=self._aborted,
            error=self.error,
            recording=microphone.recording() if microphone else b"",
        )
