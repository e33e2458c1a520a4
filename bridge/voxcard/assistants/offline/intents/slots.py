"""What may stand in the place of a tool's argument, read from words by its plain schema."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from voxcard.assistants.offline.intents.durations import durations, unit_of
from voxcard.assistants.offline.intents.formats.readers import READERS
from voxcard.assistants.offline.intents.names import (
    WORDS_MAX,
    Surroundings,
    count_numbers,
    ends_in_filler,
    holds_request,
    is_name,
    one_id,
)
from voxcard.assistants.offline.intents.normalise import Request, Word, words
from voxcard.assistants.offline.intents.numbers import FRACTION_SIGNS, may_go_on
from voxcard.assistants.offline.intents.timer_names import compound_lengths, timer_names
from voxcard.assistants.offline.intents.units import unit_lengths, units
from voxcard.assistants.offline.intents.vocabulary import Vocabulary
from voxcard.toolhub.patterns import matches
from voxcard.toolhub.schema import Argument

Value = str | bool | int | float | tuple[str | bool | int | float, ...]
_TEXT_MAX = 200  # characters of a free text without a limit of its own
# fmt: off
_MESSAGES = frozenset((
    "text", "message", "note", "content", "body", "reminder", "task", "todo", "question",
    "description", "words", "comment", "memo",
))
_TITLES = frozenset((
    "query", "song", "title", "track", "album", "artist", "playlist", "movie", "film", "search",
))
_IDS = frozenset((
    "number", "id", "code", "pin", "digits",
))
_NAMED_IDS = frozenset((
    "order", "ticket", "invoice", "booking", "flight", "parcel", "account",
))
_AMOUNTS = frozenset((
    "many", "amount", "count", "quantity",
))
# fmt: on
# "No" would turn a sentence, not a switch.
_BOOLEANS = {True: ("on", "true"), False: ("off", "false")}


@dataclass(frozen=True, slots=True)
class Span:
    """`length` words are the value of an argument.

    `cost` counts the words that would fit anything. `fits` is False for a number the schema does
    not allow. `with_unit`: it counts only with the next word of the sentence after it, as in "a
    minute". `unit`: the next word of the sentence, in which the value is counted and which is not
    said, as in "half an hour" for "{minutes} minutes".
    """

    length: int
    value: Value
    cost: int = 0
    fits: bool = True
    with_unit: bool = False
    unit: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Slot:
    """One argument of one tool."""

    tool: str
    argument: Argument
    choices: tuple[tuple[tuple[str, ...], Value], ...] = field(default=())

    @property
    def is_number(self) -> bool:
        return self.argument.kind in ("integer", "number") and not self.argument.values

    @property
    def is_text(self) -> bool:
        return not (self.choices or self.is_number or self.argument.format in READERS)

    @property
    def is_id(self) -> bool:
        """A number that only names something: its digits may be said in groups."""
        argument = self.argument
        if self.is_number and not _may_be_id(argument):
            return False
        said = _described(argument)
        if _AMOUNTS & said or "number of" in argument.description.lower():
            return False
        return bool(_IDS & said or _NAMED_IDS & set(argument.name.lower().split("_")))

    @property
    def is_percent(self) -> bool:
        argument = self.argument
        said = f"{argument.name} {argument.title} {argument.description}".lower()
        return (argument.low in (0, 1) and argument.high == 100) or "percent" in said

    def spans(
        self, request: Request, at: int, around: Surroundings, vocabulary: Vocabulary
    ) -> Iterator[Span]:
        """Every way to read the argument from the words at `at` on."""
        sentence = request.words
        if self.argument.kind == "array":
            item = slot(self.tool, self.argument.items or Argument(kind="string"))
            for each in item.spans(request, at, around, vocabulary):
                if not isinstance(each.value, tuple):
                    yield Span(each.length, (each.value,), each.cost, each.fits, each.with_unit)
        elif self.choices:
            yield from self._chosen(sentence, at)
        elif self.argument.format in READERS:
            for length, text in READERS[self.argument.format](sentence, at):
                yield Span(length, text)
        elif self.argument.format == "name":
            for length, name in timer_names(sentence, at, around, vocabulary):
                if self._takes(name):
                    yield Span(length, name, cost=length)
        elif self.argument.format == "duration":
            whole = [(time.length, round(time.seconds)) for time in durations(sentence, at)]
            for length, seconds in {*whole, *compound_lengths(sentence, at)}:
                yield Span(length, seconds, fits=self._allows(seconds))
        elif self.is_number:
            yield from self._numbers(sentence, at)
            yield from self._times(sentence, at, around)
        else:
            yield from self._texts(request, at, around, vocabulary)

    def _chosen(self, sentence: Sequence[Word], at: int) -> Iterator[Span]:
        for phrase, value in self.choices:
            end = at + len(phrase)
            if tuple(word.text for word in sentence[at:end]) == phrase:
                yield Span(len(phrase), value)

    def _numbers(self, sentence: Sequence[Word], at: int) -> Iterator[Span]:
        first = sentence[at]
        following = sentence[at + 1].text if at + 1 < len(sentence) else ""
        if first.number is None:
            if first.text in ("a", "an") and following:
                yield Span(1, 1, fits=self._allows(1), with_unit=True)
            return
        if self.is_id:
            yield from self._grouped(sentence, at)
            return
        value = self._scaled(first, following == "percent")
        if value is None:
            return
        fits = self._allows(value)
        if first.is_part and not self._takes_part(sentence, at):
            length = 2 if following in ("a", "an") else 1  # "half a degree"
            yield Span(length, value, fits=fits, with_unit=True)
            return
        words = frozenset(("percent",)) if self.counts_percent else units(self.argument)
        for length in unit_lengths(sentence, at + 1, words):
            yield Span(1 + length, value, fits=fits)

    def _times(self, sentence: Sequence[Word], at: int, around: Surroundings) -> Iterator[Span]:
        """A time said in other units than the sentence or the argument has."""
        unit = unit_of(around.stops)
        counted = unit or unit_of(units(self.argument))
        for time in durations(sentence, at) if counted else ():
            value = time.counted_in(counted)
            # A number and this very unit are read as they are said.
            is_said = time.is_plain(counted) and (unit or sentence[at].number is not None)
            if not is_said and (isinstance(value, int) or self.argument.kind == "number"):
                yield Span(time.length, value, fits=self._allows(value), unit=unit)

    def _takes_part(self, sentence: Sequence[Word], at: int) -> bool:
        """Whether a fraction said alone is one of the whole range: not in "by half"."""
        if sentence[at].text in FRACTION_SIGNS:
            return True
        return self.counts_percent and not (at and sentence[at - 1].text == "by")

    @property
    def counts_percent(self) -> bool:
        return self.is_percent or self._is_ratio

    @property
    def _is_ratio(self) -> bool:
        argument = self.argument
        return argument.kind == "number" and argument.low == 0 and argument.high == 1

    def _scaled(self, word: Word, percent: bool) -> int | float | None:
        """The number as this argument counts; None when it is no whole one and must be."""
        value = word.number
        assert value is not None
        if self._is_ratio and percent:
            value = value / 100
        elif word.is_part and self.is_percent and not percent:
            value = round(value * 100)
        if self.argument.kind == "integer":
            return int(value) if value == int(value) else None
        return value

    def _allows(self, value: int | float) -> bool:
        low, high = self.argument.low, self.argument.high
        if low is not None and (value < low or (self.argument.low_open and value == low)):
            return False
        if high is not None and (value > high or (self.argument.high_open and value == high)):
            return False
        step = self.argument.step
        return step is None or math.isclose(value / step, round(value / step), abs_tol=1e-9)

    def _grouped(self, sentence: Sequence[Word], at: int) -> Iterator[Span]:
        """ "ten forty two" is 1042: all numbers that follow each other are one."""
        length = count_numbers(sentence, at)
        digits = one_id(sentence[at : at + length])
        if 0 < len(digits) <= 15:
            yield Span(length, int(digits), fits=self._allows(int(digits)))

    def _texts(
        self, request: Request, at: int, around: Surroundings, vocabulary: Vocabulary
    ) -> Iterator[Span]:
        sentence = request.words
        length = count_numbers(sentence, at)
        digits = one_id(sentence[at : at + length])
        if digits and self._takes(digits):
            yield Span(length, digits, cost=length)
        left = len(sentence) - at
        longest = left if self._is_whole_text else min(left, WORDS_MAX + 1)  # with its article
        for length in range(1, longest + 1):
            span: Sequence[Word] = sentence[at : at + length]
            if length == count_numbers(sentence, at) or self._ends_politely(
                sentence, at + length, span
            ):
                continue
            if self._is_title and holds_request(span, around, vocabulary):
                continue
            if not self._is_whole_text:
                filled = ends_in_filler(sentence, at, length, vocabulary)
                span = vocabulary.without_article(span)
                if filled or not span or not is_name(span, around, vocabulary):
                    continue
            value = " ".join(request.text[span[0].start : span[-1].end].split())
            for spelling in (value, *self._codes(span)):
                if self._takes(spelling):
                    yield Span(length, spelling, cost=length)
                    break

    @property
    def _is_whole_text(self) -> bool:
        whole = (_MESSAGES | _TITLES) & _described(self.argument)
        return bool(whole) or bool(self.argument.pattern)

    @property
    def _is_title(self) -> bool:
        said = _described(self.argument)
        return bool(_TITLES & said) and not _MESSAGES & said

    def _codes(self, span: Sequence[Word]) -> tuple[str, ...]:
        """ "c twelve" as a code whose pattern has no blanks may be written: C12, c12."""
        pattern = self.argument.pattern
        if not (pattern.startswith("^") and pattern.endswith("$")):
            return ()
        code = "".join(word.text for word in span)
        return code.upper(), code

    def _ends_politely(self, sentence: Sequence[Word], end: int, span: Sequence[Word]) -> bool:
        return end == len(sentence) and len(span) > 1 and span[-1].text in ("please", "thanks")

    def _takes(self, value: str) -> bool:
        argument = self.argument
        low, high = argument.low or 1, argument.high if argument.high is not None else _TEXT_MAX
        if not low <= len(value) <= high:
            return False
        return not argument.pattern or matches(argument.pattern, value) is not False


def slot(tool: str, argument: Argument) -> Slot:
    """The slot of an argument; its values are brought into the form of words once."""
    values: list[tuple[str, Value]] = [(str(each), each) for each in argument.values]
    if argument.kind == "boolean" and not values:
        values = [(text, value) for value, texts in _BOOLEANS.items() for text in texts]
    phrases = [
        (tuple(word.text for word in words(text.replace("_", " "))), value)
        for text, value in values
    ]
    return Slot(tool, argument, tuple((phrase, value) for phrase, value in phrases if phrase))


def is_whole(of: Slot, last: str) -> bool:
    """Whether nothing can follow its value, whose last word is `last`, that would change it."""
    argument = of.argument
    if of.choices or not of.is_number:
        return bool(of.choices)
    if of.counts_percent and last == "percent":
        return True
    if argument.kind != "integer" or argument.format or of.is_id or units(argument):
        return False
    return last.isdecimal() and not may_go_on(int(last), argument.high)


def _may_be_id(argument: Argument) -> bool:
    """Whether a number is whole, has no sign and may have four digits."""
    whole = argument.kind == "integer" and (argument.low is None or argument.low >= 0)
    return whole and (argument.high is None or argument.high >= 1000)


def _described(argument: Argument) -> set[str]:
    said = f"{argument.name} {argument.title} {argument.description}"
    return set("".join(each if each.isalnum() else " " for each in said.lower()).split())
