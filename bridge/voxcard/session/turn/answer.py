"""Turns the assistant's parts into messages, tool calls, cards and speech."""

import asyncio
from contextlib import aclosing
from typing import Protocol

from voxwire.message import TEXT_MAX

from voxcard.assistants import (
    Ask,
    CallTool,
    Done,
    Emotion,
    EndOfSpeech,
    Failed,
    HeardReply,
    Hush,
    Media,
    NextReply,
    NextUtterance,
    Part,
    Reply,
    Resumed,
    Sentence,
    ShowCard,
    Speech,
    Stage,
    Transcript,
)
from voxcard.errors import VoxcardError
from voxcard.session.downlink import Downlink
from voxcard.session.turn.calls import Calls
from voxcard.session.turn.context import Parts, TurnContext
from voxcard.session.turn.events import AnswerBegun, Event, Progressed, SpeechResumed
from voxcard.session.turn.exchange import Exchange
from voxcard.session.turn.request import TurnRequest
from voxcard.session.turn.sound_file import SoundFile
from voxcard.session.turn.stages import Moment

SAY_S = 20.0  # to speak a sentence about a failure
# Before something of the answer is done or said.
_BEFORE_ANSWER = EndOfSpeech | Resumed | Transcript | Stage | Hush | NextUtterance
# What is said, or ends what is said: it comes after a sound file that plays.
_AFTER_SOUND = Sentence | Speech | Media | NextUtterance | Done | Failed


class Shell(Protocol):
    """What an answer needs of its turn."""

    exchange: Exchange  # to which what comes belongs

    def mark(self, moment: Moment) -> None:
        """Note a stage's time."""

    def mark_own(self, name: str) -> None:
        """Note a time that only the assistant knows."""

    def end_of_speech(self, end_ms: int | None, *, hears_on: bool = False) -> None:
        """Close the microphone, unless it stays open; arguments as in EndOfSpeech."""

    def feed(self, event: Event) -> None:
        """Apply what happens in the turn."""

    async def hush(self) -> HeardReply:
        """Silence the speaker."""

    def next_utterance(self) -> bool:
        """Let the answer play to its end, then listen again; False: the turn is over."""

    async def settled(self) -> None:
        """Wait until the turn is listening again."""


class Answer:
    """Acts on parts; `shell.exchange` keeps what they were."""

    def __init__(
        self, context: TurnContext, request: TurnRequest, speech: Downlink, shell: Shell
    ) -> None:
        self._context = context
        self._turn_id = request.id
        self._speech = speech
        self._watch = request.watch
        self._shell = shell
        self._card_count = 0
        self._hears_on = False  # the speaker may still go on
        self._sound_file = SoundFile()
        self._calls = Calls(
            context,
            request,
            on_progress=self._progressed,
            on_card=self._showed,
            on_done=lambda call: self._shell.exchange.tools.append(call),
        )

    async def pull(self, parts: Parts) -> str:
        """Act on every part; why it failed, or an empty text."""
        try:
            return await self._pull(parts)
        finally:
            await self._sound_file.end()
            await self._calls.end()

    async def _pull(self, parts: Parts) -> str:
        reply: Reply = None
        while True:
            try:
                part = await parts.asend(reply)
            except StopAsyncIteration:
                part = Done()
            reply = None
            if not (isinstance(part, Hush) or (isinstance(part, Transcript) and part.partial)):
                await self._shell.settled()
            if not isinstance(part, _BEFORE_ANSWER):
                self._begin()
            if isinstance(part, _AFTER_SOUND):
                await self._sound_file.ended()
            match part:
                case Done():
                    return await self._ended()
                case Failed(message=problem):
                    return problem
                case NextUtterance():
                    await self._calls.finish()
                    if not self._shell.next_utterance():
                        return await self._ended()
                case _:
                    reply = await self._answered(part)

    def _begin(self) -> None:
        """Something of the answer is to be done or said."""
        self._shell.mark("first_part")
        if self._hears_on:
            self._hears_on = False
            self._shell.feed(AnswerBegun(turn=self._turn_id))

    async def _ended(self) -> str:
        await self._calls.finish()
        return self._shell.exchange.problem

    async def _answered(self, part: Part) -> Reply:
        """Act on a part that may be answered."""
        match part:
            case CallTool(id=""):
                return await self._calls.call(part)
            case CallTool():
                self._calls.start(part)
            case NextReply(wait=True):
                return await self._calls.next()
            case NextReply():
                return self._calls.ready()
            case Hush():
                self._sound_file.stop()
                heard = await self._shell.hush()
                await self._sound_file.ended()
                return heard
            case _:
                await self._act(part)
        return None

    async def _act(self, part: Part) -> None:
        match part:
            case EndOfSpeech(end_ms=end_ms, hears_on=hears_on):
                self._hears_on = hears_on
                self._shell.end_of_speech(end_ms, hears_on=hears_on)
            case Resumed():
                self._shell.feed(SpeechResumed(turn=self._turn_id))
            case Transcript(text=text, partial=partial):
                self._understood(text, partial)
            case Sentence(text=text, excuse=excuse):
                self._sentence(text, excuse=excuse)
            case Speech(pcm=pcm, rate_hz=rate_hz, resampling=resampling):
                await self._speech.speech(pcm, rate_hz, resampling)
            case Media(text=text):
                if text:
                    self._sentence(text)
                self._sound_file.start(self._play(part))
            case ShowCard(source=source):
                call_id = f"{self._turn_id}.{self._card_count}"
                self._showed(await self._context.device_cards.source(source, call_id=call_id))
            case Emotion(name=name):
                self._context.wire.send("llm", emotion=name)
            case Stage(name=name):
                self._shell.mark_own(name)
            case Ask():
                self._shell.exchange.asks = True

    def _sentence(self, text: str, *, excuse: bool = False) -> None:
        self._shell.exchange.reply.append(text)
        self._speech.sentence(text)
        self._watch("sentence", text, {"excuse": True} if excuse else {})

    async def _play(self, media: Media) -> None:
        """What cannot be played does not end the turn: at its end the person hears why."""
        try:
            async with aclosing(self._context.read_media(media)) as sound:
                async for speech in sound:
                    await self._speech.speech(speech.pcm, speech.rate_hz, speech.resampling)
        except VoxcardError as error:
            self._context.log.warning("turn %s: %s", self._turn_id, error)
            self._shell.exchange.problem = self._shell.exchange.problem or str(error)

    async def say_failure(self, error: str) -> None:
        """Say and report why the answer failed."""
        self._context.log.warning("turn %s: %s", self._turn_id, error)
        self._watch("failed", error, {})
        try:
            async with asyncio.timeout(SAY_S):
                announced = False
                async for speech in self._context.say(error):
                    if not announced:
                        self._speech.sentence(error)
                        announced = True
                    await self._speech.speech(speech.pcm, speech.rate_hz, speech.resampling)
        except Exception as problem:
            # The screen shows it; a voice that fails must not hide why the turn did.
            self._context.log.warning("the failure cannot be spoken (%r)", problem)

    def _progressed(self, text: str) -> None:
        self._shell.feed(Progressed(turn=self._turn_id, text=text))

    def _understood(self, text: str, partial: bool) -> None:
        self._context.wire.send("stt", text=text[:TEXT_MAX], partial=partial)
        if partial:
            return
        self._shell.end_of_speech(None)
        self._shell.mark("stt")
        self._shell.exchange.transcript = text
        self._context.log.info("turn %s: heard %r", self._turn_id, text[:200])
        self._watch("transcript", text, {})

    def _showed(self, card_id: str) -> None:
        if card_id:
            self._card_count += 1
            self._shell.exchange.cards.append(card_id)
            shown = self._context.device_cards.shown
            detail = {"id": card_id, "pages": shown.pages(card_id)}
            self._watch("card", shown.messaging(card_id), detail)
