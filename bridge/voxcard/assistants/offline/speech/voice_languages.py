"""Which language a voice speaks, and a voice for each language."""

import json
from pathlib import Path

from voxcard.assistants.offline.speech import model_files
from voxcard.assistants.offline.speech.voices import EspeakVoice, Voice
from voxcard.language.locales import HOME_LANGUAGE, language_of

_ESPEAK = {"en": "en-us", "fr": "fr-fr"}  # others are called as their language


def language(name: str) -> str:
    """The language of a voice as `[assistant] voice` names it; "" of one that speaks any.

    A Piper voice says it in its .onnx.json; one that does not is taken for the home's own.
    """
    if name == "espeak":
        return ""
    if name in model_files.VOICES:
        return HOME_LANGUAGE
    try:
        config = json.loads(Path(f"{name}.json").expanduser().read_text(encoding="utf-8"))
        return language_of(str(config["espeak"]["voice"]))
    except (OSError, ValueError, LookupError, TypeError):
        return HOME_LANGUAGE


def spare(name: str) -> Voice:
    """espeak-ng in a language: it speaks all that the assistant does."""
    return EspeakVoice(_ESPEAK.get(name, name))
