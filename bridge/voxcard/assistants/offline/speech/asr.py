"""Speech to text: what a recogniser does, and whisper as one."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy

from voxcard.assistants.offline.speech import log_mel, model_files
from voxcard.assistants.offline.speech.no_telemetry import keep_quiet
from voxcard.errors import MissingExtra, VoxcardError

# Whisper's encoder takes a window of 30 s, silence included; a command is two. A shorter window
# is 3 to 5 times faster, with at least a few seconds of silence or it repeats itself.
_WINDOW_FRAMES = 1500  # of 10 ms
_SPARE_FRAMES = 600
_MOST_FRAMES = 3000
_PROMPT_TOKENS = 180
_ENGLISH = "en"
_TASK = "transcribe"  # what a model of many languages is asked for
_MOST_TOKENS = 48  # a command has a dozen; only a loop needs more
_BEAMS = 5  # cost 1.04 times as much as one: most of the time goes into the encoder
_UNLIKELY = -1.0  # mean log probability of a token below which whisper guesses
_NO_SPEECH = 0.6
_LOUD = 0.1  # of full scale: what the loudest twentieth of the samples is brought to
_LOUD_SHARE = 0.95
_OFFSET_SHARE = 0.02  # of that level: a smaller offset is none
_GAIN_MAX = 100.0
_PUT_WORDS = re.compile(r"[\[(][^\[\]()]*[\])]|♪[^♪]*♪?")  # "[Music]", "(coughs)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hypothesis:
    """What may have been said. `confidence`: mean log probability, <= 0.

    `uncommon`: its words, in lower case, that were spelled from pieces: names, and words that
    were misheard.
    """

    text: str
    confidence: float = 0.0
    uncommon: frozenset[str] = frozenset()


class Recogniser(Protocol):
    """Turns one utterance into text. Every method blocks: call them in a thread."""

    def check(self) -> None:
        """Raise the VoxcardError of a model that is not there, without loading it."""

    def load(self) -> None:
        """Make ready; raises VoxcardError with a remedy."""

    def transcribe(self, pcm: bytes, prompt: str) -> Sequence[Hypothesis]:
        """What `pcm` (pcm16, 16 kHz, mono) may say, likeliest first; empty when nobody spoke.

        `prompt`: sentences that are likely.
        """

    def close(self) -> None:
        """Release the memory."""


class WhisperRecogniser:
    """Whisper in CTranslate2, from a package or a folder. Never touches the network."""

    def __init__(self, model: str = "tiny.en", *, threads: int = 2) -> None:
        self._name = model
        self._threads = threads
        self._model: Any = None
        self._tokens: _Tokens | None = None
        self._log_mel: log_mel.LogMel | None = None

    def check(self) -> None:
        self._folder()

    def load(self) -> None:
        keep_quiet()
        try:
            import ctranslate2
            import tokenizers
        except ImportError as error:
            raise MissingExtra("Speech recognition (ctranslate2)", "recognition") from error
        folder = self._folder()
        try:
            self._model = ctranslate2.models.Whisper(
                str(folder), device="cpu", compute_type="int8", intra_threads=self._threads
            )
            text = (folder / "tokenizer.json").read_text(encoding="utf-8")
            tokenizer = tokenizers.Tokenizer.from_str(text)
        except Exception as error:  # tokenizers raises nothing narrower
            raise VoxcardError(
                f"The speech model in {folder} cannot be loaded ({error}).",
                "It must be a whisper model in CTranslate2's format, with its tokenizer.json.",
            ) from error
        self._tokens = _Tokens(tokenizer, multilingual=self._model.is_multilingual)
        self._log_mel = log_mel.LogMel(self._model.n_mels)
        self.transcribe(bytes(2 * log_mel.RATE_HZ), "Hello.")  # the first pays for the buffers

    def in_language(self, language: str) -> "Recogniser | None":
        """The same model for another language; None where it knows no other than English."""
        if language == _ENGLISH:
            return self
        if self._tokens is None or not self._tokens.knows(language):
            return None
        return _InLanguage(self, language)

    def transcribe(
        self, pcm: bytes, prompt: str, language: str = _ENGLISH
    ) -> Sequence[Hypothesis]:
        hypotheses, no_speech = self._decode(pcm, prompt, language)
        score = hypotheses[0].confidence
        if score < _UNLIKELY and (no_speech > _NO_SPEECH or score < 2 * _UNLIKELY):
            return []
        return hypotheses if hypotheses[0].text else []

    def _decode(self, pcm: bytes, prompt: str, language: str) -> tuple[list[Hypothesis], float]:
        """The hypotheses, and the probability that nobody spoke."""
        tokens = self._tokens
        assert tokens is not None
        start = tokens.start(prompt, language)
        try:
            result = self._model.generate(
                self._encode(pcm),
                [start],
                beam_size=_BEAMS,
                num_hypotheses=_BEAMS,
                max_length=_MOST_TOKENS + len(start),
                return_scores=True,
                return_no_speech_prob=True,
            )[0]
        except RuntimeError as error:
            raise VoxcardError(f"Speech recognition failed ({error}).", "Try again.") from error
        hypotheses = [
            Hypothesis(
                text=_cleaned(tokens.text(ids)),
                confidence=float(score),
                uncommon=_uncommon([tokens.text([each]) for each in ids]),
            )
            for ids, score in zip(result.sequences_ids, result.scores, strict=True)
        ]
        return hypotheses, float(result.no_speech_prob)

    def _encode(self, pcm: bytes) -> Any:
        import ctranslate2

        assert self._log_mel is not None
        samples = _levelled(numpy.frombuffer(pcm, "<i2").astype(numpy.float32) / 32768)
        window = len(samples) // log_mel.STEP + _SPARE_FRAMES
        window = min(max(_WINDOW_FRAMES, window), _MOST_FRAMES)
        features = self._log_mel.features(samples)[:, :window]
        features = numpy.pad(features, ((0, 0), (0, window - features.shape[1])))
        return self._model.encode(ctranslate2.StorageView.from_array(features[None]))

    def close(self) -> None:
        self._model = self._tokens = self._log_mel = None

    def _folder(self) -> Path:
        if self._name in model_files.RECOGNISERS:
            return model_files.find(model_files.RECOGNISERS[self._name])
        folder = Path(self._name).expanduser()
        if not (folder / "model.bin").is_file():
            raise VoxcardError(
                f"There is no speech model in {folder}.",
                f"Name one of {', '.join(model_files.RECOGNISERS)}, or a folder with a model.bin.",
            )
        return folder


def _levelled(samples: log_mel.Array) -> log_mel.Array:
    """Without an offset, and a quiet microphone's as loud as others: whisper hears levels."""
    if not len(samples):
        return samples
    offset = samples.mean()
    loud = float(numpy.quantile(numpy.abs(samples - offset), _LOUD_SHARE))
    if abs(offset) > _OFFSET_SHARE * loud:
        samples = samples - offset
    return samples * min(_GAIN_MAX, max(1.0, _LOUD / max(1e-6, loud)))


class _InLanguage:
    """A recogniser of many languages that is asked for one."""

    def __init__(self, recogniser: WhisperRecogniser, language: str) -> None:
        self._recogniser = recogniser
        self._language = language

    def check(self) -> None:
        self._recogniser.check()

    def load(self) -> None:
        """It is loaded already."""

    def transcribe(self, pcm: bytes, prompt: str) -> Sequence[Hypothesis]:
        return self._recogniser.transcribe(pcm, prompt, self._language)

    def close(self) -> None:
        self._recogniser.close()


class _Tokens:
    """The words of a whisper model as numbers; `tokenizer` is that of its tokenizer.json."""

    def __init__(self, tokenizer: Any, *, multilingual: bool) -> None:
        self._tokenizer = tokenizer
        self._before = self._special("startofprev")
        self._end = self._special("endoftext")  # from it on they are no words
        self._multilingual = multilingual

    def knows(self, language: str) -> bool:
        return self._multilingual and self._special(language) is not None

    def start(self, prompt: str, language: str = _ENGLISH) -> list[int]:
        """What a transcript begins with, after the last words of `prompt`."""
        words = " " + prompt.strip() if prompt else ""
        before = self._tokenizer.encode(words, add_special_tokens=False).ids
        asked = (language, _TASK) if self._multilingual else ()
        opening = ("startoftranscript", *asked, "notimestamps")
        return [self._before, *before[-_PROMPT_TOKENS:], *map(self._special, opening)]

    def text(self, ids: Sequence[int]) -> str:
        return str(self._tokenizer.decode([each for each in ids if each < self._end]))

    def _special(self, name: str) -> Any:
        return self._tokenizer.token_to_id(f"<|{name}|>")


def _uncommon(pieces: Sequence[str]) -> frozenset[str]:
    """The words that take more than one piece; a piece that begins a word begins with a blank."""
    words: list[list[str]] = []
    for piece in pieces:
        letters = "".join(each for each in piece if each.isalpha())
        if not words or piece[:1].isspace() or not letters:
            words.append([letters] if letters else [])
        else:
            words[-1].append(letters)
    return frozenset("".join(word).casefold() for word in words if len(word) > 1)


def _cleaned(text: str) -> str:
    """`text` without noises in brackets; said once when whisper says it over and over."""
    text = " ".join(_PUT_WORDS.sub(" ", text).split())
    if not re.search(r"\w", text):
        return ""
    parts = re.findall(r"[^.!?]+[.!?]*", text)
    kept: list[str] = []
    for part in parts:
        if kept and part.strip(" .!?").casefold() == kept[-1].strip(" .!?").casefold():
            break
        kept.append(part)
    return "".join(kept).strip()
