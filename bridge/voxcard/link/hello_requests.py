"""Asks devices that are online without a session for their hello, with growing pauses."""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from voxwire import message, topics

log = logging.getLogger(__name__)

GRACE_S = 2.0  # a device that just connected says hello by itself
FIRST_S, LAST_S = 30.0, 1800.0  # from one request to the next of the same device; doubles
ROUND_S = 150.0  # how often everybody is looked through
PER_LOOK = 100
DEVICES_MAX = 10_000  # whose requests are kept


@dataclass(frozen=True, slots=True, kw_only=True)
class _Request:
    due_s: float
    wait_s: float = FIRST_S  # after the next one that is sent


class HelloRequests:
    """`lost()` lists the devices that are online and have no session, `has_session(device_id)`
    tells of one; `publish(topic, payload)` is False when nothing can be sent now. Whoever has it
    calls `look` every second."""

    def __init__(
        self,
        *,
        lost: Callable[[], Iterable[str]],
        has_session: Callable[[str], bool],
        root: str,
        publish: Callable[[str, bytes], bool],
        now_s: Callable[[], float],
    ) -> None:
        self._lost = lost
        self._has_session = has_session
        self._root = root
        self._publish = publish
        self._now_s = now_s
        self._requests: dict[str, _Request] = {}
        self._doubted: dict[str, float] = {}  # when a session was last doubted
        self._round_s = now_s() + ROUND_S
        self._room = PER_LOOK  # what may still be sent until the next look

    def lost(self, device_id: str, *, after_s: float = GRACE_S) -> None:
        """The device is there and has no session: ask it, unless it says hello before."""
        if device_id in self._requests or len(self._requests) >= DEVICES_MAX:
            return
        self._requests[device_id] = _Request(due_s=self._now_s() + after_s)
        if not after_s and self._room:
            self._ask(device_id, self._now_s())

    def doubt(self, device_id: str) -> None:
        """The device may not know of its session: ask it now, if that was not done lately."""
        now_s = self._now_s()
        if now_s - self._doubted.get(device_id, -FIRST_S) < FIRST_S:
            return
        if self._send(device_id):
            self._doubted[device_id] = now_s

    def greeted(self, device_id: str) -> None:
        """The device said hello."""
        self._requests.pop(device_id, None)

    def clear(self) -> None:
        """The broker is away: whoever is there will say so anew."""
        self._requests.clear()

    def look(self) -> None:
        """Send what is due; a part of it only where that is much."""
        now_s = self._now_s()
        self._room = PER_LOOK
        if now_s >= self._round_s:
            self._round_s = now_s + ROUND_S
            self._doubted = {
                key: at_s for key, at_s in self._doubted.items() if now_s - at_s < FIRST_S
            }
            lost = set(self._lost())
            # Whoever is offline and was asked in vain is not there.
            for device_id in self._requests.keys() - lost:
                del self._requests[device_id]
            for device_id in sorted(lost):
                self.lost(device_id, after_s=0.0)
        due = [key for key, request in self._requests.items() if request.due_s <= now_s]
        for device_id in due[: self._room]:
            self._ask(device_id, now_s)

    def _ask(self, device_id: str, now_s: float) -> None:
        request = self._requests[device_id]
        if self._has_session(device_id):
            del self._requests[device_id]
        elif self._send(device_id):
            self._room -= 1
            wait_s = min(request.wait_s * 2, LAST_S)
            self._requests[device_id] = _Request(due_s=now_s + request.wait_s, wait_s=wait_s)

    def _send(self, device_id: str) -> bool:
        order = message.make(message.FROM_BRIDGE, "system", command="hello")
        topic = topics.topic(self._root, device_id, "down")
        sent = self._publish(topic, message.encode(message.FROM_BRIDGE, order))
        if sent:
            log.info("%s: is asked for its hello", device_id)
        return sent
