"""What a text means after a question: an answer to it, or something new."""

from collections.abc import Sequence
from dataclasses import replace

from voxcard.assistants.offline import answers
from voxcard.assistants.offline.intents.catalogue import Catalogue
from voxcard.assistants.offline.intents.meanings import (
    Choice,
    Correctable,
    Declined,
    Incomplete,
    Reading,
    Several,
    Understood,
    Which,
)
from voxcard.assistants.offline.intents.normalise import words
from voxcard.assistants.offline.intents.vocabulary import Vocabulary

# A value that is missing, one of two numbers, "really?" (of one command or several), one of
# several names; or, after no question, what may be corrected.
Question = Incomplete | Choice | Understood | Several | Which | Correctable


class Dialogue:
    """A catalogue, and the question that was asked before this turn, if any."""

    def __init__(self, catalogue: Catalogue, question: Question | None = None) -> None:
        self.catalogue = catalogue
        self.prompt = catalogue.prompt
        self.vocabulary: Vocabulary = catalogue.vocabulary
        self.question = question

    def understand(self, text: str, uncommon: frozenset[str] | None = None) -> Reading:
        """What `text` asks for; see `Catalogue.understand`."""
        reading = self.catalogue.understand(text, uncommon)
        if self.question is None:
            return reading
        sentence = words(text)
        if isinstance(self.question, Correctable):
            return self._corrected(self.question.done, [word.text for word in sentence]) or reading
        answer = answers.without_fillers([word.text for word in sentence], self.vocabulary)
        if tuple(answer) in self.vocabulary.no:
            return Reading(meaning=Declined())
        match self.question:
            case Incomplete():
                return self._completed(self.question, text, uncommon, reading)
            case Choice():
                return answers.chosen(self.question, sentence, self.vocabulary) or reading
            case Which():
                if reading.understood:
                    return reading
                return Reading(meaning=answers.named(self.question, answer))
            case Understood() | Several():
                if answers.agrees(answer, self.question.said, self.vocabulary):
                    return Reading(meaning=_sure(self.question))
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

    def _corrected(self, done: Understood, answer: Sequence[str]) -> Reading | None:
        """What was done with the number of "no, 60" in the place of its own."""
        number = answers.correction(done, answer, self.vocabulary)
        if number is None:
            return None
        before = str(done.number)
        said = [number if word == before else word for word in done.said.split()]
        again = self.catalogue.understand(" ".join(said)).understood
        if again is None or again.rule != done.rule or not again.exact:
            return None
        return Reading(meaning=again)


def _sure(question: Understood | Several) -> Understood | Several:
    """The same, of which nobody need be asked again."""
    if isinstance(question, Understood):
        return replace(question, risky=False)
    steps = tuple(replace(step, risky=False) for step in question.steps)
    return Several(steps=steps)
