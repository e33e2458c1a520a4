"""What can be set about the offline assistant."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class OfflineSettings:
    """`model`: tiny.en, or a folder with a whisper model in CTranslate2's format.

    `voice`: joe, espeak, or the path of a Piper .onnx file. `sentences`: a person's own sentence
    file. `end_of_speech_ms`: silence that ends a sentence; a known one that is whole ends sooner,
    the beginning of one and what was not understood later. `listen_again`: after what was not
    understood listen once more without a word. `threads`: of one recognition.
    """

    locale: str = "en"
    model: str = "tiny.en"
    voice: str = "joe"
    sentences: Path | None = None
    end_of_speech_ms: int = 600
    listen_again: bool = False
    threads: int = 2
