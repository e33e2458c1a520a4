"""Which script a text is in, and in which direction it is written."""

import re
import unicodedata
from typing import Literal

Direction = Literal["ltr", "rtl"]
# What a character's name goes on with after that of its script.
_NAMED = re.compile(
    r" (?:CAPITAL |SMALL |SUBJOINED |MODIFIER |INDEPENDENT |DEPENDENT |FINAL |PHASE-)*"
    r"(?:LETTER|SYLLABLE|SYLLABICS|DIGIT|VOWEL|SIGN|MARK|CONSONANT|SYMBOL|IDEOGRAPH|RADICAL|"
    r"CHARACTER|HIEROGLYPH|LIGATURE|NUMBER|PUNCTUATION)\b.*"
)
_KNOWN = {"CJK UNIFIED": "Chinese", "CJK COMPATIBILITY": "Chinese", "NKO": "N'Ko"}


def direction(text: str) -> Direction:
    """The direction of the first strong character."""
    if not text.isascii():
        for character in text:
            kind = unicodedata.bidirectional(character)
            if kind in ("R", "AL"):
                return "rtl"
            if kind == "L":
                return "ltr"
    return "ltr"


def direction_in(text: str, card: Direction) -> Direction:
    """The direction of a paragraph of a card.

    In a right-to-left card a name in Latin letters does not turn the paragraph it begins, and a
    paragraph without letters is written like the others.
    """
    if card == "ltr":
        return direction(text)
    kinds = {unicodedata.bidirectional(character) for character in text}
    return "ltr" if "L" in kinds and not kinds & {"R", "AL"} else "rtl"


def script_of(letter: str) -> str:
    """The name of the script of a letter: Tibetan, Ol Chiki, Canadian."""
    name = unicodedata.name(letter, "")
    script = _NAMED.sub("", name)
    if not name or script == name:
        return "an unknown script"
    return _KNOWN.get(script, script.title())
