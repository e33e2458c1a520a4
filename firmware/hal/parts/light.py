"""The lamp of a board with a colour for each state of the conversation."""

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
