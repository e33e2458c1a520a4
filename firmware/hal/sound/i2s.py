"""Microphone and speaker over machine.I2S, whose readiness is never waited for.

A poll of an I2S depends on callbacks that may not come (micropython#16029). One poll(0) after each
start makes `readinto` and `write` return at once, with what there is; then they are asked every
10 ms. A new I2S blocks again until it was polled (extmod/machine_i2s.c).
"""

import asyncio
import select
import time

from hal.sound.pcm import narrow
from machine import I2S, Pin
from voxwire.ticks import elapsed_ms

POLL_MS = 10
STEP_FRAMES = 256  # the DMA moves so many at a time
READ_FRAMES = 128  # read at a time: their slots are in the heap for ever
MICROPHONE_BYTES = 9 * 2048  # 9 steps of 32-bit stereo: 144 ms at 16 kHz
SPEAKER_STEPS = 8
SPEAKER_BYTES = SPEAKER_STEPS * STEP_FRAMES * 2
# The first tenth of a second is the microphone's own start: garbage and a jump of the DC.
DISCARDED_SAMPLES = 1600


def _opened(unit, pins, mode, bits, form, rate_hz, buffer_bytes):
    """An I2S that does not block; `pins` is (sck, ws, sd)."""
    sck, ws, sd = pins
    i2s = I2S(unit, sck=Pin(sck), ws=Pin(ws), sd=Pin(sd), mode=mode, bits=bits, format=form,
              rate=rate_hz, ibuf=buffer_bytes)  # fmt: skip
    poller = select.poll()
    poller.register(i2s, select.POLLIN if mode == I2S.RX else select.POLLOUT)
    poller.poll(0)
    poller.unregister(i2s)
    return i2s


class Turn:
    """Who has the pins that a microphone and a speaker share: taking them stops the other."""

    def __init__(self):
        self._holder = None

    def take(self, part) -> None:
        """They are `part`'s from now on."""
        if self._holder is not None and self._holder is not part:
            self._holder.stop()
        self._holder = part


class I2sMicrophone:
    """hal.board.Microphone; `shift` and the slot by hal.sound.pcm.narrow.

    `wire_hz` is the rate on the wire where a codec's clock cannot be made for 16 kHz: the samples
    are then of that rate (hal.sound.stretch). `codec` has listen(), called when it is to hear.
    """

    rate_hz = 16000

    def __init__(self, unit: int, pins, turn, *, wire_hz=16000, shift=16, right=False, codec=None,
                 sleep_ms=asyncio.sleep_ms):  # fmt: skip
        self._unit, self._pins, self._turn = unit, pins, turn
        self._wire_hz, self._shift, self._right = wire_hz, shift, right
        self._codec = codec
        self._sleep_ms = sleep_ms
        self._i2s = None
        # MONO is the left slot; the right one needs both.
        self._slots = bytearray(READ_FRAMES * (8 if right else 4))
        self._views = {}  # of its beginning, by frames: a new one at each read would cost heap

    def start(self):
        """Listen from now on; OSError when the driver cannot."""
        self.stop()
        self._turn.take(self)
        form = I2S.STEREO if self._right else I2S.MONO
        self._i2s = _opened(
            self._unit, self._pins, I2S.RX, 32, form, self._wire_hz, MICROPHONE_BYTES
        )
        if self._codec is not None:
            self._codec.listen()
        self._discarded = 0
        self._dc = 0

    def stop(self):
        if self._i2s is not None:
            self._i2s.deinit()
            self._i2s = None

    async def readinto(self, buffer) -> int:
        while self._i2s is not None:
            samples = self._read(buffer)
            if samples > 0:
                return samples * 2
            if samples < 0:
                await self._sleep_ms(POLL_MS)
        return 0

    def _read(self, buffer):
        """Samples that are in `buffer` now; 0: they were discarded, -1: none has come."""
        frames = min(len(buffer) // 2, READ_FRAMES)
        count = self._i2s.readinto(self._beginning(frames))
        if not count:
            return -1
        stride = 2 if self._right else 1
        frames = count // (4 * stride)
        first = stride - 1
        self._dc = narrow(self._slots, first, stride, frames, self._shift, buffer, self._dc)
        if self._discarded < DISCARDED_SAMPLES:
            self._discarded += frames
            return 0
        return frames

    def _beginning(self, frames):
        view = self._views.get(frames)
        if view is None:
            size = frames * (8 if self._right else 4)
            view = self._views[frames] = memoryview(self._slots)[:size]
        return view


class I2sSpeaker:
    """hal.board.Speaker; `amplifier` (hal.parts.pins.Switch) and `codec` may be None.

    A codec has speak(rate_hz), called when the I2S runs, and mute(), called before it stops.

    The DMA is a ring that always runs: what is written now is heard when the ring comes round.
    Nothing can make what it holds die away, so stopping mutes first where the board can mute.
    """

    def __init__(self, unit: int, pins, turn, *, rates_hz=(16000, 24000), amplifier=None,
                 codec=None, ticks_ms=time.ticks_ms, sleep_ms=asyncio.sleep_ms):  # fmt: skip
        self._unit, self._pins, self._turn = unit, pins, turn
        self.rates_hz = rates_hz
        self._amplifier, self._codec = amplifier, codec
        self._ticks_ms, self._sleep_ms = ticks_ms, sleep_ms
        self._i2s = None
        self._written = False

    def start(self, rate_hz: int):
        """Play at `rate_hz` from now on; OSError when the driver cannot."""
        if rate_hz not in self.rates_hz:
            raise ValueError("the speaker cannot play %d Hz" % rate_hz)
        self.stop()
        self._turn.take(self)
        self._i2s = _opened(self._unit, self._pins, I2S.TX, 16, I2S.MONO, rate_hz, SPEAKER_BYTES)
        self._ring_ms = SPEAKER_STEPS * STEP_FRAMES * 1000 // rate_hz
        self._written = False
        if self._codec is not None:
            self._codec.speak(rate_hz)
        if self._amplifier is not None:
            self._amplifier.on()

    def stop(self):
        if self._i2s is None:
            return
        if self._amplifier is not None:
            self._amplifier.off()
        if self._codec is not None:
            self._codec.mute()
        self._i2s.deinit()
        self._i2s = None

    async def write(self, buffer) -> int:
        while self._i2s is not None:
            count = self._i2s.write(buffer)
            if count:
                self._written_ms = self._ticks_ms()
                self._written = True
                return count
            await self._sleep_ms(POLL_MS)
        return 0

    def buffered_ms(self) -> int:
        """At the most: the port does not say where in its ring it is."""
        if self._i2s is None or not self._written:
            return 0
        return max(0, self._ring_ms - elapsed_ms(self._ticks_ms(), self._written_ms))
