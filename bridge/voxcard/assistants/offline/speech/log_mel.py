"""Log-mel features of speech, as Whisper was trained on them.

Radford et al., "Robust Speech Recognition via Large-Scale Weak Supervision" (2022), section 2.2:
16 kHz, windows of 25 ms every 10 ms. The mel scale is Slaney's (Auditory Toolbox, 1998).
"""

from typing import Any

import numpy

RATE_HZ = 16000
STEP = 160  # samples from a frame to the next: 10 ms
_WINDOW = 400  # samples: 25 ms
_LINEAR_HZ = 1000.0  # Slaney's scale is linear up to here, logarithmic above
_MEL_HZ = 200 / 3  # of a mel in the linear part
_LOG_STEP = numpy.log(6.4) / 27  # of a mel in the logarithmic part
_QUIETEST = 1e-10  # power under which everything is silence
_SPAN = 8.0  # decades below the loudest that are kept

Array = numpy.ndarray[Any, Any]


class LogMel:
    """Cuts samples into features of `bands` mel bands (80, or 128 in the largest models)."""

    def __init__(self, bands: int) -> None:
        self._filters = _filters(bands)
        # A periodic window: the one that `hanning` makes is symmetric.
        self._window = numpy.hanning(_WINDOW + 1)[:-1].astype(numpy.float32)

    def features(self, samples: Array) -> Array:
        """(bands, frames) float32 of float32 `samples` within -1 and 1, and a frame of silence."""
        half = _WINDOW // 2
        padded = numpy.pad(numpy.pad(samples, (0, STEP)), half, mode="reflect")
        frames = numpy.lib.stride_tricks.sliding_window_view(padded, _WINDOW)[::STEP][:-1]
        power = numpy.abs(numpy.fft.rfft(frames * self._window).astype(numpy.complex64)) ** 2
        decades = numpy.log10(numpy.maximum(self._filters @ power.T, _QUIETEST))
        features = (numpy.maximum(decades, decades.max() - _SPAN) + 4) / 4
        return numpy.ascontiguousarray(features, numpy.float32)


def _filters(bands: int) -> Array:
    """(bands, bins of the spectrum): triangles that overlap by half, each of area 1."""
    bins_hz = numpy.fft.rfftfreq(_WINDOW, 1 / RATE_HZ)
    edges = _to_hz(numpy.linspace(0, _to_mel(RATE_HZ / 2), bands + 2))
    rows = []
    for low, middle, high in zip(edges, edges[1:], edges[2:], strict=False):
        rows.append(numpy.interp(bins_hz, (low, middle, high), (0, 2 / (high - low), 0)))
    return numpy.array(rows, numpy.float32)


def _to_mel(hz: float) -> float:
    """Of a frequency in the logarithmic part."""
    return float(_LINEAR_HZ / _MEL_HZ + numpy.log(hz / _LINEAR_HZ) / _LOG_STEP)


def _to_hz(mels: Array) -> Array:
    above = mels - _LINEAR_HZ / _MEL_HZ
    curve = _LINEAR_HZ * numpy.exp(_LOG_STEP * numpy.maximum(above, 0))
    return numpy.where(above > 0, curve, mels * _MEL_HZ)
