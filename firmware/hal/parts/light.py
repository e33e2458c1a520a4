"""The lamp of a board: it shows the state of the conversation."""

from machine import Pin
from voxwire.session import IDLE, LISTENING, OFFLINE, SPEAKING, THINKING

# Red, green, blue; dim: a bare WS2812 at full light hurts the eye.
COLOURS = {
    OFFLINE: (16, 6, 0),
    IDLE: (0, 0, 0),
    LISTENING: (0, 16, 0),
    THINKING: (8, 0, 16),
    SPEAKING: (0, 8, 16),
}


class PixelLight:
    """WS2812 or SK6812, one or a ring of them."""

    def __init__(self, led: dict):
        import neopixel  # frozen into stock images

        if "power_gpio" in led:
            Pin(led["power_gpio"], Pin.OUT, value=1)
        self._pixels = neopixel.NeoPixel(Pin(led["gpio"], Pin.OUT), led.get("count", 1))

    def show(self, state: str):
        self._pixels.fill(COLOURS.get(state, COLOURS[IDLE]))
        self._pixels.write()


class PinLight:
    """One lamp on a pin: lit while the device listens."""

    def __init__(self, led: dict):
        self._lit = 0 if led.get("active") == "low" else 1
        self._pin = Pin(led["gpio"], Pin.OUT, value=1 - self._lit)

    def show(self, state: str):
        self._pin(self._lit if state == LISTENING else 1 - self._lit)


def _apa102(led):
    from hal.parts.apa102 import Apa102Light  # few boards have them

    return Apa102Light(led)


_KINDS = {"ws2812": PixelLight, "sk6812": PixelLight, "gpio": PinLight, "apa102": _apa102}


def light_of(leds):
    """The light of the first lamp of a board's file that can be driven, None without one."""
    for led in leds or ():
        if led.get("type") in _KINDS:
            light = _KINDS[led["type"]](led)
            light.show(OFFLINE)
            return light
    return None
