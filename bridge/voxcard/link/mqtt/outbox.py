"""Outgoing queue: control messages within limits, audio frames that may be dropped."""

from collections import deque
from collections.abc import Callable
from typing import Protocol

import paho.mqtt.client as paho
from paho.mqtt.reasoncodes import ReasonCode

from voxcard.link.mqtt.backlog import Backlog

# Frames kept for one topic while the broker takes none: 1 s of 40 ms frames, then the oldest go.
FRAMES_MAX = 25


class Publisher(Protocol):
    """The client library, as far as it publishes."""

    def publish(
        self, topic: str, payload: bytes, qos: int, retain: bool = False
    ) -> paho.MQTTMessageInfo:
        """Send a message, or queue it."""


class Outbox:
    """Hands messages and frames to `publisher` within limits.

    `on_refused(topic, reason)`: the broker does not let a message be written; with
    `names_refused`, which is for MQTT 5 alone, the topic is known.
    """

    def __init__(
        self,
        publisher: Publisher,
        *,
        names_refused: bool,
        on_refused: Callable[[str, str], None],
        backlog: Backlog | None = None,
    ) -> None:
        self.frames_dropped = 0
        self._publisher = publisher
        self._names_refused = names_refused
        self._on_refused = on_refused
        self._backlog = Backlog() if backlog is None else backlog
        self._topics: dict[int, str] = {}  # of the messages on their way, by packet id
        self._frames: dict[str, deque[bytes]] = {}
        self._overflow = 0  # messages without room since `take_overflow`

    def __len__(self) -> int:
        """Messages the broker has not acknowledged."""
        return len(self._backlog)

    def publish(self, topic: str, payload: bytes, *, qos: int, retain: bool) -> bool:
        """Send a control message; False when there is no room for it."""
        if not self._backlog.has_room(len(payload)):
            self._overflow += 1
            return False
        sent = self._publisher.publish(topic, payload, qos, retain)
        if sent.rc != paho.MQTT_ERR_SUCCESS:
            return False
        self._backlog.add(sent, len(payload))
        if qos and self._names_refused:
            self._topics[sent.mid] = topic
        return True

    def frame(self, topic: str, payload: bytes, *, blocked: bool) -> bool:
        """Send an audio frame at QoS 0. While the socket is `blocked` it waits here; False when
        the topic's oldest frame went for it."""
        if not blocked:
            return self._publisher.publish(topic, payload, 0).rc == paho.MQTT_ERR_SUCCESS
        waiting = self._frames.get(topic)
        if waiting is None:
            waiting = self._frames[topic] = deque(maxlen=FRAMES_MAX)
        dropped = len(waiting) == FRAMES_MAX
        self.frames_dropped += dropped
        waiting.append(payload)
        return not dropped

    def send_frames(self) -> None:
        """Send the frames that wait: the socket is free again."""
        if not self._frames:
            return
        frames, self._frames = self._frames, {}
        for topic, waiting in frames.items():
            for payload in waiting:
                self._publisher.publish(topic, payload, 0)

    def acknowledged(
        self, _client: object, _data: object, mid: int, code: ReasonCode, _properties: object
    ) -> None:
        """paho's on_publish: the broker has answered message `mid`."""
        topic = self._topics.pop(mid, "")
        if code.is_failure:
            self._on_refused(topic, str(code))

    def take_overflow(self) -> int:
        """How many messages found no room since the last call."""
        count, self._overflow = self._overflow, 0
        return count

    def clear(self) -> None:
        """Forget what waits: it belongs to sessions of a connection that is gone."""
        self._frames.clear()
        self._topics.clear()
        self._backlog.clear()
