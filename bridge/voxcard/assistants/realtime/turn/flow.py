"""Every rule of a turn with a Realtime server: events in, parts and our events out; pure."""

from voxcard.assistants import (
    EndOfSpeech,
    Heard,
    HeardReply,
    Hush,
    ToolReply,
    Transcript,
)
from voxcard.assistants.pipeline.chat_server.memory import Exchange
from voxcard.assistants.pipeline.server_problem import ServerProblem, Subject
from voxcard.assistants.realtime.turn.answering import Answering, Phase
from voxcard.assistants.realtime.turn.answers import Answers, Line, Parts
from voxcard.assistants.realtime.turn.hearing import Hearing
from voxcard.assistants.realtime.turn.transcripts import Transcripts
from voxcard.assistants.realtime.wire import client_events
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

NOT_HEARD = "I did not hear anything."


class TurnFlow:
    """What is heard, by `Hearing`, and what is answered, by `Answering`, in one turn.

    `padding_ms`: silence that the server counts to the speech; None: it does not say.
    """

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
        self._line, self._heard, self._answers = line, heard, answers
        self._hearing = Hearing(heard, transcripts, line.sent_ms, padding_ms)
        self._answering = Answering(line, subject, heard, answers, self._hearing)

    @property
    def phase(self) -> Phase:
        return self._answering.phase

    @property
    def problem(self) -> ServerProblem | None:
        """Why the turn failed."""
        return self._answering.problem

    @property
    def tools_due(self) -> bool:
        """A response with calls is done: wait for its tools."""
        return self._answering.tools_due

    @property
    def is_untouched(self) -> bool:
        """Whether another session could take over: nobody speaks, and no answer began."""
        if self._hearing.is_speech or not self._answering.is_idle:
            return False
        is_asked = self._heard.held or self._heard.audio is None
        return self._is_listening or (is_asked and self._answering.is_unanswered)

    @property
    def needs_microphone(self) -> bool:
        return self.phase == "listening" or self._heard.open

    def begin(self) -> Parts:
        """A typed question is asked; a spoken one is listened to."""
        if self._heard.audio is None:
            text = self._heard.text or ""
            self._hearing.exchange = Exchange(text)
            self._answering.ask(text)
            yield Transcript(text=text)

    def move(self, line: Line) -> None:
        """Go on with another session, which knows nothing of this turn."""
        self._line = line
        self._hearing.move(line.sent_ms)
        self._answering.move(line)
        if self._heard.audio is None:
            self._answering.ask(self._heard.text or "")

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
                return self._answering.piece(event)
            case ResponseDone():
                return self._answering.done(event)
            case ServerError():
                return self._answering.error(event)
            case SessionCreated():
                return iter(())

    def gave(self, reply: ToolReply) -> None:
        """A tool is done."""
        self._answering.gave(reply)

    def tools_done(self) -> None:
        """Every tool of the response is done."""
        self._answering.tools_done()

    def waited(self) -> Parts:
        """What a phase waited for does not come any more."""
        if self.phase == "closing":
            return self._cut() if self._hearing.is_speech else self._nothing_said()
        self._hearing.give_up()
        return self._answering.end()

    def hushed(self, reply: HeardReply) -> None:
        """Of the answers so far only `reply` was heard."""
        self._answers.hushed(reply)

    def leave(self) -> bool:
        """The turn is over or closed; whether the session is fit for another."""
        is_listening = self._is_listening and self._heard.audio is not None
        self._answering.leave()
        if self._heard.held and is_listening:
            self._line.send(client_events.clear())
        self._line.stop_listening()
        # Where the server finds speech by itself, it may be about to answer some.
        may_answer = self._answering.is_owed or (is_listening and not self._heard.held)
        return self.problem is None and not may_answer

    @property
    def _is_listening(self) -> bool:
        return self.phase in ("listening", "closing")

    def _speech_started(self, event: SpeechStarted) -> Parts:
        if self._heard.open:
            if self._answering.interrupt():
                yield Hush()
        elif not self._is_listening:
            return  # what was on its way when the microphone closed
        self._hearing.started(event)

    def _speech_stopped(self, event: SpeechStopped) -> Parts:
        if self._is_listening:
            yield self._hearing.stopped(event)
            self._answering.expect()

    def _microphone_over(self, sent_ms: int) -> Parts:
        self._hearing.closed(sent_ms)
        if self.phase != "listening":
            return
        if self._hearing.is_enough and (self._heard.held or self._hearing.is_speech):
            yield from self._cut()
        elif self._hearing.is_enough and not self._heard.held:
            # A server that is slow has not told of speech yet, or it ends the sentence by itself.
            self._answering.phase = "closing"
        else:
            yield from self._nothing_said()

    def _cut(self) -> Parts:
        """The microphone closed in a sentence: it is answered as it is."""
        self._line.stop_listening(keep=True)
        yield self._hearing.cut()
        self._line.send(client_events.commit())
        self._answering.respond()

    def _nothing_said(self) -> Parts:
        """The microphone closed, and nobody had spoken."""
        if self._heard.open:
            yield from self._answering.end()
            return
        self._line.stop_listening(keep=True)
        yield EndOfSpeech()
        self._line.send(client_events.clear())
        self._answering.read_aloud(NOT_HEARD)

    def _committed(self, item_id: str) -> Parts:
        self._hearing.committed(item_id)
        if self.phase == "closing":
            yield self._hearing.cut()
            self._answering.expect()

    def _written(self, event: Transcribed | TranscriptionFailed) -> Parts:
        yield from self._hearing.written(event)
        if self.phase == "settling" and not self._hearing.words_are_due:
            yield from self._answering.end()

    def _created(self, response_id: str) -> Parts:
        if self.phase == "closing":
            yield self._hearing.cut()  # of a server that tells of nothing else
        yield from self._answering.created(response_id)
        if not self._heard.open:
            self._line.stop_listening()
