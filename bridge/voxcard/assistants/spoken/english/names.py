"""What names something in English: order numbers, phones, versions, addresses, rulers, titles."""

import re

from voxcard.assistants.spoken.english import lexicon
from voxcard.assistants.spoken.english.amounts import is_whole, number_words
from voxcard.assistants.spoken.english.numbers import cardinal, digits, ordinal, pairs
from voxcard.assistants.spoken.tokens import Reading, Tokens

_ROMAN = re.compile(r"X{0,3}(?:IX|IV|V?I{0,3})")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10}
_GROUPS = re.compile(r"[0-9]+")
_ADDRESS_SIGNS = {".": "dot", "@": "at", "-": "dash", "_": "underscore", "+": "plus"}
_ADDRESS = re.compile(r"[.@_+-]|[^.@_+-]+")


def identifier(tokens: Tokens, at: int) -> Reading | None:
    """Order 1042 -> "ten forty two", longer ones digit by digit; Room 101 -> "one oh one"."""
    text = tokens[at].text
    if not is_whole(tokens[at]):
        return None
    before = at - 1
    word = tokens[before].text.lower()
    if len(text) == 3 and word in lexicon.ROOMS and text[0] != "0":
        return Reading(pairs(text), 1)
    if len(text) == 3 and word in lexicon.DIALLED:
        return Reading(digits(text), 1)
    while word in lexicon.BETWEEN_ID_AND_NUMBER and before > at - 5:
        if word == "id":
            break
        before -= 1
        word = tokens[before].text.lower()
    if word not in lexicon.IDENTIFIED or not 4 <= len(text) <= 40:
        return None
    paired = word not in lexicon.SPELLED and len(text) == 4 and text[0] != "0" and text[2] != "0"
    return Reading(pairs(text) if paired else digits(text), 1)


def phone(tokens: Tokens, at: int) -> Reading:
    """ "+1 555 123 4567", "(555) 123-4567"."""
    text = tokens[at].text
    plus = "plus " if text.startswith("+") else ""
    return Reading(plus + ", ".join(digits(group) for group in _GROUPS.findall(text)), 1)


def version(tokens: Tokens, at: int) -> Reading:
    """ "1.2.3"; four numbers are an address."""
    parts = tokens[at].text.split(".")
    if len(parts) == 4:
        return Reading(" dot ".join(digits(part) for part in parts), 1)
    return Reading(" point ".join(cardinal(int(part)) for part in parts), 1)


def version_letter(tokens: Tokens, at: int) -> Reading | None:
    """The v of "v2.0"."""
    after = tokens[at + 1]
    if (
        tokens[at].text not in ("v", "V")
        or after.spaced
        or after.kind not in ("number", "version")
    ):
        return None
    repeated = tokens[at - 1].text.lower() == "version"
    number = tokens[at + 1].text
    words = version(tokens, at + 1).words if after.kind == "version" else _points(number)
    return Reading(words if repeated else f"version {words}", 2)


def address(tokens: Tokens, at: int) -> Reading:
    """ "ann.lee@example.org", "example.com"."""
    parts = _ADDRESS.findall(tokens[at].text)
    return Reading(" ".join(_ADDRESS_SIGNS.get(part, part) for part in parts), 1)


def roman(tokens: Tokens, at: int) -> Reading | None:
    """Louis XIV -> "Louis the fourteenth", Chapter IV -> "Chapter four"; "World I know" stays."""
    word, number = tokens[at].text, tokens[at + 1]
    capital = word[:1].isupper() and word[1:].islower() and len(word) > 1
    if not capital or not number.spaced or not _ROMAN.fullmatch(number.text):
        return None
    if _is_letter(number.text) and tokens[at + 2].text == "." and tokens[at + 3].kind == "word":
        return None  # "John V. Smith"
    value = _roman_value(number.text)
    if word.lower() in lexicon.RULERS and number.text != "I":
        return Reading(f"{word} the {ordinal(value)}", 2)
    if word.lower() in lexicon.PARTS or len(number.text) > 1:
        return Reading(f"{word} {cardinal(value)}", 2)
    return None


def abbreviation(tokens: Tokens, at: int) -> Reading | None:
    """ "Dr. Smith", "Main St.", "No. 5", "etc.", "Jr."."""
    text, stop = tokens[at].text, tokens[at + 1]
    dotted = stop.text == "." and not stop.spaced
    words = _abbreviated(tokens, at) if dotted else None
    if words is None:
        plain = lexicon.PLAIN.get(text)
        shouted = text.isupper() and (_is_shouted(tokens, at - 1) or _is_shouted(tokens, at + 1))
        return None if plain is None or shouted else Reading(plain, 1)
    # The sentence's own full stop stays.
    return Reading(words, 1 if tokens[at + 2].kind == "end" else 2)


def initial(tokens: Tokens, at: int) -> Reading | None:
    """ "J. R. R. Tolkien": letters without the pause of a full stop."""
    stop, after = tokens[at + 1], tokens[at + 2]
    if not _is_letter(tokens[at].text) or stop.text != "." or stop.spaced:
        return None
    before = tokens[at - 1]
    # "vitamin C. It helps": that one ends a sentence.
    in_name = before.text[:1].isupper() or before.text == "."
    if (in_name and after.text[:1].isupper()) or _is_letter(after.text):
        return Reading(tokens[at].text, 2)
    return None


def initials(tokens: Tokens, at: int) -> Reading:
    """ "e.g.", "a.m.", "U.S."."""
    text = tokens[at].text
    words = lexicon.INITIALS.get(text.lower()) or " ".join(text.upper().split(".")).strip()
    is_last = tokens[at + 1].kind == "end"
    skips = words in ("for example", "that is") and tokens[at + 1].text == ","
    return Reading(words + ("." if is_last else ""), 2 if skips else 1)


def letters(tokens: Tokens, at: int) -> Reading | None:
    """ "C++", "CO2", "476 AD"."""
    if tokens[at].text == "AD" and "number" in (tokens[at - 1].kind, tokens[at + 1].kind):
        return Reading("A.D", 1)
    if tokens.joined(at, 3) == "C++":
        return Reading("C plus plus", 3)
    if tokens.joined(at, 2) == "CO2":
        return Reading("C O two", 2)
    return None


def ellipsis(tokens: Tokens, at: int) -> Reading | None:
    """ "Wait... what?": a pause, where some voices make one word of the two."""
    inside = tokens[at - 1].kind == "word" and tokens[at + 1].kind not in ("end", "sign")
    return Reading(",", 1) if inside else None


def _abbreviated(tokens: Tokens, at: int) -> str | None:
    text, after = tokens[at].text, tokens[at + 2]
    is_name_before = at > 1 and tokens[at - 1].kind == "word" and tokens[at - 1].text[0].isupper()
    is_name_before = is_name_before and tokens[at - 1].text.lower() not in lexicon.BEFORE_YEARS
    if is_name_before and text in lexicon.AFTER_NAMES:
        return lexicon.AFTER_NAMES[text]
    if text in lexicon.BEFORE_NAMES and after.text[:1].isupper():
        return lexicon.BEFORE_NAMES[text]
    if text in lexicon.BEFORE_NUMBERS and after.kind == "number":
        return lexicon.BEFORE_NUMBERS[text]
    if text in ("St", "Ave", "Rd", "Blvd") and tokens[at - 1].kind in ("word", "number"):
        return lexicon.AFTER_NAMES[text]
    return lexicon.ANYWHERE.get(text)


def _is_shouted(tokens: Tokens, at: int) -> bool:
    """Whether the word is in capitals and no abbreviation by its length: "THE ONE WHO"."""
    return tokens[at].text.isupper() and len(tokens[at].text) > 1


def _is_letter(text: str) -> bool:
    return len(text) == 1 and text.isupper() and text != "I"


def _points(text: str) -> str:
    """ "2.10" -> "two point ten"."""
    parts = text.split(".")
    if all(part.isdigit() and len(part) < 10 for part in parts):
        return " point ".join(cardinal(int(part)) for part in parts)
    return number_words(text)


def _roman_value(text: str) -> int:
    values = [_ROMAN_VALUES[letter] for letter in text]
    return sum(
        -value if value < max(values[place:]) else value for place, value in enumerate(values)
    )
