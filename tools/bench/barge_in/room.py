"""What a microphone hears of its device's own speaker: rooms made by rule, the same each run."""

from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

RATE_HZ = 16000
SMALL_SPEAKER_HZ = 250.0  # below this it gives little
CLIP_LEVEL = 16000.0  # of 32768: what the amplifier gives at most
DIRECT_DB = 3.0  # how much louder the direct sound is than the room's
REFLECTIONS = ((11, 0.5), (23, 0.3))  # of the case and the table: samples late, how strong
EARLIEST = 40  # samples until the walls answer

Sound = NDArray[np.float64]  # samples at 16 kHz, -32768..32767


@dataclass(frozen=True, slots=True, kw_only=True)
class EchoPath:
    """From the samples the bridge sent to those the microphone hears.

    `delay_ms` from sending to hearing; `level_db` of the echo against what was sent; `drift_ppm`
    by which the microphone's clock is slow; `overdrive`: gain before the amplifier clips; after
    `late_at_s` it is `late_ms` later, as after a buffer that ran dry.
    """

    reverb_s: float
    delay_ms: int
    level_db: float
    drift_ppm: float = 0.0
    overdrive: float = 0.0
    late_at_s: float = 0.0
    late_ms: int = 0

    def echo(self, sent: Sound, seed: int) -> Sound:
        """What is heard of `sent`, as long as it."""
        driven = sent
        if self.overdrive:
            driven = np.clip(sent * self.overdrive, -CLIP_LEVEL, CLIP_LEVEL)
        heard = at_level(in_room(_small_speaker(driven), self.reverb_s, seed), level(sent))
        heard = delayed(heard * 10 ** (self.level_db / 20), self.delay_ms)
        if self.late_ms:
            at = int(self.late_at_s * RATE_HZ)
            heard = np.concatenate((heard[:at], delayed(heard[at:], self.late_ms)))
        times = np.arange(len(heard)) * (1 + self.drift_ppm * 1e-6)
        return np.asarray(np.interp(times, np.arange(len(heard)), heard))


def in_room(sound: Sound, reverb_s: float, seed: int) -> Sound:
    """`sound` in a room whose echo is 60 dB down after `reverb_s`."""
    chance = np.random.default_rng(seed)
    length = int(RATE_HZ * reverb_s)
    response = chance.standard_normal(length) * 10 ** (-3 * np.arange(length) / length)
    response[:EARLIEST] = 0
    response *= 10 ** (-DIRECT_DB / 20) / np.sqrt(np.sum(response**2))
    response[0] = 1.0
    for late, strength in REFLECTIONS:
        response[late] = strength * chance.standard_normal()
    size = len(sound) + length
    spectrum = np.fft.rfft(sound, size) * np.fft.rfft(response, size)
    return np.asarray(np.fft.irfft(spectrum, size)[: len(sound)])


def delayed(sound: Sound, delay_ms: int) -> Sound:
    """`sound` later, as long as before."""
    return np.concatenate((np.zeros(delay_ms * RATE_HZ // 1000), sound))[: len(sound)]


def level(sound: Sound) -> float:
    """Root of the mean square."""
    return float(np.sqrt(np.mean(sound**2))) if len(sound) else 0.0


def at_level(sound: Sound, wanted: float) -> Sound:
    """`sound` as loud as `wanted`."""
    return sound * (wanted / max(1e-9, level(sound)))


def onset(sound: Sound) -> int:
    """The sample where something is first heard: a tenth of the loudest."""
    return int(np.argmax(np.abs(sound) > 0.1 * np.abs(sound).max()))


def unbroken(voiced: NDArray[np.bool_]) -> list[int]:
    """For each chunk, how many chunks up to it were speech without a break."""
    return list(accumulate(voiced, lambda count, speech: (count + 1) * int(speech), initial=0))[1:]


def _small_speaker(sound: Sound) -> Sound:
    spectrum = np.fft.rfft(sound)
    share = (np.fft.rfftfreq(len(sound), 1 / RATE_HZ) / SMALL_SPEAKER_HZ) ** 2
    return np.asarray(np.fft.irfft(spectrum * share / np.sqrt(1 + share**2), len(sound)))
