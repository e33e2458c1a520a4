"""Who speaks in the gates: the voices of the product, and flite's where Debian's is unpacked."""

import os
import subprocess
import tempfile
import wave
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy
from voxcard.assistants.offline.speech.voices import EspeakVoice, PiperVoice, Voice
from voxcard.errors import VoxcardError

from tools.bench.offline import speech
from tools.bench.recordings import ROOT

USR = ROOT.parent
Sound = numpy.ndarray[Any, Any]


class PacedJoe(PiperVoice):
    """joe at another pace; the same samples every time."""

    def __init__(self, pace: float) -> None:
        super().__init__("joe", steady=True)
        self._pace = pace

    def load(self) -> None:
        super().load()
        self._config.length_scale = 1 / self._pace


class FliteVoice:
    """A voice of Debian's flite, unpacked by tools/install_recordings.sh."""

    rate_hz = 16000

    def __init__(self, name: str, pace: float = 1.0) -> None:
        self._name = name
        self._pace = pace
        self._program = USR / "bin" / "flite"

    def check(self) -> None:
        if not self._program.is_file():
            raise VoxcardError(
                f"The talker flite {self._name} (Debian's flite) is not in {self._program}.",
                "Run tools/install_recordings.sh.",
            )

    def load(self) -> None:
        self.check()

    def speak(self, text: str) -> Iterator[bytes]:
        libraries = next((USR / "lib").glob("*/libflite.so.1")).parent
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "said.wav"
            pace = ("--setf", f"duration_stretch={1 / self._pace}")
            subprocess.run(
                [self._program, "-voice", self._name, *pace, "-t", text, "-o", path],
                check=True,
                env={**os.environ, "LD_LIBRARY_PATH": str(libraries)},
            )
            with wave.open(str(path)) as file:
                self.rate_hz = file.getframerate()
                yield file.readframes(file.getnframes())

    def close(self) -> None:
        """Nothing is held."""


def samples_of(voice: Voice, text: str) -> Sound:
    """`text` as `voice` says it: samples at 16 kHz, as loud as `conditions.LOUD_RMS`."""
    return numpy.frombuffer(speech(voice, text), "<i2").astype(numpy.float64)


class Talkers:
    """Voices by name, loaded once; what one says is kept."""

    def __init__(self) -> None:
        self._voices: Mapping[str, Voice] = {
            "joe": PiperVoice("joe", steady=True),
            "joe 0.8x": PacedJoe(0.8),
            "joe 1.3x": PacedJoe(1.3),
            **{f"flite {name}": FliteVoice(name) for name in ("slt", "awb", "rms", "kal16")},
            "flite slt 0.8x": FliteVoice("slt", 0.8),
            "flite slt 1.3x": FliteVoice("slt", 1.3),
            **{f"espeak {name}": EspeakVoice(name) for name in _ESPEAK},
        }
        self._said: dict[tuple[str, str], Sound] = {}
        for voice in self._voices.values():
            voice.load()

    def __iter__(self) -> Iterator[str]:
        return iter(self._voices)

    def voice(self, name: str) -> Voice:
        return self._voices[name]

    def said(self, name: str, text: str) -> Sound:
        """`text` as samples at 16 kHz, as loud as `conditions.LOUD_RMS`."""
        if (name, text) not in self._said:
            self._said[name, text] = samples_of(self._voices[name], text)
        return self._said[name, text]


_ESPEAK = ("en-us", "en-gb", "en-029", "en-us+f3", "en-gb-scotland")
