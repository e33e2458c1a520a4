"""One device: its messages in, its turns, and what the bridge starts there by itself."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from typing import Any, assert_never

from voxwire import session
from voxwire.errors import WireError
from voxwire.message import FROM_DEVICE, Abort, Blob, CardEvent, Event, Listen, Played, decode

from voxcard import __version__
from voxcard.assistants import Assistant, Conversation, Heard, Sentence
from voxcard.errors import VoxcardError
from voxcard.link.blobs import Blobs
from voxcard.link.devices import Device, DeviceLog, Once
from voxcard.link.wire import Received, Wire
from voxcard.screen.card_actions import CardActions
from voxcard.screen.device_cards import CardWork, DeviceCards
from voxcard.screen.questions import ScreenQuestions
from voxcard.session.context import Parts, TurnContext, Watch
from voxcard.session.downlink import SpeakerFormat, speaker_format
from voxcard.session.turn import MICROPHONE_LOST, Turn
from voxcard.session.turn_queue import HANDOVER_S, TurnQueue
from voxcard.session.turn_record import TurnRecord
from voxcard.session.uplink import Microphone
from voxcard.toolhub.model import Json
from voxcard.toolhub.protocol import DeviceHub

log = logging.getLogger(__name__)

# Frames that came before their `listen`: messages and frames have topics of their own, and a
# broker may deliver one before the other.
EARLY_FRAMES = 8
LAST_FRAMES_S = 0.04  # for frames that `listen stop` overtook
FREE_S = 60.0  # an announcement waits for a turn this long


class Relay:
    """Serves one device from hello to hello.

    `spawn(coroutine, name)` runs tasks in the bridge's task group; `on_turn(record)` gets every
    finished turn. Nothing here raises for what a device sends: it is one log line.
    """

    def __init__(
        self,
        device_id: str,
        *,
        wire: Wire,
        hub: DeviceHub,
        assistant: Assistant,
        blobs: Blobs,
        work: CardWork,
        spawn: Callable[[Coroutine[Any, Any, None], str], "asyncio.Task[None]"],
        on_turn: Callable[[TurnRecord], None],
        on_part: Watch = lambda kind, text, detail: None,
        keep_audio: bool = False,
    ) -> None:
        self.blobs = blobs
        self._id = device_id
        self._wire = wire
        self._hub = hub
        self._assistant = assistant
        self._spawn = spawn
        self._on_part = on_part
        self._keep_audio = keep_audio
        self._device = Device(id=device_id)
        self._locale = "en"
        self._speaker: SpeakerFormat | None = None
        self._once = Once()
        self._queue = TurnQueue(wire, lambda: self.log, spawn=spawn, on_turn=on_turn)
        self._early: deque[bytes] = deque(maxlen=EARLY_FRAMES)
        self._garbled = False
        self._conversation: Conversation = assistant.conversation(
            lambda: hub.specs(device_id, scope="ai")
        )
        self.device_cards = DeviceCards(work, wire, blobs, lambda: self.log)
        self.questions = ScreenQuestions(self.device_cards)
        self._card_actions = CardActions(
            device_id,
            wire=wire,
            device_cards=self.device_cards,
            questions=self.questions,
            tools=hub,
            spawn=spawn,
            log=lambda: self.log,
            say=lambda text: self._text_turn(text, None),
            stop=lambda: self._queue.end("", tell=True),
        )

    @property
    def log(self) -> DeviceLog:
        return DeviceLog(log, self._device)

    @property
    def state(self) -> str:
        """Of the session, by voxwire.session."""
        return self._queue.state

    # presence

    def greet(self, device: Device, *, locale: str, cards: str) -> None:
        """The device said hello: answer it, open its session, learn its tools."""
        self._queue.end("The device started anew.")
        self._device, self._locale = device, locale
        self._once = Once()
        self._wire.session_id = device.session_id
        self._speaker = speaker_format(device.capability.sound)
        if self._speaker is None:
            self.log.warning("hello.sound.formats: has none this bridge speaks")
            text = "This bridge does not speak the device's audio format. Update one of them."
            self._wire.send("alert", status="error", message=text)
            return
        self._queue.move("link_up" if self.state == session.OFFLINE else "hello")
        if self.state == session.CONNECTING:
            self._queue.move("hello")
        self._send_hello(self._speaker)
        self.device_cards.greet(device.id, device.capability.screen, cards, locale)
        self.blobs.resume()
        self._hub.attach(device.id, self._call_device)
        self._spawn(self._refresh(), f"tools {device.id}")

    def gone(self, reason: str) -> None:
        """The device, or the way to it, is gone: its turn ends and its tools go."""
        self._queue.end(reason)
        if self._device.session_id:
            self.log.info("gone: %s", reason)
            self._hub.detach(self._id)
        self._device = Device(id=self._id, capability=self._device.capability)
        self._wire.session_id = ""
        if self.state != session.OFFLINE:
            self._queue.move("link_down")

    async def close(self) -> None:
        """Say goodbye and let the turn end."""
        if self._device.session_id:
            self._queue.end("The bridge stops.")
            self._wire.send("goodbye", reason="The bridge stops.")
        await self._queue.free(HANDOVER_S)

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

    def _call_device(self, payload: Mapping[str, Json]) -> None:
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
        microphone = self._queue.microphone
        if microphone is None:
            self._early.append(frame)
            return
        try:
            microphone.add(frame, asyncio.get_running_loop().time())
        except (WireError, ValueError) as error:
            if not self._garbled:
                self._garbled = True
                self.log.warning("mic: %s", error)
            return
        if microphone.received == 1 and self._queue.turn is not None:
            self._queue.turn.heard_frame()

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
        if decoded is None or not self._device.session_id:
            return
        _, message = decoded
        session_id = None if isinstance(message, Blob) else message.session_id
        if session_id is not None and session_id != self._device.session_id:
            self.log.debug("a message of session %.8s is dropped", session_id)
            return
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
                self.gone(goodbye.reason or "it said goodbye")
            case unknown:
                assert_never(unknown)

    def _listen(self, message: Listen) -> None:
        if message.state == "start":
            if self._once.first(f"listen {message.id}"):
                self._listen_start(message)
        elif message.state == "detect":
            self.log.info("wake word: %s", message.text or "heard")
        elif self._queue.turn is not None and self._queue.turn.id == message.id:
            asyncio.get_running_loop().call_later(LAST_FRAMES_S, self._released, message.id)

    def _released(self, turn_id: str) -> None:
        # Another turn may listen by now.
        if self._queue.turn is not None and self._queue.turn.id == turn_id:
            self._queue.turn.microphone_closed()

    def _listen_start(self, message: Listen) -> None:
        self._queue.end("")
        now_s = asyncio.get_running_loop().time()
        microphone = Microphone(
            message.seq, now_s, realtime=self._is_realtime(message.mode), keep=self._keep_audio
        )
        self._wire.send("turn", id=message.id, state="accepted")
        if not self._queue.move("wake"):
            return
        heard = Heard(audio=microphone, held=message.mode == "manual", locale=self._locale)
        self._begin(
            "voice",
            lambda: self._conversation.turn(heard),
            turn_id=message.id,
            microphone=microphone,
        )
        self._garbled = False
        early = list(self._early)
        self._early.clear()
        for frame in early:
            self.mic(frame)

    def _is_realtime(self, mode: str) -> bool:
        if mode != "realtime":
            return False
        if self._device.capability.sound.duplex == "full":
            return True
        self.log.warning("listen.mode: realtime needs full duplex sound; taken as auto")
        return False

    def _abort(self, message: Abort) -> None:
        if self._once.first(f"abort {message.id}") and self._queue.turn is not None:
            self.log.info("turn %s: interrupted (%s)", self._queue.turn.id, message.reason)
            self._queue.abort(message.seq)

    def _played(self, message: Played) -> None:
        if self._queue.turn is not None:
            self._queue.turn.played(message.seq)

    def _card(self, message: CardEvent) -> None:
        if self._once.first(f"card {message.event_id}"):
            self._card_actions.event(message.id, message.event, message.action or "")

    def _event(self, message: Event) -> None:
        self.log.info("event %s %s %s", message.name, message.text or "", _plain(message.value))
        listening = self._queue.turn if self._queue.microphone is not None else None
        if message.name == "microphone" and listening is not None:
            listening.fail(MICROPHONE_LOST)

    # what the bridge starts

    async def say(self, text: str) -> None:
        """Announce `text`; waits for a running turn, returns when it was played. VoxcardError
        says why it could not."""
        await self._queue.free(FREE_S)
        self._check_free()

        async def parts() -> Parts:
            said = False
            async for speech in self._assistant.say(text, self._locale):
                if not said:
                    yield Sentence(text=text)
                    said = True
                yield speech

        await self._queue.outcome(self._begin("say", parts))

    async def ask(
        self, *, text: str = "", audio: AsyncIterator[bytes] | None = None, watch: Watch
    ) -> None:
        """Run a turn from `text`, or from pcm16 at 16 kHz; VoxcardError says why it failed."""
        self._check_free()
        await self._queue.outcome(self._text_turn(text, audio, watch))

    def _text_turn(
        self, text: str, audio: AsyncIterator[bytes] | None, watch: Watch | None = None
    ) -> Turn:
        heard = Heard(audio=audio, text=None if audio else text, locale=self._locale)
        return self._begin("text", lambda: self._conversation.turn(heard), watch=watch)

    def _check_free(self) -> None:
        if not self._device.session_id:
            raise VoxcardError(f"{self._id} is not online.", "Switch it on, then try again.")
        if self._queue.turn is not None:
            raise VoxcardError(f"{self._id} is in a turn.", "Try again when it is idle.")

    def _begin(
        self,
        kind: str,
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
            device_cards=self.device_cards,
            log=self.log,
            move=self._queue.move,
            state=lambda: self.state,
            say=lambda text: self._assistant.say(text, self._locale),
            interrupted=self._conversation.interrupted,
        )
        return self._queue.begin(context, kind, open_parts, watch=self._told(watch), **more)

    def _told(self, watch: Watch | None) -> Watch:
        """Both who asked for this turn and who watches every turn are told."""
        if watch is None:
            return self._on_part

        def tell(kind: str, text: str, detail: Mapping[str, Json]) -> None:
            watch(kind, text, detail)
            self._on_part(kind, text, detail)

        return tell


def _plain(value: float | None) -> str:
    return "" if value is None else f"{value:g}"
