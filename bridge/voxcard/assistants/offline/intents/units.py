"""The unit a number may be said with, though a sentence does not hold it."""

from collections.abc import Sequence

from voxcard.assistants.offline.intents.normalise import Word
from voxcard.toolhub.schema import Argument

# What an argument's own name may count in, each with its other forms.
_FORMS = (
    ("second", "seconds"),
    ("minute", "minutes"),
    ("hour", "hours"),
    ("day", "days"),
    ("week", "weeks"),
    ("degree", "degrees"),
    ("step", "steps"),
    ("watt", "watts"),
    ("litre", "litres", "liter", "liters"),
    ("metre", "metres", "meter", "meters"),
)
_DEGREES = ("degree", "degrees")
_SCALES = {
    "celsius": (*_DEGREES, "celsius", "c"),
    "fahrenheit": (*_DEGREES, "fahrenheit", "f"),
    "kelvin": (*_DEGREES, "kelvin"),
}
_SIGNS = {"°c": "celsius", "℃": "celsius", "°f": "fahrenheit", "℉": "fahrenheit"}


def units(argument: Argument) -> frozenset[str]:
    """Words of the unit that the name of `argument` says, or of its scale of temperature."""
    names = set(argument.name.lower().split("_"))
    words = {word for forms in _FORMS if names.intersection(forms) for word in forms}
    scales = _scales(f"{argument.name} {argument.title} {argument.description}".lower())
    if len(scales) == 1:
        words.update(_SCALES[scales.pop()])
    return frozenset(words)


def unit_lengths(sentence: Sequence[Word], at: int, words: frozenset[str]) -> list[int]:
    """How many of `sentence[at:]` may be the unit: 0, and each length that is."""
    lengths = [0]
    for word in sentence[at:]:
        if word.text not in words:
            break
        lengths.append(lengths[-1] + 1)
    return lengths


def _scales(text: str) -> set[str]:
    scales = {name for name in _SCALES if name in text}
    return scales | {name for sign, name in _SIGNS.items() if sign in text}
