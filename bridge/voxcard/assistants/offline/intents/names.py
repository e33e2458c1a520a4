"""Names and ids: which words of a sentence can be one, and not the rest of the sentence."""

import itertools
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from voxcard.assistants.offline.intents.normalise import Word
from voxcard.assistants.offline.intents.vocabulary import Vocabulary

WORDS_MAX = 6
_LINK = "and"
_REQUESTS_FOLLOW = ("and", "then")
_LONG_GROUP = 4  # digits; nobody says an id in two groups as long as this


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands around a free text in its sentence.

    `stops` are the words that come next in the template; `ends`: the sentence may end with the
    text. `openings` are the words with which sentences of the home begin.
    """

    stops: Collection[str] = ()
    ends: bool = True
    openings: Collection[str] = ()


def is_name(span: Sequence[Word], around: Surroundings, vocabulary: Vocabulary) -> bool:
    """Whether `span` can be a name: short, and without what belongs to the rest of a sentence."""
    texts = [word.text for word in span]
    if len(span) > WORDS_MAX or not vocabulary.not_in_names.isdisjoint(texts):
        return False
    if not vocabulary.hesitations.isdisjoint(texts):
        return False
    if not set(around.stops).isdisjoint(texts):
        return False  # "milk to the list and eggs", which goes on "to the list"
    if around.ends and not vocabulary.after_names.isdisjoint(texts):
        return False  # "Anna on her mobile"
    return _links_names(texts, around) and not _holds_time(span, vocabulary)


def _links_names(texts: Sequence[str], around: Surroundings) -> bool:
    """Whether an "and" joins two names, and not two requests."""
    for at, text in enumerate(texts):
        if text != _LINK:
            continue
        tail = texts[at + 1 :]
        if not tail or tail[0] in around.openings or (around.ends and len(tail) > 1):
            return False
    return True


def holds_request(span: Sequence[Word], around: Surroundings, vocabulary: Vocabulary) -> bool:
    """Whether a request follows a title: "yesterday and turn off the light"."""
    texts = [word.text for word in span]
    return any(
        one in _REQUESTS_FOLLOW
        and (two in around.openings or (two,) in vocabulary.risky)
        and len(texts) > at + 2
        for at, (one, two) in enumerate(itertools.pairwise(texts))
    )


def _holds_time(span: Sequence[Word], vocabulary: Vocabulary) -> bool:
    """ "mum at 6"."""
    return any(
        one.text in vocabulary.open_ends and two.number is not None
        for one, two in itertools.pairwise(span)
    )


def ends_in_filler(sentence: Sequence[Word], at: int, length: int, vocabulary: Vocabulary) -> bool:
    """Whether a filler begins in the `length` words at `at` and reaches their end or beyond.

    So in "Rome right", before "now".
    """
    return any(
        start + filler >= at + length
        for start in range(at, at + length)
        for filler in vocabulary.fillers_at(sentence, start)
    )


def count_numbers(sentence: Sequence[Word], at: int) -> int:
    """How many numbers, whole and without a sign, follow each other."""
    end = at
    while end < len(sentence) and sentence[end].text.isdecimal():
        end += 1
    return end - at


def one_id(groups: Sequence[Word]) -> str:
    """The digits of numbers that are said as one; "" when they are two: "1042 1043"."""
    texts = [word.text for word in groups]
    alike = len(texts) == 2 and len(texts[0]) == len(texts[1]) >= _LONG_GROUP
    return "" if alike else "".join(texts)
