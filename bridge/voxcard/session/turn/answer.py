"""Turns the assistant's parts into messages, tool calls, cards and speech."""

from collections.abc import Callable

from voxwire.message import TEXT_MAX

from voxcard.assistants import (
    Ask,
    CallTool,
    Done,
    Emotion,
    EndOfSpeech,
    Failed,
    NextReply,
    Part,
    Reply,
    Sentence,
    ShowCard,
    Speech,
    Stage,
    Transcript,
)
from voxcard.session.downlink import Downlink
from voxcard.session.turn.calls import Calls
from voxcard.session.turn.context import Parts, TurnContext
from voxcard.session.turn.events import Event, Progressed
from voxcard.session.turn.record import ToolCall
from voxcard.session.turn.request import TurnRequest
from voxcard.session.turn.stages import Moment


class Answer:
    """Acts on parts and keeps what they were.

    `mark(moment)` notes a stage's time, `mark_own(name)` one of the assistant's own,
    `end_of_speech(end_ms)` closes the microphone, `feed(event)` applies what happens in the turn.
    """

    def __init__(
        self,
        context: TurnContext,
        request: TurnRequest,
        speech: Downlink,
        *,
        mark: Callable[[Moment], None],
        mark_own: Callable[[str], None],
        end_of_speech: Callable[[int | None], None],
        feed: Callable[[Event], None],
    ) -> None:
        self.transcript = ""
        self.reply: list[str] = []
        self.cards: list[str] = []
        self.asks = False
        self._context = context
        self._turn_id = request.id
        self._speech = speech
        self._watch = request.watch
        self._mark, self._mark_own = mark, mark_own
        self._end_of_speech = end_of_speech
        self._feed = feed
        self._calls = Calls(context, request, on_progress=self._progressed, on_card=self._showed)

    @property
    def tools(self) -> list[ToolCall]:
        """The calls that are done."""
        return self._calls.done

    async def pull(self, parts: Parts) -> str:
        """Act on every part; why it failed, or an empty text."""
        try:
            return await self._pull(parts)
        finally:
            await self._calls.end()

    async def _pull(self, parts: Parts) -> str:
        reply: Reply = None
        while True:
            try:
                part = await parts.asend(reply)
            except StopAsyncIteration:
                part = Done()
            reply = None
            if not isinstance(part, EndOfSpeech | Transcript | Stage):
                self._mark("first_part")
            match part:
                case Done():
                    await self._calls.finish()
                    return ""
                case Failed(message=problem):
                    return problem
                case CallTool(id=""):
                    reply = await self._calls.call(part)
                case CallTool():
                    self._calls.start(part)
                case NextReply():
                    reply = await self._calls.next()
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
            case Stage(name=name):
                self._mark_own(name)
            case Ask():
                self.asks = True

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
