"""Sums as people say them: "seven times eight", "20 percent of 50", "the square root of 144"."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from voxcard.assistants.offline.intents.normalise import Word

_OPERATIONS = {
    tuple(words.split()): sign
    for words, sign in (
        ("plus", "+"),
        ("+", "+"),
        ("minus", "-"),
        ("-", "-"),
        ("−", "-"),
        ("times", "*"),
        ("x", "*"),
        ("×", "*"),
        ("multiplied by", "*"),
        ("divided by", "/"),
        ("over", "/"),
        ("÷", "/"),
        ("to the power of", "^"),
        ("to the power", "^"),
    )
}
_AFTER = {"squared": "^ 2", "cubed": "^ 3"}
_ROOTS = (("the", "square", "root", "of"), ("square", "root", "of"))


def spoken_sums(sentence: Sequence[Word], at: int) -> Iterator[tuple[int, str]]:
    """(how many words, the sum in figures) of each sum that begins at `at`, the shortest first."""
    texts = tuple(word.text for word in sentence)
    first = _operand(sentence, texts, at)
    if first is None:
        return
    end, written, is_sum = first
    if is_sum:
        yield end - at, written
    while True:
        step = _step(sentence, texts, end)
        if step is None:
            return
        end, more = step
        written += more
        yield end - at, written


def _step(sentence: Sequence[Word], texts: tuple[str, ...], at: int) -> tuple[int, str] | None:
    """An operation and what it is done with: " + 30"."""
    if at < len(sentence) and _is_negative(sentence[at]):
        # "10 minus 5" was read as two numbers, the second one below zero.
        operand = _operand(sentence, texts, at)
        return (operand[0], f" - {operand[1].removeprefix('-')}") if operand else None
    for words, sign in _OPERATIONS.items():
        if texts[at : at + len(words)] == words:
            operand = _operand(sentence, texts, at + len(words))
            if operand is not None:
                return operand[0], f" {sign} {operand[1]}"
    return None


def _operand(
    sentence: Sequence[Word], texts: tuple[str, ...], at: int
) -> tuple[int, str, bool] | None:
    """Where a number or a share ("half of 90") ends, how it is written, if it is a sum itself."""
    for words in _ROOTS:
        if texts[at : at + len(words)] == words:
            number = _number(sentence, at + len(words))
            return (number[0], f"sqrt {number[1]}", True) if number else None
    number = _number(sentence, at)
    if number is None:
        return None
    end, written = number
    following = texts[end] if end < len(texts) else ""
    if following in _AFTER:
        return end + 1, f"{written} {_AFTER[following]}", True
    is_percent = following == "percent"
    if is_percent or sentence[at].is_part:
        end += is_percent
        of = _number(sentence, end + 1) if texts[end : end + 1] == ("of",) else None
        if of is None:
            return None
        return of[0], f"{written}{' %' if is_percent else ''} of {of[1]}", True
    return end, written, False


def _number(sentence: Sequence[Word], at: int) -> tuple[int, str] | None:
    if at >= len(sentence) or sentence[at].number is None:
        return None
    word = sentence[at]
    if word.is_part:
        part = Fraction(word.number or 0).limit_denominator(100)
        return at + 1, f"({part.numerator}/{part.denominator})"
    return at + 1, word.text


def _is_negative(word: Word) -> bool:
    return word.number is not None and word.text.startswith("-")
