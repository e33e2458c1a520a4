"""Ears, a recogniser and a voice that are scripted: loud samples are speech, text is bytes."""

import struct
import threading
from collections.abc import AsyncIterator, Iterator

from voxcard.assistants.offline.speech.asr import Hypothesis

CHUNK_MS = 32
LOUD = struct.pack("<512h", *([8000, -8000] * 256))
QUIET = bytes(1024)


def audio(*stretches: "tuple[bytes, int]") -> bytes:
    """pcm16 of stretches (LOUD or QUIET, ms)."""
    return b"".join(chunk * (ms // CHUNK_MS) for chunk, ms in stretches)


async def microphone(pcm: bytes, frame: int = 1280) -> AsyncIterator[bytes]:
    for at in range(0, len(pcm), frame):
        yield pcm[at : at + frame]


def assert_not_on_the_main_thread() -> None:
    """Where the tests' event loop runs: heavy work there would make every device late."""
    assert threading.current_thread() is not threading.main_thread()


class LoudDetector:
    """A loud chunk is speech."""

    def probability(self, chunk: bytes) -> float:
        assert_not_on_the_main_thread()
        return 1.0 if max(chunk[1::2], default=0) > 8 else 0.0


class ScriptedRecogniser:
    """Hears the given texts, one per utterance; the last one again and again."""

    def __init__(self, *texts: str) -> None:
        self._texts = list(texts)
        self.others: list[tuple[str, float]] = []
        self.heard: list[bytes] = []
        self.prompts: list[str] = []
        self.began = threading.Event()  # the first utterance is being recognised
        self.closed = 0

    def check(self) -> None:
        pass

    def load(self) -> None:
        pass

    def transcribe(self, pcm: bytes, prompt: str) -> list[Hypothesis]:
        assert_not_on_the_main_thread()
        self.heard.append(pcm)
        self.prompts.append(prompt)
        self.began.set()
        text = self._texts.pop(0) if len(self._texts) > 1 else self._texts[0]
        others = [Hypothesis(text=each, confidence=score) for each, score in self.others]
        return [Hypothesis(text=text), *others] if text else []

    def close(self) -> None:
        self.closed += 1


class LetterVoice:
    """Speaks a text as its own UTF-8 bytes, at 8 kHz."""

    rate_hz = 8000

    def __init__(self) -> None:
        self.spoken: list[str] = []
        self.closed = 0

    def check(self) -> None:
        pass

    def load(self) -> None:
        pass

    def speak(self, text: str) -> Iterator[bytes]:
        assert_not_on_the_main_thread()
        self.spoken.append(text)
        yield text.encode()

    def close(self) -> None:
        self.closed += 1
