"""The second half of a turn: the model asked, its calls made, its sentences spoken."""

import base64
import json
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing

from voxcard.assistants import (
    CallTool,
    Facts,
    NextReply,
    Part,
    Reply,
    Sentence,
    Stage,
    ToolReply,
    Turn,
)
from voxcard.assistants.pipeline.chat_server import prompt
from voxcard.assistants.pipeline.chat_server.completion import Call, Completion
from voxcard.assistants.pipeline.chat_server.memory import Exchange, Memory
from voxcard.assistants.pipeline.chat_server.thoughts import WithoutThoughts
from voxcard.assistants.pipeline.chat_server.tool_names import ToolNames
from voxcard.assistants.pipeline.engine import Engine
from voxcard.assistants.pipeline.excuses import excuse
from voxcard.assistants.pipeline.speech.sentence_stream import SentenceStream
from voxcard.errors import VoxcardError
from voxcard.json_value import Json
from voxcard.toolhub.model import ToolSpec

Parts = AsyncGenerator[Part, None]
ROUNDS_MAX = 6  # of tool calls; then the model must answer
_QUESTION_MARKS = ("?", "？", "؟")
_BLIND = "(A picture came; it was shown to the person.)"


class Answering:
    """The answer to one question; `parts` is to be called once.

    One that `is_void` when it ends is not remembered.
    """

    def __init__(
        self,
        engine: Engine,
        memory: Memory,
        place: Facts,
        tools: Sequence[ToolSpec],
        is_void: Callable[[], bool],
    ) -> None:
        self._engine = engine
        self._memory = memory
        self._is_void = is_void
        self._system = {"role": "system", "content": prompt.filled(engine.prompt, place)}
        self._names = ToolNames(tools)
        self._calls_made = 0
        self._spoke = False
        self._sentence = ""  # the last one of the stream at hand
        self._begun = False  # something of the answer came
        self._unfinished = ""  # what the model said in the stream at hand
        self._failed = False  # a call of the last round did

    async def parts(self, question: str, locale: str) -> Turn:
        exchange = Exchange(question)
        try:
            for rounds_left in range(ROUNDS_MAX, -1, -1):
                completion = Completion(self._calls_made)
                spoken = self._spoken(exchange, completion, locale, tools=rounds_left > 0)
                async with aclosing(spoken):
                    async for part in spoken:
                        yield part
                calls = completion.calls() if rounds_left else []
                arguments = [json.dumps(call.arguments) for call in calls]
                exchange.answer(self._unfinished, list(zip(calls, arguments, strict=True)))
                self._unfinished = ""
                if not calls:
                    break
                self._calls_made += len(calls)
                made = self._made(exchange, calls)
                reply: Reply = None
                async with aclosing(made):
                    try:
                        while True:
                            reply = yield await made.asend(reply)
                    except StopAsyncIteration:
                        pass
        except VoxcardError:
            self._unfinished = ""  # nobody heard it; another assistant may answer
            raise
        finally:
            exchange.answer(self._unfinished)
            if not self._is_void():
                self._memory.keep(exchange)

    @property
    def asks(self) -> bool:
        """The answer ends in a question."""
        return self._sentence.endswith(_QUESTION_MARKS)

    async def _spoken(
        self, exchange: Exchange, completion: Completion, locale: str, *, tools: bool
    ) -> Parts:
        """Ask once, and speak what comes while it comes."""
        messages = [self._system, *self._memory.messages(), *exchange.messages]
        definitions = self._names.definitions() if tools else []
        stream, thoughts = SentenceStream(), WithoutThoughts()
        self._sentence = ""
        pieces = self._engine.chat.ask(messages, definitions, completion)
        async with aclosing(pieces):
            async for piece in pieces:
                if not self._begun:
                    self._begun = True
                    yield Stage(name="first_token")
                for sentence in stream.push(self._said(thoughts.push(piece))):
                    async for part in self._speech(sentence, locale):
                        yield part
        rest = stream.push(self._said(thoughts.end())) + stream.end()
        if not self._sentence and not rest and not completion.calls():
            if not self._calls_made:
                raise self._engine.chat.empty(completion)
            # Small models say nothing after a call, and the person waits for a word.
            rest = [self._said(excuse("failed" if self._failed else "done", locale))]
        for sentence in rest:
            async for part in self._speech(sentence, locale):
                yield part

    def _said(self, text: str) -> str:
        self._unfinished += text
        return text

    async def _speech(self, sentence: str, locale: str) -> Parts:
        if not self._spoke:
            self._spoke = True
            yield Stage(name="first_sentence")
        self._sentence = sentence
        yield Sentence(text=sentence)
        async for speech in self._engine.speaker.speak(sentence, locale):
            yield speech

    async def _made(self, exchange: Exchange, calls: Sequence[Call]) -> Turn:
        """Make the calls beside each other and keep what they give back."""
        pictures: list[Json] = []
        self._failed = False
        for call in calls:
            name = self._names.of(call.name)
            if not name or call.fault:
                self._failed = True
                exchange.result(call.id, call.fault or f"There is no tool {call.name[:64]!r}.")
            else:
                yield CallTool(name=name, arguments=call.arguments, id=call.id)
        while True:
            reply = yield NextReply()
            if not isinstance(reply, ToolReply):
                break
            self._failed = self._failed or reply.is_error
            exchange.result(reply.id, result_text(reply, sees=self._engine.sees))
            if self._engine.sees:
                pictures += [_picture(each.data, each.mime_type) for each in reply.pictures]
        if pictures:
            exchange.see([{"type": "text", "text": "What the tool took:"}, *pictures])


def result_text(reply: ToolReply, *, sees: bool) -> str:
    """What a model is told of a call; `sees`: its pictures are shown to it."""
    words = [f"Error: {reply.text}" if reply.is_error else reply.text]
    if reply.pictures and not sees:
        words.append(_BLIND)
    if reply.card_shown:
        words.append("(A card of it is on the screen.)")
    return " ".join(filter(None, words)) or "Done."


def _picture(data: bytes, mime_type: str) -> Json:
    url = f"data:{mime_type};base64,{base64.b64encode(data).decode()}"
    return {"type": "image_url", "image_url": {"url": url}}
