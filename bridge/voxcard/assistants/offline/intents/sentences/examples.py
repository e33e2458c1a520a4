"""Sentences of a home as examples: for the person who asks for help, and for the recogniser."""

import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest

from voxcard.assistants.offline.intents.numbers import written
from voxcard.assistants.offline.intents.sentences.sentence_files import Rule
from voxcard.assistants.offline.intents.slots import Slot
from voxcard.toolhub.schema import Argument, Number

_ROUND = (1000, 500, 100, 50, 10, 5, 2)
_SAID = {
    "duration": "ten minutes",
    "clock": "half past seven",
    "name": "pizza",
    "sum": "7 times 8",
    "place": "Tokyo",
}
_PLACE = re.compile(r"\{(\w+)\}")
_PROMPT_MAX = 220  # characters; whisper reads its prompt again at every decode


@dataclass(frozen=True, slots=True)
class Example:
    """One sentence of a rule: as short as it may be, and with its articles."""

    rule: Rule
    items: tuple[str | Slot, ...]
    said: tuple[str | Slot, ...]
    written: str = ""  # with its accents, where a language has them

    @property
    def text(self) -> str:
        """As somebody would say it: "set the volume to 40"."""
        if self.written:
            slots = {item.argument.name: item for item in self.said if not isinstance(item, str)}
            return _PLACE.sub(lambda place: _value(slots[place[1]]), self.written)
        return " ".join(item if isinstance(item, str) else _value(item) for item in self.said)

    @property
    def prompt(self) -> str:
        """Without any value that could be taken for something that was said."""
        return " ".join(
            item if isinstance(item, str) else _value(item)
            for item in self.items
            if isinstance(item, str) or item.choices
        ).strip()


def offered(examples: Iterable[Example], source: Callable[[str], str]) -> Iterator[Example]:
    """Examples for a person who asks what can be said: one of each `source(tool)` in turn.

    Without those that hold a text of one's own, which makes no sense as an example.
    """
    queues: dict[str, list[Example]] = {}
    for each in examples:
        if not any(_is_free(item) for item in each.items):
            queues.setdefault(source(each.rule.tool or ""), []).append(each)
    turns = zip_longest(*queues.values())
    return (each for turn in turns for each in turn if each is not None)


def prompt_of(examples: Iterable[Example]) -> str:
    """What a recogniser is told to expect. It holds no numbers: they would come out as heard."""
    prompt = ""
    for text in dict.fromkeys(each.prompt for each in examples):
        words = " ".join(word for word in text.split() if not any(map(str.isdigit, word)))
        sentence = words[:1].upper() + words[1:] + ". "
        if len(prompt) + len(sentence) > _PROMPT_MAX:
            break
        prompt += sentence
    return prompt.strip()


def _is_free(item: str | Slot) -> bool:
    return not isinstance(item, str) and item.is_text and not item.is_id


def _value(place: Slot) -> str:
    argument = place.argument
    if place.argument.format in _SAID:
        return _SAID[place.argument.format]
    if place.choices:
        return " ".join(place.choices[0][0])
    if place.is_id or argument.pattern:
        return "1234"
    if place.is_number:
        return written(_plain_number(argument))
    return "hello"


def _plain_number(argument: Argument) -> Number:
    """A number in the lower half of what is allowed, as round as its range lets it be."""
    low = argument.low if argument.low is not None else 0
    high = argument.high if argument.high is not None else low + 10
    if argument.step is not None:
        return argument.step * math.ceil((low + (high - low) * 0.35) / argument.step)
    step = next((each for each in _ROUND if each <= (high - low) / 4), 1)
    return round((low + (high - low) * 0.35) / step) * step
