"""All sentences of a home in one tree of words, searched word by word.

A word that was said must stand in the sentence, and a word of the sentence must have been said.
Only fillers are free, and, when it was recognised and not typed, one word that was misheard.
"""

import heapq
import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from voxcard.assistants.offline.intents.names import Surroundings
from voxcard.assistants.offline.intents.normalise import Request
from voxcard.assistants.offline.intents.slots import Slot, Span, Value
from voxcard.assistants.offline.intents.vocabulary import Vocabulary

_STEPS_MAX = 20_000  # of one search; a sentence of 20 words takes some hundred
_UNIT_WORDS = 2  # that may follow a missing value, as in "set the timer for {minutes} minutes"
_NODES_MAX = 500  # that are looked at for what may follow
# Before another number, as in "set the volume 2 60".
_HOMOPHONES = {"2": "to", "too": "to", "4": "for", "fore": "for"}


class Node:
    """A place in a sentence: what may come next, and which sentences end here."""

    __slots__ = ("ends", "slots", "words")

    def __init__(self) -> None:
        self.words: dict[str, Node] = {}
        self.slots: list[tuple[Slot, Node]] = []
        self.ends: list[int] = []

    def add(self, items: Sequence[str | Slot], end: int) -> int:
        """Put in a sentence that means `end`; how many nodes that took."""
        node, added = self, 0
        for item in items:
            following = node._after(item)
            if following is None:
                following, added = Node(), added + 1
                if isinstance(item, str):
                    node.words[item] = following
                else:
                    node.slots.append((item, following))
            node = following
        if end not in node.ends:
            node.ends.append(end)
        return added

    def has(self, items: Sequence[str | Slot]) -> bool:
        """Whether that is a sentence."""
        node: Node | None = self
        for item in items:
            node = node._after(item) if node is not None else None
        return node is not None and bool(node.ends)

    def _after(self, item: str | Slot) -> "Node | None":
        if isinstance(item, str):
            return self.words.get(item)
        return next((each for slot, each in self.slots if slot is item), None)


@dataclass(frozen=True, slots=True)
class Path:
    """A way through the tree. Costs count; less is better, from left to right."""

    misheard: float = 0.0  # 0, or how unlike the one misheard word is
    unfit: int = 0  # numbers that the schema does not allow
    skipped: int = 0  # fillers
    free: int = 0  # words that would fit anything
    matched: int = 0  # words that had to be said, and were
    values: tuple[tuple[Slot, Value], ...] = ()
    spans: tuple[tuple[int, int], ...] = ()  # the words of each value
    bad: Slot | None = None
    said: tuple[str, ...] = ()  # the sentence, with what was said in its places
    homophone: bool = False  # a number was taken for the word that sounds like it

    @property
    def cost(self) -> tuple[float, int, int, int]:
        return self.misheard, self.unfit, self.skipped, self.free


@dataclass(frozen=True, slots=True)
class Match:
    """A sentence that was said: `end` as it was put in. `ends_open`: its last word is a value."""

    end: int
    path: Path
    ends_open: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """Every sentence that was said, best first; and, of none, what may still come.

    `missing`: the ends of sentences that lack one value alone, with it. `continues`: some
    sentence begins with what was said and goes on.
    """

    matches: tuple[Match, ...] = ()
    missing: tuple[tuple[int, Slot, Path], ...] = ()
    continues: bool = False


@dataclass(slots=True)
class Search:
    """One search; `common` are the words of the home's own sentences, never misheard ones."""

    root: Node
    vocabulary: Vocabulary
    common: Collection[str]
    request: Request
    lenient: frozenset[int] = frozenset()  # ends in which an everyday word may be misheard too
    _matches: list[Match] = field(default_factory=list)
    _missing: list[tuple[int, Slot, Path]] = field(default_factory=list)
    _continues: bool = False

    def run(self) -> SearchResult:
        order = itertools.count()
        queue: list[tuple[tuple[float, int, int, int], int, Node, int, Path]] = []
        heapq.heappush(queue, (Path().cost, next(order), self.root, 0, Path()))
        seen: set[tuple[int, int, bool, bool, bool]] = set()
        for _ in range(_STEPS_MAX):
            if not queue:
                break
            _, _, node, at, path = heapq.heappop(queue)
            state = (id(node), at, path.misheard > 0, path.unfit > 0, path.homophone)
            if state in seen:
                continue
            seen.add(state)
            if at == len(self.request.words):
                self._arrived(node, path)
            for following, end, step in self._steps(node, at, path):
                heapq.heappush(queue, (step.cost, next(order), following, end, step))
        return SearchResult(
            matches=tuple(self._matches),
            missing=tuple(self._missing),
            continues=self._continues,
        )

    def _steps(self, node: Node, at: int, path: Path) -> Iterator[tuple[Node, int, Path]]:
        for filler in self.vocabulary.optional & node.words.keys():
            yield node.words[filler], at, replace(path, skipped=path.skipped + 1)
        sentence = self.request.words
        if at == len(sentence):
            return
        for length in self._fillers(node, at, path):
            yield node, at + length, replace(path, skipped=path.skipped + length)
        yield from self._word_steps(node, at, path)
        for slot, following in node.slots:
            around = self._around(following)
            for span in slot.spans(self.request, at, around, self.vocabulary):
                end = at + span.length
                step = replace(
                    path,
                    unfit=path.unfit + (not span.fits),
                    free=path.free + span.cost,
                    values=(*path.values, (slot, span.value)),
                    spans=(*path.spans, (at, end)),
                    bad=path.bad if span.fits else slot,
                    said=(*path.said, *(word.text for word in sentence[at:end])),
                )
                if span.unit:
                    yield following.words[span.unit], end, self._matched(step, span.unit)
                    continue
                unit = self._unit(following, end) if _is_one_or_less(span) else None
                if unit is not None:
                    yield unit[0], end + 1, self._matched(step, unit[1])
                if not span.with_unit:
                    yield following, end, step

    def _around(self, following: Node) -> Surroundings:
        """What stands around a value that `following` comes after."""
        stops = following.words.keys() - self.vocabulary.optional
        return Surroundings(stops, bool(following.ends), self.root.words)

    def _fillers(self, node: Node, at: int, path: Path) -> list[int]:
        """How many words may be left out here: none that may belong to a free text."""
        sentence = self.request.words
        lengths = self.vocabulary.fillers_at(sentence, at)
        if lengths and any(slot.is_text for slot, _ in node.slots) and path.matched:
            return [1] if sentence[at].text in self.vocabulary.hesitations else []
        after_text = path.spans and path.spans[-1][1] == at and path.values[-1][0].is_text
        if after_text and not self.vocabulary.is_filler(sentence[at:]):
            return []
        return lengths

    def _unit(self, node: Node, at: int) -> tuple[Node, str] | None:
        """ "one minute" where the sentence has "minutes"."""
        sentence = self.request.words
        if at < len(sentence):
            for name in (sentence[at].text, sentence[at].text + "s"):
                if name in node.words:
                    return node.words[name], name
        return None

    def _word_steps(self, node: Node, at: int, path: Path) -> Iterator[tuple[Node, int, Path]]:
        sentence = self.request.words
        text = sentence[at].text
        if text in node.words:
            yield node.words[text], at + 1, self._matched(path, text)
        if self.request.uncommon is None:
            return
        sounds_like = _HOMOPHONES.get(text, "")
        before_number = at + 1 < len(sentence) and sentence[at + 1].number is not None
        if sounds_like in node.words and before_number:
            step = self._matched(path, sounds_like)
            step = replace(step, skipped=path.skipped + 1, homophone=True)
            yield node.words[sounds_like], at + 1, step
        if path.misheard or text in self.common or sentence[at].number is not None:
            return
        everyday = text not in self.request.uncommon
        for meant, following in node.words.items():
            alike = self.vocabulary.alike(text, meant)
            if alike:
                harmless = everyday or not self.vocabulary.is_close(text, meant)
                unlike = 1.0 - alike + (1.0 if harmless else 0.0)
                step = replace(path, misheard=max(0.001, unlike), said=(*path.said, meant))
                yield following, at + 1, step

    def _matched(self, path: Path, word: str) -> Path:
        matched = path.matched + (word not in self.vocabulary.optional)
        return replace(path, matched=matched, said=(*path.said, word))

    def _arrived(self, node: Node, path: Path) -> None:
        """Every word was used: which sentences end here, and which go on."""
        if path.misheard and not path.matched:
            return  # one word alone cannot be told from another
        for end in node.ends:
            if path.misheard < 1.0 or end in self.lenient:
                ends_open = bool(path.spans) and path.spans[-1][1] == len(self.request.words)
                self._matches.append(Match(end, path, ends_open))
        if path.misheard or not path.matched:
            return
        self._continues = self._continues or _goes_on(node)
        last = self.request.words[-1].text
        if path.matched < 2 and last not in self.vocabulary.open_ends:
            return  # "volume" alone asks for nothing
        for slot, following in node.slots:
            for end in _ends_after(following, _UNIT_WORDS):
                self._missing.append((end, slot, path))


def _is_one_or_less(span: Span) -> bool:
    """Whether its unit is said in the singular: "one minute", "half a minute"."""
    return isinstance(span.value, int | float) and 0 < abs(span.value) <= 1


def _goes_on(node: Node) -> bool:
    """Whether what was said may be the beginning of a sentence that means something else."""
    ends, nodes = set(node.ends), [node]
    for _ in range(_NODES_MAX):
        if not nodes:
            return not ends
        here = nodes.pop()
        if not ends.issuperset(here.ends):
            return True
        nodes.extend(here.words.values())
        nodes.extend(following for _, following in here.slots)
    return True


def _ends_after(node: Node, words: int) -> Iterator[int]:
    """The sentences that end here, or up to `words` words later."""
    yield from node.ends
    if words:
        for following in node.words.values():
            yield from _ends_after(following, words - 1)
