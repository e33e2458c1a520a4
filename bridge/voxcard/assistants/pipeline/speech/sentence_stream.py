"""A model's text, as it comes, cut into what is spoken: its first clause, then sentences; pure."""

import re

from voxcard.assistants.spoken.sentences import sentences
from voxcard.assistants.spoken.speech_text import speakable

# A comma or the like between words: never inside 22,1 or after a number.
_CLAUSE_END = re.compile(r"[^\W\d_](?:[,;:]|\s[–—])(?=\s+\w)")
_CLAUSE_MIN = 20  # characters: a shorter one would leave a gap behind it
_OPEN_MAX = 1000  # characters without an end: what is there is spoken
_NUMBER = re.compile(r"\d{1,3}[.)]")


class SentenceStream:
    """The sentences of one answer, each as soon as it is certain that it is over."""

    def __init__(self) -> None:
        self._open = ""  # the unfinished end of the text
        self._fenced = False  # inside ``` of code, which nobody wants to hear
        self._begun = False  # something was spoken already

    def push(self, text: str) -> list[str]:
        """What can be spoken now that `text` came."""
        self._open += text
        spoken: list[str] = []
        while "\n" in self._open:
            line, _, self._open = self._open.partition("\n")
            spoken += self._line(line)
        if not self._fenced and not self._open.lstrip().startswith(("`", "~", "|")):
            spoken += self._cut()
        self._begun = self._begun or bool(spoken)
        return spoken

    def end(self) -> list[str]:
        """The rest."""
        line, self._open = self._open, ""
        return self._line(line)

    def _line(self, line: str) -> list[str]:
        if line.lstrip().startswith(("```", "~~~")):
            self._fenced = not self._fenced
            return []
        return [] if self._fenced else spoken_sentences(line)

    def _cut(self) -> list[str]:
        """The sentences of the open line that more text follows, or its first clause."""
        # A number at a line's start counts a list, or begins a sentence: its mark ends nothing.
        number = _NUMBER.match(self._open)
        head = number[0] if number else ""
        cut = sentences(self._open[len(head) :])
        if len(cut) > 1:
            tail = " " if self._open[-1:].isspace() else ""
            self._open = cut[-1] + tail
            return spoken_sentences(f"{head} {' '.join(cut[:-1])}".strip())
        if not self._begun:
            for end in _CLAUSE_END.finditer(self._open):
                if end.end() >= _CLAUSE_MIN:
                    clause, self._open = self._open[: end.end()], self._open[end.end() :].lstrip()
                    return [text.rstrip(".:") + "," for text in spoken_sentences(clause)]
        if len(self._open) > _OPEN_MAX:
            at = self._open.rfind(" ", 1)
            at = at if at > 0 else len(self._open)
            text, self._open = self._open[:at], self._open[at:].lstrip()
            return spoken_sentences(text)
        return []


def spoken_sentences(text: str) -> list[str]:
    """What is spoken of a whole text: its sentences, without marks and what is no language."""
    return sentences(speakable(text))
