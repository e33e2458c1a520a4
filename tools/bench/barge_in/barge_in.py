"""Barge-in by voice with an echo canceller: echo left, devices that stop themselves, people heard.

A device that hears its own speaker may be interrupted by speech in what the canceller leaves, if
that is never the device's own and nearly always the person's. Measured of pywebrtc-audio (AEC3).
"""

import time
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice

import numpy as np
from numpy.typing import NDArray
from pywebrtc_audio import EchoCanceller
from voxcard.assistants.offline.speech.endpoint import CHUNK_BYTES, CHUNK_MS
from voxcard.assistants.offline.speech.vad import SileroDetector
from voxcard.assistants.offline.speech.voices import Voice

from tools.bench import recordings
from tools.bench.barge_in.room import (
    RATE_HZ,
    EchoPath,
    Sound,
    at_level,
    in_room,
    level,
    onset,
    unbroken,
)
from tools.bench.offline import pink, speech
from tools.bench.rows import Row
from tools.sim.speech import voice

OWN = (
    "Your order is being packed. It will be with you on Monday. Do you want to know more?",
    "It is twenty past four in the afternoon, and the volume is now sixty percent.",
    "The kitchen light is on, the door to the garden is closed, nobody is at the front door.",
    "Tomorrow will be mostly cloudy with a little rain in the morning and a high of fifteen.",
    "I found three orders. The first was sent on Friday, the second waits for payment.",
    "There are two timers. The pasta has six minutes left, and the bread has one hour and ten.",
    "A photo was taken. It shows a table, two chairs, and a window with a plant in front of it.",
    "Seven news stories today. The first is about a bridge that was closed in the storm.",
)
PERSON = ("stop", "never mind", "what is the volume", "no, I meant the other one")
HUMANS, EVERY = 4, 60  # of the recordings, of which every so many-th is taken
PATHS = {
    "quiet speaker": EchoPath(reverb_s=0.3, delay_ms=60, level_db=-20),
    "at once": EchoPath(reverb_s=0.2, delay_ms=20, level_db=-10),
    "slow network": EchoPath(reverb_s=0.4, delay_ms=250, level_db=-6),
    "clock +50 ppm": EchoPath(reverb_s=0.6, delay_ms=150, level_db=-6, drift_ppm=50),
    "clock -50 ppm": EchoPath(reverb_s=0.3, delay_ms=120, level_db=-14, drift_ppm=-50),
    "clipping": EchoPath(reverb_s=0.3, delay_ms=100, level_db=-6, overdrive=2.5),
    "ran dry once": EchoPath(
        reverb_s=0.4, delay_ms=80, level_db=-10, late_at_s=20, late_ms=120
    ),
}  # fmt: skip
DOUBLE_TALK = ("quiet speaker", "slow network", "clock +50 ppm", "clipping")
NEAR_DB = (10, 0, -6, -12)  # the person against the echo, at the microphone
NOBODY_DB = -100
PERSON_REVERB_S = 0.3
NEEDS_MS = (96, 160, 224)  # of unbroken speech until it is believed
CATCH_MS, CAUGHT_PERCENT = 400, 90.0
MINUTES = 10
COLD_S = 2.0  # in which a new canceller has not learnt the room
NOISE = 30.0  # the microphone's and the room's own, about -60 dB
FRAME = RATE_HZ * 40 // 1000  # samples, as devices send them
SPEECH = 0.5  # probability
PERSON_AT_S = 5.0  # the earliest
BEFORE_S, AFTER_S = 1.0, 2.0  # looked at around the person's first sound
OWN_LEVEL = 300.0  # 20 dB below what is sent on the whole: soft sounds count as speaking too


def rows() -> list[Row]:
    """All of it; raises where a corpus is not here."""
    return [*_alone(), *_double_talk(), *_nobody()]


def cancelled(canceller: EchoCanceller, heard: Sound, sent: Sound) -> NDArray[np.int16]:
    """What is left of the microphone's sound, frame by frame as the bridge gets it."""
    near, far = _pcm16(heard), _pcm16(sent)
    starts = range(0, len(near) - FRAME + 1, FRAME)
    return np.concatenate(
        [canceller.process(near[at : at + FRAME], far[at : at + FRAME]) for at in starts]
    )


def speech_runs(left: NDArray[np.int16]) -> list[int]:
    """Unbroken speech up to each chunk, in ms."""
    detector, pcm = SileroDetector(), left.tobytes()
    starts = range(0, len(pcm) - CHUNK_BYTES + 1, CHUNK_BYTES)
    found = [detector.probability(pcm[at : at + CHUNK_BYTES]) >= SPEECH for at in starts]
    return [count * CHUNK_MS for count in unbroken(np.array(found, bool))]


def _alone() -> Iterator[Row]:
    """The device speaks and nobody else does."""
    sent = np.tile(_own(), 2)
    length = MINUTES * 60 * RATE_HZ // (2 * len(PATHS))
    false = dict.fromkeys(NEEDS_MS, 0)
    later = dict.fromkeys(NEEDS_MS, 0)
    untreated, cpu_s = 0, 0.0
    for seed, (name, path) in enumerate(PATHS.items()):
        losses: list[float] = []
        for half in range(2):
            said = sent[half * RATE_HZ * 7 :][:length]
            echo = path.echo(said, seed)
            heard = echo + pink(len(echo), seed) * NOISE
            began_s = time.process_time()
            left = cancelled(EchoCanceller(RATE_HZ, 1), heard, said)
            cpu_s += time.process_time() - began_s
            warm = int(COLD_S * RATE_HZ)
            losses.append(20 * np.log10(level(echo[warm:]) / level(left[warm:].astype(float))))
            runs = speech_runs(left)
            for need in NEEDS_MS:
                false[need] += runs.count(need)
                later[need] += runs[int(COLD_S * 1000 / CHUNK_MS) :].count(need)
            if not half:
                untreated += speech_runs(_pcm16(heard)).count(NEEDS_MS[1])
        yield Row(name=f"echo taken away, {name}", value=round(min(losses), 1), unit="dB")
    for need in NEEDS_MS:
        note = f"{later[need]} of them after the first {COLD_S:g} s of {2 * len(PATHS)} rooms"
        label = f"{MINUTES} min of its own speech, {need} ms believed: stopped itself"
        yield Row(name=label, value=false[need], unit="", limit=0, note=note)
    label = f"{MINUTES // 2} min without a canceller, {NEEDS_MS[1]} ms believed: stopped itself"
    yield Row(name=label, value=untreated, unit="")
    a_second_ms = 1000 * cpu_s / (MINUTES * 60)
    yield Row(name="CPU of the canceller for a second", value=round(a_second_ms, 1), unit="ms")


def _double_talk() -> Iterator[Row]:
    """A person speaks while the device does, and the canceller has learnt the room."""
    for near_db in NEAR_DB:
        for need, found in _latencies(near_db).items():
            caught = sum(each <= CATCH_MS for each in found)
            ever = sum(each < AFTER_S * 1000 for each in found)
            yield Row(
                name=f"heard in {CATCH_MS} ms, person {near_db:+} dB to the echo, {need} ms",
                value=round(100 * caught / len(found), 1),
                unit="%",
                limit=CAUGHT_PERCENT,
                at_least=True,
                note=f"{caught} of {len(found)}; in {AFTER_S:g} s {ever}",
            )


def _nobody() -> Iterator[Row]:
    """The same moments without a person: what was heard there was none."""
    for need, found in _latencies(NOBODY_DB).items():
        heard = sum(each < AFTER_S * 1000 for each in found)
        name = f"nobody there, {need} ms: heard all the same"
        yield Row(name=name, value=heard, unit="", limit=0, note=f"of {len(found)}")


def _latencies(near_db: float) -> dict[int, list[float]]:
    """By need in ms: the latency in ms of every person on every path."""
    latencies: dict[int, list[float]] = {need: [] for need in NEEDS_MS}
    for name in DOUBLE_TALK:
        for seed, person in enumerate(_people()):
            runs, at_ms = _interrupted(PATHS[name], person, near_db, seed)
            for need in NEEDS_MS:
                latencies[need].append(_latency_ms(runs, need, at_ms))
    return latencies


def _interrupted(
    path: EchoPath, person: Sound, near_db: float, seed: int
) -> tuple[list[int], float]:
    """(unbroken speech by chunk from shortly before the person, ms of the first sound in it)."""
    said = _own()
    at = _in_speech(said, seed)
    end = at + int(AFTER_S * RATE_HZ)
    said = said[: end + RATE_HZ]
    echo = path.echo(said, seed)
    near = np.concatenate((person, np.zeros(end)))[: int(AFTER_S * RATE_HZ)]
    near = in_room(near, PERSON_REVERB_S, seed + 100)
    spoken = slice(0, min(len(person), len(near)))
    near *= level(echo) * 10 ** (near_db / 20) / level(near[spoken])
    heard = echo + pink(len(echo), seed) * NOISE
    heard[at:end] += near
    left = cancelled(EchoCanceller(RATE_HZ, 1), heard[:end], said[:end])
    first = at - int(BEFORE_S * RATE_HZ)
    return speech_runs(left[first:]), 1000 * (at - first + onset(near)) / RATE_HZ


def _latency_ms(runs: Sequence[int], need_ms: int, at_ms: float) -> float:
    """From the person's first sound until it is believed; infinite if it is not."""
    ends = (CHUNK_MS * (index + 1) for index, run in enumerate(runs) if run == need_ms)
    return next((end - at_ms for end in ends if end > at_ms), float("inf"))


def _in_speech(said: Sound, seed: int) -> int:
    """A sample from which the device speaks for 400 ms."""
    at = int((PERSON_AT_S + seed * 1.37 % 7) * RATE_HZ)
    while min(level(part) for part in np.split(said[at : at + 6400], 4)) < OWN_LEVEL:
        at += FRAME
    return at


@cache
def _own() -> Sound:
    pause = np.zeros(RATE_HZ * 2 // 5)
    return np.concatenate([part for text in OWN for part in (_said(voice("joe"), text), pause)])


@cache
def _people() -> tuple[Sound, ...]:
    """Synthetic voices, and recordings of people from their first sound on."""
    spoken = [_said(voice(name), text) for name in ("joe", "espeak") for text in PERSON]
    for _name, pcm in islice(recordings.pieces(), EVERY, EVERY * (HUMANS + 1), EVERY):
        recorded = np.frombuffer(pcm, "<i2").astype(np.float64)
        spoken.append(recorded[onset(recorded) :])
    return tuple(at_level(each, 6000) for each in spoken)


def _said(speaker: Voice, text: str) -> Sound:
    return np.frombuffer(speech(speaker, text), "<i2").astype(np.float64)


def _pcm16(sound: Sound) -> NDArray[np.int16]:
    return sound.clip(-32768, 32767).astype(np.int16)
