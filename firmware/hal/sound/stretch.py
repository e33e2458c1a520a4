"""A microphone whose clock gives 15625 Hz, heard at 16000: 125 samples become 128.

Of a windowed sinc of 8 samples for each of the 128 places between two of them.
"""

import math
from array import array

WIRE_HZ = 15625
FRAMES = 256  # of the wire at a time
_BEFORE = 7  # samples that the next ones are made with
_ONE = 16384


def _table():
    """The weights of the 8 samples around each place, between the fourth and the fifth."""
    weights = array("h")
    for place in range(128):
        row = []
        for at in range(8):
            x = at - 3 - place / 128
            sinc = math.sin(math.pi * x) / (math.pi * x) if x else 1
            row.append(sinc * (0.5 + 0.5 * math.cos(math.pi * x / 4)) if abs(x) < 4 else 0)
        total = sum(row)
        for weight in row:
            weights.append(round(weight / total * _ONE))
    return weights


@micropython.viper
def stretch(wire: ptr16, count: int, place: int, table: ptr16, pcm: ptr16) -> int:
    """Make samples of `count` new ones, which lie in `wire` behind 7 of before; these move on.

    Returns their number times 128, and the place that the next one has.
    """
    at = 0
    made = 0
    while at < count:
        total = 8192
        weight = place * 8
        tap = 0
        while tap < 8:
            sample = int(wire[at + tap])
            if sample & 0x8000:
                sample -= 65536
            share = int(table[weight + tap])
            if share & 0x8000:
                share -= 65536
            total += sample * share
            tap += 1
        total >>= 14
        if total > 32767:
            total = 32767
        elif total < -32768:
            total = -32768
        pcm[made] = total
        made += 1
        place += 125
        if place >= 128:
            place -= 128
            at += 1
    tap = 0
    while tap < 7:
        wire[tap] = wire[count + tap]
        tap += 1
    return made * 128 + place


@micropython.viper
def _move(source: ptr8, first: int, count: int, target: ptr8):
    at = 0
    while at < count:
        target[at] = source[first + at]
        at += 1


class Stretched:
    """hal.board.Microphone of another, which gives 15625 samples a second."""

    rate_hz = 16000

    def __init__(self, microphone):
        self._microphone = microphone
        self._table = _table()
        self._wire = bytearray((_BEFORE + FRAMES) * 2)
        self._new = memoryview(self._wire)[_BEFORE * 2 :]
        self._pcm = bytearray((FRAMES * 128 // 125 + 2) * 2)
        self._first = self._last = self._place = 0

    def start(self):
        self._first = self._last = self._place = 0
        for at in range(_BEFORE * 2):
            self._wire[at] = 0
        self._microphone.start()

    def stop(self):
        self._first = self._last = 0
        self._microphone.stop()

    async def readinto(self, buffer) -> int:
        while self._first == self._last:
            count = await self._microphone.readinto(self._new)
            if not count:
                return 0
            state = stretch(self._wire, count // 2, self._place, self._table, self._pcm)
            self._place = state & 127
            self._first, self._last = 0, (state >> 7) * 2
        size = min(len(buffer), self._last - self._first)
        _move(self._pcm, self._first, size, buffer)
        self._first += size
        return size
