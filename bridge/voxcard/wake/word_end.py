"""Where a wake word ended, and how loud it was (pcm16 mono at 16 kHz)."""

import math

import numpy as np
from numpy.typing import NDArray

RATE_HZ = 16000
STEP = RATE_HZ // 100  # 10 ms, in samples
SEARCH_MS = 80  # after the earliest end; the first sound of a command lasts longer than its rest
QUIET = 0.1  # of the word's loudest step: 20 dB below
LOUDEST_STEPS = 30  # the loudest 300 ms stand for the word: all devices hear the same of it
SILENCE_DB = -96.0  # below one sample step


def end_of_word(pcm: bytes, lag_ms: int) -> int:
    """Bytes of `pcm`, which ends where the model was sure, that belong to the word.

    A model is sure some time after the last sound, at most `lag_ms`. The end is the first quiet
    step within SEARCH_MS from there: so a pause cuts exactly, and where none follows some of the
    word's last vowel stays rather than that anything said after it is lost.
    """
    earliest = max(0, len(pcm) // 2 - lag_ms * RATE_HZ // 1000)
    steps = _steps(pcm)
    if not len(steps):
        return earliest * 2
    first = earliest // STEP
    for at in range(first, min(first + SEARCH_MS // 10, len(steps))):
        if steps[at] <= QUIET * steps.max():
            return max(earliest, at * STEP) * 2
    return earliest * 2


def level_db(pcm: bytes) -> float:
    """How loud the loudest part of a word is, in dB of full scale."""
    steps = np.sort(_steps(pcm))[-LOUDEST_STEPS:]
    if not len(steps) or not steps.any():
        return SILENCE_DB
    return 20 * math.log10(float(np.sqrt(np.mean(steps**2))) / 32768)


def _steps(pcm: bytes) -> NDArray[np.float64]:
    """The RMS of every whole step."""
    samples = np.frombuffer(pcm[: len(pcm) // (2 * STEP) * 2 * STEP], dtype="<i2")
    squares = samples.astype(np.float64).reshape(-1, STEP) ** 2
    return np.asarray(np.sqrt(squares.mean(axis=1)))
