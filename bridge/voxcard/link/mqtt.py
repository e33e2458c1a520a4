"""One MQTT connection on the asyncio loop; the only module that knows the client library.

paho is driven by its socket hooks: no thread per connection and no thread hop per frame (a hop
costs 70 % more CPU and halves the number of devices a core can serve). Only the blocking part of
connecting (DNS, TCP, TLS handshake) runs in a worker thread, while nothing else touches paho.
"""

import asyncio
import logging
import random
import socket
import ssl
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import cast

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.reasoncodes import ReasonCode

from voxcard.link.backlog import Backlog
from voxcard.link.buffered_socket import BufferedSocket
from voxcard.link.packet_limit import MESSAGE_MAX
from voxcard.text_safety import safe_line

log = logging.getLogger(__name__)

BACKOFF_MIN_S, BACKOFF_MAX_S = 1.0, 30.0
CONNECT_S = 5.0
KEEPALIVE_S = 30
# Frames kept for one topic while the broker takes none: 1 s of 40 ms frames, then the oldest go.
FRAMES_MAX = 25
# MQTT 5 brokers may close a connection with more than their Receive Maximum in flight; mosquitto's
# is 20. 3.1.1 knows no such limit.
INFLIGHT_V5, INFLIGHT_V311 = 20, 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where the broker is and who we are there. `version` is 3 (3.1.1) or 5."""

    host: str
    port: int = 1883
    user: str = ""
    password: str = field(default="", repr=False)
    tls: bool = False
    ca_file: str = ""
    version: int = 3

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


class _Client(paho.Client):
    """paho over a buffered socket; the only place where it lets one put it in."""

    def _create_socket(self) -> BufferedSocket:
        return BufferedSocket(cast(socket.socket, super()._create_socket()))


class ConnectFailed(OSError):  # noqa: N818 - says what happened
    """The broker does not take the connection; the text says why."""


def backoff_s(attempt: int, chance: float) -> float:
    """Seconds to wait before connection attempt `attempt` (from 1); `chance` in 0..1 spreads it
    over half of that time, so that a home does not come back all at once."""
    full = min(BACKOFF_MAX_S, BACKOFF_MIN_S * 2.0 ** min(attempt - 1, 8))
    return full * (0.5 + chance / 2)


def _reason(error: Exception) -> str:
    """One line about why there is no connection."""
    if isinstance(error, UnicodeError):
        return "that is no name a host can have; check host in [mqtt]"
    if isinstance(error, OSError | TimeoutError):
        return str(error) or "no answer"
    return f"{type(error).__name__}: {error}"


class MqttClient:
    """Keeps a connection: `run()` until cancelled; publish when `connected`.

    `on_message(topic, payload, retained)` and `on_link(up)` run on the loop and must be quick;
    `on_link(True)` comes when the subscriptions stand. `will` is (topic, payload), retained.
    `on_refused(topic, reason)`: a broker of MQTT 5 does not let a message be written.
    """

    def __init__(
        self,
        address: Address,
        *,
        subscriptions: Sequence[tuple[str, int]],
        on_message: Callable[[str, bytes, bool], None],
        on_link: Callable[[bool], None],
        will: tuple[str, bytes] | None = None,
        on_refused: Callable[[str, str], None] = lambda topic, reason: None,
        client_id: str = "",
    ) -> None:
        self.connected = False
        self.frames_dropped = 0
        self._address = address
        self._subscriptions = list(subscriptions)
        self._on_message = on_message
        self._on_link = on_link
        self._will = will
        self._on_refused = on_refused
        self._topics: dict[int, str] = {}  # of the messages on their way, with MQTT 5 alone
        self._up = False  # as `on_link` was told
        self._frames: dict[str, deque[bytes]] = {}
        self._backlog = Backlog()
        self._refused = 0  # control messages since the last line about them
        self._blocked = False  # the socket took less than it was given
        self._socket: BufferedSocket | None = None  # attached to the loop
        self._flushing = False
        self._ready: asyncio.Future[None] | None = None
        self._ended: asyncio.Future[str] | None = None
        self._failure = ""
        self._tls_set = False
        self._client = self._make(client_id)

    def publish(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> bool:
        """Send a control message; False when there is no connection or no room for it."""
        if not self.connected:
            return False
        if not self._backlog.has_room(len(payload)):
            self._refused += 1
            return False
        sent = self._client.publish(topic, payload, qos, retain)
        if sent.rc != paho.MQTT_ERR_SUCCESS:
            return False
        self._backlog.add(sent, len(payload))
        if qos and self._address.version == 5:
            self._topics[sent.mid] = topic
        return True

    def frame(self, topic: str, payload: bytes) -> bool:
        """Send an audio frame at QoS 0; behind a slow broker the topic's oldest frame goes."""
        if not self.connected:
            return False
        if not self._blocked:
            return self._client.publish(topic, payload, 0).rc == paho.MQTT_ERR_SUCCESS
        waiting = self._frames.get(topic)
        if waiting is None:
            waiting = self._frames[topic] = deque(maxlen=FRAMES_MAX)
        dropped = len(waiting) == FRAMES_MAX
        self.frames_dropped += dropped
        waiting.append(payload)
        return not dropped

    async def run(self) -> None:
        """Connect, serve, connect again; ends by cancellation only."""
        attempt = 0
        try:
            while True:
                try:
                    await self._connect()
                    attempt = 0
                    reason = await self._serve()
                # Resolvers, TLS and the library raise much more than they name.
                except Exception as error:
                    reason = _reason(error)
                self._link(False)
                self._detach()
                attempt += 1
                self._report(reason)
                await asyncio.sleep(backoff_s(attempt, random.random()))
        finally:
            self._goodbye()

    # connecting

    def _make(self, client_id: str) -> paho.Client:
        v5 = self._address.version == 5
        client = _Client(
            CallbackAPIVersion.VERSION2,
            client_id=client_id,
            protocol=MQTTProtocolVersion.MQTTv5 if v5 else MQTTProtocolVersion.MQTTv311,
        )
        client.connect_timeout = CONNECT_S
        client.max_inflight_messages = INFLIGHT_V5 if v5 else INFLIGHT_V311
        client.max_queued_messages = 0  # none: `_backlog` counts them
        if self._address.user:
            client.username_pw_set(self._address.user, self._address.password or None)
        client.on_socket_open = self._socket_opened
        client.on_socket_close = self._socket_closes
        client.on_socket_register_write = self._wants_to_write
        client.on_connect = self._connack
        client.on_subscribe = self._suback
        client.on_disconnect = self._disconnected
        client.on_message = self._received
        client.on_publish = self._published
        if self._will is not None:
            client.will_set(self._will[0], self._will[1], 1, retain=True)
        return client

    async def _connect(self) -> None:
        loop = asyncio.get_running_loop()
        self._ready, self._ended = loop.create_future(), loop.create_future()
        # What the last connection left belongs to sessions that are gone.
        self._client.drop_out_messages()
        self._frames.clear()
        self._topics.clear()
        self._backlog.clear()
        self._blocked = False
        await asyncio.to_thread(self._connect_blocking)
        opened = self._client.socket()
        if opened is None:
            raise ConnectFailed("the connection closed at once")
        self._socket = opened  # type: ignore[assignment]
        loop.add_reader(opened.fileno(), self._readable)
        self._flush()
        async with asyncio.timeout(CONNECT_S):
            await self._ready

    def _connect_blocking(self) -> None:
        address = self._address
        if address.tls and not self._tls_set:
            try:
                context = ssl.create_default_context(cafile=address.ca_file or None)
            except OSError as error:
                text = f"mqtt.ca_file {address.ca_file} cannot be used ({error.strerror or error})"
                raise ConnectFailed(text) from error
            self._client.tls_set_context(context)
            self._tls_set = True
        clean = True if address.version == 5 else paho.MQTT_CLEAN_START_FIRST_ONLY
        self._client.connect(address.host, address.port, KEEPALIVE_S, clean_start=clean)

    def _connack(
        self, client: paho.Client, _data: object, _flags: object, code: ReasonCode, _more: object
    ) -> None:
        if code.is_failure:
            self._fail(f"the broker refuses the bridge: {code}; check user and password in [mqtt]")
        else:
            # A retained message may be here, and be answered, before the subscription's answer.
            self.connected = True
            client.subscribe(self._subscriptions)

    def _suback(
        self,
        _client: paho.Client,
        _data: object,
        _mid: int,
        codes: list[ReasonCode],
        _more: object,
    ) -> None:
        refused = [topic for (topic, _), code in zip(self._subscriptions, codes, strict=False)
                   if code.is_failure]  # fmt: skip
        if refused:
            self._fail(f"the broker refuses the subscription to {refused[0]}; check its ACL")
        elif self._ready is not None and not self._ready.done():
            self._ready.set_result(None)
            self._link(True)

    def _published(
        self, _client: paho.Client, _data: object, mid: int, code: ReasonCode, _more: object
    ) -> None:
        topic = self._topics.pop(mid, "")
        if code.is_failure:
            self._on_refused(topic, str(code))

    def _fail(self, reason: str) -> None:
        if self._ready is not None and not self._ready.done():
            self._ready.set_exception(ConnectFailed(reason))

    def _report(self, reason: str) -> None:
        # An absent broker is one line, not one each half minute.
        level = logging.DEBUG if reason == self._failure else logging.WARNING
        self._failure = reason
        log.log(level, "broker %s: %s; trying again", self._address, reason)

    def _link(self, up: bool) -> None:
        self.connected = up
        if up == self._up:
            return
        self._up = up
        if up:
            self._failure = ""
            log.info("broker %s: connected", self._address)
        self._on_link(up)

    # serving

    async def _serve(self) -> str:
        assert self._ended is not None
        while True:
            done, _ = await asyncio.wait((self._ended,), timeout=1.0)
            if done:
                return self._ended.result()
            self._client.loop_misc()
            # Nothing waits longer than this, whatever became of the callback that sends it.
            self._flush()
            self._report_refused()

    def _report_refused(self) -> None:
        if self._refused:
            text = "broker %s is too slow: %d messages wait, %d more were refused"
            log.warning(text, self._address, len(self._backlog), self._refused)
            self._refused = 0

    def _readable(self) -> None:
        try:
            self._client.loop_read()
            while self._socket is not None and self._socket.has_read():
                self._client.loop_read()
        except Exception as error:
            self._broke(error)

    def _wants_to_write(self, _client: paho.Client, _data: object, _socket: object) -> None:
        # All packets of one turn of the loop leave together. While connecting, in a worker
        # thread, nothing is attached yet and `_connect` flushes.
        if self._socket is not None and not self._flushing:
            self._flushing = True
            asyncio.get_running_loop().call_soon(self._flush)

    def _broke(self, error: Exception) -> None:
        # The library may have read or written half of a packet: only a new connection is sound.
        log.error("broker %s: reading or writing failed", self._address, exc_info=error)
        self._fail("reading or writing failed")
        if self._ended is not None and not self._ended.done():
            self._ended.set_result("reading or writing failed")
        self._detach()

    def _flush(self) -> None:
        try:
            self._write()
        except Exception as error:
            self._broke(error)

    def _write(self) -> None:
        self._flushing = False
        if self._socket is None:
            return
        self._client.loop_write()
        if self._socket is None:
            return
        loop = asyncio.get_running_loop()
        blocked = not self._socket.flush() or self._client.want_write()
        if blocked and not self._blocked:
            loop.add_writer(self._socket.fileno(), self._flush)
        elif self._blocked and not blocked:
            loop.remove_writer(self._socket.fileno())
        self._blocked = blocked
        if not blocked and self._frames:
            self._send_waiting()

    def _send_waiting(self) -> None:
        frames, self._frames = self._frames, {}
        for topic, waiting in frames.items():
            for payload in waiting:
                self._client.publish(topic, payload, 0)

    def _received(self, _client: paho.Client, _data: object, message: paho.MQTTMessage) -> None:
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

    # ending

    def _socket_opened(self, _client: paho.Client, _data: object, opened: object) -> None:
        assert isinstance(opened, BufferedSocket)
        # Without it Nagle and delayed acknowledgements add spikes of 40 ms.
        opened.inner.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def _socket_closes(self, _client: paho.Client, _data: object, _closing: object) -> None:
        self._detach()

    def _detach(self) -> None:
        if self._socket is None:
            return
        loop, number = asyncio.get_running_loop(), self._socket.fileno()
        self._socket = None
        loop.remove_reader(number)
        loop.remove_writer(number)

    def _disconnected(
        self, _client: object, _data: object, _flags: object, code: ReasonCode, _more: object
    ) -> None:
        self._fail(f"the connection was lost: {code}")
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(f"the connection was lost: {code}")

    def _goodbye(self) -> None:
        self._link(False)
        if self._client.is_connected():
            self._client.disconnect()
            self._client.loop_write()
        self._detach()
