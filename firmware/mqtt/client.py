"""The asyncio shell around the MQTT packets: keeps one connection to a broker.

Sending is immediate or refused; what the socket does not take at once is finished by the next
sender, by a waiting `publish`, or by `keep_alive`. Only the QoS 1 table outlives a connection.
"""

import asyncio
import errno
import random
import time
from asyncio import core

import log
from voxwire.errors import WireError
from voxwire.ticks import elapsed_ms

from mqtt import packet, timing
from mqtt.inflight import Inflight
from mqtt.reason import (
    TAKEN_MS,
    TAKEN_TIMES,
    RefusedError,
    hung_up,
    sentence,
    taken,
    was_reset,
)
from mqtt.stream import connect
from mqtt.writer import Writer

# A speaker frame and most messages; the buffer grows for a blob chunk (4102) or a card (4096), and
# is this small again after it.
RX_BYTES = 2048 + 128
RX_BYTES_MAX = 8192 + 128  # the largest control message; the buffer grows for it
# The largest microphone frame (60 ms of pcm16 at 16 kHz: 1928) with its topic.
TX_BYTES = 2048
INFLIGHT = 8
INFLIGHT_BYTES = 8192

TICK_MS = 250
BLOCKED_MS = 10  # the scheduling grain of an ESP32

_CLOSED, _OPENING, _GREETING, _SUBSCRIBING, _UP = 0, 1, 2, 3, 4


class Client:
    """One device's connection: `run` and `keep_alive` are its two tasks.

    `on_up()` is called when the broker has taken the subscriptions, `on_down(sentence)` when the
    connection is lost or could not be made. `problem` is that sentence, "" while connected.
    """

    def __init__(
        self,
        host: str,
        port: int,
        client_id: str,
        user=None,
        password=None,
        tls=None,
        will=None,
        keepalive_s: int = 30,
        rx_bytes: int = RX_BYTES,
        rx_bytes_max: int = RX_BYTES_MAX,
        tx_bytes: int = TX_BYTES,
        connect=connect,
        clock=time,
        sleep_ms=asyncio.sleep_ms,
        getrandbits=random.getrandbits,
    ):
        self._host, self._port, self._tls = host, port, tls
        self._client_id, self._user = client_id, user
        self._hello = packet.connect(client_id, keepalive_s, will, user, password)
        self._keepalive_ms = keepalive_s * 1000
        self._connect, self._clock = connect, clock
        self._sleep_ms, self._getrandbits = sleep_ms, getrandbits
        self._inflight = Inflight(INFLIGHT, INFLIGHT_BYTES)
        self._reader = packet.Reader(rx_bytes, rx_bytes_max)
        self._writer = Writer(tx_bytes, self._inflight)
        self._changed = asyncio.Event()
        self._subscriptions = []
        self._phase = _CLOSED
        self._task = None
        self._why = None
        self._stopping = False
        self._since_ms = self._heard_ms = self._sent_ms = self._ping_ms = self._writes = 0
        self._pinging = self._steady = False
        self._taken = 0  # connections in a row that may have been taken by another device
        self.connected = False
        self.problem = ""
        self.frames_dropped = 0
        self.on_up = self.on_down = None

    def subscribe(self, topic: bytes, qos: int, handler, retained: bool = False) -> None:
        """Before `run`: `handler(payload)` gets each new message of exactly this topic.

        The payload is a memoryview that is valid until the handler returns. What the broker kept
        is of another time and is dropped, with a warning unless the topic is a `retained` one.
        """
        self._subscriptions.append((topic, qos, handler, retained))

    def send(self, topic: bytes, payload, length: int) -> bool:
        """Publish `length` bytes of `payload` with QoS 0, now or never.

        False when it was dropped: no connection, or an earlier packet is not out yet. ValueError
        unless topic and payload fit the tx buffer. The payload is free for the next frame after.
        """
        if not self._writer.fits(topic, length):
            raise ValueError("a frame of %d bytes does not fit" % length)
        if not self.connected or not self._push():
            self.frames_dropped += 1
            return False
        return self._begin(topic, payload, length, 0, 0)

    async def publish(self, topic: bytes, payload, qos: int = 0, retain: bool = False) -> int:
        """Publish when the connection takes it; the packet id with QoS 1, else 0.

        Waits without a limit for the connection and for room in the table. Returns when the
        message is on its way; with QoS 1 it is sent again until the broker has it, so `payload`
        must stay as it is until then (`acknowledged`).
        """
        length = len(payload)
        while True:
            if not self.connected:
                await self._wait()
            elif not self._push():
                await self._sleep_ms(BLOCKED_MS)
            elif qos and not self._inflight.room(length):
                await self._wait()
            else:
                break
        flags = packet.RETAIN if retain else 0
        packet_id = 0
        if qos:
            flags |= packet.QOS1
            packet_id = self._inflight.add(topic, payload, flags, self._clock.ticks_ms())
        self._begin(topic, payload, length, flags, packet_id)
        return packet_id

    async def acknowledged(self, packet_id: int) -> None:
        """Wait, without a limit, until the broker has this QoS 1 message."""
        while packet_id and packet_id in self._inflight.ids:
            await self._wait()

    async def run(self):
        """Connect, and connect again, until `stop`; returns after that only."""
        attempt = 0
        while not self._stopping:
            await self._connection()
            if self._stopping:
                return
            if self._steady:
                attempt = 0
            delay_ms = timing.back_off_ms(attempt, self._getrandbits)
            attempt += 1
            self.problem = sentence(self._why, self._host, self._port, self._tls is not None)
            log.warning("mqtt", "%s Next try in %d ms." % (self.problem, delay_ms))
            if self.on_down is not None:
                self.on_down(self.problem)
            await self._sleep_ms(delay_ms)

    async def keep_alive(self):
        """Ping, give up on a silent broker, finish half-written packets; until `stop`."""
        while not self._stopping:
            self.tick()
            await self._sleep_ms(TICK_MS if self._push() else BLOCKED_MS)

    async def stop(self, limit_ms: int = 1000) -> None:
        """Say goodbye to the broker (it sends no last will then) and end both tasks.

        Waits up to `limit_ms` for what is in flight.
        """
        waited_ms = 0
        while self.connected and waited_ms < limit_ms:
            if self._push() and not self._inflight.count:
                break
            await self._sleep_ms(BLOCKED_MS)
            waited_ms += BLOCKED_MS
        self._stopping = True
        if self.connected and self._push():
            self._writer.disconnect()
            self._push()
        self._fail("stopped")

    async def _wait(self):
        self._changed.clear()
        await self._changed.wait()

    # One connection, from the first byte to the last.

    async def _connection(self) -> None:
        """Live through one connection: `_why` is its end, `_steady` whether it lasted."""
        self._task = asyncio.current_task()
        self._why = None
        self._steady = False
        stream = None
        self._since_ms = self._clock.ticks_ms()
        try:
            self._phase = _OPENING
            stream = await self._connect(self._host, self._port, self._tls)
            await self._converse(stream)
        except asyncio.CancelledError:
            if self._why is None:
                raise
        except (OSError, ValueError, RefusedError) as error:
            if self._why is None:
                self._why = error
        finally:
            self._end(elapsed_ms(self._clock.ticks_ms(), self._since_ms))
            self.connected = False
            self._writer.attach(None)
            if stream is not None:
                stream.close()

    def _end(self, lived_ms: int) -> None:
        phase, self._phase = self._phase, _CLOSED
        reset = was_reset(self._why)
        if phase == _GREETING and reset:
            self._why = hung_up(self._host, self._port, self._user)
        self._steady |= phase == _UP and lived_ms >= timing.STEADY_MS
        if phase < _SUBSCRIBING or not reset or lived_ms >= TAKEN_MS:
            self._taken = 0
            return
        self._taken += 1
        if self._taken >= TAKEN_TIMES:
            self._why = taken(self._client_id)

    async def _converse(self, stream):
        reader = self._reader
        reader.reset()
        self._pinging = False
        self._heard_ms = self._sent_ms = self._clock.ticks_ms()
        self._writer.attach(stream)
        self._writer.raw(self._hello)
        while not self._push() and self._why is None:
            yield core._io_queue.queue_write(stream)
        self._phase = _GREETING
        while self._why is None:
            while reader.next():
                self._take(reader)
                while self._writer.full() and self._why is None:
                    # The broker sends faster than it reads: let TCP tell it so.
                    await self._sleep_ms(BLOCKED_MS)
                    self._push()
            if self._why is not None:
                return
            yield core._io_queue.queue_read(stream)
            count = stream.readinto(reader.room())
            if count:
                reader.filled(count)
                self._heard_ms = self._clock.ticks_ms()
            elif count is not None:
                raise OSError(errno.ECONNRESET)

    def _take(self, reader):
        kind = reader.kind
        if self._phase == _GREETING:
            self._greeted(reader)
        elif kind == packet.PUBLISH:
            self._deliver(reader)
        elif kind == packet.PUBACK:
            self._inflight.acknowledge(reader.packet_id)
            self._changed.set()
        elif kind == packet.PINGRESP:
            self._pinging = False
        elif kind == packet.SUBACK and self._phase == _SUBSCRIBING:
            self._subscribed(reader)
        else:
            raise WireError("mqtt", "has a second CONNACK or SUBACK")

    def _greeted(self, reader):
        if reader.kind != packet.CONNACK:
            raise WireError("mqtt", "begins without a CONNACK")
        code = reader.body()[1]
        if code:
            raise RefusedError(packet.refusal(code, self._client_id, self._user))
        if not self._subscriptions:
            self._risen()
            return
        self._phase = _SUBSCRIBING
        topics = [(topic, qos) for topic, qos, _, _ in self._subscriptions]
        self._writer.raw(packet.subscribe(self._inflight.next_id(), topics))

    def _subscribed(self, reader):
        for answer, (topic, _, _, _) in zip(reader.body()[2:], self._subscriptions):
            if answer == packet.SUBSCRIPTION_REFUSED:
                text = "The broker refuses this device the topic %s: check its access list."
                log.error("mqtt", text % topic.decode())
        self._risen()

    def _risen(self):
        now = self._clock.ticks_ms()
        self._phase = _UP
        self._since_ms = now
        self._inflight.touch(now)
        self.connected = True
        self.problem = ""
        log.info("mqtt", "connected to %s:%d" % (self._host, self._port))
        self._writer.send_again()
        self._push()
        self._changed.set()
        if self.on_up is not None:
            self.on_up()

    def _deliver(self, reader):
        topic = reader.topic()
        if reader.oversized:
            text = "skipped %d bytes on %s: more than the %d of the buffer"
            name = repr(bytes(topic))[2:-1]
            log.warning("mqtt", text % (reader.oversized, name, len(reader.buffer)))
        else:
            for each in self._subscriptions:
                if each[0] == topic:
                    if not reader.retained:
                        each[2](reader.payload())
                    elif not each[3] and reader.payload():
                        _warn_retained(each[0].decode())
                    break
        if reader.qos:
            self._writer.puback(reader.packet_id)
            self._push()

    def _begin(self, topic, payload, length, flags, packet_id) -> bool:
        try:
            self._writer.begin(topic, payload, length, flags, packet_id)
        except (OSError, ValueError) as error:
            self._fail(error)
            return False
        return True

    def _push(self) -> bool:
        if self._why is not None:
            return False
        try:
            return self._writer.push()
        except (OSError, ValueError) as error:
            self._fail(error)
            return False

    def _fail(self, why) -> None:
        """End this connection, from any task; `run` goes on with the next one."""
        if self._why is None and self._phase != _CLOSED:
            self._why = why
            self.connected = False
            if asyncio.current_task() is not self._task:
                self._task.cancel()

    def tick(self) -> None:
        """One look at the clock: what `keep_alive` does four times a second."""
        if self._phase == _CLOSED or self._why is not None:
            return
        now, since = self._clock.ticks_ms(), elapsed_ms
        if self._phase != _UP:
            if since(now, self._since_ms) >= timing.CONNECT_MS:
                self._fail("The broker at %s does not answer: check it." % self._host)
            return
        if since(now, self._since_ms) >= timing.STEADY_MS:
            self._steady = True
        if self._writes != self._writer.writes:
            self._writes = self._writer.writes
            self._sent_ms = now
        step = timing.keepalive(
            since(now, self._heard_ms),
            since(now, self._sent_ms),
            since(now, self._ping_ms) if self._pinging else -1,
            self._keepalive_ms,
        )
        oldest_ms = self._inflight.oldest_ms(now)
        if step == timing.LOST or oldest_ms >= timing.ACKNOWLEDGE_MS:
            self._fail("The broker at %s does not answer any more: check it." % self._host)
        elif step == timing.PING:
            self._pinging = True
            self._ping_ms = now
            self._writer.pingreq()
            self._push()


def _warn_retained(topic):
    text = "%s has a retained message, which is dropped. Clear it: mosquitto_pub -r -n -t %s"
    log.warning("mqtt", text % (topic, topic))
