"""The asyncio shell around the MQTT packets: keeps one connection to a broker.

Sending is immediate or refused; what the socket does not take at once is finished by the next
sender, by a waiting `publish`, or by `keep_alive`. Only the QoS 1 table outlives a connection.
"""

import asyncio
import random
import time

import log
from seldom import forget

from mqtt import packet, timing
from mqtt.connection import BLOCKED_MS, Connection
from mqtt.inflight import Inflight
from mqtt.stream import connect
from mqtt.subscriptions import Subscriptions
from mqtt.writer import Writer

# A speaker frame of the device's own length in any format (40 ms of pcm16 at 16 kHz: 1288) and
# most messages; the buffer grows for a blob chunk (4102) or a card (4096), and is this small again
# after it.
RX_BYTES = 1280 + 128
RX_BYTES_MAX = 8192 + 128  # the largest control message; the buffer grows for it
# The largest microphone frame (60 ms of pcm16 at 16 kHz: 1928) with its topic.
TX_BYTES = 2048
INFLIGHT = 8
INFLIGHT_BYTES = 8192

TICK_MS = 250


class Client:
    """One device's way to a broker: `run` and `keep_alive` are its two tasks.

    `on_up()` is called when the broker has taken the subscriptions, `on_down(sentence)` when the
    connection is lost or could not be made. `problem` is that sentence, "" while connected.
    """

    def __init__(self, host: str, port: int, client_id: str, user=None, password=None, tls=None,
                 will=None, keepalive_s: int = 30, rx_bytes: int = RX_BYTES,
                 rx_bytes_max: int = RX_BYTES_MAX, tx_bytes: int = TX_BYTES, connect=connect,
                 clock=time, sleep_ms=asyncio.sleep_ms,
                 getrandbits=random.getrandbits):  # fmt: skip
        self._connect, self._address = connect, (host, port, tls)
        self._clock, self._sleep_ms, self._getrandbits = clock, sleep_ms, getrandbits
        self._client_id, self._user = client_id, user
        self._taken = 0  # see mqtt.reason.Reasons
        self._inflight = Inflight(INFLIGHT, INFLIGHT_BYTES)
        self._writer = Writer(tx_bytes, self._inflight)
        self._subscriptions = Subscriptions()
        hello = packet.connect(client_id, keepalive_s, will, user, password)
        reader = packet.Reader(rx_bytes, rx_bytes_max)
        self._connection = Connection(hello, keepalive_s * 1000, self._subscriptions,
                                      self._inflight, reader, self._writer, clock,
                                      sleep_ms)  # fmt: skip
        self._changed = asyncio.Event()
        self._connection.on_acknowledged = self._changed.set
        self._connection.on_up = self._up
        self._stopping = False
        self.problem = ""
        self.frames_dropped = 0
        self.on_up = self.on_down = None

    @property
    def connected(self) -> bool:
        """Whether the broker has taken the subscriptions and is there."""
        return self._connection.up

    def move(self, host: str, port: int) -> None:
        """Connect to another broker from the next time on."""
        self._address = (host, port, self._address[2])

    def subscribe(self, topic: bytes, qos: int, handler, retained: str = "warn") -> None:
        """Before `run`: `handler(payload)` gets each new message of exactly this topic.

        The payload is a memoryview that is valid until the handler returns. What the broker kept
        is of another time: `retained` says whether to drop it ("warn": with a warning) or
        "deliver" it.
        """
        self._subscriptions.add(topic, qos, handler, retained)

    def send(self, topic: bytes, payload, length: int) -> bool:
        """Publish `length` bytes of `payload` with QoS 0, now or never.

        False when it was dropped: no connection, or an earlier packet is not out yet. ValueError
        unless topic and payload fit the tx buffer. The payload is free for the next frame after.
        """
        if not self._writer.fits(topic, length):
            raise ValueError("a frame of %d bytes does not fit" % length)
        if not self.connected or not self._connection.push():
            self.frames_dropped += 1
            return False
        return self._connection.begin(topic, payload, length, 0, 0)

    async def publish(self, topic: bytes, payload, qos: int = 0, retain: bool = False) -> int:
        """Publish when the connection takes it; the packet id with QoS 1, else 0.

        Waits without a limit for the connection and for room in the table. Returns when the
        message is on its way; with QoS 1 it is sent again until the broker has it, so `payload`
        must stay as it is until then (`acknowledged`).
        """
        while True:
            if not self.connected:
                await self._wait()
            elif not self._connection.push():
                await self._sleep_ms(BLOCKED_MS)
            elif qos and not self._inflight.room(len(payload)):
                await self._wait()
            else:
                return self._begin(topic, payload, qos, retain)

    def _begin(self, topic: bytes, payload, qos: int, retain: bool) -> int:
        flags = packet.RETAIN if retain else 0
        packet_id = 0
        if qos:
            flags |= packet.QOS1
            packet_id = self._inflight.add(topic, payload, flags, self._clock.ticks_ms())
        self._connection.begin(topic, payload, len(payload), flags, packet_id)
        return packet_id

    async def acknowledged(self, packet_id: int) -> None:
        """Wait, without a limit, until the broker has this QoS 1 message."""
        while packet_id and packet_id in self._inflight.ids:
            await self._wait()

    async def run(self):
        """Connect, and connect again, until `stop`; returns after that only."""
        attempt = 0
        while not self._stopping:
            await self._connection.live(self._connect(*self._address))
            if self._stopping:
                return
            if self._connection.steady:
                attempt = 0
            delay_ms = timing.back_off_ms(attempt, self._getrandbits)
            attempt += 1
            self._down(delay_ms)
            await self._sleep_ms(delay_ms)

    def _down(self, delay_ms: int) -> None:
        try:
            self.problem = self._reason()
        except MemoryError:
            self.problem = "The connection to the broker is lost."
        log.warning("mqtt", "%s Next try in %d ms." % (self.problem, delay_ms))
        if self.on_down is not None:
            self.on_down(self.problem)

    def _reason(self) -> str:
        # Its sentences are for a person who waits, not for the heap of a device that is connected.
        from mqtt.reason import Reasons

        forget("mqtt.reason")
        ended, (host, port, tls) = self._connection, self._address
        reasons = Reasons(self._client_id, host, port, self._user, tls is not None, self._taken)
        text = reasons.sentence(ended.why, ended.phase, ended.lived_ms)
        self._taken = reasons.taken
        return text

    def _up(self) -> None:
        self.problem = ""
        log.info("mqtt", "connected to %s:%d" % self._address[:2])
        self._changed.set()
        if self.on_up is not None:
            self.on_up()

    async def keep_alive(self):
        """Ping, give up on a silent broker, finish half-written packets; until `stop`."""
        while not self._stopping:
            self.tick()
            blocked = self.connected and not self._connection.push()
            await self._sleep_ms(BLOCKED_MS if blocked else TICK_MS)

    def tick(self) -> None:
        """One look at the clock: what `keep_alive` does four times a second."""
        self._connection.tick(self._clock.ticks_ms())

    async def stop(self, limit_ms: int = 1000) -> None:
        """Say goodbye to the broker (it sends no last will then) and end both tasks.

        Waits up to `limit_ms` for what is in flight.
        """
        waited_ms = 0
        while self.connected and waited_ms < limit_ms:
            if self._connection.push() and not self._inflight.count:
                break
            await self._sleep_ms(BLOCKED_MS)
            waited_ms += BLOCKED_MS
        self._stopping = True
        self._connection.leave()

    async def _wait(self):
        self._changed.clear()
        await self._changed.wait()
