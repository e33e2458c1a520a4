"""paho client configured for one broker."""

import socket
import ssl
from typing import cast

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from voxcard.link.mqtt.address import Address
from voxcard.link.mqtt.buffered_socket import BufferedSocket

CONNECT_S = 5.0
KEEPALIVE_S = 30
# MQTT 5 brokers may close a connection with more than their Receive Maximum in flight; mosquitto's
# is 20. 3.1.1 knows no such limit.
INFLIGHT_V5, INFLIGHT_V311 = 20, 200


class ConnectFailed(OSError):  # noqa: N818 - says what happened
    """The broker does not take the connection; the text says why."""


class PahoClient(paho.Client):
    """paho over a buffered socket, for one address; `will` is (topic, payload), retained."""

    def __init__(self, address: Address, client_id: str, will: tuple[str, bytes] | None) -> None:
        v5 = address.version == 5
        super().__init__(
            CallbackAPIVersion.VERSION2,
            client_id=client_id,
            protocol=MQTTProtocolVersion.MQTTv5 if v5 else MQTTProtocolVersion.MQTTv311,
        )
        self._broker_address = address
        self._tls_is_set = False
        self.connect_timeout = CONNECT_S
        self.max_inflight_messages = INFLIGHT_V5 if v5 else INFLIGHT_V311
        self.max_queued_messages = 0  # none: the outbox counts them
        if address.user:
            self.username_pw_set(address.user, address.password or None)
        if will is not None:
            self.will_set(will[0], will[1], 1, retain=True)

    def _create_socket(self) -> BufferedSocket:
        # The only place where paho lets one put its own socket in.
        return BufferedSocket(cast(socket.socket, super()._create_socket()))

    def open(self) -> None:
        """Connect; blocks for DNS, TCP and TLS. Whatever these raise passes."""
        address = self._broker_address
        if address.tls and not self._tls_is_set:
            self.tls_set_context(_tls_context(address.ca_file))
            self._tls_is_set = True
        clean = True if address.version == 5 else paho.MQTT_CLEAN_START_FIRST_ONLY
        self.connect(address.host, address.port, KEEPALIVE_S, clean_start=clean)


def _tls_context(ca_file: str) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=ca_file or None)
    except OSError as error:
        text = f"mqtt.ca_file {ca_file} cannot be used ({error.strerror or error})"
        raise ConnectFailed(text) from error


def failure_text(error: Exception) -> str:
    """One line about why there is no connection."""
    if isinstance(error, UnicodeError):
        return "that is no name a host can have; check host in [mqtt]"
    if isinstance(error, OSError | TimeoutError):
        return str(error) or "no answer"
    return f"{type(error).__name__}: {error}"
