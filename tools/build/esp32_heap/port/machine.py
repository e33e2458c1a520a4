"""The port's module machine for measuring the heap: what costs none on a chip is made at import.

Pins, I2C and SPI are static in the port; an I2S is an object in the heap with room for 240 bytes
(ports/esp32/machine_i2s.c), its DMA is the system's. Sound takes its time, everything else none.
What all this takes is measured apart (tools/bench/heap_boards.py).
"""

import io
import json
import select
import sys
import time

GPIOS = 49
_STEP_FRAMES = 256
_TRANSFORM_BYTES = 240


_pins = []


class Pin:
    IN, OUT = 1, 3
    PULL_DOWN, PULL_UP = 1, 2

    def __new__(cls, gpio, mode=None, pull=None, value=None):
        return gpio if isinstance(gpio, Pin) else _pins[gpio]

    def __init__(self, *_, **__):
        pass

    def __call__(self, level=None):
        return talk.level(self) if level is None else None


for _ in range(GPIOS):
    _pins.append(object.__new__(Pin))


class _Talk:
    """The button that whoever measures presses by a command on stdin, as hal/simulator.py."""

    def __init__(self):
        self.pin, self.down = None, 0
        self._until_ms = 0
        self._is_down = False
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)

    def level(self, pin):
        if pin is not self.pin:
            return 1
        for _ in self._poll.ipoll(0):
            self._obey(sys.stdin.readline())
        if self._is_down and time.ticks_diff(time.ticks_ms(), self._until_ms) >= 0:
            self._is_down = False
        return self.down if self._is_down else 1 - self.down

    def _obey(self, line):
        command = json.loads(line) if line else {"do": "stop"}
        if command["do"] == "press":
            self._is_down = True
            self._until_ms = time.ticks_add(time.ticks_ms(), command["ms"])
        else:
            sys.exit(0)


talk = _Talk()


class PWM:
    def __init__(self, pin, *, freq, duty_u16):
        pass

    def duty_u16(self, duty):
        pass


class ADC:
    ATTN_11DB = 3

    def __init__(self, pin, *, atten):
        pass

    def read_uv(self):
        return 1900000


class _I2C:
    """Every chip answers, and its registers are 0."""

    def scan(self):
        return []

    def writeto(self, address, data):
        pass

    def writevto(self, address, parts):
        pass

    def writeto_mem(self, address, register, data):
        pass

    def readfrom_mem(self, address, register, count):
        return bytes(count)


_buses = (_I2C(), _I2C())


def I2C(unit, *, sda, scl, freq):  # noqa: N802
    return _buses[unit]


class _SPI:
    def write(self, data):
        pass


_spi = _SPI()


def SPI(unit, *, baudrate, polarity, phase, sck, mosi, miso):  # noqa: N802
    return _spi


class I2S(io.IOBase):
    """Hears silence, and plays into nothing at the pace of the samples."""

    RX, TX = 1, 0
    MONO, STEREO = 0, 1

    def __init__(self, unit, *, sck, ws, sd, mode, bits, format, rate, ibuf):
        self._frame_bytes = bits // 8 * (1 + format)
        self._rate = rate
        self._frames = ibuf // (8 if mode == I2S.RX else self._frame_bytes)
        self._last_ms = time.ticks_ms()
        self._ready = 0 if mode == I2S.RX else self._frames
        self._object = bytearray(_TRANSFORM_BYTES)

    def deinit(self):
        self._rate = 0

    def ioctl(self, request, flags):
        return 0

    def _take(self, buffer):
        """Whole steps of the DMA have passed since the last look."""
        now_ms = time.ticks_ms()
        frames = time.ticks_diff(now_ms, self._last_ms) * self._rate // 1000
        if frames >= _STEP_FRAMES:
            self._last_ms = now_ms
            self._ready = min(self._ready + frames, self._frames)
        count = min(len(buffer) // self._frame_bytes, self._ready)
        self._ready -= count
        return count * self._frame_bytes

    readinto = write = _take


class Silence(io.IOBase):
    """A serial line at which nobody is: stdin is whoever measures."""

    def ioctl(self, request, flags):
        return 0

    def readinto(self, buffer):
        return None

    def write(self, data):
        return len(data)


line = Silence()


class RTC:
    def datetime(self, parts):
        pass


class WDT:
    def __init__(self, timeout):
        pass

    def feed(self):
        pass


def freq(hz):
    pass


def unique_id():
    return b"\xf4\x12\xfa\x0a\x0b\x0c"


def reset():
    sys.exit(82)
