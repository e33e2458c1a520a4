"""The tables of texts and the words a voice has to say for them, compared by phonemes."""

from collections.abc import Iterator
from pathlib import Path

from voxcard.assistants.spoken.sentences import sentences
from voxcard.assistants.spoken.speech_text import speakable
from voxcard.assistants.spoken.verbalise import LANGUAGES, spoken

from tools.bench.hearing.phonemes import phonemes
from tools.bench.rows import Row

TABLES = Path(__file__).parents[3] / "tests" / "golden" / "sentences"


def table(language: str) -> list[tuple[str, list[str]]]:
    """Each text, and its sentences in words."""
    lines = (TABLES / f"spoken.{language}.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.split(" => ") for line in lines if " => " in line]
    return [
        (text.replace("\\n", "\n").replace("\\t", "\t"), words.split(" | "))
        for text, words in pairs
    ]


def said(text: str, language: str) -> list[str]:
    """The words of each sentence that a voice is given for `text`."""
    return [spoken(sentence, language) for sentence in sentences(speakable(text))]


def rows() -> Iterator[Row]:
    """How many texts of each language are said otherwise."""
    for language in LANGUAGES:
        texts = table(language)
        wrong = [
            text
            for text, words in texts
            if [*map(phonemes, said(text, language) or [""])] != [*map(phonemes, words)]
        ]
        name = f"spoken texts said otherwise ({language}), of {len(texts)}"
        yield Row(name=name, value=len(wrong), unit="", limit=0, note="; ".join(wrong))
