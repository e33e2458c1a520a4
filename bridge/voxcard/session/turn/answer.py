"""Turns the assistant's parts into messages, tool calls, cards and speech."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from voxwire.message import TEXT_MAX

from voxcard.assistants import (
    Ask,
    CallTool,
    Done,
    Emotion,
    EndOfSpeech,
    Failed,
    Part,
    Sentence,
    ShowCard,
    Speech,
    ToolReply,
    Transcript,
)
from voxcard.screen.progress_card import ProgressCard
from voxcard.session.downlink import Downlink
from voxcard.session.turn.context import Parts, TurnContext
from voxcard.session.turn.events import Event, Progressed
from voxcard.session.turn.record import ToolCall
from voxcard.session.turn.request import TurnRequest
from voxcard.session.turn.stages import Moment
from voxcard.toolhub.model import ToolOutcome


class Answer:
    """Acts on parts and keeps what they were.

    `mark(moment)` notes a stage's time, `end_of_speech(end_ms)` closes the microphone,
    `feed(event)` applies what happens in the turn.
    """

    def __init__(
        self,
        context: TurnContext,
        request: TurnRequest,
        speech: Downlink,
        *,
        mark: Callable[[Moment], None],
        end_of_speech: Callable[[int | None], None],
        feed: Callable[[Event], None],
    ) -> None:
        self.transcript = ""
        self.reply: list[str] = []
        self.tools: list[ToolCall] = []
        self.cards: list[str] = []
        self.asks = False
        self._context = context
        self._turn_id = request.id
        self._speech = speech
        self._watch = request.watch
        self._mark = mark
        self._end_of_speech = end_of_speech
        self._feed = feed
        self._run = ProgressCard(
            request.id, context.device_cards, lambda: asyncio.get_running_loop().time()
        )

    async def pull(self, parts: Parts) -> str:
        """Act on every part; why it failed, or an empty text."""
        try:
            return await self._pull(parts)
        finally:
            self._run.end()

    async def _pull(self, parts: Parts) -> str:
        reply: ToolReply | None = None
        while True:
            try:
                part = await parts.asend(reply)
            except StopAsyncIteration:
                return ""
            reply = None
            if not isinstance(part, EndOfSpeech | Transcript):
                self._mark("first_part")
            match part:
                case Done():
                    return ""
                case Failed(message=problem):
                    return problem
                case CallTool():
                    reply = await self._call(part)
                case _:
                    await self._act(part)

    async def _act(self, part: Part) -> None:
        match part:
            case EndOfSpeech(end_ms=end_ms):
                self._end_of_speech(end_ms)
            case Transcript(text=text, partial=partial):
                self._understood(text, partial)
            case Sentence(text=text, excuse=excuse):
                self.reply.append(text)
                self._speech.sentence(text)
                self._watch("sentence", text, {"excuse": True} if excuse else {})
            case Speech(pcm=pcm, rate_hz=rate_hz):
                await self._speech.speech(pcm, rate_hz)
            case ShowCard(source=source):
                call_id = f"{self._turn_id}.{len(self.cards)}"
                self._showed(await self._context.device_cards.source(source, call_id=call_id))
            case Emotion(name=name):
                self._context.wire.send("llm", emotion=name)
            case Ask():
                self.asks = True

    async def _call(self, part: CallTool) -> ToolReply:
        await self._run.step(part.name.rpartition(".")[2].replace("_", " "))
        began = asyncio.get_running_loop().time()
        outcome = await self._context.tools.call(
            self._context.device.id, part.name, part.arguments, on_progress=self._progressed
        )
        ms = round((asyncio.get_running_loop().time() - began) * 1000)
        call = ToolCall(
            name=part.name,
            arguments=part.arguments,
            text=outcome.text,
            is_error=outcome.is_error,
            ms=ms,
            pictures=outcome.pictures,
        )
        self.tools.append(call)
        self._context.log.info(
            "tool %s: %s in %d ms", part.name, "failed" if outcome.is_error else "done", ms
        )
        self._watch(
            "tool",
            outcome.text,
            {"name": part.name, "arguments": part.arguments, "is_error": outcome.is_error},
        )
        return await self._reply(part, outcome)

    async def _reply(self, part: CallTool, outcome: ToolOutcome) -> ToolReply:
        """Show the card of a call's result, when it has one, and answer the assistant."""
        reply = ToolReply(
            text=outcome.text,
            is_error=outcome.is_error,
            structured=outcome.structured,
            pictures=outcome.pictures,
        )
        if outcome.is_error or not outcome.result:
            return reply
        call_id = f"{self._turn_id}.{len(self.tools)}"
        shown = await self._context.device_cards.result(
            outcome.result, tool=part.name, call_id=call_id, arguments=part.arguments
        )
        if not shown.reading.cards:
            return replace(reply, speak=shown.reading.speak)
        self._showed(shown.card_id)
        text, speak = shown.reading.text or outcome.text, shown.reading.speak
        return replace(reply, text=text, speak=speak, card_shown=bool(shown.card_id))

    def _progressed(self, text: str) -> None:
        self._feed(Progressed(turn=self._turn_id, text=text))

    def _understood(self, text: str, partial: bool) -> None:
        self._context.wire.send("stt", text=text[:TEXT_MAX], partial=partial)
        if partial:
            return
        self._end_of_speech(None)
        self._mark("stt")
        self.transcript = text
        self._context.log.info("turn %s: heard %r", self._turn_id, text[:200])
        self._watch("transcript", text, {})

    def _showed(self, card_id: str) -> None:
        if card_id:
            self.cards.append(card_id)
            shown = self._context.device_cards.shown
            detail = {"id": card_id, "pages": shown.pages(card_id)}
            self._watch("card", shown.messaging(card_id), detail)
