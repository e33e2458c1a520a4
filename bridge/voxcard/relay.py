"""One device: its messages in, its turns, and what the bridge starts there by itself."""

import asyncio
import logging
import secrets
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from typing import Any, Protocol

from voxwire import message, session
from voxwire.errors import WireError

from voxcard import __version__
from voxcard.assistants import Assistant, Conversation, Heard, Sentence
from voxcard.blobs import Blobs
from voxcard.devices import Device, DeviceLog, Once
from voxcard.downlink import SpeakerFormat, speaker_format
from voxcard.errors import VoxcardError
from voxcard.outgoing import Outgoing
from voxcard.record import TurnRecord
from voxcard.showing import CardWork, Showing
from voxcard.toolhub.model import Json, ToolSpec
from voxcard.turn import BROKEN, MICROPHONE_LOST, Parts, Place, Tools, Turn, Watch
from voxcard.uplink import Microphone

log = logging.getLogger(__name__)

# Frames that came before their `listen`: messages and frames have topics of their own, and a
# broker may deliver one before the other.
EARLY_FRAMES = 8
LAST_FRAMES_S = 0.04  # for frames that `listen stop` overtook
HANDOVER_S = 3.0  # for an interrupted turn to let go of the conversation
FREE_S = 60.0  # an announcement waits for a turn this long


class Hub(Tools, Protocol):
    """The tool hub as a device's relay needs it."""

    def attach(self, device_id: str, send: Callable[[Mapping[str, Json]], None]) -> None: ...
    def detach(self, device_id: str) -> None: ...
    def receive(self, device_id: str, payload: Mapping[str, Json]) -> None: ...
    async def refresh(self, device_id: str) -> None: ...
    def specs(self, device_id: str, scope: str = "ai") -> list[ToolSpec]: ...


class Relay:
    """Serves one device from hello to hello.

    `spawn(coroutine, name)` runs tasks in the bridge's task group; `on_turn(record)` gets every
    finished turn. Nothing here raises for what a device sends: it is one log line.
    """

    def __init__(
        self,
        device_id: str,
        *,
        wire: Outgoing,
        hub: Hub,
        assistant: Assistant,
        blobs: Blobs,
        work: CardWork,
        spawn: Callable[[Coroutine[Any, Any, None], str], "asyncio.Task[None]"],
        on_turn: Callable[[TurnRecord], None],
    ) -> None:
        self.blobs = blobs
        self._id = device_id
        self._wire = wire
        self._hub = hub
        self._assistant = assistant
        self._spawn = spawn
        self._on_turn = on_turn
        self._device = Device(id=device_id)
        self._locale = "en"
        self._speaker: SpeakerFormat | None = None
        self._session = session.start(0)
        self._once = Once()
        self._turn: Turn | None = None
        self._task: asyncio.Task[None] | None = None
        self._microphone: Microphone | None = None
        self._early: deque[bytes] = deque(maxlen=EARLY_FRAMES)
        self._garbled = False
        self._conversation: Conversation = assistant.conversation(
            lambda: hub.specs(device_id, scope="ai")
        )
        self.showing = Showing(work, wire, blobs, lambda: self.log)

    @property
    def log(self) -> DeviceLog:
        return DeviceLog(log, self._device)

    @property
    def state(self) -> str:
        """Of the session, by voxwire.session."""
        return str(self._session.state)

    # presence

    def greet(self, device: Device, *, locale: str, cards: str) -> None:
        """The device said hello: answer it, open its session, learn its tools."""
        self._end_turn("The device started anew.")
        self._device, self._locale = device, locale
        self._once = Once()
        self._wire.session_id = device.session_id
        self._speaker = speaker_format(device.capability.sound)
        if self._speaker is None:
            self.log.warning("hello.sound.formats: has none this bridge speaks")
            text = "This bridge does not speak the device's audio format. Update one of them."
            self._wire.send("alert", status="error", message=text)
            return
        self._move("link_up" if self.state == session.OFFLINE else "hello")
        if self.state == session.CONNECTING:
            self._move("hello")
        self._send_hello(self._speaker)
        self.showing.greet(device.id, device.capability.screen, cards)
        self.blobs.resume()
        self._hub.attach(device.id, self._call_device)
        self._spawn(self._refresh(), f"tools {device.id}")

    def gone(self, reason: str) -> None:
        """The device, or the way to it, is gone: its turn ends and its tools go."""
        self._end_turn(reason)
        if self._device.session_id:
            self.log.info("gone: %s", reason)
            self._hub.detach(self._id)
        self._device = Device(id=self._id, capability=self._device.capability)
        self._wire.session_id = ""
        if self.state != session.OFFLINE:
            self._move("link_down")

    async def close(self) -> None:
        """Say goodbye and let the turn end."""
        task = self._task
        if self._device.session_id:
            self._end_turn("The bridge stops.")
            self._wire.send("goodbye", reason="The bridge stops.")
        if task is not None:
            await asyncio.wait((task,), timeout=HANDOVER_S)

    def _send_hello(self, speaker: SpeakerFormat) -> None:
        self._wire.send(
            "hello",
            session_id=self._device.session_id,
            audio_params={
                "format": speaker.format,
                "sample_rate": speaker.rate_hz,
                "channels": 1,
                "frame_duration": speaker.frame_ms,
            },
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
        microphone = self._microphone
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
        if microphone.received == 1 and self._turn is not None:
            self._turn.heard_frame()

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
            told = message.decode(message.FROM_DEVICE, payload)
        except WireError as error:
            self.log.warning("%s", error)
            return
        if told is None or not self._device.session_id:
            return
        told_session = getattr(told, "session_id", None)
        if told_session is not None and told_session != self._device.session_id:
            self.log.debug("a message of session %.8s is dropped", told_session)
            return
        _HANDLERS[type(told).__name__](self, told)

    def _listen(self, told: Any) -> None:
        if told.state == "start":
            if self._once.first(f"listen {told.id}"):
                self._listen_start(told)
        elif told.state == "detect":
            self.log.info("wake word: %s", told.text or "heard")
        elif self._turn is not None and self._turn.id == told.id:
            asyncio.get_running_loop().call_later(LAST_FRAMES_S, self._turn.microphone_closed)

    def _listen_start(self, told: Any) -> None:
        self._end_turn("")
        now_s = asyncio.get_running_loop().time()
        microphone = Microphone(told.seq, now_s)
        self._wire.send("turn", id=told.id, state="accepted")
        if not self._move("wake"):
            return
        heard = Heard(audio=microphone, locale=self._locale)
        self._begin(
            "voice", told.id, lambda: self._conversation.turn(heard), microphone=microphone
        )
        self._garbled = False
        early = list(self._early)
        self._early.clear()
        for frame in early:
            self.mic(frame)

    def _abort(self, told: Any) -> None:
        if self._once.first(f"abort {told.id}") and self._turn is not None:
            self.log.info("turn %s: interrupted (%s)", self._turn.id, told.reason)
            self._turn.abort(told.seq)
            self._cancel("abort")

    def _played(self, told: Any) -> None:
        if self._turn is not None:
            self._turn.played(told.seq)

    def _card(self, told: Any) -> None:
        if not self._once.first(f"card {told.event_id}") or told.event != "action":
            return
        action = self.showing.action(told.id, told.action or "")
        if action is None:
            self.log.warning("card.action: %s has no %s", told.id, told.action)
            return
        self.log.info("card %s: %s chosen", told.id, action.id)
        if action.kind == "message":
            self._end_turn("", tell=True)
            self._text_turn(action.text, None)
        elif action.kind == "control" and action.text == "stop":
            self._end_turn("", tell=True)

    def _event(self, told: Any) -> None:
        self.log.info("event %s %s %s", told.name, told.text or "", _plain(told.value))
        if told.name == "microphone" and self._turn is not None and self._microphone is not None:
            self._turn.fail(MICROPHONE_LOST)

    def _mcp(self, told: Any) -> None:
        self._hub.receive(self._id, told.payload)

    def _blob_state(self, told: Any) -> None:
        self.blobs.state(told.id, told.next, told.error)

    def _goodbye(self, told: Any) -> None:
        self.gone(told.reason or "it said goodbye")

    # what the bridge starts

    async def say(self, text: str) -> None:
        """Announce `text`; waits for a running turn, returns when it was played. VoxcardError
        says why it could not."""
        task = self._task
        if self._turn is not None and task is not None:
            await asyncio.wait((task,), timeout=FREE_S)
        self._check_free()

        async def parts() -> Parts:
            said = False
            async for speech in self._assistant.say(text, self._locale):
                if not said:
                    yield Sentence(text=text)
                    said = True
                yield speech

        await self._outcome(self._begin("say", "", parts))

    async def ask(
        self, *, text: str = "", audio: AsyncIterator[bytes] | None = None, watch: Watch
    ) -> None:
        """Run a turn from `text`, or from pcm16 at 16 kHz; VoxcardError says why it failed."""
        self._check_free()
        await self._outcome(self._text_turn(text, audio, watch))

    def _text_turn(
        self, text: str, audio: AsyncIterator[bytes] | None, watch: Watch | None = None
    ) -> Turn:
        heard = Heard(audio=audio, text=None if audio else text, locale=self._locale)
        return self._begin("text", "", lambda: self._conversation.turn(heard), watch=watch)

    def _check_free(self) -> None:
        if not self._device.session_id:
            raise VoxcardError(f"{self._id} is not online.", "Switch it on, then try again.")
        if self._turn is not None:
            raise VoxcardError(f"{self._id} is in a turn.", "Try again when it is idle.")

    async def _outcome(self, turn: Turn) -> None:
        task = self._task
        assert task is not None
        try:
            await asyncio.wait((task,))
        except asyncio.CancelledError:
            if self._turn is turn:
                self._end_turn("", tell=True)
            raise
        if turn.error:
            raise VoxcardError(turn.error)

    # turns

    def _begin(
        self,
        kind: str,
        turn_id: str,
        open_parts: Callable[[], Parts],
        *,
        microphone: Microphone | None = None,
        watch: Watch | None = None,
    ) -> Turn:
        assert self._speaker is not None
        place = Place(
            device=self._device,
            wire=self._wire,
            speaker=self._speaker,
            tools=self._hub,
            showing=self.showing,
            log=self.log,
            move=self._move,
            state=lambda: self.state,
            say=lambda text: self._assistant.say(text, self._locale),
            interrupted=self._conversation.interrupted,
        )
        turn_id = turn_id or f"b{secrets.token_hex(4)}"
        turn = Turn(place, turn_id, kind, open_parts, microphone=microphone, watch=watch)
        previous, self._turn, self._microphone = self._task, turn, microphone
        self.log.info("turn %s: %s", turn.id, kind)
        self._task = self._spawn(self._run(turn, previous), f"turn {self._id} {turn.id}")
        return turn

    async def _run(self, turn: Turn, previous: "asyncio.Task[None] | None") -> None:
        turn.begun = True
        try:
            if previous is not None and not previous.done():
                # The assistant keeps one conversation a device: one turn at a time in it.
                await asyncio.wait((previous,), timeout=HANDOVER_S)
            await turn.run()
        except Exception:
            self.log.exception("turn %s failed", turn.id)
            turn.error = turn.error or BROKEN
            self._wire.send("turn", id=turn.id, state="done", text=turn.error)
        finally:
            if self._turn is turn:
                self._turn = self._microphone = None
                if self.state not in (session.IDLE, session.OFFLINE):
                    self._move("cancel")
            self._report(turn.record())

    def _report(self, record: TurnRecord) -> None:
        stages = " ".join(f"{name}={ms}" for name, ms in record.stages_ms.items())
        self.log.info(
            "turn %s: done%s, frames up %d lost %d down %d, %s",
            record.turn,
            " interrupted" if record.interrupted else " with an error" if record.error else "",
            record.frames_up,
            record.frames_lost,
            record.frames_down,
            stages,
        )
        self._on_turn(record)

    def _end_turn(self, reason: str, *, tell: bool = False) -> None:
        """End the running turn, if there is one; `tell` the device, unless it knows."""
        turn = self._turn
        if turn is not None:
            turn.error = reason
            self._cancel("cancel")
            if tell:
                self._wire.send("turn", id=turn.id, state="done")

    def _cancel(self, event: str) -> None:
        turn, task = self._turn, self._task
        self._turn = self._microphone = None
        self._move(event)
        if task is not None:
            task.cancel()
        if turn is not None and not turn.begun:
            # A task that is cancelled before its first step never runs, its `finally` neither.
            self._report(turn.record())

    def _move(self, event: str) -> bool:
        before = self.state
        now_ms = round(asyncio.get_running_loop().time() * 1000)
        try:
            self._session = session.apply(self._session, event, now_ms)
        except WireError as error:
            self.log.warning("%s", error)
            return False
        if self.state != before:
            self.log.info("%s -> %s", before, self.state)
        return True


def _plain(value: float | None) -> str:
    return "" if value is None else f"{value:g}"


_HANDLERS: Mapping[str, Callable[[Relay, Any], None]] = {
    "Listen": Relay._listen,
    "Abort": Relay._abort,
    "Mcp": Relay._mcp,
    "CardEvent": Relay._card,
    "Played": Relay._played,
    "Event": Relay._event,
    "BlobState": Relay._blob_state,
    "Goodbye": Relay._goodbye,
}
