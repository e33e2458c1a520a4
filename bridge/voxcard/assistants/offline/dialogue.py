"""What a text means after a question: an answer to it, or something new."""

from collections.abc import Sequence
from dataclasses import replace

from voxcard.assistants.offline.intents.catalogue import Catalogue
from voxcard.assistants.offline.intents.meanings import (
    Choice,
    Declined,
    Incomplete,
    Reading,
    Understood,
    Which,
)
from voxcard.assistants.offline.intents.normalise import Word, words
from voxcard.assistants.offline.intents.vocabulary import Vocabulary

# A value that is missing, one of two numbers, "really?", one of several names.
Question = Incomplete | Choice | Understood | Which
# Of an answer to "which": nothing that tells one from another.
_NO_NAMES = frozenset(("the", "1", "timer", "alarm", "reminder", "for", "at", "with", "please"))


class Dialogue:
    """A catalogue, and the question that was asked before this turn, if any."""

    def __init__(self, catalogue: Catalogue, question: Question | None = None) -> None:
        self.catalogue = catalogue
        self.prompt = catalogue.prompt
        self.vocabulary: Vocabulary = catalogue.vocabulary
        self._question = question

    def understand(self, text: str, uncommon: frozenset[str] | None = None) -> Reading:
        """What `text` asks for; see `Catalogue.understand`."""
        reading = self.catalogue.understand(text, uncommon)
        if self._question is None:
            return reading
        answer = self._without_fillers(words(text))
        if tuple(answer) in self.vocabulary.no:
            return Reading(meaning=Declined())
        match self._question:
            case Incomplete():
                return self._completed(self._question, text, uncommon, reading)
            case Choice():
                return self._chosen(self._question, words(text)) or reading
            case Which():
                return reading if reading.understood else self._named(self._question, answer)
            case Understood():
                if self._agrees(answer, self._question):
                    return Reading(meaning=replace(self._question, risky=False))
        return reading

    def _completed(
        self, question: Incomplete, text: str, uncommon: frozenset[str] | None, reading: Reading
    ) -> Reading:
        """The sentence that was asked about, with `text` at its end."""
        command = reading.understood
        if command is not None and command.rule.tool is not None and question.takes_text:
            return reading  # anything would fit: a command is a command
        before = question.said.split()
        # "to sixty" repeats the last word.
        for start in (before, before[:-1]):
            longer = self.catalogue.understand(" ".join([*start, text]), uncommon)
            if longer.understood is not None or (longer.meaning and reading.meaning is None):
                return longer
        return reading

    def _chosen(self, question: Choice, answer: Sequence[Word]) -> Reading | None:
        digits = "".join(word.text for word in answer if word.number is not None)
        for option in question.options:
            if digits == str(option.number):
                return Reading(meaning=option)
        return None

    def _named(self, question: Which, answer: Sequence[str]) -> Reading:
        """The call with the one option whose words the answer has: "the pizza one"."""
        said = {word.removesuffix("s") for word in answer if word not in _NO_NAMES}
        named = [
            (each, {word.text.removesuffix("s") for word in words(each)})
            for each in question.options
        ]
        found = [option for option, name in named if said == name]
        found = found or [option for option, name in named if said and said <= name]
        if len(found) != 1:
            return Reading()
        arguments = {**dict(question.asked.arguments), question.argument: found[0]}
        asked = replace(question.asked, arguments=tuple(sorted(arguments.items())), risky=False)
        return Reading(meaning=asked)

    def _agrees(self, answer: Sequence[str], question: Understood) -> bool:
        """Whether it is a yes, and then nothing but what was asked."""
        for length in range(len(answer), 0, -1):
            if tuple(answer[:length]) in self.vocabulary.yes:
                return set(answer[length:]) <= {*question.said.split(), "it", "that"}
        return False

    def _without_fillers(self, sentence: Sequence[Word]) -> list[str]:
        return [
            word.text
            for at, word in enumerate(sentence)
            if (word.text,) not in self.vocabulary.fillers or (len(sentence) == 1 and at == 0)
        ]
