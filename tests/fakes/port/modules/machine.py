"""The port's module machine; the unix port's own is umachine."""

import binascii

from fakes.port import clock
from fakes.port.buses import I2C, SPI  # noqa: F401
from fakes.port.i2s import I2S  # noqa: F401
from fakes.port.pins import ADC, PWM, Pin  # noqa: F401

hz = 160000000  # what stock images start with
HZ = {"esp32": (80000000, 160000000, 240000000), "esp32c3": (80000000, 160000000)}


class ResetError(Exception):
    """The board restarts here."""


def freq(wanted=None):
    global hz
    if wanted is not None:
        if wanted not in HZ.get(Pin.chip, HZ["esp32"]):
            raise ValueError("frequency must be 20MHz, 40MHz, 80Mhz, 160MHz or 240MHz")
        hz = wanted
    return hz


def reset():
    raise ResetError()


def unique_id():
    return binascii.unhexlify("f412fa0a0b0c")


class RTC:
    def datetime(self, parts=None):
        if parts is None:
            year, month, day, hour, minute, second, weekday = clock.gmtime()[:7]
            return year, month, day, weekday, hour, minute, second, 0
        year, month, day, _, hour, minute, second, _ = parts
        clock.set_wall(clock.mktime((year, month, day, hour, minute, second, 0, 0)))
        return None


class WDT:
    """The task watchdog: once started it runs; another timeout takes the place of the one before.

    A reset is an AssertionError at the next feed: that came too late.
    """

    timeout_ms = None
    _fed_us = 0

    def __init__(self, timeout):
        WDT._check()
        WDT.timeout_ms = timeout
        WDT._fed_us = clock.now_us()

    def feed(self):
        WDT._check()
        WDT._fed_us = clock.now_us()

    @classmethod
    def _check(cls):
        if WDT.timeout_ms is not None:
            passed_ms = (clock.now_us() - WDT._fed_us) // 1000
            assert passed_ms <= WDT.timeout_ms, "the watchdog has reset the board"
