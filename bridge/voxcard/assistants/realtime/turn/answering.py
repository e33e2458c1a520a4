"""Who is to say what next in a turn: responses asked for, given, failed; pure."""

import logging
from typing import Literal

from voxcard.assistants import Ask, Done, Failed, Heard, NextUtterance, Stage, ToolReply
from voxcard.assistants.pipeline.answering import ROUNDS_MAX
from voxcard.assistants.pipeline.server_problem import ServerProblem, Subject
from voxcard.assistants.realtime.turn.answers import Answers, Line, Parts
from voxcard.assistants.realtime.turn.hearing import Hearing
from voxcard.assistants.realtime.wire import client_events, problems
from voxcard.assistants.realtime.wire.server_events import (
    AudioDelta,
    CallReady,
    ResponseDone,
    ServerError,
    TextDelta,
)
from voxcard.json_value import JsonObject

log = logging.getLogger(__name__)

# listening: for the end of speech, or for speech; closing: the microphone is closed, and a server
# that is slow may tell of speech yet; answering: a response is due, or goes on; settling: the
# words of the question may come after the answer.
Phase = Literal["listening", "closing", "answering", "settling", "over"]
_AFTER_CALLS = "Say in one short sentence what was done, or what went wrong."


class Answering:
    """`phase` is the turn's; `problem` why it failed."""

    def __init__(
        self, line: Line, subject: Subject, heard: Heard, answers: Answers, hearing: Hearing
    ) -> None:
        self.phase: Phase = "listening"
        self.problem: ServerProblem | None = None
        self.tools_due = False  # a response with calls is done: wait for its tools
        self.is_owed = False  # the server is to answer, and has not begun
        self._line, self._subject, self._heard = line, subject, heard
        self._answers, self._hearing = answers, hearing
        self._aloud = ""  # a sentence of ours that is read next
        self._nudged = False
        self._gave_outputs = self._is_late = False

    @property
    def is_idle(self) -> bool:
        """Whether no answer is being given, and no tool runs."""
        return self._answers.are_over and not self.tools_due

    @property
    def is_unanswered(self) -> bool:
        """Whether an answer was asked for and nothing of it came."""
        return self.is_owed and not self._answers.rounds

    def move(self, line: Line) -> None:
        """Another session, which owes nothing."""
        self._line = line
        self._answers.move(line)
        self.phase, self.is_owed = "listening", False

    def expect(self) -> None:
        """The server answers by itself what it heard."""
        self.phase, self.is_owed = "answering", True

    def ask(self, text: str) -> None:
        """Ask a typed question."""
        self._line.send(client_events.create_item(client_events.user_text(text)))
        self.respond()

    def respond(self) -> None:
        """Have the server answer what it heard."""
        self._respond(client_events.respond())

    def read_aloud(self, text: str) -> None:
        """Have a sentence of ours said."""
        self._aloud = text
        self._respond(client_events.read_aloud(text))

    def interrupt(self) -> bool:
        """The person speaks; whether there is sound of ours to silence."""
        if self.phase != "closing":
            self.phase = "listening"
        return self._answers.interrupt()

    def created(self, response_id: str) -> Parts:
        aloud, self._aloud = self._aloud, ""
        self._answers.begin(response_id, self._hearing.exchange, aloud)
        self.is_owed = self._gave_outputs = False
        if not self._hearing.is_speech:
            self.phase = "answering"
        yield Stage(name="response_created")

    def piece(self, event: AudioDelta | TextDelta | CallReady) -> Parts:
        return self._answers.take(event)

    def done(self, event: ResponseDone) -> Parts:
        answer = self._answers.current
        if answer is None or event.response_id != answer.id:
            return
        yield from self._answers.finish(event)
        if self._answers.tools_are_due:
            self.tools_due = True
        elif self._is_late:
            self._is_late = False
            self.respond()
        elif not answer.is_stale:
            yield from self._ended(event, came=answer.came)

    def tools_done(self) -> None:
        """Every tool of the response is done: the server goes on, if nobody speaks."""
        self.tools_due = False
        self._answers.tools_done()
        self._gave_outputs = True
        if not self._hearing.is_speech:
            self._respond(client_events.respond(tools=self._answers.rounds < ROUNDS_MAX))

    def gave(self, reply: ToolReply) -> None:
        self._answers.gave(reply)

    def end(self) -> Parts:
        """The answer is complete."""
        if self._hearing.goes_on:
            self.phase, self._hearing.exchange = "listening", None
            yield NextUtterance()
        elif self._hearing.words_are_due:
            self.phase = "settling"
        else:
            self.phase = "over"
            if self._answers.asks:
                yield Ask()
            yield Done()

    def error(self, event: ServerError) -> Parts:
        if event.code == problems.ALREADY_ANSWERING and self._gave_outputs:
            self._is_late = True
        elif self._answers.current is not None:
            # A response that fails says so itself; simple servers refuse what they do not know.
            log.warning("the Realtime server: %s", problems.failure(self._subject, event))
        elif not problems.is_harmless(event):
            yield self._failed(problems.failure(self._subject, event))

    def leave(self) -> None:
        """Nobody waits for more."""
        self.phase = "over"
        self._answers.leave()

    def _ended(self, event: ResponseDone, *, came: bool) -> Parts:
        is_failure = event.status == "failed" or (event.status != "completed" and not came)
        if came and not is_failure:
            yield from self.end()
        elif self._heard.open and event.status != "failed":
            yield from self.end()  # there is nothing to say to what was heard
        elif is_failure:
            yield self._failed(problems.unfinished(self._subject, event))
        elif self._answers.rounds and not self._nudged:
            self._nudged = True
            self._respond(client_events.respond(tools=False, instructions=_AFTER_CALLS))
        else:
            yield self._failed(self._subject.empty(""))

    def _respond(self, event: JsonObject) -> None:
        self._line.send(event)
        self.expect()

    def _failed(self, problem: ServerProblem) -> Failed:
        self.problem, self.phase = problem, "over"
        return Failed(message=str(problem), retryable=True)
