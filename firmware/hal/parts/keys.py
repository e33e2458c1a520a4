"""Keys without a pin of their own: on a port expander, or on a ladder of resistors."""

import time

from machine import ADC, Pin
from voxwire.ticks import elapsed_ms

ROUND_MS = 5  # all keys are asked every 10 ms, one after the other: one reading is for them all


class Source:
    """What several keys are read from: `read()` returns a number, OSError when it cannot."""

    def __init__(self, read, ticks_ms=time.ticks_ms):
        self._read, self._ticks_ms = read, ticks_ms
        self._read_ms = self._value = None

    def value(self):
        """The number of this round, None where there is none."""
        now_ms = self._ticks_ms()
        if self._read_ms is None or elapsed_ms(now_ms, self._read_ms) >= ROUND_MS:
            self._read_ms = now_ms
            try:
                self._value = self._read()
            except OSError:
                self._value = None
        return self._value


class Key:
    """hal.board.Button of a source; a key counts from the first time it was seen up.

    A chip that answers nonsense from the start holds down a key that nobody pressed.
    """

    def __init__(self, name: str, source: Source):
        self.name = name
        self._source = source
        self._was_up = False

    def pressed(self) -> bool:
        value = self._source.value()
        down = value is not None and self._is_down(value)
        if not down and value is not None:
            self._was_up = True
        return down and self._was_up


class ExpanderKey(Key):
    """A bit of a port expander's input register."""

    def __init__(self, name, source, mask: int, active):
        Key.__init__(self, name, source)
        self._mask = mask
        self._down = mask if active == "high" else 0

    def _is_down(self, value):
        return value & self._mask == self._down


class LadderKey(Key):
    """A range of millivolts of a ladder; its neighbours' ranges are other keys."""

    def __init__(self, name, source, low_mv: int, high_mv: int):
        Key.__init__(self, name, source)
        self._low_mv, self._high_mv = low_mv, high_mv

    def _is_down(self, value):
        return self._low_mv <= value <= self._high_mv


def _port(i2c, address, register):
    buffer = bytearray(1)  # a new one at each look would cost heap

    def read():
        i2c.readfrom_mem_into(address, register, buffer)
        return buffer[0]

    return Source(read)


def _ladder(gpio):
    adc = ADC(Pin(gpio), atten=ADC.ATTN_11DB)
    return Source(lambda: adc.read_uv() // 1000)


def keys_of(buttons, buses) -> tuple:
    """The keys of a board's file that are on an expander or a ladder."""
    sources, keys = {}, []
    for each in buttons:
        name = each["name"]
        if "read" in each:
            bus, address, register, mask = each["read"]
            place = (bus, address, register)
            if place not in sources:
                sources[place] = _port(buses(bus), address, register)
            keys.append(ExpanderKey(name, sources[place], mask, each.get("active")))
        elif "adc_gpio" in each:
            gpio = each["adc_gpio"]
            if gpio not in sources:
                sources[gpio] = _ladder(gpio)
            keys.append(LadderKey(name, sources[gpio], *each["mv"]))
    return tuple(keys)
