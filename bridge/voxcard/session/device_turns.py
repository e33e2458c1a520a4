"""Starts the turns of one device: what was heard, what was typed, what is announced."""

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from voxcard.assistants import Assistant, Conversation, Heard, Sentence
from voxcard.errors import VoxcardError
from voxcard.link.devices import Device, DeviceLog
from voxcard.link.wire import Wire
from voxcard.screen.device_cards import DeviceCards
from voxcard.session.context import Parts, TurnContext, Watch
from voxcard.session.downlink import SpeakerFormat
from voxcard.session.turn import Turn
from voxcard.session.turn_events import Kind
from voxcard.session.turn_queue import TurnQueue
from voxcard.session.uplink import Microphone
from voxcard.toolhub.model import Json
from voxcard.toolhub.protocol import DeviceHub

FREE_S = 60.0  # an announcement waits for a turn this long


class DeviceTurns:
    """Turns of the device that `greet` names, in `queue`; `on_part` watches every one of them."""

    def __init__(
        self,
        device_id: str,
        queue: TurnQueue,
        *,
        wire: Wire,
        hub: DeviceHub,
        assistant: Assistant,
        device_cards: DeviceCards,
        log: Callable[[], DeviceLog],
        on_part: Watch,
    ) -> None:
        self._queue = queue
        self._wire = wire
        self._hub = hub
        self._assistant = assistant
        self._device_cards = device_cards
        self._log = log
        self._on_part = on_part
        self._device = Device(id=device_id)
        self._locale = "en"
        self._speaker: SpeakerFormat | None = None
        self._conversation: Conversation = assistant.conversation(
            lambda: hub.specs(device_id, scope="ai")
        )

    def greet(self, device: Device, locale: str, speaker: SpeakerFormat | None) -> None:
        """Take the device as its hello describes it; `speaker` None: it cannot be spoken to."""
        self._device, self._locale, self._speaker = device, locale, speaker

    def voice(self, turn_id: str, microphone: Microphone, *, held: bool) -> Turn:
        """Answer what `microphone` hears; VoxcardError when the device can have no turn now."""
        heard = Heard(audio=microphone, held=held, locale=self._locale)
        return self._begin(
            "voice",
            lambda: self._conversation.turn(heard),
            turn_id=turn_id,
            microphone=microphone,
        )

    async def say(self, text: str) -> None:
        """Announce `text`; waits for a running turn, returns when it was played. VoxcardError
        says why it could not."""
        await self._queue.free(FREE_S)
        self._check_free()

        async def parts() -> Parts:
            announced = False
            async for speech in self._assistant.say(text, self._locale):
                if not announced:
                    yield Sentence(text=text)
                    announced = True
                yield speech

        await self._queue.outcome(self._begin("say", parts))

    async def ask(
        self, *, text: str = "", audio: AsyncIterator[bytes] | None = None, watch: Watch
    ) -> None:
        """Run a turn from `text`, or from pcm16 at 16 kHz; VoxcardError says why it failed."""
        self._check_free()
        await self._queue.outcome(self._text_turn(text, audio, watch))

    def answer(self, text: str) -> None:
        """Run a turn from `text`, which a person chose on the device."""
        self._text_turn(text, None, None)

    def _text_turn(
        self, text: str, audio: AsyncIterator[bytes] | None, watch: Watch | None
    ) -> Turn:
        heard = Heard(audio=audio, text=None if audio else text, locale=self._locale)
        return self._begin("text", lambda: self._conversation.turn(heard), watch=watch)

    def _check_free(self) -> None:
        device_id = self._device.id
        if not self._device.session_id:
            raise VoxcardError(f"{device_id} is not online.", "Switch it on, then try again.")
        if self._queue.turn is not None:
            raise VoxcardError(f"{device_id} is in a turn.", "Try again when it is idle.")

    def _begin(
        self,
        kind: Kind,
        open_parts: Callable[[], Parts],
        *,
        watch: Watch | None = None,
        **more: Any,
    ) -> Turn:
        assert self._speaker is not None
        context = TurnContext(
            device=self._device,
            wire=self._wire,
            speaker=self._speaker,
            tools=self._hub,
            device_cards=self._device_cards,
            log=self._log(),
            say=lambda text: self._assistant.say(text, self._locale),
            interrupted=self._conversation.interrupted,
        )
        watch = self._on_part if watch is None else _both(watch, self._on_part)
        return self._queue.begin(context, kind, open_parts, watch=watch, **more)


def _both(first: Watch, second: Watch) -> Watch:
    def watch(kind: str, text: str, detail: Mapping[str, Json]) -> None:
        first(kind, text, detail)
        second(kind, text, detail)

    return watch
