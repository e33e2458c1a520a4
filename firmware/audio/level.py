"""How loud samples are and shall be: gain with clamping, fading, mean level, voice gate.

Samples are pcm16 in place. A gain is a whole number of 1024ths: up to 16x times a sample then
stays below 2**30, which a viper word of 32 bits holds.
"""

UNITY = 1024
GAIN_MAX = 16 * UNITY
_FADE_BITS = 10


def volume_gain(percent: int) -> int:
    """The gain of a volume from 0 (silent) to 100 (as received).

    Quadratic, so that equal steps of the volume sound about equal: 50 percent is -12 dB.
    """
    if percent <= 0:
        return 0
    return max(1, UNITY * min(percent, 100) ** 2 // 10000)


def meter(mean: int) -> int:
    """A mean level as 0 (silence, below -60 dB) to 10 (full scale); each step is 6 dB."""
    steps = 0
    mean >>= 5
    while mean:
        mean >>= 1
        steps += 1
    return steps


def fade_out(pcm, samples: int) -> None:
    """Let `samples` samples die away evenly to nothing."""
    if samples:
        _fade(pcm, samples, (UNITY << _FADE_BITS) // samples)


@micropython.viper
def amplify(pcm: ptr16, samples: int, gain: int):
    """Multiply `samples` samples by `gain`/1024; what is too loud is clamped, never wrapped."""
    i = 0
    while i < samples:
        sample = int(pcm[i])
        if sample & 0x8000:
            sample -= 65536
        sample = (sample * gain) >> 10
        if sample > 32767:
            sample = 32767
        elif sample < -32768:
            sample = -32768
        pcm[i] = sample
        i += 1


@micropython.viper
def _fade(pcm: ptr16, samples: int, step: int):
    left = 1024 << 10
    i = 0
    while i < samples:
        sample = int(pcm[i])
        if sample & 0x8000:
            sample -= 65536
        left -= step
        pcm[i] = (sample * (left >> 10)) >> 10
        i += 1


@micropython.viper
def clear(pcm: ptr16, first: int, samples: int):
    """Make the samples from `first` to before `samples` silent."""
    i = first
    while i < samples:
        pcm[i] = 0
        i += 1


@micropython.viper
def mean(pcm: ptr16, samples: int) -> int:
    """The mean distance of `samples` samples (at least one, below 32768) from zero."""
    total = 0
    i = 0
    while i < samples:
        sample = int(pcm[i])
        if sample & 0x8000:
            sample = 65536 - sample
        total += sample
        i += 1
    return total // samples


class Gate:
    """Tells voice from background by level: the background is followed, voice stands above it.

    Only a hint (a count in the log, a level on a screen): the bridge decides when speech ends.
    """

    RATIO = 3  # voice is this many times the background
    LEAST = 120  # and at least this level, about -49 dB of full scale

    def __init__(self):
        self.reset()

    def reset(self):
        """Forget the background."""
        self._background = 0  # 16ths

    def update(self, level: int) -> bool:
        """Whether a frame of this level holds voice."""
        background = self._background
        if not background or level * 16 < background:
            background = level * 16
        else:
            # Rises slowly, or a long word would become background.
            background += (level * 16 - background) // 64 + 1
        self._background = background
        return level >= self.LEAST and level * 16 > self.RATIO * background
