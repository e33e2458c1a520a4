"""Relay of one device: takes its messages, owns its session, turns and screen."""

import asyncio
import contextlib
from typing import assert_never

from voxwire.errors import WireError
from voxwire.message import FROM_DEVICE, Abort, CardEvent, Event, Listen, decode

from voxcard.link.blobs import Blobs
from voxcard.link.devices import Device
from voxcard.link.wire import Received, Wire
from voxcard.screen.device_screen import DeviceScreen
from voxcard.session.device_session import DeviceSession
from voxcard.session.device_turns import DeviceTurns
from voxcard.session.listener import Listener
from voxcard.session.relay_events import RelayEvents
from voxcard.session.services import Services
from voxcard.session.turn import events as turn_events
from voxcard.session.turn.queue import HANDOVER_S, TurnQueue
from voxcard.text_safety import safe_line

WORDS_MAX = 200  # characters of a device's text in a log line


class Relay:
    """Serves one device from hello to hello.

    `events` is told what happens. Nothing here raises for what a device sends: it is one log line.
    """

    def __init__(
        self,
        device_id: str,
        services: Services,
        *,
        wire: Wire,
        blobs: Blobs,
        events: RelayEvents,
    ) -> None:
        self.blobs = blobs
        self._wire = wire
        self._hub = services.hub
        self._spawn = services.spawn
        self._events = events
        self._session = DeviceSession(device_id, services, wire)
        self.look_at_clock = self._session.look_at_clock
        self._log = log = self._session.log
        self._queue = TurnQueue(
            wire, log, spawn=services.spawn, on_turn=events.turn, doubt_session=events.doubt
        )
        self.screen = self._new_screen(device_id, services)
        self.turns = DeviceTurns(
            device_id,
            self._queue,
            services,
            wire=wire,
            device_cards=self.screen.cards,
            log=log,
            on_part=events.part,
        )
        ear = services.ear(device_id, wire)
        self._listener = Listener(self._queue, self.turns, log, services, ear)

    def _new_screen(self, device_id: str, services: Services) -> DeviceScreen:
        return DeviceScreen(
            device_id,
            card_maker=services.card_maker,
            wire=self._wire,
            blobs=self.blobs,
            tools=services.hub,
            keep_card=services.keep_card,
            spawn=services.spawn,
            log=self._log,
            say=lambda text: self.turns.answer(text),
            stop=lambda: self._queue.feed(turn_events.Ended(tell=True)),
        )

    @property
    def state(self) -> str:
        """The session's state, one of voxwire.session."""
        return self._queue.state

    @property
    def spoken_s(self) -> float | None:
        """When, by the loop's clock, the device last spoke in this session."""
        return self._session.spoken_s

    def greet(self, device: Device, *, locale: str, cards: str) -> bool:
        """The device said hello: answer it, open its session, learn its tools.

        Whether it has a session now; a device whose sound this bridge does not speak has none.
        """
        self._listener.close_gate()
        self._queue.feed(turn_events.Ended(reason="The device started anew."))
        speaker = self._session.accept(device, locale)
        self.turns.greet(device, locale, speaker)
        if speaker is None:
            return False
        assert device.capability is not None
        self._queue.feed(turn_events.Greeted())
        self._session.answer_hello()
        self.screen.greet(device.capability.screen, cards, locale)
        self.blobs.resume()
        self._session.attach_tools()
        self._events.greeted()
        return True

    def answer_hello(self) -> None:
        """The device repeats its hello: it has not got the answer yet."""
        self._session.answer_hello()

    def gone(self, reason: str) -> None:
        """The device, or the way to it, is gone: its turn ends and its tools go."""
        self._listener.close_gate()
        self._queue.feed(turn_events.Gone(reason=reason))
        self._session.end(reason)
        self.turns.greet(self._session.device, self._session.locale, None)

    async def close(self) -> None:
        """Say goodbye and let the turn end."""
        if self._session.is_open:
            self._queue.feed(turn_events.Ended(reason="The bridge stops."))
            self._wire.send("goodbye", reason="The bridge stops.")
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(HANDOVER_S):
                await self._queue.free()
        await self.turns.closing()

    def forget(self) -> None:
        """The device is served no longer: drop what is kept for it."""
        self.gone("The bridge forgets it.")
        self.blobs.clear()
        self._spawn(self.turns.closing(), f"close {self._session.device.id}")

    def mic(self, frame: bytes) -> None:
        """A microphone frame; the hot path."""
        if self._session.device.session_id:
            self._listener.frame(frame)
        else:
            self._events.lost()

    def blob(self, chunk: bytes) -> None:
        """A chunk of a blob."""
        try:
            whole = self.blobs.receive(chunk)
        except WireError as error:
            self._log().warning("%s", error)
        else:
            if whole is not None:
                self._log().info("%s: received, %d bytes", whole.kind, len(whole.data))

    def control(self, payload: bytes) -> None:
        """A control message."""
        self._log().debug("> %.200r", payload)
        try:
            decoded = decode(FROM_DEVICE, payload)
        except WireError as error:
            self._log().warning("%s", error)
            return
        if not self._session.is_open:
            self._events.lost()
            if decoded is not None and decoded[0] == "update":  # goes on without a session
                self._take(decoded)
        elif decoded is not None and self._session.is_own(decoded):
            self._session.heard()
            self._events.heard()
            self._take(decoded)

    def _take(self, received: Received) -> None:
        match received:
            case "listen", listen:
                self._listen(listen)
            case "abort", abort:
                self._abort(abort)
            case "mcp", mcp:
                self._hub.receive(self._session.device.id, mcp.payload)
            case "card", card_event:
                self._card(card_event)
            case "played", played:
                self._queue.feed(turn_events.Played(seq=played.seq))
            case "event", event:
                self._event(event)
            case "blob", blob:
                self.blobs.state(blob.id, blob.next, blob.error)
            case "update", update:
                self._events.update(update)
            case "timers", timers:
                self._events.timers(timers)
            case "goodbye", goodbye:
                self.gone(_words(goodbye.reason) or "it said goodbye")
            case unknown:
                assert_never(unknown)

    def _listen(self, message: Listen) -> None:
        if message.state == "detect":
            self._log().info("wake word: %s", _words(message.text) or "heard")
        elif message.state == "stop":
            self._listener.stop(message)
        elif self._session.is_first(f"listen {message.mode} {message.id}"):
            capability = self._session.device.capability
            full_duplex = capability is not None and capability.sound.duplex == "full"
            self._listener.start(message, full_duplex=full_duplex)

    def _abort(self, message: Abort) -> None:
        if self._session.is_first(f"abort {message.id}") and self._queue.turn is not None:
            self._log().info(
                "turn %s: interrupted (%s)", self._queue.turn.id, _words(message.reason)
            )
            self._queue.feed(turn_events.Aborted(seq=message.seq))

    def _card(self, message: CardEvent) -> None:
        if self._session.is_first(f"card {message.event_id}"):
            self.screen.event(message.id, message.event, message.action or "")

    def _event(self, message: Event) -> None:
        words = _words(message.name), _words(message.text), _plain(message.value)
        self._log().info("event %s %s %s", *words)
        if message.name == "microphone":
            self._queue.feed(turn_events.MicrophoneFailed())
        elif message.name == "text_size":
            self.screen.cards.set_text_size(message.text or "")
        elif message.name == "chimes":
            self.turns.chime_percent = round(min(100.0, max(0.0, message.value or 0.0)))


def _words(text: str | None) -> str:
    """What a device says, fit for a log line."""
    return safe_line(text or "", WORDS_MAX)


def _plain(value: float | None) -> str:
    return "" if value is None else f"{value:g}"
