"""One device's talk with the pipeline: heard, asked, done, said."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing

from voxcard.assistants import (
    Ask,
    Begun,
    Done,
    Facts,
    Failed,
    Heard,
    HeardReply,
    Reply,
    Resumed,
    Sentence,
    Transcript,
    Turn,
)
from voxcard.assistants.pipeline.answering import Answering
from voxcard.assistants.pipeline.chat_server.memory import Memory
from voxcard.assistants.pipeline.engine import Engine
from voxcard.assistants.pipeline.excuses import excuse
from voxcard.assistants.pipeline.listening import Listening
from voxcard.assistants.pipeline.reopening import Reopening
from voxcard.errors import VoxcardError
from voxcard.toolhub.model import ToolSpec


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

    async def begun(self) -> AsyncIterator[Begun]:
        """It begins no turns by itself."""
        return
        yield

    def interrupted(self, heard: HeardReply) -> None:
        self._memory.interrupted(heard.text)

    async def turn(self, heard: Heard) -> Turn:
        """Answer one utterance; the parts and their order: `voxcard.assistants`."""
        engine = self._engine()
        listening = Listening(engine, heard)
        try:
            while True:
                if heard.audio is not None:
                    async with aclosing(listening.parts()) as parts:
                        async for part in parts:
                            yield part
                reopening = Reopening(listening.goes_on)
                answer = reopening.parts(self._answer(engine, heard.locale, listening, reopening))
                reply: Reply = None
                async with aclosing(answer):
                    try:
                        while True:
                            reply = yield await answer.asend(reply)
                    except StopAsyncIteration:
                        pass
                if not reopening.resumed:
                    return
                listening.resume()
                yield Resumed()
        except VoxcardError as error:
            engine.health.failed(str(error), asyncio.get_running_loop().time())
            yield Failed(message=str(error), retryable=True)
        finally:
            await listening.stop()

    async def _answer(
        self, engine: Engine, locale: str, listening: Listening, reopening: Reopening
    ) -> Turn:
        """What was said, and the answer to it."""
        text = await listening.text()
        yield Transcript(text=text)
        if not text:
            sentence = excuse(listening.excuse, locale)
            yield Sentence(text=sentence, excuse=True)
            async for speech in engine.speaker.speak(sentence, locale):
                yield speech
            yield Done()
            return
        place, tools = self._place(), self._list_tools()
        answering = Answering(engine, self._memory, place, tools, lambda: reopening.resumed)
        answer = answering.parts(text, locale)
        reply: Reply = None
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
