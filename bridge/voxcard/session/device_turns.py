"""Starts the turns of one device: voice, typed text, announcements."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal

from voxcard.assistants import Assistant, Begun, Conversation, Facts, Heard, Sentence
from voxcard.errors import Interrupted, VoxcardError
from voxcard.json_value import Json
from voxcard.link.devices import Device, DeviceLog
from voxcard.link.wire import Wire
from voxcard.screen.device_cards import DeviceCards
from voxcard.session.begun_turns import BegunTurns
from voxcard.session.services import Services
from voxcard.session.speech_stream import SpeakerFormat
from voxcard.session.turn.context import Parts, TurnContext, Watch
from voxcard.session.turn.queue import TurnQueue
from voxcard.session.turn.request import TurnRequest
from voxcard.session.turn.turn import Turn
from voxcard.session.turn_order import WAIT_S, TurnOrder, make_way
from voxcard.session.uplink import Microphone

log = logging.getLogger(__name__)

TEXT_MAX = 4000  # characters of an announcement or a typed question: five minutes of speech
CLOSE_S = 2.0  # for an assistant to let go of a conversation
CHIME_PERCENT = 60  # where a device says nothing else: its setting's default
Announced = Literal["played", "stopped", "again"]


class DeviceTurns:
    """Turns of the device that `greet` names, in `queue`; `on_part` watches every one of them.

    A person who speaks comes at once. What the bridge starts (announcements, typed questions,
    choices on a card, turns of the assistant's own) waits for the running turn, in its order.
    """

    def __init__(
        self,
        device_id: str,
        queue: TurnQueue,
        services: Services,
        *,
        wire: Wire,
        device_cards: DeviceCards,
        log: Callable[[], DeviceLog],
        on_part: Watch,
    ) -> None:
        self._queue = queue
        self._wire = wire
        self._hub = services.hub
        self._assistant = services.assistant
        self._device_cards = device_cards
        self._read_media = services.read_media
        self._spawn = services.spawn
        self._log = log
        self._order = TurnOrder(device_id, queue, lambda: bool(self._device.session_id))
        self._on_part = on_part
        self._device = Device(id=device_id)
        self._locale = "en"
        self._speaker: SpeakerFormat | None = None
        self.chime_percent = CHIME_PERCENT  # of the speech, as the device last said
        self._by_word = services.by_word
        # One conversation an assistant, whichever way it is called.
        self._conversations: dict[Assistant, Conversation] = {}
        self._begun = BegunTurns(
            self._talk_with(self._assistant),
            queue,
            self._order,
            start=self._start_begun,
            spawn=services.spawn,
            log=log,
        )

    def greet(self, device: Device, locale: str, speaker: SpeakerFormat | None) -> None:
        """Take the device as its hello describes it; `speaker` None: it cannot be spoken to."""
        self._device, self._locale, self._speaker = device, locale, speaker
        self.chime_percent = CHIME_PERCENT
        if speaker is not None:
            self._begun.listen(device.id)
        else:
            self._begun.stop()

    def tools_changed(self) -> None:
        """The tools may have changed: the assistant learns them before somebody asks."""
        for conversation in self._conversations.values():
            conversation.tools_changed()

    def closing(self) -> Coroutine[Any, Any, None]:
        """Makes the assistant let go of the device's talk; holds nothing else of the device."""
        self._begun.stop()
        return _closing(tuple(self._conversations.values()), self._device.id)

    def voice(self, turn_id: str, microphone: Microphone, *, held: bool, word: str = "") -> Turn:
        """Answer what `microphone` hears; VoxcardError when the device can have no turn now.

        `word`: the wake word that called; its own assistant answers.
        """
        assistant = self._by_word.get(word, self._assistant)
        conversation = self._talk_with(assistant)
        conversation.prepare()
        heard = Heard(audio=microphone, held=held, woken=bool(word), locale=self._locale)
        heard = replace(heard, open=microphone.realtime)
        request = TurnRequest(
            kind="voice",
            open_parts=lambda: conversation.turn(heard),
            watch=self._on_part,
            id=turn_id,
            microphone=microphone,
            held=held,
        )
        return self._queue.begin(self._context(assistant), request)

    def _talk_with(self, assistant: Assistant) -> Conversation:
        if assistant not in self._conversations:
            self._conversations[assistant] = assistant.conversation(
                lambda: _facts(self._device, self._locale),
                lambda: self._hub.specs(self._device.id, scope="ai"),
            )
        return self._conversations[assistant]

    async def say(self, text: str) -> None:
        """Announce `text`; returns when it was played. VoxcardError says why it could not."""
        check_words(text)
        async with self._order.place():
            await self._queue.outcome(self._begin_announcement(lambda: self.speech(text)))

    async def speech(self, text: str) -> Parts:
        """`text` in the device's language, as parts."""
        announced = False
        async for speech in self._assistant.say(text, self._locale):
            if not announced:
                yield Sentence(text=text)
                announced = True
            yield speech

    async def announce(
        self,
        parts: Callable[[], Parts],
        *,
        urgent: bool = False,
        wait_s: float | None = WAIT_S,
        on_begin: Callable[[], None] = lambda: None,
    ) -> Announced:
        """Play `parts` in a turn of their own, after the running one; `urgent` ends that one.

        "stopped": a person ended it; "again": it ended before it spoke. Interrupted: the device
        went away. VoxcardError: it failed, or before `on_begin`: the device is away or busy.
        """
        if urgent:
            await make_way(self._queue)
            return await self._announced(parts, on_begin)
        async with self._order.place(wait_s):
            return await self._announced(parts, on_begin)

    async def _announced(
        self, parts: Callable[[], Parts], on_begin: Callable[[], None]
    ) -> Announced:
        turn = self._begin_announcement(parts)
        on_begin()
        try:
            await self._queue.outcome(turn)
        except VoxcardError as error:
            if turn.cancelled:
                raise Interrupted(error.problem, error.remedy) from error
            raise
        if not turn.cancelled:
            return "played"
        return "stopped" if turn.final.speech_started else "again"

    def _begin_announcement(self, parts: Callable[[], Parts]) -> Turn:
        if self._speaker is None:
            away = f"{self._device.id} is not online."
            raise VoxcardError(away, "Switch it on, then try again.")
        request = TurnRequest(kind="say", open_parts=parts, watch=self._on_part)
        return self._queue.begin(self._context(), request)

    async def ask(
        self, *, text: str = "", audio: AsyncIterator[bytes] | None = None, watch: Watch
    ) -> None:
        """Run a turn from `text`, or from pcm16 at 16 kHz; VoxcardError says why it failed."""
        if audio is None:
            check_words(text)
        async with self._order.place():
            conversation = self._talk_with(self._assistant)
            conversation.prepare()
            heard = Heard(audio=audio, text=None if audio else text, locale=self._locale)
            request = TurnRequest(
                kind="text",
                open_parts=lambda: conversation.turn(heard),
                watch=_both(watch, self._on_part),
            )
            await self._queue.outcome(self._queue.begin(self._context(), request))

    def _start_begun(self, begun: Begun) -> Turn:
        request = TurnRequest(kind="begun", open_parts=begun.open, watch=self._on_part)
        return self._queue.begin(self._context(), request)

    def answer(self, text: str) -> None:
        """Run a turn from `text`, which a person chose on a card of the device."""
        self._spawn(self._answer(text), f"answer {self._device.id}")

    async def _answer(self, text: str) -> None:
        try:
            await self.ask(text=text, watch=lambda _kind, _text, _detail: None)
        except VoxcardError as error:
            self._log().warning("%.80r, chosen on a card: %s", text, error)

    def _context(self, assistant: Assistant | None = None) -> TurnContext:
        assert self._speaker is not None
        assistant = assistant or self._assistant
        return TurnContext(
            device=self._device,
            wire=self._wire,
            speaker=self._speaker,
            tools=self._hub,
            device_cards=self._device_cards,
            log=self._log(),
            say=lambda text: assistant.say(text, self._locale),
            read_media=self._read_media,
            interrupted=self._talk_with(assistant).interrupted,
        )


def _facts(device: Device, locale: str) -> Facts:
    capability = device.capability
    screen = capability.screen if capability is not None else None
    return Facts(
        device=device.id,
        name=device.name or device.id,
        locale=locale,
        now=datetime.now().astimezone(),
        screen=(screen.width, screen.height) if screen is not None else None,
        colours=screen is not None and screen.depth > 1,
        full_duplex=capability is not None and capability.sound.duplex == "full",
    )


async def _closing(conversations: Sequence[Conversation], device_id: str) -> None:
    for conversation in conversations:
        try:
            async with asyncio.timeout(CLOSE_S):
                await conversation.close()
        except Exception:
            log.exception("%s: the assistant did not let go of its conversation", device_id)


def check_words(text: str) -> None:
    """VoxcardError when it cannot be spoken."""
    if len(text) > TEXT_MAX:
        problem = f"The text has {len(text)} characters, and {TEXT_MAX} are spoken at most."
        raise VoxcardError(problem, "Give it in parts.")
    if not any(character.isalnum() for character in text):
        raise VoxcardError("There are no words in that text.", "Give it some.")


def _both(first: Watch, second: Watch) -> Watch:
    def watch(kind: str, text: str, detail: Mapping[str, Json]) -> None:
        first(kind, text, detail)
        second(kind, text, detail)

    return watch
