"""Sends messages, frames and blob chunks to one device."""

import logging
from collections.abc import Callable

from voxwire import message, topics
from voxwire.errors import WireError

log = logging.getLogger(__name__)


class Outgoing:
    """The Wire over MQTT. `publish(topic, payload)` is QoS 1, `frame(topic, payload)` QoS 0."""

    def __init__(
        self,
        root: str,
        device_id: str,
        publish: Callable[[str, bytes], bool],
        frame: Callable[[str, bytes], bool],
    ) -> None:
        self.session_id = ""
        self._device_id = device_id
        self._publish = publish
        self._frame = frame
        self._down = topics.topic(root, device_id, "down")
        self._speaker = topics.topic(root, device_id, "spk")
        self._blob = topics.topic(root, device_id, "blob/down")

    def send(self, type_name: str, **values: object) -> bool:
        """Send a control message; the session's id is filled in where the message has one."""
        kind = message.FROM_BRIDGE[type_name]
        if self.session_id and any(field.name == "session_id" for field in kind.fields):
            values.setdefault("session_id", self.session_id)
        try:
            payload = message.encode(message.FROM_BRIDGE, kind.read(values))
        except WireError as error:
            log.warning("%s: a message is not sent, %s", self._device_id, error)
            return False
        log.debug("%s < %.200r", self._device_id, payload)
        return self._publish(self._down, payload)

    def frame(self, data: bytes) -> bool:
        return self._frame(self._speaker, data)

    def chunk(self, data: bytes) -> bool:
        return self._publish(self._blob, data)
