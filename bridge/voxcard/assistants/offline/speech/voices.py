"""Text to speech: what a voice does, and the voices there are."""

import ctypes
import logging
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, Protocol

from voxcard.assistants.offline.speech import model_files
from voxcard.assistants.offline.speech.no_telemetry import keep_quiet
from voxcard.errors import MissingExtra, VoxcardError

log = logging.getLogger(__name__)


class Voice(Protocol):
    """Speaks plain sentences. Every method blocks: call them in a thread, one at a time."""

    rate_hz: int  # known after load()

    def check(self) -> None:
        """Raise the VoxcardError of a voice that is not there, without loading it."""

    def load(self) -> None:
        """Make ready; raises VoxcardError with a remedy."""

    def speak(self, text: str) -> Iterator[bytes]:
        """`text` as pcm16 mono pieces at `rate_hz`."""

    def close(self) -> None:
        """Release the memory."""


def named(name: str) -> Voice:
    """The voice of that name: joe, espeak, or the path of a Piper .onnx file."""
    if name == "espeak":
        return EspeakVoice()
    if name in model_files.VOICES or name.endswith(".onnx"):
        return PiperVoice(name)
    known = ", ".join([*model_files.VOICES, "espeak"])
    raise VoxcardError(
        f"There is no voice named {name!r}.", f"Use {known}, or the path of a Piper .onnx file."
    )


class PiperVoice:
    """A Piper voice, from a package or a file, on one thread: two devices do not fight.

    A `steady` one says a text with the same samples every time, and a little flatter.
    """

    rate_hz = 22050

    def __init__(self, name: str = "joe", *, steady: bool = False) -> None:
        self._name = name
        self._steady = steady
        self._config: Any = None
        self._voice: Any = None

    def check(self) -> None:
        path = Path(self._name).expanduser()
        if self._name not in model_files.VOICES and not path.is_file():
            raise VoxcardError(f"There is no voice {path}.", "Correct its path in voxcard.toml.")

    def load(self) -> None:
        keep_quiet()
        try:
            import onnxruntime
            import piper
        except ImportError as error:
            raise MissingExtra("The local voice (piper-tts)", "voice") from error
        path = self._path()
        try:
            self._voice = piper.PiperVoice.load(str(path))
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = 1
            options.inter_op_num_threads = 1
            self._voice.session = onnxruntime.InferenceSession(
                str(path), sess_options=options, providers=["CPUExecutionProvider"]
            )
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            raise VoxcardError(
                f"The voice {path} cannot be loaded ({error}).",
                "A Piper voice is a .onnx file with its .onnx.json beside it.",
            ) from error
        if self._steady:
            self._config = piper.SynthesisConfig(noise_scale=0.0, noise_w_scale=0.0)
        self.rate_hz = int(self._voice.config.sample_rate)
        list(self.speak("Ready."))  # the first synthesis pays for the buffers

    def speak(self, text: str) -> Iterator[bytes]:
        for chunk in self._voice.synthesize(text, self._config):
            yield chunk.audio_int16_bytes

    def close(self) -> None:
        self._voice = None

    def _path(self) -> Path:
        packaged = model_files.VOICES.get(self._name)
        if packaged is None:
            return Path(self._name).expanduser()
        names = [name for name in packaged.sha256 if name.endswith(".onnx")]
        return model_files.find(packaged) / names[0]


class EspeakVoice:
    """espeak-ng through ctypes: small and quick, and sounds like it."""

    rate_hz = 22050
    _SYNCHRONOUS = 2  # AUDIO_OUTPUT_SYNCHRONOUS: audio goes to the callback only
    _UTF8 = 1
    # The library keeps its state in globals: one user at a time in the process.
    _lock: ClassVar[threading.Lock] = threading.Lock()

    def __init__(self, language: str = "en-us") -> None:
        self._language = language
        self._library: Any = None
        self._pieces: list[bytes] = []
        self._callback: Any = None

    def check(self) -> None:
        """It has no files of ours."""

    def load(self) -> None:
        try:
            import espeakng_loader
        except ImportError as error:
            raise MissingExtra("The local voice (espeak-ng)", "voice") from error
        try:
            library = ctypes.CDLL(espeakng_loader.get_library_path())
        except OSError as error:
            raise VoxcardError(
                f"espeak-ng cannot be loaded on this computer ({error}).",
                "Use another voice in voxcard.toml.",
            ) from error
        with self._lock:
            rate = library.espeak_Initialize(
                self._SYNCHRONOUS, 200, espeakng_loader.get_data_path().encode(), 0
            )
        if rate <= 0:
            raise VoxcardError("espeak-ng cannot read its data.", "Install it again.")
        prototype = ctypes.CFUNCTYPE(
            ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p
        )
        self.rate_hz = rate
        self._callback = prototype(self._take)
        self._library = library

    def speak(self, text: str) -> Iterator[bytes]:
        data = text.encode()
        with self._lock:
            self._pieces = []
            self._library.espeak_SetSynthCallback(self._callback)
            self._library.espeak_SetVoiceByName(self._language.encode())
            self._library.espeak_Synth(data, len(data) + 1, 0, 0, 0, self._UTF8, None, None)
            pieces = self._pieces
        yield b"".join(pieces)

    def close(self) -> None:
        self._library = None

    def _take(self, samples: Any, count: int, _events: Any) -> int:
        if samples and count > 0:
            self._pieces.append(ctypes.string_at(samples, count * 2))
        return 0
