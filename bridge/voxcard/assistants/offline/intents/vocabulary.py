"""Words of a language that matter to every sentence, whatever tools a home has."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from voxcard.assistants.offline.intents.normalise import Forms, Word, normalise

Phrase = tuple[str, ...]
_LEAST_ALIKE = 0.75  # of the letters of a misheard word and the word that was meant
_SHORTEST = 4  # letters of a word that can be misheard: in a shorter one each letter counts
_SHORT_WORD = 6
_SHORTEST_STEM = 3
_LONGEST_FILLER = 5  # words


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """Every field holds normalised words or phrases.

    `fillers` may be said anywhere, `optional` are those a template may hold without their
    being said; `hesitations` are never part of a text. `exact` words are always heard as
    themselves and never stand for another: they turn a sentence into its opposite, or name a
    direction, an amount, a time or a place; of them a recogniser adds or drops the
    `unstressed`. `prefixes` turn a word into another one. `cancels` end a sentence that is
    taken back. `yes` and `no` answer a question; `former` and `latter` choose one of two,
    `neither` none of them. `corrections` say that what was done was not meant. `joins` stand
    between two commands, of which the first holds no word that `defers` it; nor, before one of
    the `sequels`, one that says how long it `lasts`. `pronouns` stand for what was spoken of
    before. `open_ends` are words after which more must follow. `not_in_names` show that a free
    text is more than a name, `after_names` that a name at the end of a sentence is; `articles`
    before a name are no part of it. `risky` words, or pairs of words, name what cannot be
    undone, `harmless` verbs what changes nothing. A particle of a verb, as in "turn off", may
    stand before the verb's object or behind it.
    """

    fillers: frozenset[Phrase]
    optional: frozenset[str]
    hesitations: frozenset[str]
    exact: frozenset[str]
    unstressed: frozenset[str]
    prefixes: tuple[str, ...]
    cancels: frozenset[Phrase]
    yes: frozenset[Phrase]
    no: frozenset[Phrase]
    former: frozenset[Phrase]
    latter: frozenset[Phrase]
    neither: frozenset[Phrase]
    corrections: frozenset[Phrase]
    joins: frozenset[Phrase]
    defers: frozenset[str]
    sequels: frozenset[str]
    lasts: frozenset[str]
    pronouns: frozenset[str]
    open_ends: frozenset[str]
    not_in_names: frozenset[str]
    after_names: frozenset[str]
    articles: frozenset[str]
    risky: frozenset[Phrase]
    harmless: frozenset[str]
    particle_verbs: frozenset[str]
    particles: frozenset[str]

    @classmethod
    def of(cls, source: Mapping[str, str], forms: Forms | None = None) -> "Vocabulary":
        """From the `words` of a language's sentence file: texts with commas between phrases."""
        phrases = {
            key: [normalise(each, forms) for each in text.split(",")]
            for key, text in source.items()
        }
        return cls(
            fillers=_phrases(phrases["fillers"]),
            optional=frozenset(phrases["optional"]),
            hesitations=frozenset(phrases["hesitations"]),
            exact=frozenset(phrases["exact"]),
            unstressed=frozenset(phrases["unstressed"]),
            prefixes=tuple(phrases["prefixes"]),
            cancels=_phrases(phrases["cancels"]),
            yes=_phrases(phrases["yes"]),
            no=_phrases(phrases["no"]),
            former=_phrases(phrases["former"]),
            latter=_phrases(phrases["latter"]),
            neither=_phrases(phrases["neither"]),
            corrections=_phrases(phrases["corrections"]),
            joins=_phrases(phrases["joins"]),
            defers=frozenset(phrases["defers"]),
            sequels=frozenset(phrases["sequels"]),
            lasts=frozenset(phrases["lasts"]),
            pronouns=frozenset(phrases["pronouns"]),
            open_ends=frozenset(phrases["open_ends"]),
            not_in_names=frozenset(phrases["not_in_names"]),
            after_names=frozenset(phrases["after_names"]),
            articles=frozenset(phrases["articles"]),
            risky=_phrases(phrases["risky"]),
            harmless=frozenset(phrases["harmless"]),
            particle_verbs=frozenset(phrases["particle_verbs"]),
            particles=frozenset(phrases["particles"]),
        )

    def fillers_at(self, words: Sequence[Word], at: int) -> list[int]:
        """How many words from `at` make a filler: [] when none do."""
        return [
            length
            for length in range(1, min(_LONGEST_FILLER, len(words) - at) + 1)
            if tuple(word.text for word in words[at : at + length]) in self.fillers
        ]

    def is_filler(self, words: Sequence[Word]) -> bool:
        """Whether all of `words` are fillers."""
        ends = {0}
        for at in range(len(words)):
            if at in ends:
                ends.update(at + length for length in self.fillers_at(words, at))
        return len(words) in ends

    def without_article(self, words: Sequence[Word]) -> Sequence[Word]:
        return words[1:] if words and words[0].text in self.articles else words

    def is_close(self, word: str, meant: str) -> bool:
        """Whether a misheard `word` differs in so few letters that it may be acted on."""
        return _distance(word, meant) <= (1 if len(meant) <= _SHORT_WORD else 2)

    def alike(self, word: str, meant: str) -> float:
        """How much of `meant` is in the misheard `word`, 0..1; 0 when it cannot be it."""
        if min(len(word), len(meant)) < _SHORTEST or not (word.isalpha() and meant.isalpha()):
            return 0.0
        if word in self.exact or meant in self.exact or self._turned(word, meant):
            return 0.0
        ratio = _ratio(word, meant)
        return ratio if ratio >= _LEAST_ALIKE and not self._lost_prefix(word, meant) else 0.0

    def _lost_prefix(self, word: str, meant: str) -> bool:
        """Whether `word` is no farther from "unmute" than from the `meant` "mute"."""
        distance = _distance(word, meant)
        return any(_distance(word, prefix + meant) <= distance for prefix in self.prefixes)

    def turns(self, first: Sequence[str], taken: Sequence[str]) -> bool:
        """Whether taking the words `taken` instead of `first` may turn the meaning."""
        missing = Counter(first) - Counter(taken)
        added = Counter(taken) - Counter(first)
        if any(self._turned(one, other) for one in missing for other in added):
            return True
        # "right" may be heard for "bright", but "hide" not for "show".
        return any(
            word in self.exact
            and word not in self.unstressed
            and not any(_ratio(word, each) >= _LEAST_ALIKE for each in added)
            for word in missing
        )

    def _turned(self, one: str, other: str) -> bool:
        """Whether a prefix makes one word of the other: unlock and lock, increase and decrease."""
        prefixes = {prefix for prefix, _ in self._stems(one)} ^ {
            prefix for prefix, _ in self._stems(other)
        }
        if not prefixes:
            return False
        stems = [stem for _, stem in self._stems(one)] + [one]
        others = [stem for _, stem in self._stems(other)] + [other]
        return any(
            _ratio(stem, each) >= _LEAST_ALIKE
            for stem in stems
            for each in others
            if (stem, each) != (one, other)
        )

    def _stems(self, word: str) -> list[tuple[str, str]]:
        return [
            (prefix, word[len(prefix) :])
            for prefix in self.prefixes
            if word.startswith(prefix) and len(word) - len(prefix) >= _SHORTEST_STEM
        ]


def _phrases(texts: Sequence[str]) -> frozenset[Phrase]:
    return frozenset(tuple(each.split()) for each in texts)


def _ratio(one: str, other: str) -> float:
    """How much of the letters of two words is the same, 0..1."""
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def _distance(one: str, other: str) -> int:
    """How many letters must be changed, added or left out to make one word of the other."""
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, start=1):
        before, row = row, [at]
        for place, each in enumerate(other, start=1):
            changed = before[place - 1] + (letter != each)
            row.append(min(changed, before[place] + 1, row[place - 1] + 1))
    return row[-1]
