"""Dispatches messages from the broker."""

import logging
from collections.abc import Callable

import paho.mqtt.client as paho

from voxcard.link.mqtt.packet_limit import MESSAGE_MAX
from voxcard.text_safety import safe_line

log = logging.getLogger(__name__)


class Inbox:
    """Calls `on_message(topic, payload, retained)`; what cannot be handed on is one log line."""

    def __init__(self, on_message: Callable[[str, bytes, bool], None]) -> None:
        self._on_message = on_message

    def received(self, _client: object, _data: object, message: paho.MQTTMessage) -> None:
        """paho's on_message."""
        try:
            topic = message.topic
        except UnicodeDecodeError:
            log.warning("a message on a topic that is not UTF-8 is dropped")
            return
        if len(message.payload) > MESSAGE_MAX:
            text = "a message on %s is dropped: it has more than %d bytes"
            log.warning(text, safe_line(topic, 100), MESSAGE_MAX)
            return
        try:
            self._on_message(topic, bytes(message.payload), message.retain)
        except Exception:
            # An error in one device's message must not cost the connection of all.
            log.exception("the message on %s could not be handled", safe_line(topic, 100))
