"""The sound of what rings, made here: beeps of whole periods, in chunks the speaker takes."""

import asyncio

from audio import level
from audio.buffers import copy

CHUNK_MS = 20
GROWS_S = 20  # from a quarter of the volume's gain to all of it
BUSY_MS = 100  # until it is looked again whether the speaker is free
_PEAK_BITS = 14
# (periods in a chunk, chunks), 0 periods are silence: 18 in 20 ms are 900 Hz. Each ends in a pause
# that is longer than any speaker's DMA.
PATTERNS = {
    "timer": ((18, 5), (0, 3), (18, 5), (0, 3), (18, 5), (0, 3), (18, 5), (0, 30)),
    "alarm": ((14, 8), (18, 8), (0, 6), (14, 8), (18, 8), (0, 30)),
    "reminder": ((18, 6), (13, 12), (0, 100)),
}


def wave(pcm, samples: int, periods: int) -> None:
    """Fill `pcm` with `periods` waves, half of full scale: parabolas, which allocate nothing."""
    for at in range(samples):
        phase = (at * periods << 12) // samples & 4095
        half = phase & 2047
        height = half * (2048 - half) >> 20 - _PEAK_BITS
        if phase & 2048:
            height = -height
        pcm[2 * at] = height & 0xFF
        pcm[2 * at + 1] = height >> 8 & 0xFF


class Ring:
    """Rings on `speaker` while `is_free()`: not in a turn, and nothing else is played.

    `rate_hz()` is what the speaker plays at, `volume()` the percent it rings with.
    """

    def __init__(self, speaker, rate_hz, volume, is_free, sleep_ms=asyncio.sleep_ms) -> None:
        self._speaker = speaker
        self._rate_hz, self._volume = rate_hz, volume
        self._is_free = is_free
        self._sleep_ms = sleep_ms
        self._samples = 0
        self._sounds = False

    def hush(self) -> None:
        """Silent at once: the speaker is wanted for something else."""
        if self._sounds:
            self._sounds = False
            self._speaker.stop()

    async def round(self, kind: str, rung_s: int) -> None:
        """Sound the pattern of a kind once, or wait a moment; `rung_s` is how long it has rung."""
        if not self._is_free():
            await self._sleep_ms(BUSY_MS)
            return
        rate_hz = self._rate_hz()
        self._make(rate_hz * CHUNK_MS // 1000)
        gain = level.volume_gain(self._volume())
        gain = max(1, gain * min(GROWS_S, rung_s + GROWS_S // 4) // GROWS_S)
        self._speaker.start(rate_hz)
        self._sounds = True
        try:
            for periods, chunks in PATTERNS[kind]:
                if not await self._beep(periods, chunks, gain):
                    return
        finally:
            self.hush()

    def _make(self, samples: int) -> None:
        if samples != self._samples:
            self._samples = samples
            self._tone, self._tail = bytearray(2 * samples), bytearray(2 * samples)
            self._views = memoryview(self._tone), memoryview(self._tail)

    async def _beep(self, periods: int, chunks: int, gain: int) -> bool:
        """Whether it was played to its end."""
        samples = self._samples
        wave(self._tone, samples, periods)
        level.amplify(self._tone, samples, gain)
        copy(self._tone, 0, 2 * samples, self._tail)
        level.fade_out(self._tail, samples)
        for number in range(chunks):
            view = self._views[number == chunks - 1]
            while view:
                if not (self._sounds and self._is_free()):
                    return False
                taken = await self._speaker.write(view)
                if not taken:
                    return False
                view = view[taken:]
        return True
