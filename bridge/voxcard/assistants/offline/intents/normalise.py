"""A sentence as words: lower case, no accents, short forms written out, numbers as digits."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from voxcard.assistants.offline.intents import numbers

TEXT_MAX = 400  # characters of a sentence; a longer one is no command
_WORD = re.compile(
    r"\d+(?:[.,]\d+)*|[^\W\d_½¼¾]+(?:['’][^\W\d_½¼¾]+)*|[½¼¾]"
    r"|(?P<minus>(?<!\S)[-−–—]\s?(?=\d))|[^\w\s]"
)
_SIGNS = {"%": "percent", "°": "degrees", "&": "and"}
_MONEY = {"$": "dollars", "€": "euros", "£": "pounds", "¥": "yen"}
_MEANT = ("Sc", "Sm")  # Unicode's money and mathematics; other signs are only punctuation
_SHORT_FORMS = {
    "let's": ("let", "us"),
    "won't": ("will", "not"),
    "can't": ("can", "not"),
    "cannot": ("can", "not"),
    "shan't": ("shall", "not"),
    "gonna": ("going", "to"),
    "wanna": ("want", "to"),
    "ok": ("okay",),
    "nevermind": ("never", "mind"),
    "dr": ("doctor",),
    "mr": ("mister",),
    "tv": ("television",),
}
_WITH_IS = frozenset(
    ("what", "where", "who", "how", "when", "that", "it", "here", "there", "why", "he", "she")
)
_ENDINGS = {"'re": "are", "'ve": "have", "'ll": "will", "'m": "am", "'d": "would"}


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a sentence. `start` and `end` are its place in what was written.

    `number` is the value of a number, however it was said; `is_part`: a fraction said alone.
    """

    text: str
    start: int
    end: int
    number: int | float | None = None
    is_part: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """What was said or typed: the words, and the text they stand in.

    `uncommon` are the words a recogniser spelled from pieces, which it may have misheard; `None`
    for typed text, in which no letter may differ.
    """

    words: tuple[Word, ...]
    text: str
    uncommon: frozenset[str] | None = None


class Forms(Protocol):
    """How a language other than English writes short forms, numbers and units."""

    def expanded(self, word: str) -> Sequence[str]: ...
    def numbered(self, pieces: Sequence[Word]) -> Iterator[Word]: ...


def words(text: str, forms: Forms | None = None) -> list[Word]:
    """The words of `text`, in English without `forms`; places count in `composed(text)`."""
    if forms is not None:
        return list(forms.numbered(list(_pieces(composed(text), forms.expanded))))
    pieces = list(_pieces(composed(text), expand_contractions))
    return list(_numbered(pieces))


def composed(text: str) -> str:
    """`text` with each letter and its accents as one plain character; "½" stays."""
    plain = (
        each if each in numbers.FRACTION_SIGNS else unicodedata.normalize("NFKC", each)
        for each in text
    )
    return unicodedata.normalize("NFC", "".join(plain))


def normalise(text: str, forms: Forms | None = None) -> str:
    """`text` as sentences are compared: "Set it to sixty-five!" -> "set it to 65"."""
    return " ".join(word.text for word in words(text, forms))


def expand_contractions(word: str) -> Sequence[str]:
    """The words that a short form stands for: "what's" -> ("what", "is")."""
    if not word:
        return ()
    if word in _SHORT_FORMS:
        return _SHORT_FORMS[word]
    if word.endswith("n't"):
        return word[:-3], "not"
    stem, apostrophe, ending = word.rpartition("'")
    if apostrophe and "'" + ending in _ENDINGS:
        return stem, _ENDINGS["'" + ending]
    if ending == "s" and stem in _WITH_IS:
        return stem, "is"
    return (word,)


def _pieces(text: str, expand: Callable[[str], Sequence[str]]) -> Iterator[Word]:
    money: Word | None = None  # "$5" is said "5 dollars"
    for piece in _WORD.finditer(text):
        start, end = piece.span()
        if piece[0] in _MONEY and text[end : end + 1].isdecimal():
            money = Word(_MONEY[piece[0]], start, end)
            continue
        start = money.start if money else start
        word = "-" if piece["minus"] else _written_out(piece[0], text[end : end + 1])
        for each in expand(word):
            yield Word(each.replace("'", ""), start, end)
        if money is not None:
            yield Word(money.text, start, end)
            money = None


def _written_out(piece: str, following: str) -> str:
    """The word that a word or a sign stands for; "" for what only punctuates."""
    if piece == "#":
        return "number" if following.isdecimal() else ""
    if not unicodedata.category(piece[0]).startswith(("P", "S", "Z")) or piece == "‰":
        return folded(piece)
    named = _SIGNS.get(piece) or _MONEY.get(piece)
    return named or (piece if unicodedata.category(piece[0]) in _MEANT else "")


def folded(text: str) -> str:
    """Lower case without accents: "Küche" -> "kuche"."""
    if text in numbers.FRACTION_SIGNS:
        return text
    text = unicodedata.normalize("NFKD", text.replace("’", "'").casefold())
    bare = "".join(each for each in text if not unicodedata.combining(each))
    return unicodedata.normalize("NFC", bare.casefold())


def _numbered(pieces: Sequence[Word]) -> Iterator[Word]:
    """`pieces` with each number as one word."""
    texts = [each.text for each in pieces]
    at, after_number = 0, False
    while at < len(texts):
        first = pieces[at]
        number = numbers.number(texts, at)
        if number is not None:
            last = pieces[at + number.words - 1]
            yield Word(number.text, first.start, last.end, number.value, number.is_part)
            at += number.words
        elif after_number and texts[at] in ("o", "oh") and at + 1 < len(texts):
            yield Word("0", first.start, first.end, 0)  # "one oh four two"
            at += 1
        else:
            yield first
            at += 1
        after_number = number is not None or (after_number and texts[at - 1] in ("o", "oh"))
