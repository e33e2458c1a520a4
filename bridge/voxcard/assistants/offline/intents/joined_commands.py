"""Several commands in one sentence: "mute and turn the brightness up"."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from voxcard.assistants.offline.intents.meanings import Reading, Several, Understood
from voxcard.assistants.offline.intents.normalise import Word
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
            defers = {word.text for word in sentence[start:end]} & self._vocabulary.defers
            if defers and not is_last:
                return None, False
            steps.append(step)
        if any(itertools.starmap(self._contradict, itertools.combinations(steps, 2))):
            return None, False
        return Several(steps=tuple(steps)), goes_on

    def _part(self, sentence: tuple[Word, ...], start: int, end: int) -> Reading:
        if (start, end) not in self._readings:
            self._readings[start, end] = self._read_part(sentence[start:end])
        return self._readings[start, end]

    def _contradict(self, one: Understood, other: Understood) -> bool:
        """Whether both are about the same thing: the second would undo the first."""
        objects = [self._object(each) for each in (one, other)]
        if objects[0] and objects[0] == objects[1]:
            return True  # "open the gate", "close the gate"
        if one.rule.tool != other.rule.tool or one.rule.tool is None:
            return False
        tool = self._tools.get(one.rule.tool)
        if tool is None or (tool.source == "device" and len(tool.arguments) < 2):
            return True
        names = [_names(each) for each in (one, other)]
        return names[0] == names[1]

    def _object(self, understood: Understood) -> set[str]:
        """What of its words may say which thing it is about: all but its verb."""
        _, *words = understood.said.split()
        return (
            {word for word in words if word.isalpha()}
            - self._vocabulary.optional
            - self._vocabulary.particles
        )


def _names(understood: Understood) -> list[tuple[str, str]]:
    """What of its arguments says which thing it is about."""
    return [(name, value) for name, value in understood.arguments if isinstance(value, str)]
