"""Finds wake words in a stream of pcm16 at 16 kHz."""

import importlib.util
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from voxcard.errors import MissingExtra, VoxcardError
from voxcard.wake.words import WORDS

PACKAGE = "pymicro_wakeword"


class Detector(Protocol):
    """One stream's; blocks, so it is called in a thread, by one caller at a time."""

    def feed(self, pcm: bytes) -> tuple[str, int] | None:
        """(the word that is found, how many bytes of `pcm` there were until then), or None.

        What follows in `pcm` is not looked at.
        """

    def reset(self) -> None:
        """Begin anew: what comes does not follow what came."""


class MicroWakeWordDetector:
    """Several words over one front end; about 2 ms of CPU a word for a second of sound."""

    def __init__(self, names: Sequence[str]) -> None:
        from pymicro_wakeword import MicroWakeWord, MicroWakeWordFeatures

        self._new_features = MicroWakeWordFeatures
        self._models = {
            name: MicroWakeWord.from_config(_models_folder() / f"{name}.json") for name in names
        }
        self._features = self._new_features()

    def feed(self, pcm: bytes) -> tuple[str, int] | None:
        step = 320  # bytes: what the front end takes at a time
        for at in range(0, len(pcm), step):
            for features in self._features.process_streaming(pcm[at : at + step]):
                # Every model sees every step, or the others' windows would have holes.
                sure = [
                    name
                    for name, model in self._models.items()
                    if (model.process_streaming_prob(features) or 0.0) > WORDS[name].threshold
                ]
                if sure:
                    return sure[0], min(at + step, len(pcm))
        return None

    def reset(self) -> None:
        self._features = self._new_features()
        for model in self._models.values():
            model.reset()


def check(names: Sequence[str]) -> None:
    """VoxcardError unless there is a model of every name here."""
    if importlib.util.find_spec(PACKAGE) is None:
        raise MissingExtra("The wake word", "wake")
    for name in names:
        try:
            json.loads((_models_folder() / f"{name}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            problem = f"{PACKAGE} holds no model of the wake word {name}."
            raise VoxcardError(problem, "Install the version that this bridge names.") from error


def _models_folder() -> Path:
    spec = importlib.util.find_spec(PACKAGE)
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).parent / "models"
