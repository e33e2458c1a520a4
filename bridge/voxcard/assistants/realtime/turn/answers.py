"""The server's responses of one turn, in their order: played, called, remembered; pure."""

from collections.abc import Iterator
from typing import Protocol

from voxcard.assistants import HeardReply, Part, Stage, ToolReply
from voxcard.assistants.pipeline.chat_server.memory import Exchange
from voxcard.assistants.realtime.turn.answer import Answer
from voxcard.assistants.realtime.turn.interruption import Interruption
from voxcard.assistants.realtime.turn.tool_calls import ToolCalls
from voxcard.assistants.realtime.wire import client_events
from voxcard.assistants.realtime.wire.server_events import (
    AudioDelta,
    CallReady,
    ResponseDone,
    TextDelta,
)
from voxcard.json_value import JsonObject

Parts = Iterator[Part]
_QUESTION_MARKS = ("?", "？", "؟")


class Line(Protocol):
    """The session, as the rules use it."""

    @property
    def sent_ms(self) -> int:
        """How much of microphones it heard."""

    def send(self, event: JsonObject) -> None: ...

    def stop_listening(self, *, keep: bool = False) -> None: ...


class Answers:
    """`current` is the response that the server is giving."""

    def __init__(self, line: Line, calls: ToolCalls, interruption: Interruption) -> None:
        self.current: Answer | None = None
        self.asks = False  # the last one ended in a question
        self._line = line
        self._calls = calls
        self._interruption = interruption
        self._of_calls = Exchange("")

    @property
    def are_over(self) -> bool:
        return self.current is None

    @property
    def rounds(self) -> int:
        """How often tools were called."""
        return self._calls.rounds

    @property
    def tools_are_due(self) -> bool:
        """Whether calls were made whose outputs the server waits for."""
        return self._calls.is_pending

    def move(self, line: Line) -> None:
        """Another session, which knows none of these."""
        self._line = line
        self._calls.move(line.send)
        self._interruption.received.forget_items()

    def begin(self, response_id: str, exchange: Exchange | None, aloud: str) -> None:
        """A response to `exchange`, or one that only reads `aloud`."""
        self.current = Answer(response_id, None if aloud else exchange or Exchange(""), aloud)

    def interrupt(self) -> bool:
        """The person speaks; whether there is sound of ours to silence."""
        if self.current is not None:
            self.current.is_stale = True
            self._remember(self.current)
        return bool(self._interruption.received)

    def hushed(self, reply: HeardReply) -> None:
        self._interruption.heard(reply, self._line.send)

    def take(self, event: AudioDelta | TextDelta | CallReady) -> Parts:
        """A piece of the response at hand; those of others are passed over."""
        answer = self.current
        if answer is None or event.response_id != answer.id:
            if isinstance(event, CallReady):
                self._line.send(client_events.cancelled(event.call.id))
            return
        if isinstance(event, TextDelta):
            answer.words(event)
        elif isinstance(event, CallReady):
            self._of_calls = answer.exchange or self._of_calls
            yield from self._calls.ready(event.call)
        else:
            if not answer.sounds:
                answer.sounds = True
                yield Stage(name="first_sound")
            if not answer.aloud:
                size = len(event.pcm)
                self._interruption.received.add(event.item_id, event.content_index, size)
            yield from answer.sound(event)

    def finish(self, event: ResponseDone) -> Parts:
        """The rest of the response at hand."""
        answer = self.current
        if answer is None:
            return
        for call in event.calls:  # of servers that send no event for each
            yield from self.take(CallReady(response_id=answer.id, call=call))
        yield from answer.end()
        self.current = None
        self._remember(answer)
        self.asks = bool(answer.sentences) and answer.sentences[-1].endswith(_QUESTION_MARKS)

    def gave(self, reply: ToolReply) -> None:
        """A tool is done."""
        self._calls.give(reply, self._of_calls)

    def tools_done(self) -> None:
        """Every tool of the response is done."""
        self._calls.finish()

    def leave(self) -> None:
        """Nobody waits for more."""
        if self.current is not None:
            self._line.send(client_events.cancel(self.current.id))
            self._remember(self.current)
        if self._calls.is_pending:
            self._calls.finish()

    def _remember(self, answer: Answer) -> None:
        """Put what was said and called into the memory, once."""
        is_empty = not answer.text and not self._calls.is_pending
        if answer.exchange is None or answer.is_kept or is_empty:
            return
        answer.is_kept = True
        self._calls.remember(answer.exchange, answer.text)
        self._interruption.keep(answer.exchange, " ".join(answer.sentences))
