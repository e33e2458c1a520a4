"""What the simulated microphone hears: recordings, and sentences spoken by the local voice."""

from functools import cache
from pathlib import Path

from voxcard import audio
from voxcard.assistants.offline.speech.voices import Voice, named
from voxcard.errors import VoxcardError

RATE_HZ = 16000
# As in a quiet room: enough after the last word for the end of speech to be heard.
BEFORE_MS, AFTER_MS = 200, 1200


def recording(file: str) -> bytes:
    """A WAV file as mono pcm16 at RATE_HZ; VoxcardError when it is none."""
    if not file:
        raise VoxcardError("wav needs a file.", "Such as: wav question.wav")
    try:
        return audio.read_wav(Path(file).expanduser().read_bytes(), RATE_HZ)
    except OSError as error:
        problem = f"{file} cannot be read: {error.strerror}."
        raise VoxcardError(problem, "Name another file.") from error


def spoken(text: str) -> bytes:
    """A sentence by the local voice, as `recording`; blocks. MissingExtra without a voice."""
    if not text:
        raise VoxcardError("speak needs a sentence.", "Such as: speak what is the volume")
    voice = _voice()
    pcm = audio.resample(b"".join(voice.speak(text)), voice.rate_hz, RATE_HZ)
    return bytes(2 * BEFORE_MS * RATE_HZ // 1000) + pcm + bytes(2 * AFTER_MS * RATE_HZ // 1000)


def write(path: Path, pcm: bytes) -> None:
    """Write mono pcm16 at RATE_HZ as the device reads it."""
    path.write_bytes(audio.write_wav(pcm, RATE_HZ))


@cache
def _voice() -> Voice:
    voice = named("joe")
    voice.load()
    return voice
