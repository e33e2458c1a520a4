"""A model's text, as it comes, cut into what is spoken: its first clause, then sentences; pure."""

from voxcard.assistants.spoken.sentences import Splitter, sentences
from voxcard.assistants.spoken.speech_text import speakable

_CLAUSE_WORDS = 4  # a shorter first clause would leave a gap behind it
_CLAUSE_ENDS = (",", ";", ":", "—")


class SentenceStream:
    """The sentences of one answer, each as soon as it is certain that it is over."""

    def __init__(self) -> None:
        self._splitter = Splitter(clause_words=_CLAUSE_WORDS)

    def push(self, text: str) -> list[str]:
        """What can be spoken now that `text` came."""
        return _spoken(self._splitter.feed(text))

    def end(self) -> list[str]:
        """The rest."""
        return _spoken(self._splitter.end())


def spoken_sentences(text: str) -> list[str]:
    """What is spoken of a whole text: its sentences, without marks and what is no language."""
    return sentences(speakable(text))


def _spoken(pieces: list[str]) -> list[str]:
    said: list[str] = []
    for piece in pieces:
        found = spoken_sentences(piece)
        # Where a clause ended a full stop was put.
        if found and found[-1].endswith(".") and piece.rstrip().endswith(_CLAUSE_ENDS):
            found[-1] = found[-1].removesuffix(".") + ","
        said += found
    return said
