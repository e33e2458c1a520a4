"""One connection to a broker: its handshake, what the broker sends, its keep-alive, its end."""

import asyncio
import errno
from asyncio import core

from voxwire.errors import WireError
from voxwire.ticks import elapsed_ms

from mqtt import packet, timing
from mqtt.packet import RefusedError
from mqtt.timing import CLOSED, GREETING, OPENING, SUBSCRIBING, UP

BLOCKED_MS = 10  # the scheduling grain of an ESP32


class Connection:
    """Lives through one connection after another: `live` is one, from first byte to last.

    `on_up()` is called when the broker has taken the subscriptions, `on_acknowledged()` when it
    has a QoS 1 message. Afterwards `why` (an exception), `phase` (module timing: how far it came),
    `lived_ms` (from its handshake, or from `phase` UP) and `steady` describe the last one.
    """

    def __init__(self, hello: bytes, keepalive_ms: int, subscriptions, inflight, reader, writer,
                 clock, sleep_ms):  # fmt: skip
        self._hello, self._keepalive_ms = hello, keepalive_ms
        self._subscriptions, self._inflight = subscriptions, inflight
        self._reader, self._writer = reader, writer
        self._clock, self._sleep_ms = clock, sleep_ms
        self._task = None
        self._since_ms = self._heard_ms = self._sent_ms = self._ping_ms = self._writes = 0
        self._pinging = False
        self.why = None
        self.phase = CLOSED
        self.lived_ms = 0
        self.steady = False  # it lasted so long that the back-off starts anew
        self.up = False
        self.on_up = self.on_acknowledged = None

    async def live(self, opening) -> None:
        """Connect by awaiting `opening` (of a stream) and take packets until the end."""
        self._task = asyncio.current_task()
        self.why, self.steady = None, False
        self.phase = OPENING
        self._since_ms = self._clock.ticks_ms()
        stream = None
        try:
            stream = await opening
            await self._converse(stream)
        except asyncio.CancelledError:
            if self.why is None:
                raise
        except (OSError, ValueError, RefusedError) as error:
            self.why = self.why or error
        finally:
            self._end(stream)

    def _end(self, stream) -> None:
        self.lived_ms = elapsed_ms(self._clock.ticks_ms(), self._since_ms)
        self.steady |= self.phase == UP and self.lived_ms >= timing.STEADY_MS
        self._task = None
        self.up = False
        self._writer.attach(None)
        if stream is not None:
            stream.close()

    async def _converse(self, stream):
        reader = self._reader
        reader.reset()
        self._pinging = False
        self._heard_ms = self._sent_ms = self._clock.ticks_ms()
        self._writer.attach(stream)
        self._writer.raw(self._hello)
        while not self.push() and self.why is None:
            yield core._io_queue.queue_write(stream)
        self.phase = GREETING
        while self.why is None:
            while reader.next():
                self._take(reader)
                while self._writer.full() and self.why is None:
                    # The broker sends faster than it reads: let TCP tell it so.
                    await self._sleep_ms(BLOCKED_MS)
                    self.push()
            if self.why is None:
                yield core._io_queue.queue_read(stream)
                self._read(stream)

    def _read(self, stream) -> None:
        count = stream.readinto(self._reader.room())
        if count:
            self._reader.filled(count)
            self._heard_ms = self._clock.ticks_ms()
        elif count is not None:
            raise OSError(errno.ECONNRESET)

    def _take(self, reader) -> None:
        kind = reader.kind
        if self.phase == GREETING:
            self._greeted(reader)
        elif kind == packet.PUBLISH:
            self._subscriptions.deliver(reader)
            if reader.qos:
                self._writer.puback(reader.packet_id)
                self.push()
        elif kind == packet.PUBACK:
            self._inflight.acknowledge(reader.packet_id)
            self.on_acknowledged()
        elif kind == packet.PINGRESP:
            self._pinging = False
        elif kind == packet.SUBACK and self.phase == SUBSCRIBING:
            self._subscriptions.check(reader.body()[2:])
            self._rise()
        else:
            raise WireError("mqtt", "has a second CONNACK or SUBACK")

    def _greeted(self, reader) -> None:
        if reader.kind != packet.CONNACK:
            raise WireError("mqtt", "begins without a CONNACK")
        code = reader.body()[1]
        if code:
            raise RefusedError(code)
        if not len(self._subscriptions):
            self._rise()
            return
        self.phase = SUBSCRIBING
        self._writer.raw(self._subscriptions.packet(self._inflight.next_id()))

    def _rise(self) -> None:
        self.phase = UP
        self._since_ms = self._clock.ticks_ms()
        self._inflight.touch(self._since_ms)
        self.up = True
        self._writer.send_again()
        self.push()
        self.on_up()

    # Sending.

    def begin(self, topic: bytes, payload, length: int, flags: int, packet_id: int) -> bool:
        """Write a PUBLISH (see Writer.begin), after `push` was true; False when that fails."""
        try:
            self._writer.begin(topic, payload, length, flags, packet_id)
        except (OSError, ValueError) as error:
            self.fail(error)
            return False
        return True

    def push(self) -> bool:
        """Write what is pending; whether nothing is any more."""
        if self.why is not None:
            return False
        try:
            return self._writer.push()
        except (OSError, ValueError) as error:
            self.fail(error)
            return False

    def leave(self) -> None:
        """End it, with a goodbye where that can be written: the broker sends no last will then."""
        if self.up and self.push():
            self._writer.disconnect()
            self.push()
        self.fail(OSError(errno.ECONNABORTED))

    def fail(self, why: BaseException) -> None:
        """End this connection, from any task."""
        if self.why is None and self._task is not None:
            self.why = why
            self.up = False
            if asyncio.current_task() is not self._task:
                self._task.cancel()

    # Time.

    def tick(self, now_ms: int) -> None:
        """One look at the clock: gives up on a broker that is silent, pings one that may be."""
        if self._task is None or self.why is not None:
            return
        lived_ms = elapsed_ms(now_ms, self._since_ms)
        if self.phase != UP:
            if lived_ms >= timing.CONNECT_MS:
                self.fail(OSError(errno.ETIMEDOUT))
            return
        self.steady |= lived_ms >= timing.STEADY_MS
        if self._writes != self._writer.writes:
            self._writes = self._writer.writes
            self._sent_ms = now_ms
        self._keep_alive(now_ms)

    def _keep_alive(self, now_ms: int) -> None:
        step = timing.keepalive(
            elapsed_ms(now_ms, self._heard_ms),
            elapsed_ms(now_ms, self._sent_ms),
            elapsed_ms(now_ms, self._ping_ms) if self._pinging else -1,
            self._keepalive_ms,
        )
        if step == timing.LOST or self._inflight.oldest_ms(now_ms) >= timing.ACKNOWLEDGE_MS:
            self.fail(OSError(errno.ETIMEDOUT))
        elif step == timing.PING:
            self._pinging = True
            self._ping_ms = now_ms
            self._writer.pingreq()
            self.push()
