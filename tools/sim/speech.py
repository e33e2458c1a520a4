"""Spoken sentences as WAV files for a simulated microphone, made by the local voices."""

import wave
from functools import cache
from pathlib import Path

from voxcard.assistants.offline.speech.voices import EspeakVoice, PiperVoice, Voice

from tools.bench.offline import RATE_HZ, noisy, speech

# As in a quiet room: some silence before the first word, and enough after the last for the end
# of speech to be heard in it.
BEFORE_MS, AFTER_MS = 200, 1200
RELEASE_MS = 100  # after the last word, as people let a button go
QUIET_DB = 45.0


@cache
def voice(name: str) -> Voice:
    """`joe` (Piper) or `espeak`."""
    # The same sound in every run: what is understood of it must not depend on the day.
    made: Voice = PiperVoice(steady=True) if name == "joe" else EspeakVoice()
    made.load()
    return made


def record(
    path: Path,
    text: str,
    voice_name: str = "joe",
    snr_db: float = QUIET_DB,
    after_ms: int = AFTER_MS,
) -> float:
    """Write `text` as mono pcm16 at 16 kHz with noise `snr_db` below it; its length in s."""
    said = speech(voice(voice_name), text)
    pcm = noisy(said, snr_db, seed=len(text), before_ms=BEFORE_MS, after_ms=after_ms)
    write(path, pcm)
    return len(pcm) / 2 / RATE_HZ


def write(path: Path, pcm: bytes, rate_hz: int = RATE_HZ) -> None:
    """Write mono pcm16."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        file.writeframes(pcm)


def read(path: Path) -> tuple[bytes, int]:
    """The samples and the rate of a WAV file, whatever its header says of their number."""
    data = path.read_bytes()
    at = data.index(b"data") + 8
    return data[at : at + (len(data) - at) // 2 * 2], int.from_bytes(data[24:28], "little")
