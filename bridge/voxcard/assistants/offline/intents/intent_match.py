"""A transcript and the sentences of the home: which sentence was most likely meant."""

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TypeVar

NUMBER = "#"  # stands for any number in a form
# Tuned on generated speech for false accepts first: tools/bench/offline.py measures both.
LEAST = 0.80
_SHORT = 14  # characters: below, one wrong word is most of the sentence
_LEAST_SHORT = 0.87
MARGIN = 0.06
# Words that turn a sentence into something else although most letters stay.
# fmt: off
_TURNS = frozenset((
    "not", "never", "no", "do", "without", "if", "why", "when", "who", "after", "before", "until",
    "unless", "about",
))
# fmt: on


Meaning = TypeVar("Meaning", bound=Hashable)


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One way to say something: `words` in normalised form, numbers as `NUMBER`."""

    words: str
    numbers: int


def form(words: str) -> Form:
    """A form of normalised `words` in which `NUMBER` stands for each number."""
    return Form(words=words, numbers=words.split().count(NUMBER))


def abstract(text: str) -> tuple[str, list[str]]:
    """Normalised `text` with each run of numbers as one `NUMBER`, and those numbers.

    "order 10 42 now" gives "order # now" and ["10 42"].
    """
    words: list[str] = []
    numbers: list[str] = []
    for word in text.split():
        if word.isdecimal() and words and words[-1] == NUMBER:
            numbers[-1] += " " + word
        elif word.isdecimal():
            words.append(NUMBER)
            numbers.append(word)
        else:
            words.append(word)
    return " ".join(words), numbers


def nearest(
    text: str,
    forms: Sequence[Form],
    meaning: Callable[[str], Meaning | None],
    *,
    least: float = LEAST,
    margin: float = MARGIN,
) -> Meaning | None:
    """What `text` (normalised) most likely means, or None when it is unlike all or unclear.

    `meaning` understands a sentence exactly. A sentence that means something else within
    `margin` of the best one makes the text unclear.
    """
    heard, numbers = abstract(text)
    if len(heard) < _SHORT:
        least = max(least, _LEAST_SHORT)
    ranked = sorted(_alike(heard, len(numbers), forms, least - margin), reverse=True)
    if not ranked or ranked[0][0] < least:
        return None
    best = meaning(_filled(ranked[0][1], numbers))
    for score, words in ranked[1:20]:
        if best is None or score < ranked[0][0] - margin:
            break
        found = meaning(_filled(words, numbers))
        if found is not None and found != best:
            return None
    return best


def _alike(
    heard: str, numbers: int, forms: Iterable[Form], least: float
) -> Iterable[tuple[float, str]]:
    turns = _turns(heard)
    matcher = SequenceMatcher(None, b=heard, autojunk=False)
    for each in forms:
        if each.numbers != numbers or _turns(each.words) != turns:
            continue
        matcher.set_seq1(each.words)
        # The quick ones are upper bounds: most forms never reach the slow one.
        if matcher.real_quick_ratio() >= least and matcher.quick_ratio() >= least:
            score = matcher.ratio()
            if score >= least:
                yield score, each.words


def _turns(words: str) -> Collection[str]:
    return _TURNS.intersection(words.split())


def _filled(words: str, numbers: Sequence[str]) -> str:
    left = list(numbers)
    return " ".join(left.pop(0) if word == NUMBER else word for word in words.split())
