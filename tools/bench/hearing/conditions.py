"""What happens to speech between a mouth and a recogniser: rooms, noise, televisions, levels.

Every condition takes speech (float samples at 16 kHz, as loud as `LOUD_RMS`) and gives what a
microphone records, with a second before it and four after it.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy

RATE_HZ = 16000
LOUD_RMS = 6000.0  # of speech, in pcm16 steps
BEFORE_MS, AFTER_MS = 1000, 4000
_HISS_RMS = 1.5  # of a microphone that hears nothing

_CHORD_S = 0.5
_CHORDS_HZ = ((220.0, 277.2, 329.6), (146.8, 293.7, 370.0), (164.8, 329.6, 415.3))

Sound = numpy.ndarray[Any, Any]


Condition = Callable[[Sound, int], Sound]


def conditions(televisions: Mapping[str, Sound]) -> Mapping[str, Condition]:
    """By name: what makes a recording of speech and a seed. `televisions`: others who talk."""
    return {
        "quiet": quiet,
        **{f"pink noise {db} dB": in_pink_noise(db) for db in (20, 10, 5)},
        "room 0.4 s": lambda speech, seed: quiet(_in_room(speech, 0.4, 0.0, seed)),
        "room 0.7 s": lambda speech, seed: quiet(_in_room(speech, 0.7, -6.0, seed)),
        "far, noise 15 dB, level -20 dB": lambda speech, seed: (
            0.1 * _noisy(quiet(_in_room(speech, 0.7, -6.0, seed)), 15, seed)
        ),
        **{
            f"television, {name}, {db} dB below": _television(talk, db)
            for name, talk in televisions.items()
            for db in (15, 10, 5)
        },
        **{f"music {db} dB below": _with_music(db) for db in (15, 5)},
        **{f"level -{db} dB": _quieter(db) for db in (30, 40, 46)},
        "clipped 20 dB": lambda speech, seed: numpy.clip(10 * quiet(speech), -32768, 32767),
        "8 kHz": lambda speech, seed: _narrow(quiet(speech)),
        "DC 3000": lambda speech, seed: quiet(speech) + 3000,
        "hum -10 dB": lambda speech, seed: _humming(quiet(speech)),
    }


def recording(samples: Sound, seed: int) -> bytes:
    """pcm16 of it, with the hiss of a microphone."""
    hiss = numpy.random.default_rng(seed).standard_normal(len(samples)) * _HISS_RMS
    return bytes(numpy.clip(samples + hiss, -32768, 32767).astype("<i2").tobytes())


def level(samples: Sound) -> float:
    """Its rms."""
    return float(numpy.sqrt(numpy.mean(numpy.square(samples)))) if len(samples) else 0.0


def quiet(speech: Sound, _seed: int = 0) -> Sound:
    """The speech, and silence around it."""
    return numpy.pad(speech, (BEFORE_MS * 16, AFTER_MS * 16))


def _noisy(whole: Sound, snr_db: float, seed: int) -> Sound:
    spoken = whole[BEFORE_MS * 16 : -AFTER_MS * 16]
    spectrum = numpy.fft.rfft(numpy.random.default_rng(seed).standard_normal(len(whole)))
    spectrum /= numpy.sqrt(numpy.maximum(1, numpy.arange(len(spectrum))))
    noise = numpy.fft.irfft(spectrum, len(whole))
    return whole + noise / level(noise) * level(spoken) / 10 ** (snr_db / 20)


def in_pink_noise(snr_db: float) -> Condition:
    """Noise `snr_db` under the speech."""
    return lambda speech, seed: _noisy(quiet(speech), snr_db, seed)


def _quieter(db: float) -> Condition:
    return lambda speech, seed: quiet(speech) / 10 ** (db / 20)


def _television(talk: Sound, below_db: float) -> Condition:
    """Talk from before the speech to after it, another stretch for each seed."""

    def mixed(speech: Sound, seed: int) -> Sound:
        whole = quiet(speech)
        behind = numpy.take(talk, numpy.arange(len(whole)) + 40_000 * seed, mode="wrap")
        return whole + behind / level(behind) * level(speech) / 10 ** (below_db / 20)

    return mixed


def _with_music(below_db: float) -> Condition:
    """Three chords again and again, struck and dying away."""

    def mixed(speech: Sound, seed: int) -> Sound:
        whole = quiet(speech)
        at_s = (numpy.arange(len(whole)) + 4000 * seed) / RATE_HZ
        music: Sound = sum(
            numpy.sin(2 * numpy.pi * hz * partial * at_s) / partial * _struck(at_s, chord)
            for chord, notes in enumerate(_CHORDS_HZ)
            for hz in notes
            for partial in (1, 2, 3, 4)
        ) + numpy.zeros(len(whole))
        return whole + music / level(music) * level(speech) / 10 ** (below_db / 20)

    return mixed


def _struck(at_s: Sound, chord: int) -> Sound:
    since_s = (at_s - chord * _CHORD_S) % (len(_CHORDS_HZ) * _CHORD_S)
    return numpy.exp(-3 * since_s)


def _in_room(speech: Sound, decay_s: float, direct_db: float, seed: int) -> Sound:
    """`direct_db`: of the direct sound over the reverberation, which falls 60 dB in `decay_s`."""
    length = int(decay_s * RATE_HZ)
    tail = numpy.random.default_rng(seed).standard_normal(length)
    tail *= 10 ** (-3 * numpy.arange(length) / length)
    tail[:64] = 0.0
    tail *= 10 ** (-direct_db / 20) / numpy.sqrt(numpy.sum(numpy.square(tail)))
    tail[0] = 1.0
    size = len(speech) + length
    spectrum = numpy.fft.rfft(speech, size) * numpy.fft.rfft(tail, size)
    heard = numpy.fft.irfft(spectrum, size)[: len(speech)]
    return heard / level(heard) * level(speech)


def _narrow(whole: Sound) -> Sound:
    """What a telephone leaves: nothing over 3.4 kHz, in the 256 steps of mu-law."""
    spectrum = numpy.fft.rfft(whole)
    spectrum[int(3400 * len(whole) / RATE_HZ) :] = 0
    heard = numpy.clip(numpy.fft.irfft(spectrum, len(whole)) / 32768, -1, 1)
    steps = numpy.round(numpy.log1p(255 * numpy.abs(heard)) / numpy.log(256) * 127) / 127
    narrow: Sound = numpy.sign(heard) * (256**steps - 1) / 255 * 32768
    return narrow


def _humming(whole: Sound) -> Sound:
    spoken = whole[BEFORE_MS * 16 : -AFTER_MS * 16]
    phase = 2 * numpy.pi * 50 * numpy.arange(len(whole)) / RATE_HZ
    hum: Sound = sum(numpy.sin(each * phase) / each for each in (1, 2, 3)) + 0 * phase
    return whole + hum / level(hum) * level(spoken) / 10 ** (10 / 20)
