"""Numbers, units and short forms of a language as the words that argument readers know.

The readers of values (`slots`, `durations`, `clock_times`) know digits, `percent` and the English
names of units of time; here the words of another language become those. Spelled-out numbers come
from unicode-rbnf, which carries CLDR's own rules.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from unicode_rbnf import RbnfEngine

from voxcard.assistants.offline.intents.normalise import Word, composed, folded

_SPELLED_MAX = 120  # a percentage, minutes of two hours
_UNITS = ("second", "minute", "hour")
_LONGEST = 6  # words of one number
Phrase = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Forms:
    """Every field holds folded words; `numbers` and `phrases` are found longest first.

    `suffixes` may be written to the end of a number or a unit, as Korean writes its particles.
    `clock` words follow an hour and say nothing more; in `clock_after` are those that must stand
    before that hour, none where any may.
    """

    numbers: Mapping[Phrase, int | float]
    halves: frozenset[str]
    phrases: Mapping[Phrase, str]  # "per cento" -> "percent"
    units: Mapping[str, str]  # "minuten" -> "minute"
    articles: frozenset[str]
    conjunctions: frozenset[str]
    minus: frozenset[str]
    elided: frozenset[str]
    suffixes: tuple[str, ...]
    links: frozenset[str]  # between a number and its unit: "30 de minute"
    clock: frozenset[str]
    clock_after: frozenset[str]

    @classmethod
    def of(cls, language: str, source: Mapping[str, str]) -> "Forms":
        """From the `forms` of a language's file: texts with commas between phrases."""
        listed = {key: [folded(each) for each in _parts(text)] for key, text in source.items()}
        more = (each.partition("=") for each in _parts(source.get("numbers", "")))
        own = {_phrase(words): _value(value) for words, _, value in more}
        return cls(
            numbers={**_spelled(language), **own},
            halves=frozenset(listed.get("halves", ())),
            phrases={_phrase(each): "percent" for each in listed["percent"]},
            units={each: unit for unit in _UNITS for each in listed[unit]},
            articles=frozenset(listed.get("articles", ())),
            conjunctions=frozenset(listed.get("and", ())),
            minus=frozenset(listed.get("minus", ())),
            elided=frozenset(listed.get("elided", ())),
            suffixes=tuple(sorted(listed.get("suffixes", ()), key=len, reverse=True)),
            links=frozenset(listed.get("links", ())),
            clock=frozenset(listed.get("clock", ())),
            clock_after=frozenset(listed.get("clock_after", ())),
        )

    def expanded(self, word: str) -> Sequence[str]:
        """The words that one written word stands for: "l'heure" -> ("l", "heure")."""
        if not word:
            return ()
        begin, apostrophe, rest = word.partition("'")
        if apostrophe and begin in self.elided and rest:
            return (begin, *self.expanded(rest))
        for suffix in self.suffixes:
            stem = word.removesuffix(suffix)
            if stem != word and stem and self._is_counted(stem):
                return (*self._parted(stem), suffix)
        return self._parted(word)

    def numbered(self, pieces: Sequence[Word]) -> Iterator[Word]:
        """`pieces` with each number as one word, each unit and percent by its English name."""
        at = 0
        before: list[Word] = []
        while at < len(pieces):
            taken, word = self._next(pieces, at, before)
            if word is not None:
                before.append(word)
                yield word
            at += taken

    def _next(
        self, pieces: Sequence[Word], at: int, before: Sequence[Word]
    ) -> tuple[int, Word | None]:
        """How many pieces are read at `at`, and the word they are; None: one that says nothing."""
        piece, last = pieces[at], before[-1] if before else None
        if (number := self._number(pieces, at)) is not None:
            taken, value, is_part = number
            text = "half" if is_part else f"{value:g}"
            return taken, Word(text, piece.start, pieces[at + taken - 1].end, value, is_part)
        for length in range(min(_LONGEST, len(pieces) - at), 0, -1):
            name = self.phrases.get(_texts(pieces, at, length))
            if name is not None:
                return length, Word(name, piece.start, pieces[at + length - 1].end)
        follows = last is not None and last.number is not None
        if follows and self._says_nothing(pieces, at, before):
            return 1, None
        unit = self.units.get(piece.text)
        if unit is not None:
            is_one = last is not None and last.number is not None and last.number <= 1
            return 1, Word(unit if is_one else unit + "s", piece.start, piece.end)
        joins = last is not None and last.text.removesuffix("s") in _UNITS
        if joins and piece.text in self.conjunctions and at + 1 < len(pieces):
            return 1, Word("and", piece.start, piece.end)
        return 1, piece

    def _number(self, pieces: Sequence[Word], at: int) -> tuple[int, int | float, bool] | None:
        """(pieces, value, whether it is a fraction said alone) of a number, or None."""
        text = pieces[at].text
        if (text in self.minus or text == "-") and at + 1 < len(pieces):
            after = self._number(pieces, at + 1)
            return None if after is None else (after[0] + 1, -after[1], after[2])
        plain = text.replace(",", ".", 1)
        if plain[:1].isdecimal() and plain.isascii() and len(plain) <= 15:
            return _literal(plain)
        has_article = text in self.articles
        if has_article and at + 1 < len(pieces):
            if pieces[at + 1].text in self.halves:
                return self._half(pieces, at + 1, 2)
            return (1, 1, False) if pieces[at + 1].text in self.units else None
        if text in self.halves:
            return self._half(pieces, at, 1)
        for length in range(min(_LONGEST, len(pieces) - at), 0, -1):
            value = self.numbers.get(_texts(pieces, at, length))
            if value is not None:
                return None if has_article and length == 1 else (length, value, False)
        return None

    def _half(
        self, pieces: Sequence[Word], at: int, taken: int
    ) -> tuple[int, int | float, bool] | None:
        """A half is a number only before a unit: "eine halbe Stunde"."""
        of = at + 1 < len(pieces) and pieces[at + 1].text in self.links
        if at + 1 + of < len(pieces) and pieces[at + 1 + of].text in self.units:
            return taken + of, 0.5, True
        return None

    def _says_nothing(self, pieces: Sequence[Word], at: int, before: Sequence[Word]) -> bool:
        """Whether a word after a number only shows what is counted: "7 Uhr", "7시 30분"."""
        text = pieces[at].text
        if text in self.links:
            return at + 1 < len(pieces) and pieces[at + 1].text in self.units
        if self.units.get(text) == "minute" and at >= 2:
            hour = pieces[at - 2].text
            return hour in self.clock and hour not in self.units
        return text in self.clock and self._may_be_hour(before)

    def _may_be_hour(self, before: Sequence[Word]) -> bool:
        if not self.clock_after:
            return True
        return len(before) > 1 and before[-2].text in self.clock_after

    def _is_counted(self, stem: str) -> bool:
        """Whether `stem` is a number, a unit, a percent, or several of them."""
        return all(self._is_known(each) for each in self._parted(stem))

    def _parted(self, word: str) -> Sequence[str]:
        """ "오십퍼센트" -> ("오십", "퍼센트"), where the language writes particles to numbers."""
        if self.suffixes and not self._is_known(word):
            for at in range(len(word) - 1, 0, -1):
                if self._is_known(word[:at]) and self._is_known(word[at:]):
                    return word[:at], word[at:]
        return (word,)

    def _is_known(self, word: str) -> bool:
        phrase = (word,)
        return phrase in self.numbers or phrase in self.phrases or word in self.units


def _literal(plain: str) -> tuple[int, int | float, bool] | None:
    try:
        value = float(plain)
    except ValueError:  # "1.2.3"
        return None
    return 1, int(value) if value.is_integer() else value, False


@cache
def _spelled(language: str) -> Mapping[Phrase, int | float]:
    """Whole numbers as their words, by every way that CLDR spells them."""
    engine = RbnfEngine.for_language(language)
    found: dict[Phrase, int | float] = {}
    for number in range(_SPELLED_MAX + 1):
        for text in (result := engine.format_number(number)).text_by_ruleset.values():
            if not any(each.isdecimal() for each in text):
                found.setdefault(_phrase(text), number)
        found.setdefault(_phrase(result.text), number)
    return found


def _phrase(text: str) -> Phrase:
    apart = "".join(each if each.isalnum() else " " for each in composed(text).replace("\xad", ""))
    return tuple(folded(each) for each in apart.split())


def _parts(text: str) -> list[str]:
    return [each.strip() for each in text.split(",") if each.strip()]


def _value(text: str) -> int | float:
    value = float(text)
    return int(value) if value.is_integer() else value


def _texts(pieces: Sequence[Word], at: int, length: int) -> Phrase:
    return tuple(each.text for each in pieces[at : at + length])
