"""Money in English."""

from voxcard.assistants.spoken.english.amounts import (
    DASHES,
    is_adjective,
    is_whole,
    number_words,
    value,
    with_point,
)
from voxcard.assistants.spoken.english.numbers import CARDINAL_DIGITS, cardinal, decimal
from voxcard.assistants.spoken.english.units import SCALES, currency
from voxcard.assistants.spoken.tokens import Reading, Tokens


def before_number(tokens: Tokens, at: int) -> Reading | None:
    """ "$5", "US$5", "CHF 12.50", "$10-15", "$3 million"."""
    count = 2 if tokens.joined(at, 2) == "US$" else 1
    names = currency(tokens.joined(at, count))
    number = tokens[at + count]
    if names is None:
        return None
    if number.text == "-" and not number.spaced and tokens[at + count + 1].kind == "number":
        amount = _money(names, tokens[at + count + 1].text, False)
        return Reading(f"minus {amount}", count + 2)
    if number.kind != "number":
        return None
    singular = is_adjective(tokens, at)
    end = at + count + 1
    if tokens[end].text in DASHES and not tokens[end].spaced and is_whole(tokens[end + 1]):
        upper = tokens[end + 1].text
        words = f"{number_words(number.text)} to {_money(names, upper, singular)}"
        return Reading(words, end + 2 - at)
    scale = SCALES.get(tokens[end].text)
    end += scale is not None
    repeated = tokens[end].text in names[:2]  # "$5 million dollars"
    if scale is None:
        return Reading(_money(names, number.text, singular), end + repeated - at)
    name = names[0] if singular else names[1]
    return Reading(f"{number_words(number.text)} {scale} {name}", end + repeated - at)


def after_number(tokens: Tokens, at: int) -> Reading | None:
    """ "5 €", "20 USD", "1.299,00 €", "5 million €"."""
    text = value(tokens[at])
    scale = SCALES.get(tokens[at + 1].text)
    sign_at = at + (2 if scale else 1)
    names = currency(tokens[sign_at].text)
    following = tokens[sign_at + 1]
    if names is None or (following.kind == "number" and not following.spaced):
        return None
    if scale:
        return Reading(f"{number_words(text)} {scale} {names[1]}", 3)
    return Reading(_money(names, text, is_adjective(tokens, at)), 2)


def _money(names: tuple[str, str, str, str], text: str, singular: bool) -> str:
    one, many, cent, cents = names
    text = with_point(text)
    whole, _, part = text.replace(",", "").replace(" ", "").partition(".")
    whole = whole or "0"
    if len(part) > 2 or (part.strip("0") and not cents) or len(whole) > CARDINAL_DIGITS:
        return f"{decimal(text)} {many}"
    minor = int(part.ljust(2, "0")) if part else 0
    minor_words = f"{cardinal(minor)} {cent if minor == 1 else cents}"
    if minor and not int(whole):
        return minor_words
    words = f"{cardinal(int(whole))} {one if singular or int(whole) == 1 else many}"
    return f"{words} and {minor_words}" if minor else words
