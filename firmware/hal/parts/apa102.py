"""APA102 lights: a clock and a data line, so that no timing counts."""

from hal.parts.light import COLOURS
from machine import SPI, Pin
from voxwire.session import IDLE

_BAUD = 1000000
_FULL = 0xFF  # three ones, then five bits of brightness: the colours themselves are dim


class Apa102Light:
    """APA102, one or a row of them, on the second SPI: the screen has the first."""

    def __init__(self, led: dict):
        # Without `miso=None` it takes the port's default pin, which may be another part's.
        self._spi = SPI(
            2, baudrate=_BAUD, polarity=0, phase=0, sck=Pin(led["clock"]), mosi=Pin(led["data"]),
            miso=None,
        )  # fmt: skip
        count = led.get("count")
        self._count = count if isinstance(count, int) else 1
        self._order = ["RGB".index(letter) for letter in led.get("order", "BGR")]

    def show(self, state: str):
        colour = COLOURS.get(state, COLOURS[IDLE])
        pixel = bytes([_FULL] + [colour[at] for at in self._order])
        # Datasheet: 32 bits of 0 begin; behind the last one the clock runs half a bit a light.
        tail = b"\xff" * (4 + self._count // 16)
        self._spi.write(bytes(4) + pixel * self._count + tail)
