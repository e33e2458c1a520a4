"""The frozen module neopixel, as far as it is used."""


class NeoPixel:
    shown = {}  # gpio: [(red, green, blue), ...] of the last write

    def __init__(self, pin, count):
        self._gpio = pin.gpio
        self._pixels = [(0, 0, 0)] * count

    def fill(self, colour):
        self._pixels = [colour] * len(self._pixels)

    def write(self):
        NeoPixel.shown[self._gpio] = list(self._pixels)
