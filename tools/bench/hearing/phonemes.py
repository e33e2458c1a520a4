"""The phonemes that espeak-ng makes of a text, as Piper's voices get them."""

import unicodedata

from piper.phonemize_espeak import EspeakPhonemizer

_STRESS = frozenset("ˈˌ")
_PHONEMIZER = EspeakPhonemizer()


def phonemes(text: str, voice: str = "en-us") -> str:
    """Without stress and pauses; words apart."""
    said = " ".join("".join(piece) for piece in _PHONEMIZER.phonemize(voice, text))
    letters = "".join(
        each if each.isalpha() or unicodedata.combining(each) or each in "ːʲ" else " "
        for each in said
        if each not in _STRESS
    )
    # Two signs of one vowel: which one depends on how the word is written.
    return " ".join(letters.replace("ᵻ", "ɪ").split())
