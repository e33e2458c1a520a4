"""The lamp of a board that is on or off."""

from machine import Pin
from voxwire.session import LISTENING


class PinLight:
    """One lamp on a pin: lit while the device listens."""

    def __init__(self, led: dict):
        self._lit = 0 if led.get("active") == "low" else 1
        self._pin = Pin(led["gpio"], Pin.OUT, value=1 - self._lit)

    def show(self, state: str):
        self._pin(self._lit if state == LISTENING else 1 - self._lit)
