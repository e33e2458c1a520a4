"""MQTT client on the asyncio loop; reconnects whenever the connection ends.

Only the blocking part of connecting (DNS, TCP, TLS handshake) runs in a worker thread, while
nothing else touches the client library.
"""

import asyncio
import logging
import random
from collections.abc import Callable, Sequence
from typing import cast

import paho.mqtt.client as paho
from paho.mqtt.reasoncodes import ReasonCode

from voxcard.link.mqtt.address import Address
from voxcard.link.mqtt.backoff import backoff_s
from voxcard.link.mqtt.buffered_socket import BufferedSocket
from voxcard.link.mqtt.inbox import Inbox
from voxcard.link.mqtt.outbox import Outbox
from voxcard.link.mqtt.paho_client import CONNECT_S, ConnectFailed, PahoClient, failure_text
from voxcard.link.mqtt.transport import Transport

log = logging.getLogger(__name__)


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
        self._address = address
        self._subscriptions = list(subscriptions)
        self._on_link = on_link
        self._reported_up = False  # the last value of `on_link`
        self._failure = ""  # the last one of the log
        self._ready: asyncio.Future[None] | None = None
        self._ended: asyncio.Future[str] | None = None
        self._inbox = Inbox(on_message)
        self._client = PahoClient(address, client_id, will)
        self._outbox = Outbox(
            self._client, names_refused=address.version == 5, on_refused=on_refused
        )
        self._transport = Transport(
            self._client, on_writable=self._outbox.send_frames, on_error=self._broke
        )
        self._set_hooks()

    def _set_hooks(self) -> None:
        client, transport = self._client, self._transport
        client.on_socket_open = transport.opened
        client.on_socket_close = lambda _client, _data, _socket: transport.detach()
        client.on_socket_register_write = lambda _client, _data, _socket: transport.request_flush()
        client.on_connect = self._connack
        client.on_subscribe = self._suback
        client.on_disconnect = self._disconnected
        client.on_message = self._inbox.received
        client.on_publish = self._outbox.acknowledged

    @property
    def frames_dropped(self) -> int:
        """Frames that a slow broker cost."""
        return self._outbox.frames_dropped

    def publish(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> bool:
        """Send a control message; False when there is no connection or no room for it."""
        return self.connected and self._outbox.publish(topic, payload, qos=qos, retain=retain)

    def frame(self, topic: str, payload: bytes) -> bool:
        """Send an audio frame at QoS 0; behind a slow broker the topic's oldest frame goes."""
        return self.connected and self._outbox.frame(
            topic, payload, blocked=self._transport.blocked
        )

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
                    reason = failure_text(error)
                self._link(False)
                self._transport.detach()
                attempt += 1
                self._report(reason)
                await asyncio.sleep(backoff_s(attempt, random.random()))
        finally:
            self._goodbye()

    async def _connect(self) -> None:
        loop = asyncio.get_running_loop()
        self._ready, self._ended = loop.create_future(), loop.create_future()
        self._client.drop_out_messages()
        self._outbox.clear()
        await asyncio.to_thread(self._client.open)
        opened = self._client.socket()
        if opened is None:
            raise ConnectFailed("the connection closed at once")
        self._transport.attach(cast(BufferedSocket, opened))
        async with asyncio.timeout(CONNECT_S):
            await self._ready

    async def _serve(self) -> str:
        """Why the connection ended."""
        assert self._ended is not None
        while True:
            done, _ = await asyncio.wait((self._ended,), timeout=1.0)
            if done:
                return self._ended.result()
            self._client.loop_misc()
            # Nothing waits longer than this, whatever became of the callback that sends it.
            self._transport.flush()
            self._report_overflow()

    def _report_overflow(self) -> None:
        refused = self._outbox.take_overflow()
        if refused:
            text = "broker %s is too slow: %d messages wait, %d more were refused"
            log.warning(text, self._address, len(self._outbox), refused)

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

    def _disconnected(
        self, _client: object, _data: object, _flags: object, code: ReasonCode, _more: object
    ) -> None:
        self._end(f"the connection was lost: {code}")

    def _broke(self, error: Exception) -> None:
        log.error("broker %s: reading or writing failed", self._address, exc_info=error)
        self._end("reading or writing failed")
        self._transport.detach()

    def _end(self, reason: str) -> None:
        self._fail(reason)
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(reason)

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
        if up == self._reported_up:
            return
        self._reported_up = up
        if up:
            self._failure = ""
            log.info("broker %s: connected", self._address)
        self._on_link(up)

    def _goodbye(self) -> None:
        self._link(False)
        if self._client.is_connected():
            self._client.disconnect()
            self._client.loop_write()
        self._transport.detach()
