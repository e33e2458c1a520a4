"""One device's talk with the pipeline: heard, asked, done, said."""

import asyncio
import base64
import json
import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from voxcard.assistants import (
    Ask,
    CallTool,
    Done,
    EndOfSpeech,
    Facts,
    Failed,
    Heard,
    HeardReply,
    NextReply,
    Part,
    Sentence,
    Stage,
    ToolReply,
    Transcript,
    Turn,
)
from voxcard.assistants.offline.speech.endpoint import HELD, Endpoint, EndpointLimits
from voxcard.assistants.offline.speech.vad import Detector
from voxcard.assistants.offline.threads import Workers
from voxcard.assistants.pipeline import prompt
from voxcard.assistants.pipeline.chat import Chat
from voxcard.assistants.pipeline.completion import Call, Completion
from voxcard.assistants.pipeline.ears import Ears
from voxcard.assistants.pipeline.health import Health
from voxcard.assistants.pipeline.memory import Exchange, Memory
from voxcard.assistants.pipeline.sentence_stream import SentenceStream
from voxcard.assistants.pipeline.speech_to_text import Transcriber
from voxcard.assistants.pipeline.text_to_speech import Speaker
from voxcard.assistants.pipeline.thoughts import WithoutThoughts
from voxcard.assistants.pipeline.tool_names import ToolNames
from voxcard.errors import VoxcardError
from voxcard.json_value import Json
from voxcard.toolhub.model import ToolSpec

Parts = AsyncGenerator[Part, None]
ROUNDS_MAX = 6  # of tool calls; then the model must answer
_NOT_HEARD = {
    "nothing": "I did not hear anything.",
    "too_long": "That was too long, or too loud around you.",
}
_NOT_UNDERSTOOD = "Sorry, I did not understand."
_QUESTION_MARKS = ("?", "？", "؟")
# What recognisers write for sounds: "[Music]", "(coughs)".
_SOUNDS = re.compile(r"[\[(][^\[\]()]{0,80}[\])]")
_BLIND = "(A picture came; it was shown to the person.)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """What all conversations share while the assistant runs."""

    chat: Chat
    transcriber: Transcriber
    speaker: Speaker
    workers: Workers
    detector: Callable[[], Detector]
    health: Health
    prompt: str
    sees: bool
    end_of_speech_ms: int


class PipelineConversation:
    """Remembers what was said, as far as it was heard."""

    def __init__(
        self,
        engine: Callable[[], Engine],
        place: Callable[[], Facts],
        tools: Callable[[], Sequence[ToolSpec]],
    ) -> None:
        self._engine = engine
        self._place = place
        self._list_tools = tools
        self._memory = Memory()

    def tools_changed(self) -> None:
        """Every turn takes the tools there are."""

    def prepare(self) -> None:
        """HTTP connections are kept, Wyoming's are made when speech begins."""

    async def close(self) -> None:
        """It holds no connection of its own."""

    def interrupted(self, heard: HeardReply) -> None:
        self._memory.interrupted(heard.text)

    async def turn(self, heard: Heard) -> Turn:
        """Answer one utterance; the parts and their order: `voxcard.assistants`."""
        engine = self._engine()
        now_s = asyncio.get_running_loop().time
        try:
            text, excuse = heard.text or "", ""
            if heard.audio is not None:
                listening = _Listening(engine, heard)
                async with aclosing(listening.parts()) as parts:
                    async for part in parts:
                        yield part
                text, excuse = listening.text, listening.excuse
            yield Transcript(text=text)
            if not text:
                yield Sentence(text=excuse or _NOT_UNDERSTOOD, excuse=True)
                async for speech in engine.speaker.speak(excuse or _NOT_UNDERSTOOD, heard.locale):
                    yield speech
                yield Done()
                return
            answering = _Answering(engine, self._memory, self._place(), self._list_tools())
            answer = answering.parts(text, heard.locale)
            reply: ToolReply | None = None
            async with aclosing(answer):
                try:
                    while True:
                        reply = yield await answer.asend(reply)
                except StopAsyncIteration:
                    pass
            engine.health.worked()
            if answering.asks:
                yield Ask()
            yield Done()
        except VoxcardError as error:
            engine.health.failed(str(error), now_s())
            yield Failed(message=str(error), retryable=True)


class _Listening:
    """The first half of a turn: `text` is what was said, else `excuse` why there is none."""

    def __init__(self, engine: Engine, heard: Heard) -> None:
        self.text = ""
        self.excuse = ""
        self._engine = engine
        self._heard = heard
        self._over = asyncio.Event()

    async def parts(self) -> Parts:
        engine, audio = self._engine, self._heard.audio
        assert audio is not None
        limits = HELD if self._heard.held else EndpointLimits(end_ms=engine.end_of_speech_ms)
        detector = await engine.workers.run("listen", engine.detector)
        ears = Ears(detector, Endpoint(limits), engine.workers)
        work = self._transcribed(ears, audio)
        task = asyncio.create_task(work, name="pipeline transcribe")
        over = asyncio.create_task(self._over.wait(), name="pipeline end of speech")
        try:
            await asyncio.wait([task, over], return_when=asyncio.FIRST_COMPLETED)
            if not over.done():
                await task  # it failed, or it needs no more
            yield EndOfSpeech(speech_ms=ears.speech_ms, end_ms=ears.end_ms)
            text = await task
            is_words = any(each.isalnum() for each in _SOUNDS.sub("", text))
            self.text = text if is_words else ""
            self.excuse = _NOT_HEARD.get(ears.ending, "")
        finally:
            for each in (task, over):
                each.cancel()
            await asyncio.gather(task, over, return_exceptions=True)

    async def _transcribed(self, ears: Ears, audio: AsyncIterator[bytes]) -> str:
        """What was said; the server hears nothing when there is no speech."""
        speech = ears.speech(audio)
        async with aclosing(speech):
            try:
                first = await anext(speech)
            except StopAsyncIteration:
                self._over.set()
                return ""
            rest = self._rest(first, speech)
            async with aclosing(rest):
                text = await self._engine.transcriber.transcribe(rest, self._heard.locale)
            return "" if ears.ending == "too_long" else text

    async def _rest(
        self, first: bytes, speech: AsyncIterator[bytes]
    ) -> AsyncGenerator[bytes, None]:
        yield first
        async for piece in speech:
            yield piece
        self._over.set()


class _Answering:
    """The second half: the model asked, its calls made, its sentences spoken."""

    def __init__(
        self, engine: Engine, memory: Memory, place: Facts, tools: Sequence[ToolSpec]
    ) -> None:
        self._engine = engine
        self._memory = memory
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
                reply: ToolReply | None = None
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
            rest = [self._said("That did not work." if self._failed else "Done.")]
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
            if reply is None:
                break
            self._failed = self._failed or reply.is_error
            exchange.result(reply.id, _result(reply, sees=self._engine.sees))
            if self._engine.sees:
                pictures += [_picture(each.data, each.mime_type) for each in reply.pictures]
        if pictures:
            exchange.see([{"type": "text", "text": "What the tool took:"}, *pictures])


def _result(reply: ToolReply, *, sees: bool) -> str:
    words = [f"Error: {reply.text}" if reply.is_error else reply.text]
    if reply.pictures and not sees:
        words.append(_BLIND)
    if reply.card_shown:
        words.append("(A card of it is on the screen.)")
    return " ".join(filter(None, words)) or "Done."


def _picture(data: bytes, mime_type: str) -> Json:
    url = f"data:{mime_type};base64,{base64.b64encode(data).decode()}"
    return {"type": "image_url", "image_url": {"url": url}}
