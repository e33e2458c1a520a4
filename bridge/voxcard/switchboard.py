"""Routes MQTT messages to the device registry and to the devices' relays."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from voxwire import topics
from voxwire.bridge_only import channels
from voxwire.errors import WireError

from voxcard.link.devices import Device, Devices
from voxcard.link.hello_requests import GRACE_S, HelloRequests
from voxcard.link.hello_watch import HelloWatch
from voxcard.link.roster import ABSENT_S, DEVICES_MAX, QUIET_S, Presence, Roster
from voxcard.screen.device_cards import MODES
from voxcard.session.relay import Relay
from voxcard.session.relays import Relays

log = logging.getLogger(__name__)

_RELAYED = ("up", "mic", "blob/up")  # channels whose messages go to the device's relay


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The configured options of a device; `name` is empty if none is configured."""

    name: str
    locale: str
    cards: str


class Admission(Protocol):
    """Who may have a session."""

    def is_known(self, device_id: str) -> bool:
        """Whether it is of the home: it is never forgotten."""

    def admits(self, device_id: str) -> bool:
        """Whether it may have a session now."""

    def turn_away(self, device_id: str) -> None:
        """It said hello and is not admitted."""


def subscriptions(root: str) -> list[tuple[str, int]]:
    """The filters of everything devices send, with their QoS."""
    return [
        (channels.subscription(root, channel.name), channel.qos)
        for channel in channels.CHANNELS.values()
        if channel.sender == "device"
    ]


class Switchboard:
    """Fills `relays` and brings them their messages.

    `make_relay(device_id)` builds the relay of a device that is heard of for the first time,
    `options(device_id)` are the configured ones. `requests` gets to know who has no session,
    `watch` what the hellos are like.

    It knows at most `limit` devices; `sweep` is called now and then.
    """

    def __init__(
        self,
        root: str,
        devices: Devices,
        relays: Relays,
        *,
        make_relay: Callable[[str], Relay],
        options: Callable[[str], Options],
        requests: HelloRequests,
        watch: HelloWatch,
        admission: Admission,
        now_s: Callable[[], float] = time.time,
        limit: int = DEVICES_MAX,
    ) -> None:
        self._root = root
        self._devices = devices
        self._make_relay = make_relay
        self._options = options
        self._requests = requests
        self._watch = watch
        self._relays = relays
        self._routes: dict[str, Callable[[bytes], None]] = {}
        self._admission = admission
        self._now_s = now_s
        self._roster = Roster(
            is_known=admission.is_known,
            talks=lambda device_id: relays.spoke_within(device_id, QUIET_S),
            limit=limit,
        )
        self._refused = 0  # devices that found no room, since the last line about them

    def message(self, topic: str, payload: bytes, retained: bool) -> None:
        """A message on any subscribed topic; what is wrong with it is one log line."""
        route = self._routes.get(topic)
        if route is not None and not retained:
            route(payload)
            return
        try:
            device_id, channel = channels.parse(self._root, topic)
        except WireError as error:
            log.warning("a message on %.100r is dropped, %s", topic, error)
            return
        if retained and not channels.CHANNELS[channel].retained:
            text = (
                "%s has a retained message, which is dropped. Clear it: mosquitto_pub -r -n -t %s"
            )
            log.warning(text, topic, topic)
            return
        try:
            self._take(device_id, channel, payload, retained)
        except WireError as error:
            log.warning("%s: %s", device_id, error)

    def _take(self, device_id: str, channel: str, payload: bytes, retained: bool) -> None:
        if channel == "status":
            self._status(device_id, payload, retained)
        elif channel == "hello":
            self._hello(device_id, payload)
        else:  # the device has a session with another bridge, or with one that is gone
            self._requests.lost(device_id)

    def link(self, up: bool) -> None:
        """The connection to the broker came or went."""
        if up:
            return
        self._devices.link_lost()
        self._requests.clear()
        for device_id in self._relays.ids():
            self._relays.relay(device_id).gone("The connection to the broker was lost.")
            self._roster.put(device_id, Presence.ABSENT)

    def sweep(self) -> None:
        """Forget what is older than its time, and say how many found no room."""
        for relay in self._relays:
            relay.blobs.sweep()
        self._roster.review()
        late_s = self._now_s() - ABSENT_S
        for device in self._devices.all():
            late = not device.online and device.since_s < late_s
            if late and not self._admission.is_known(device.id):
                self.forget(device.id)
        if self._refused:
            text = "%d more devices said hello than the bridge serves (%d)"
            log.warning(text, self._refused, len(self._roster))
            self._refused = 0

    def invite(self, device_id: str) -> None:
        """Ask a device for its hello that may have a session from now on."""
        self._requests.greeted(device_id)
        self._requests.lost(device_id, after_s=0.0)

    def forget(self, device_id: str) -> None:
        """Drop everything that is kept for a device."""
        relay = self._relays.remove(device_id)
        if relay is not None:
            relay.forget()
            for channel in _RELAYED:
                del self._routes[topics.topic(self._root, device_id, channel)]
        self._devices.forget(device_id)
        self._requests.greeted(device_id)
        self._watch.forget(device_id)
        self._roster.remove(device_id)

    def _status(self, device_id: str, payload: bytes, retained: bool) -> None:
        if not self._has_room_for(device_id):
            return
        before = self._devices.get(device_id)
        device = self._devices.status(device_id, payload)
        if not device.session_id:
            self._roster.put(device_id, Presence.ABSENT)
        if before is None or before.online != device.online:
            log.info("%s: %s", device_id, "online" if device.online else "offline")
        relay = self._relays.find(device_id)
        if not device.online and relay is not None:
            was_here = self._relays.has_session(device_id)
            relay.gone("The device went away.")
            if was_here:  # or another one said so for it: who is there answers
                self._requests.lost(device_id)
        if device.online and not self._relays.has_session(device_id):
            # Retained: it was here before us and has said its hello to somebody who is gone.
            self._requests.lost(device_id, after_s=0.0 if retained else GRACE_S)

    def _hello(self, device_id: str, payload: bytes) -> None:
        if not self._admission.admits(device_id):
            self._admission.turn_away(device_id)
            return
        if not self._has_room_for(device_id):
            return
        options = self._options(device_id)
        relay, before = self._relays.find(device_id), self._devices.get(device_id)
        # A hello that waited in a queue is repeated: nothing has to begin anew.
        has_session = self._relays.has_session(device_id)
        is_repeat = relay is not None and has_session and relay.spoken_s is None
        device = self._devices.hello(device_id, payload, options.name, is_repeat=is_repeat)
        self._requests.greeted(device_id)
        if relay is not None and device is before:
            relay.answer_hello()
        elif not self._greet(device, options):
            return
        assert device.capability is not None
        self._watch.hello(device_id, device.capability.boot)

    def _greet(self, device: Device, options: Options) -> bool:
        """Begin a session; whether there is one."""
        self._roster.put(device.id, Presence.SILENT)
        relay = self._relays.find(device.id) or self._add_relay(device.id)
        capability = device.capability
        assert capability is not None
        board, firmware = capability.board or "?", capability.firmware or "?"
        log.info("%s: hello, board %s, firmware %s", device, board, firmware)
        cards = min(options.cards, str(capability.cards), key=MODES.index)  # the stricter
        return relay.greet(device, locale=options.locale, cards=cards)

    def _add_relay(self, device_id: str) -> Relay:
        relay = self._make_relay(device_id)
        self._relays.add(device_id, relay)
        for channel, handler in zip(_RELAYED, (relay.control, relay.mic, relay.blob), strict=True):
            self._routes[topics.topic(self._root, device_id, channel)] = handler
        return relay

    def _has_room_for(self, device_id: str) -> bool:
        """Whether the device is remembered, or may be: another one that is needed less goes."""
        if device_id in self._roster or self._roster.has_room():
            return True
        leaver = self._roster.leaver()
        if leaver is None:
            self._refused += 1
            return False
        self.forget(leaver)
        return True
