"""Wake words: what is taken for one and is none, how many are heard, where they end, CPU."""

import time
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from voxcard.wake.detector import MicroWakeWordDetector, check
from voxcard.wake.word_end import RATE_HZ, end_of_word
from voxcard.wake.words import WORDS, WakeWord

from tools.bench import recordings
from tools.bench.offline import noisy, speech
from tools.bench.rows import Row
from tools.sim.speech import voice

VOICES = ("joe", "espeak")
COMMANDS = (
    "", "what is the volume", "set the volume to sixty", "are you there", "take a photo",
    "open the garage", "turn it up", "is it raining in Rome", "eleven minutes",
)  # fmt: skip
NOISES_DB = (45.0, 10.0)
BEFORE_MS, AFTER_MS = 1000, 700
SHIFTS = (0, 160, 320)  # samples: a model looks at every third step, and which is chance
ECHOES_DB = (0, 6, 12)  # how much quieter than the caller a full duplex device hears itself
OWN = "Your order is being packed. It will be with you on Monday. Do you want to know more?"
FRAME = 1280  # bytes
TAIL_MS = 100  # of a word that may be left before the command
HEARD_PERCENT = 85.0


def rows() -> list[Row]:
    """All of it, for every word; raises where a corpus is not here."""
    check(tuple(WORDS))
    found = list(_false_accepts())
    for word in WORDS.values():
        found += _accepts(word)
        found += _echoes(word)
    return found


def accepted(detector: MicroWakeWordDetector, pcm: bytes) -> tuple[str, int] | None:
    """(the first word, bytes until the model was sure), as the bridge hears frames."""
    detector.reset()
    for at in range(0, len(pcm), FRAME):
        found = detector.feed(pcm[at : at + FRAME])
        if found is not None:
            return found[0], at + found[1]
    return None


def _false_accepts() -> Iterator[Row]:
    detectors = {name: MicroWakeWordDetector([name]) for name in WORDS}
    taken: dict[str, list[str]] = {name: [] for name in WORDS}
    count, sound_s, cpu_s = 0, 0.0, 0.0
    for piece, pcm in recordings.pieces():
        count += 1
        for shift in SHIFTS:
            whole = bytes(2 * (RATE_HZ + shift)) + pcm + bytes(RATE_HZ)
            sound_s += len(whole) / 2 / RATE_HZ
            began_s = time.process_time()
            for name, detector in detectors.items():
                if accepted(detector, whole) is not None:
                    taken[name].append(piece)
            cpu_s += time.process_time() - began_s
    for name, pieces in taken.items():
        note = f"of {count} recordings of people, {len(SHIFTS)} times each"
        row = f"{name}: false accepts"
        yield Row(name=row, value=len(pieces), unit="", limit=0, note=", ".join(pieces) or note)
    a_word_ms = 1000 * cpu_s / sound_s / len(WORDS)
    yield Row(name="CPU for a second of sound, a word", value=round(a_word_ms, 2), unit="ms")


def _accepts(word: WakeWord) -> Iterator[Row]:
    """How many calls are heard, and what the cut leaves of the word or takes of the command."""
    detector = MicroWakeWordDetector([word.name])
    for name in VOICES:
        heard, calls, tails_ms, lost_ms = 0, 0, [0.0], [0.0]
        for command in COMMANDS:
            said = speech(voice(name), f"{word.phrase}, {command}" if command else word.phrase)
            for snr_db in NOISES_DB:
                pcm = noisy(said, snr_db, seed=calls, before_ms=BEFORE_MS, after_ms=AFTER_MS)
                found = accepted(detector, pcm)
                calls += 1
                if found is None:
                    continue
                heard += 1
                cut_ms = end_of_word(pcm[: found[1]], word.lag_ms) / 32 - BEFORE_MS
                end_ms, begins_ms = _gap(said, speech(voice(name), word.phrase))
                tails_ms.append(end_ms - cut_ms)
                if command:
                    lost_ms.append(cut_ms - begins_ms)
        percent = round(100 * heard / calls, 1)
        note = f"{heard} of {calls}, clean and at 10 dB"
        limit = HEARD_PERCENT if name == "joe" else None  # the models know no such voice as espeak
        label = f"{word.name}: heard, {name}"
        yield Row(name=label, value=percent, unit="%", limit=limit, at_least=True, note=note)
        if heard:
            left = f"{word.name}: of the word left, {name}, at most"
            lost = f"{word.name}: of the command lost, {name}, at most"
            yield Row(name=left, value=round(max(tails_ms)), unit="ms", limit=TAIL_MS)
            yield Row(name=lost, value=round(max(lost_ms)), unit="ms", limit=0)


def _echoes(word: WakeWord) -> Iterator[Row]:
    """How many calls are heard while the device hears itself speak."""
    detector = MicroWakeWordDetector([word.name])
    own = _samples(speech(voice("joe"), OWN))
    call = _samples(speech(voice("joe"), f"{word.phrase}, what is the volume"))
    starts = range(0, len(own) - len(call), RATE_HZ // 4)
    for echo_db in ECHOES_DB:
        heard = 0
        for start in starts:
            mixed = own * 10 ** (-echo_db / 20)
            mixed[start : start + len(call)] += call
            heard += (
                accepted(detector, mixed.clip(-32768, 32767).astype("<i2").tobytes()) is not None
            )
        percent = round(100 * heard / len(starts), 1)
        label = f"{word.name}: heard over its own voice {echo_db} dB below"
        yield Row(name=label, value=percent, unit="%", note=f"{heard} of {len(starts)}")


def _gap(said: bytes, word: bytes) -> tuple[float, float]:
    """When the word ends and the command begins in `said`, in ms, by the quietest 30 ms near the
    end of the word alone."""
    levels = _levels(_samples(said))
    alone = np.flatnonzero(_levels(_samples(word)) > 0.02 * levels.max())
    near = int(alone[-1])
    first = max(0, near - 15)
    window = levels[first : near + 25]
    if not len(window):
        return near * 10.0, near * 10.0
    quietest = first + int(np.argmin(window))
    loud = levels > 0.05 * levels.max()
    before = np.flatnonzero(loud[:quietest])
    after = np.flatnonzero(loud[quietest:])
    end = float(before[-1] + 1) * 10 if len(before) else near * 10.0
    begins = float(quietest + after[0]) * 10 if len(after) else len(levels) * 10.0
    return end, begins


def _samples(pcm: bytes) -> NDArray[np.float64]:
    return np.frombuffer(pcm, "<i2").astype(np.float64)


def _levels(samples: NDArray[np.float64]) -> NDArray[np.float64]:
    whole = samples[: len(samples) // 160 * 160].reshape(-1, 160)
    return np.asarray(np.sqrt((whole**2).mean(axis=1)))
