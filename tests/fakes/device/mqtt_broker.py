"""A scripted MQTT broker without sockets: streams that asyncio polls, and a clock that is set."""

import asyncio
import io

CONNACK = b"\x20\x02\x00\x00"
SUBACK = b"\x90\x04\x00\x01\x01\x00"


class Wire(io.IOBase):
    """One connection, seen from the broker: what came, what goes, and how much it takes."""

    def __init__(self):
        self.writes = []
        self.takes = None  # bytes it still takes; None: any number
        self.closed = False
        self.broken = False
        self.ended = False
        self._outgoing = b""

    def send(self, data):
        self._outgoing += data

    def end(self):
        self.ended = True

    def received(self):
        """Everything since the last call."""
        data = b"".join(self.writes)
        self.writes = []
        return data

    def ioctl(self, request, flags):
        if request != 3:
            return -1
        ready = 1 if self._outgoing or self.ended else 0
        ready |= 4 if self.takes is None or self.takes else 0
        return ready & flags

    def readinto(self, buffer):
        if not self._outgoing:
            return 0 if self.ended else None
        count = min(len(buffer), len(self._outgoing))
        buffer[:count] = self._outgoing[:count]
        self._outgoing = self._outgoing[count:]
        return count

    def write(self, data):
        if self.broken:
            raise OSError(104)
        count = len(data) if self.takes is None else min(len(data), self.takes)
        if self.takes is not None:
            self.takes -= count
        if not count:
            return None
        self.writes.append(bytes(data[:count]))
        return count

    def close(self):
        self.closed = True


class Broker:
    """Hands out wires; `away` makes connections fail, `breaks` their first write."""

    def __init__(self):
        self.wires = []
        self.away = self.breaks = False

    async def connect(self, host, port, tls):
        if self.away:
            raise OSError(111)
        self.wires.append(Wire())
        self.wires[-1].broken = self.breaks
        return self.wires[-1]


class Clock:
    """Time that passes only by `sleep_ms`, or by a test that sets `now_ms`; it soon wraps."""

    def __init__(self):
        self.now_ms = (1 << 30) - 1000
        self.sleeps = []

    def ticks_ms(self):
        return self.now_ms % (1 << 30)

    async def sleep_ms(self, ms):
        self.sleeps.append(ms)
        self.now_ms += ms
        await asyncio.sleep_ms(0)


async def until(condition):
    """Let the other tasks run until `condition()`; AssertionError when it never comes."""
    for _ in range(2000):
        if condition():
            return
        await asyncio.sleep_ms(0)
    raise AssertionError("did not happen")
