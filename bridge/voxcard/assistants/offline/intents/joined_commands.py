"""Several commands in one sentence: "mute and turn the brightness up"."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from voxcard.assistants.offline.intents.meanings import Reading, Several, Understood
from voxcard.assistants.offline.intents.normalise import Word, words
from voxcard.assistants.offline.intents.vocabulary import Vocabulary
from voxcard.toolhub.model import ToolSpec

_COMMANDS_MAX = 3
_JOINS_MAX = 3  # places where a sentence may be parted; more is no command
_LONGEST_JOIN = 3  # words


@dataclass(frozen=True, slots=True)
class Join:
    """The words from `start` to `end`, which stand between two commands."""

    start: int
    end: int


class JoinedCommands:
    """Reads the parts of a sentence by `read`, which knows single commands alone."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        tools: Sequence[ToolSpec],
        read: Callable[[tuple[Word, ...]], Reading],
    ) -> None:
        self._vocabulary = vocabulary
        self._tools = {tool.name: tool for tool in tools}
        self._read_part = read
        self._readings: dict[tuple[int, int], Reading] = {}

    def read(self, sentence: tuple[Word, ...]) -> Reading:
        """All of `sentence` as commands, each exact and none against another; else nothing.

        A sentence that can be parted in two ways that differ means nothing.
        """
        joins = list(self._joins(sentence))
        if not 0 < len(joins) <= _JOINS_MAX:
            return Reading()
        found: dict[object, Several] = {}
        continues = False
        for count in range(1, min(len(joins), _COMMANDS_MAX - 1) + 1):
            for chosen in itertools.combinations(joins, count):
                several, goes_on = self._parted(sentence, chosen)
                continues = continues or goes_on
                if several is not None:
                    found.setdefault(several.key, several)
        meaning = next(iter(found.values())) if len(found) == 1 else None
        return Reading(meaning=meaning, continues=continues)

    def _joins(self, sentence: Sequence[Word]) -> Iterator[Join]:
        texts = tuple(word.text for word in sentence)
        at = 1
        while at < len(texts):
            lengths = [
                length
                for length in range(1, _LONGEST_JOIN + 1)
                if texts[at : at + length] in self._vocabulary.joins
            ]
            if lengths:
                yield Join(at, at + lengths[-1])
            at += lengths[-1] if lengths else 1

    def _parted(
        self, sentence: tuple[Word, ...], joins: Sequence[Join]
    ) -> tuple[Several | None, bool]:
        """The commands between `joins`, and whether only the last of them is not whole yet."""
        starts = [0, *(join.end for join in joins)]
        ends = [*(join.start for join in joins), len(sentence)]
        steps: list[Understood] = []
        for start, end in zip(starts, ends, strict=True):
            is_last = end == len(sentence)
            if start == end:
                return None, is_last
            reading = self._part(sentence, start, end)
            step = reading.understood
            if is_last and (step is None or reading.continues):
                goes_on = reading.continues
            else:
                goes_on = False
            if step is None or not step.exact or step.rule.tool is None:
                return None, goes_on
            if not is_last and self._defers(sentence, start, end):
                return None, False
            if self._speaks_of_others(step, is_first=not start):
                return None, False
            steps.append(step)
        if any(itertools.starmap(self._contradict, itertools.combinations(steps, 2))):
            return None, False
        return Several(steps=tuple(steps)), goes_on

    def _defers(self, sentence: Sequence[Word], start: int, end: int) -> bool:
        """Whether what follows the part may be meant for the time when that is over."""
        said = {word.text for word in sentence[start:end]}
        following = {word.text for word in sentence[end : end + _LONGEST_JOIN]}
        later = bool(following & self._vocabulary.sequels and said & self._vocabulary.lasts)
        return later or bool(said & self._vocabulary.defers)

    def _speaks_of_others(self, step: Understood, *, is_first: bool) -> bool:
        """Whether a text in it stands for another part, as "it", or is a command itself."""
        for name, value in step.arguments:
            is_said = isinstance(value, str) and name not in step.rule.arguments
            text = words(value) if is_said else []
            if not is_first and self._vocabulary.pronouns.intersection(w.text for w in text):
                return True
            hidden = self._read_part(tuple(text)).understood if text else None
            if hidden is not None and hidden.rule.tool is not None:
                return True
        return False

    def _part(self, sentence: tuple[Word, ...], start: int, end: int) -> Reading:
        if (start, end) not in self._readings:
            self._readings[start, end] = self._read_part(sentence[start:end])
        return self._readings[start, end]

    def _contradict(self, one: Understood, other: Understood) -> bool:
        """Whether both are about the same thing: the second would undo the first."""
        first, second = self._object(one), self._object(other)
        if first and second and (first <= second or second <= first):
            return True  # "open the gate", "close the gate"
        sources = {self._source(each) for each in (one, other)}
        pronouns = self._vocabulary.pronouns & first & second
        if pronouns and len(sources) == 1 and sources != {"device"}:
            return True  # "make it 20 degrees", "make it warmer"
        if one.rule.tool != other.rule.tool or one.rule.tool is None:
            return False
        tool = self._tools.get(one.rule.tool)
        if tool is None or (tool.source == "device" and len(tool.arguments) < 2):
            return True
        names = [_names(each) for each in (one, other)]
        return names[0] == names[1]

    def _source(self, understood: Understood) -> str:
        tool = self._tools.get(understood.rule.tool or "")
        return tool.source if tool is not None else ""

    def _object(self, understood: Understood) -> set[str]:
        """What of its words may say which thing it is about: all but its verb."""
        _, *rest = understood.said.split()
        return (
            {word for word in rest if word.isalpha()}
            - self._vocabulary.optional
            - self._vocabulary.particles
        )


def _names(understood: Understood) -> list[tuple[str, str]]:
    """What of its arguments says which thing it is about."""
    return [(name, value) for name, value in understood.arguments if isinstance(value, str)]
