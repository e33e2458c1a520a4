"""Readers of texts of a form of their own, by what a schema calls it: no other words fit there."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from voxcard.assistants.offline.intents.formats.clock_times import clock_times
from voxcard.assistants.offline.intents.formats.spoken_sums import spoken_sums
from voxcard.assistants.offline.intents.normalise import Word
from voxcard.toolhub.places import find

_PLACE_WORDS = 5
# (sentence, at) -> how many words from there on are a value, and the value.
Reader = Callable[[Sequence[Word], int], Iterator[tuple[int, str]]]


def _clocks(sentence: Sequence[Word], at: int) -> Iterator[tuple[int, str]]:
    for each in clock_times(sentence, at):
        yield each.length, each.text


def _places(sentence: Sequence[Word], at: int) -> Iterator[tuple[int, str]]:
    for length in range(1, min(_PLACE_WORDS, len(sentence) - at) + 1):
        name = " ".join(word.text for word in sentence[at : at + length]).removeprefix("the ")
        if find(name) is not None:
            yield length, name


READERS: Mapping[str, Reader] = {"clock": _clocks, "sum": spoken_sums, "place": _places}
