"""Every rule of a turn with a Realtime server: events in, parts and our events out; pure."""

import logging
from typing import Literal

from voxcard.assistants import (
    Ask,
    Done,
    EndOfSpeech,
    Failed,
    Heard,
    HeardReply,
    Hush,
    NextUtterance,
    Stage,
    ToolReply,
    Transcript,
)
from voxcard.assistants.pipeline.answering import ROUNDS_MAX
from voxcard.assistants.pipeline.chat_server.memory import Exchange
from voxcard.assistants.pipeline.server_problem import ServerProblem, Subject
from voxcard.assistants.realtime.turn.answers import Answers, Line, Parts
from voxcard.assistants.realtime.turn.speech_times import SpeechTimes
from voxcard.assistants.realtime.turn.transcripts import Transcripts
from voxcard.assistants.realtime.wire import client_events, problems
from voxcard.assistants.realtime.wire.connection import MicrophoneEnded, Received
from voxcard.assistants.realtime.wire.server_events import (
    AudioDelta,
    CallReady,
    Committed,
    ResponseCreated,
    ResponseDone,
    ServerError,
    SessionCreated,
    SpeechStarted,
    SpeechStopped,
    TextDelta,
    TimedOut,
    Transcribed,
    TranscriptionFailed,
)
from voxcard.json_value import JsonObject

log = logging.getLogger(__name__)

# listening: for the end of speech, or for speech; answering: a response is due, or goes on;
# settling: the words of the question may come after the answer.
Phase = Literal["listening", "answering", "settling", "over"]
COMMIT_MIN_MS = 100  # servers take less for no speech
NOT_HEARD = "I did not hear anything."
_AFTER_CALLS = "Say in one short sentence what was done, or what went wrong."


class TurnFlow:
    """`padding_ms`: silence that the server counts to the speech; None: it does not say."""

    def __init__(
        self,
        line: Line,
        subject: Subject,
        heard: Heard,
        answers: Answers,
        transcripts: Transcripts,
        *,
        padding_ms: int | None,
    ) -> None:
        self.phase: Phase = "listening"
        self.tools_due = False  # a response with calls is done: wait for its tools
        self.problem: ServerProblem | None = None
        self._line, self._subject, self._heard = line, subject, heard
        self._answers, self._transcripts = answers, transcripts
        self._times = SpeechTimes(line.sent_ms, padding_ms)
        self._exchange: Exchange | None = None  # of the question at hand
        self._is_owed = False  # the server is to answer, and has not begun
        self._microphone_ended = False
        self._aloud = ""  # a sentence of ours that is read next
        self._nudged = False
        self._gave_outputs = self._is_late = False

    @property
    def is_untouched(self) -> bool:
        """Whether another session could take over: nobody speaks, and no answer began."""
        is_asked = self._is_owed and (self._heard.held or self._heard.audio is None)
        is_idle = not self._times.is_speech and self._answers.are_over and not self.tools_due
        return is_idle and (self.phase == "listening" or (is_asked and not self._answers.rounds))

    @property
    def needs_microphone(self) -> bool:
        return self.phase == "listening" or self._heard.open

    def begin(self) -> Parts:
        """A typed question is asked; a spoken one is listened to."""
        if self._heard.audio is None:
            self._exchange = Exchange(self._heard.text or "")
            self._ask()
            yield Transcript(text=self._heard.text or "")

    def move(self, line: Line) -> None:
        """Go on with another session, which knows nothing of this turn."""
        self._line = line
        self._times.move(line.sent_ms)
        self._answers.move(line)
        if self._heard.audio is None:
            self._ask()
        else:
            self.phase, self._is_owed = "listening", False

    def take(self, event: Received) -> Parts:
        """What follows from `event`."""
        match event:
            case SpeechStarted():
                return self._speech_started(event)
            case SpeechStopped():
                return self._speech_stopped(event)
            case MicrophoneEnded(sent_ms=sent_ms):
                return self._microphone_over(sent_ms)
            case Committed(item_id=item_id) | TimedOut(item_id=item_id):
                return self._committed(item_id)
            case Transcribed() | TranscriptionFailed():
                return self._written(event)
            case ResponseCreated(response_id=response_id):
                return self._created(response_id)
            case AudioDelta() | TextDelta() | CallReady():
                return self._answers.take(event)
            case ResponseDone():
                return self._done(event)
            case ServerError():
                return self._error(event)
            case SessionCreated():
                return iter(())

    def gave(self, reply: ToolReply) -> None:
        """A tool is done."""
        self._answers.gave(reply)

    def tools_done(self) -> None:
        """Every tool of the response is done: the server goes on, if nobody speaks."""
        self.tools_due = False
        self._answers.tools_done()
        self._gave_outputs = True
        if not self._times.is_speech:
            self._respond(client_events.respond(tools=self._answers.rounds < ROUNDS_MAX))

    def settled(self) -> Parts:
        """The words of the question do not come any more."""
        self._transcripts.give_up()
        return self._end()

    def hushed(self, reply: HeardReply) -> None:
        """Of the answers so far only `reply` was heard."""
        self._answers.hushed(reply)

    def leave(self) -> bool:
        """The turn is over or closed; whether the session is fit for another."""
        phase, self.phase = self.phase, "over"
        self._answers.leave()
        if self._heard.held and phase == "listening":
            self._line.send(client_events.clear())
        self._line.stop_listening()
        # Where the server finds speech by itself, it may be about to answer some.
        is_listening = phase == "listening" and self._heard.audio is not None
        may_answer = self._is_owed or (is_listening and not self._heard.held)
        return self.problem is None and not may_answer

    # What was heard.

    def _speech_started(self, event: SpeechStarted) -> Parts:
        if self._heard.open:
            if self._answers.interrupt():
                yield Hush()
            self.phase = "listening"
        elif self.phase != "listening":
            return  # what was on its way when the microphone closed
        self._times.start(event.at_ms)
        self._exchange = self._transcripts.exchange(event.item_id)

    def _speech_stopped(self, event: SpeechStopped) -> Parts:
        if self.phase != "listening":
            return
        yield self._times.stop(event.at_ms)
        self.phase, self._is_owed = "answering", True

    def _microphone_over(self, sent_ms: int) -> Parts:
        self._microphone_ended = True
        if self.phase != "listening":
            return
        if self._heard.open and not self._times.is_speech:
            yield from self._end()
            return
        is_speech = self._heard.held or self._times.is_speech
        self._line.stop_listening(keep=True)
        if not is_speech or sent_ms < COMMIT_MIN_MS:
            yield EndOfSpeech()
            self._aloud = NOT_HEARD
            self._line.send(client_events.clear())
            self._respond(client_events.read_aloud(NOT_HEARD))
            return
        self._times.clear()
        yield EndOfSpeech(speech_ms=sent_ms)
        self._line.send(client_events.commit())
        self._respond(client_events.respond())

    def _committed(self, item_id: str) -> Parts:
        if self._exchange is None or self._heard.open:
            self._exchange = self._transcripts.exchange(item_id)
        return iter(())

    def _written(self, event: Transcribed | TranscriptionFailed) -> Parts:
        yield from self._transcripts.take(event)
        if self.phase == "settling" and not self._transcripts.are_due:
            yield from self._end()

    # What is answered.

    def _ask(self) -> None:
        item = client_events.user_text(self._heard.text or "")
        self._line.send(client_events.create_item(item))
        self._respond(client_events.respond())

    def _respond(self, event: JsonObject) -> None:
        self._line.send(event)
        self.phase, self._is_owed = "answering", True

    def _created(self, response_id: str) -> Parts:
        aloud, self._aloud = self._aloud, ""
        self._answers.begin(response_id, self._exchange, aloud)
        self._is_owed = self._gave_outputs = False
        if not self._times.is_speech:
            self.phase = "answering"
        if not self._heard.open:
            self._line.stop_listening()
        yield Stage(name="response_created")

    def _done(self, event: ResponseDone) -> Parts:
        answer = self._answers.current
        if answer is None or event.response_id != answer.id:
            return
        yield from self._answers.finish(event)
        if self._answers.tools_are_due:
            self.tools_due = True
        elif self._is_late:
            self._is_late = False
            self._respond(client_events.respond())
        elif not answer.is_stale:
            yield from self._ended(event, came=answer.came)

    def _ended(self, event: ResponseDone, *, came: bool) -> Parts:
        is_failure = event.status == "failed" or (event.status != "completed" and not came)
        if came and not is_failure:
            yield from self._end()
        elif self._heard.open and event.status != "failed":
            yield from self._end()  # there is nothing to say to what was heard
        elif is_failure:
            yield self._failed(problems.unfinished(self._subject, event))
        elif self._answers.rounds and not self._nudged:
            self._nudged = True
            self._respond(client_events.respond(tools=False, instructions=_AFTER_CALLS))
        else:
            yield self._failed(self._subject.empty(""))

    def _end(self) -> Parts:
        """The answer is complete."""
        if self._heard.open and not self._microphone_ended:
            self.phase, self._exchange = "listening", None
            yield NextUtterance()
        elif self._transcripts.are_due:
            self.phase = "settling"
        else:
            self.phase = "over"
            if self._answers.asks:
                yield Ask()
            yield Done()

    def _error(self, event: ServerError) -> Parts:
        if event.code == problems.ALREADY_ANSWERING and self._gave_outputs:
            self._is_late = True
        elif self._answers.current is not None:
            # A response that fails says so itself; simple servers refuse what they do not know.
            log.warning("the Realtime server: %s", problems.failure(self._subject, event))
        elif not problems.is_harmless(event):
            yield self._failed(problems.failure(self._subject, event))

    def _failed(self, problem: ServerProblem) -> Failed:
        self.problem, self.phase = problem, "over"
        return Failed(message=str(problem), retryable=True)
