"""The chime before an announcement: two falling tones, or three rising ones where it is urgent."""

import numpy as np

RATE_HZ = 16000
_TONE_MS, _FADE_MS = 180, 60
_HZ = {False: (784.0, 587.3), True: (587.3, 784.0, 1046.5)}  # urgent: tones
_PEAK = 0.5  # of full scale at 100 percent: as loud as speech


def chime(percent: int, *, urgent: bool = False) -> bytes:
    """pcm16 mono at RATE_HZ, as loud as `percent` of the speech; empty for 0."""
    if percent <= 0:
        return b""
    times_s = np.arange(RATE_HZ * _TONE_MS // 1000) / RATE_HZ
    fade = np.minimum(1.0, (times_s[-1] - times_s) / (_FADE_MS / 1000))
    rise = np.minimum(1.0, times_s / 0.005)
    peak = _PEAK * min(percent, 100) / 100 * 32767
    tones = [np.sin(2 * np.pi * hz * times_s) * fade * rise * peak for hz in _HZ[urgent]]
    return np.concatenate(tones).astype("<i2").tobytes()
