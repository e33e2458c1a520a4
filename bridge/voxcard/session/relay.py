"""One device: its messages in, its turns, and what the bridge starts there by itself."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Coroutine
from typing import Any, assert_never

from voxwire.errors import WireError
from voxwire.message import FROM_DEVICE, Abort, Blob, CardEvent, Event, Listen, Played, decode

from voxcard import __version__
from voxcard.assistants import Assistant
from voxcard.errors import VoxcardError
from voxcard.json_value import Json
from voxcard.link.blobs import Blobs
from voxcard.link.devices import Device, DeviceLog, Once
from voxcard.link.wire import Received, Wire
from voxcard.screen.card_actions import CardActions
from voxcard.screen.card_maker import CardMaker
from voxcard.screen.device_cards import DeviceCards, KeepCard
from voxcard.screen.questions import ScreenQuestions
from voxcard.session import turn_events
from voxcard.session.context import Watch
from voxcard.session.device_turns import DeviceTurns
from voxcard.session.downlink import SpeakerFormat, speaker_format
from voxcard.session.listener import Listener
from voxcard.session.turn_queue import HANDOVER_S, TurnQueue
from voxcard.session.turn_record import TurnRecord
from voxcard.text_safety import safe_line
from voxcard.toolhub.protocol import DeviceHub

log = logging.getLogger(__name__)

WORDS_MAX = 200  # characters of a device's text in a log line


class Relay:
    """Serves one device from hello to hello.

    `spawn(coroutine, name)` runs tasks in the bridge's task group; `on_turn(record)` gets every
    finished turn. `on_lost()` is called when the device speaks without a session, `on_heard()`
    when it speaks in its session, `on_doubt()` when it may not know of it. `spoken_s` is when, by
    the loop's clock, it last spoke in this session, or None. Nothing here raises for what a device
    sends: it is one log line.
    """

    def __init__(
        self,
        device_id: str,
        *,
        wire: Wire,
        hub: DeviceHub,
        assistant: Assistant,
        blobs: Blobs,
        card_maker: CardMaker,
        keep_card: KeepCard,
        spawn: Callable[[Coroutine[Any, Any, None], str], "asyncio.Task[None]"],
        on_turn: Callable[[TurnRecord], None],
        on_lost: Callable[[], None],
        on_doubt: Callable[[], None],
        on_heard: Callable[[], None],
        on_part: Watch = lambda kind, text, detail: None,
        keep_audio: bool = False,
    ) -> None:
        self.blobs = blobs
        self._id = device_id
        self._wire = wire
        self._hub = hub
        self._spawn = spawn
        self._device = Device(id=device_id)
        self._locale = "en"
        self._once = Once()
        self._on_lost, self._on_heard = on_lost, on_heard
        self.spoken_s: float | None = None
        self._queue = TurnQueue(
            wire, lambda: self.log, spawn=spawn, on_turn=on_turn, doubt_session=on_doubt
        )
        self.device_cards = DeviceCards(
            card_maker, wire, blobs, keep=keep_card, spawn=spawn, log=lambda: self.log
        )
        self.questions = ScreenQuestions(self.device_cards)
        self.turns = DeviceTurns(
            device_id,
            self._queue,
            wire=wire,
            hub=hub,
            assistant=assistant,
            device_cards=self.device_cards,
            spawn=spawn,
            log=lambda: self.log,
            on_part=on_part,
        )
        self._listener = Listener(self._queue, self.turns, lambda: self.log, keep_audio=keep_audio)
        self._card_actions = CardActions(
            device_id,
            wire=wire,
            device_cards=self.device_cards,
            questions=self.questions,
            tools=hub,
            spawn=spawn,
            log=lambda: self.log,
            say=self.turns.answer,
            stop=lambda: self._queue.feed(turn_events.Ended(tell=True)),
        )

    @property
    def log(self) -> DeviceLog:
        return DeviceLog(log, self._device)

    @property
    def state(self) -> str:
        """The session's state, one of voxwire.session."""
        return self._queue.state

    # presence

    def greet(self, device: Device, *, locale: str, cards: str) -> bool:
        """The device said hello: answer it, open its session, learn its tools.

        Whether it has a session now; a device whose sound this bridge does not speak has none.
        """
        capability = device.capability
        assert capability is not None
        self._queue.feed(turn_events.Ended(reason="The device started anew."))
        speaker = speaker_format(capability.sound)
        self._device, self._locale = device, locale
        self._once = Once()
        self.spoken_s = None
        self._wire.session_id = device.session_id if speaker is not None else ""
        self.turns.greet(device, locale, speaker)
        if speaker is None:
            self.log.warning("hello.sound.formats: has none this bridge speaks")
            text = "This bridge does not speak the device's audio format. Update one of them."
            self._wire.send("alert", status="error", message=text)
            return False
        self._queue.feed(turn_events.Greeted())
        self._send_hello(speaker)
        self.device_cards.greet(device.id, capability.screen, cards, locale)
        self.blobs.resume()
        self._hub.attach(device.id, self._call_device)
        self._spawn(self._refresh(), f"tools {device.id}")
        return True

    def answer_hello(self) -> None:
        """The device repeats its hello: it has not got the answer yet."""
        capability = self._device.capability
        speaker = speaker_format(capability.sound) if capability is not None else None
        if speaker is not None:
            self._send_hello(speaker)

    def gone(self, reason: str) -> None:
        """The device, or the way to it, is gone: its turn ends and its tools go."""
        self._queue.feed(turn_events.Gone(reason=reason))
        if self._device.session_id:
            self.log.info("gone: %s", reason)
            self._hub.detach(self._id)
        self.spoken_s = None
        self._device = Device(id=self._id, capability=self._device.capability)
        self.turns.greet(self._device, self._locale, None)
        self._wire.session_id = ""

    async def close(self) -> None:
        """Say goodbye and let the turn end."""
        if self._device.session_id:
            self._queue.feed(turn_events.Ended(reason="The bridge stops."))
            self._wire.send("goodbye", reason="The bridge stops.")
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(HANDOVER_S):
                await self._queue.free()

    def _send_hello(self, speaker: SpeakerFormat) -> None:
        self._wire.send(
            "hello",
            session_id=self._device.session_id,
            audio_params=speaker.audio_params(),
            time=int(time.time()),
            utc_offset=time.localtime().tm_gmtoff,
            locale=self._locale,
            version=__version__,
        )

    def _call_device(self, payload: dict[str, Json]) -> None:
        if not self._wire.send("mcp", payload=payload):
            raise VoxcardError("The device cannot be reached.", "Check its connection.")

    async def _refresh(self) -> None:
        try:
            await self._hub.refresh(self._id)
        except VoxcardError as error:
            self.log.warning("tools: %s", error)
        except Exception:
            self.log.exception("tools: the list could not be read")

    # what comes

    def mic(self, frame: bytes) -> None:
        """A microphone frame; the hot path."""
        if self._device.session_id:
            self._listener.frame(frame)
        else:
            self._on_lost()

    def blob(self, chunk: bytes) -> None:
        """A chunk of a blob."""
        try:
            whole = self.blobs.receive(chunk)
        except WireError as error:
            self.log.warning("%s", error)
        else:
            if whole is not None:
                self.log.info("%s: received, %d bytes", whole.kind, len(whole.data))

    def control(self, payload: bytes) -> None:
        """A control message."""
        self.log.debug("> %.200r", payload)
        try:
            decoded = decode(FROM_DEVICE, payload)
        except WireError as error:
            self.log.warning("%s", error)
            return
        if not self._device.session_id:
            self._on_lost()
            return
        if decoded is None:
            return
        _, message = decoded
        session_id = None if isinstance(message, Blob) else message.session_id
        if session_id is not None and session_id != self._device.session_id:
            self.log.debug("a message of session %.8s is dropped", session_id)
            return
        self.spoken_s = asyncio.get_running_loop().time()
        self._on_heard()
        self._take(decoded)

    def _take(self, received: Received) -> None:
        match received:
            case "listen", listen:
                self._listen(listen)
            case "abort", abort:
                self._abort(abort)
            case "mcp", mcp:
                self._hub.receive(self._id, mcp.payload)
            case "card", card_event:
                self._card(card_event)
            case "played", played:
                self._played(played)
            case "event", event:
                self._event(event)
            case "blob", blob:
                self.blobs.state(blob.id, blob.next, blob.error)
            case "goodbye", goodbye:
                self.gone(_words(goodbye.reason) or "it said goodbye")
            case unknown:
                assert_never(unknown)

    def _listen(self, message: Listen) -> None:
        if message.state == "detect":
            self.log.info("wake word: %s", _words(message.text) or "heard")
        elif message.state == "stop":
            self._listener.stop(message)
        elif self._once.first(f"listen {message.id}"):
            capability = self._device.capability
            full_duplex = capability is not None and capability.sound.duplex == "full"
            self._listener.start(message, full_duplex=full_duplex)

    def _abort(self, message: Abort) -> None:
        if self._once.first(f"abort {message.id}") and self._queue.turn is not None:
            self.log.info("turn %s: interrupted (%s)", self._queue.turn.id, _words(message.reason))
            self._queue.feed(turn_events.Aborted(seq=message.seq))

    def _played(self, message: Played) -> None:
        self._queue.feed(turn_events.Played(seq=message.seq))

    def _card(self, message: CardEvent) -> None:
        if self._once.first(f"card {message.event_id}"):
            self._card_actions.event(message.id, message.event, message.action or "")

    def _event(self, message: Event) -> None:
        words = _words(message.name), _words(message.text), _plain(message.value)
        self.log.info("event %s %s %s", *words)
        if message.name == "microphone":
            self._queue.feed(turn_events.MicrophoneFailed())


def _words(text: str | None) -> str:
    """What a device says, fit for a log line."""
    return safe_line(text or "", WORDS_MAX)


def _plain(value: float | None) -> str:
    return "" if value is None else f"{value:g}"
