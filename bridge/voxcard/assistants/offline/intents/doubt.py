"""Whether what was heard may have been something else: then it is asked about.

The limits are of mean log probabilities, chosen on generated speech at 60, 20 and 12 dB over pink
noise.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from voxcard.assistants.offline.intents.meanings import Choice, Reading, Several, Understood
from voxcard.assistants.offline.intents.normalise import normalise
from voxcard.assistants.offline.intents.numbers import has_alike, rhyme, sound_alike
from voxcard.assistants.offline.intents.vocabulary import Vocabulary
from voxcard.assistants.offline.speech.asr import Hypothesis

# Two numbers that sound alike, heard within this of each other, are asked about.
_ALIKE = 0.35
_ALIKE_IN_NOISE = 0.6  # the same where noise covers the ends of words
_RHYMING = 0.15  # the same of two numbers that end alike: 13 and 14
_AS_GOOD = 0.03  # the same of any two
_BESIDE = 0.3  # the same of any two, where somebody else was heard
_LEAST_BESIDE = -0.5  # what was heard beside somebody else, worse than this, is asked about
_LEAST_NUMBER = -0.5  # so is a number that others sound like
_OPPOSITE = 0.3  # so is a command whose opposite was heard within this of it: mute, unmute


class Home(Protocol):
    """What a text may mean here and now: a catalogue, or an answer to a question with one."""

    @property
    def prompt(self) -> str: ...
    @property
    def vocabulary(self) -> Vocabulary: ...
    def understand(self, text: str, uncommon: frozenset[str] | None = None) -> Reading: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """What else was heard: somebody `beside` the speaker; `noise` not far below the speech."""

    beside: bool = False
    noise: bool = False


def certain(
    reading: Reading, heard: Hypothesis, hypotheses: Sequence[Hypothesis], home: Home, room: Room
) -> Reading:
    """`reading`, an exact one of `heard`, or what must be asked before it is done."""
    understood = reading.understood
    assert understood is not None
    choice = _which_number(understood, heard, hypotheses, home, room)
    if choice is not None:
        return Reading(meaning=choice)
    number, least = understood.number, _LEAST_BESIDE if room.beside else -math.inf
    if number is not None and has_alike(number):
        if heard is not hypotheses[0]:
            return really(reading)  # the likeliest reading was no sentence at all
        least = max(least, _LEAST_NUMBER)
    if heard.confidence < least or _may_be_opposite(understood, heard, hypotheses, home):
        return really(reading)
    return reading


def really(reading: Reading) -> Reading:
    """`reading`, which is asked about before anything is done."""
    understood = reading.understood
    if understood is None or understood.rule.tool is None:
        return reading
    return replace(reading, meaning=replace(understood, risky=True))


def are_doubted(
    several: Several, heard: Hypothesis, hypotheses: Sequence[Hypothesis], home: Home, room: Room
) -> bool:
    """Whether the same commands with another number were heard nearly as well."""
    if room.beside and heard.confidence < _LEAST_BESIDE:
        return True
    rules = [step.rule for step in several.steps]
    for other in hypotheses:
        if other.confidence < heard.confidence - _alike_within(room):
            continue
        taken = home.understand(other.text, frozenset()).meaning
        if not isinstance(taken, Several) or taken.key == several.key:
            continue
        if [step.rule for step in taken.steps] == rules:
            return True
    return False


def _alike_within(room: Room) -> float:
    """How much less likely than a number one that sounds like it may be."""
    if room.beside:
        return _BESIDE
    return _ALIKE_IN_NOISE if room.noise else _ALIKE


def _within(one: int, other: int, room: Room) -> float:
    """The same of any `other` number."""
    if sound_alike(one, other):
        return _alike_within(room)
    if room.beside:
        return _BESIDE
    return _RHYMING if rhyme(one, other) else _AS_GOOD


def _which_number(
    understood: Understood,
    heard: Hypothesis,
    hypotheses: Sequence[Hypothesis],
    home: Home,
    room: Room,
) -> Choice | None:
    """The question "16 or 60?" when both were heard nearly as well."""
    number = understood.number
    if number is None:
        return None
    for other in hypotheses:
        taken = home.understand(other.text, frozenset()).understood
        if taken is None or not taken.exact or taken.rule != understood.rule:
            continue
        if taken.number is None or taken.key == understood.key:
            continue
        if other.confidence >= heard.confidence - _within(number, taken.number, room):
            return Choice(options=(understood, taken))
    return None


def _may_be_opposite(
    understood: Understood, heard: Hypothesis, hypotheses: Sequence[Hypothesis], home: Home
) -> bool:
    """Whether the same sentence with one word turned was heard nearly as well."""
    if understood.rule.tool is None:
        return False
    words = normalise(heard.text).split()
    for other in hypotheses:
        turned = normalise(other.text).split()
        if other.confidence < heard.confidence - _OPPOSITE or not _is_one_word_off(words, turned):
            continue
        taken = home.understand(other.text, frozenset()).understood
        if taken is None or not taken.exact or taken.key == understood.key:
            continue
        if home.vocabulary.turns(words, turned):
            return True
    return False


def _is_one_word_off(one: Sequence[str], other: Sequence[str]) -> bool:
    missing, added = Counter(one) - Counter(other), Counter(other) - Counter(one)
    return missing.total() == added.total() == 1
