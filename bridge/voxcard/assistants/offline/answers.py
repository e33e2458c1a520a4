"""Answers as people give them: "the second one", "not sixteen", "yes, do it", "no, sixty"."""

from collections.abc import Sequence

from voxcard.assistants.offline.intents.meanings import (
    Choice,
    Declined,
    Meaning,
    Reading,
    Understood,
    Which,
)
from voxcard.assistants.offline.intents.normalise import Word, words
from voxcard.assistants.offline.intents.vocabulary import Phrase, Vocabulary

# Of an answer to "which": nothing that tells one from another.
_NO_NAMES = frozenset(("the", "1", "timer", "alarm", "reminder", "for", "at", "with", "please"))
_NOT, _PERCENT = "not", "percent"
_SET = "set_"  # how the name of a tool begins that can be called again and again


def without_fillers(texts: Sequence[str], vocabulary: Vocabulary) -> list[str]:
    return [text for text in texts if len(texts) == 1 or (text,) not in vocabulary.fillers]


def agrees(answer: Sequence[str], asked: str, vocabulary: Vocabulary) -> bool:
    """Whether it is a yes, and then nothing but what was `asked`."""
    for length in range(len(answer), 0, -1):
        if tuple(answer[:length]) in vocabulary.yes:
            return set(answer[length:]) <= {*asked.split(), "it", "that"}
    return False


def chosen(question: Choice, answer: Sequence[Word], vocabulary: Vocabulary) -> Reading | None:
    """The option of "16 or 60?" that is named, by its number or its place; a yes is the first."""
    former, latter = question.options
    texts = without_fillers([word.text for word in answer], vocabulary)
    said = tuple(texts)
    if said in vocabulary.neither:
        return Reading(meaning=Declined())
    if said in vocabulary.former or said in vocabulary.yes:
        return Reading(meaning=former)
    if said in vocabulary.latter:
        return Reading(meaning=latter)
    known = {*former.said.split(), *latter.said.split(), _NOT, _PERCENT}
    known.update(*vocabulary.corrections, *vocabulary.yes)
    if not all(text in known or text.isdecimal() for text in texts):
        return None
    numbers = [str(option.number) for option in question.options]
    if _NOT in texts:
        return _spared(question, numbers, texts)
    digits = "".join(text for text in texts if text.isdecimal())
    return Reading(meaning=question.options[numbers.index(digits)]) if digits in numbers else None


def _spared(question: Choice, numbers: Sequence[str], texts: Sequence[str]) -> Reading | None:
    """ "Not sixteen", "sixty, not sixteen": the option that is left."""
    after = texts[texts.index(_NOT) + 1 :]
    if texts.count(_NOT) > 1 or not after or after[0] not in numbers:
        return None
    left = 1 - numbers.index(after[0])
    others = [text for text in texts if text.isdecimal() and text != after[0]]
    if texts.count(after[0]) > 1 or any(text != numbers[left] for text in others):
        return None
    return Reading(meaning=question.options[left])


def named(question: Which, answer: Sequence[str]) -> Meaning | None:
    """The call with the one option whose words the answer has: "the pizza one"."""
    said = {word.removesuffix("s") for word in answer if word not in _NO_NAMES}
    options = [
        (each, {word.text.removesuffix("s") for word in words(each)}) for each in question.options
    ]
    found = [option for option, name in options if said == name]
    found = found or [option for option, name in options if said and said <= name]
    return question.taking(found[0]) if len(found) == 1 else None


def is_correctable(done: Understood) -> bool:
    """Whether it set a value, with one number that was said, and can be set again."""
    tool = (done.rule.tool or "").rpartition(".")[2]
    if not tool.startswith(_SET) or done.rule.change is not None or done.number is None:
        return False
    return done.said.split().count(str(done.number)) == 1


def correction(done: Understood, answer: Sequence[str], vocabulary: Vocabulary) -> str | None:
    """The number of "no, 60" or "not 16, 60"; None where it corrects nothing."""
    number = str(done.number)
    rest = list(answer)
    corrects = 0
    lead = _lead(rest, vocabulary.corrections)
    while lead:
        rest, corrects = rest[lead:], corrects + lead
        lead = _lead(rest, vocabulary.corrections)
    if rest[:2] == [_NOT, number]:
        rest, corrects = rest[2:], corrects + 1
        rest = rest[1:] if rest[:1] == ["but"] else rest
    if rest[-2:] == [_NOT, number]:
        rest, corrects = rest[:-2], corrects + 1
    rest = [text for text in without_fillers(rest, vocabulary) if text != _PERCENT]
    if corrects and len(rest) == 1 and rest[0].isdecimal() and rest[0] != number:
        return rest[0]
    return None


def _lead(texts: Sequence[str], phrases: frozenset[Phrase]) -> int:
    """How many words at the beginning are the longest of `phrases` that stands there."""
    return max((len(each) for each in phrases if tuple(texts[: len(each)]) == each), default=0)
