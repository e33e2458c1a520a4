"""Numbers, units and abbreviations as the words a voice should say, by the rules of a language."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from voxcard.assistants.spoken.english import grammar as english
from voxcard.assistants.spoken.local_numbers import localised
from voxcard.assistants.spoken.tokens import Reading, Tokens, tokens

TEXT_MAX = 2000  # characters of one sentence
Rule = Callable[[Tokens, int], Reading | None]


class Language(NamedTuple):
    """How sentences of a language are cut, and the rules for a token of each kind, in order."""

    pattern: "re.Pattern[str]"
    signs: Mapping[str, str]  # written differently, meant the same
    rules: Mapping[str, Sequence[Rule]]


LANGUAGES = {
    "en": Language(pattern=english.PATTERN, signs=english.SIGNS, rules=english.RULES),
}


def spoken(text: str, locale: str = "en") -> str:
    """One sentence as it is given to the voice; a longer one than TEXT_MAX, or one of a language
    without rules, keeps its words."""
    language = LANGUAGES.get(locale.replace("_", "-").partition("-")[0].lower())
    if len(text) > TEXT_MAX:
        return text
    if language is None:
        return localised(text, locale)
    for sign, plain in language.signs.items():
        text = text.replace(sign, plain)
    return _verbalised(tokens(" ".join(text.split()), language.pattern), language)


def _verbalised(sentence: Tokens, language: Language) -> str:
    said: list[str] = []
    at = 0
    was_read = False
    while at < len(sentence):
        token = sentence[at]
        reading = _reading(sentence, at, language)
        words = token.text if reading is None else reading.words
        apart = (was_read or reading is not None) and _touch(said, words)
        if words and said and (token.spaced or apart) and words != ",":
            said.append(" ")
        if words:
            said.append(words)
            was_read = reading is not None
        at += 1 if reading is None else reading.taken
    return "".join(said)


def _reading(sentence: Tokens, at: int, language: Language) -> Reading | None:
    for rule in language.rules.get(sentence[at].kind, ()):
        reading = rule(sentence, at)
        if reading is not None:
            return reading
    return None


def _touch(said: Sequence[str], words: str) -> bool:
    return bool(said) and said[-1][-1:].isalnum() and words[:1].isalnum()
