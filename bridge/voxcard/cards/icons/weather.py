"""The weather that a card begins with, told in a sentence."""

import re
from typing import NamedTuple

from voxcard.cards.icons.names import icon_of_text
from voxcard.cards.model import Card, TextBlock

# `Oslo: 4 °C, Light rain`.
_SENTENCE = re.compile(r"([^:\n]{1,40}): ([-−+]?\d{1,3}(?:[.,]\d)?) ?(°[CF]), (.{1,60})")


class Weather(NamedTuple):
    """What a sentence says of a place."""

    place: str
    value: str
    unit: str
    sky: str


def weather_of(card: Card) -> Weather | None:
    """The temperature and the sky that a card says first; None where it does not."""
    first = card.blocks[0] if card.blocks else None
    if not isinstance(first, TextBlock) or first.level or card.subtitle:
        return None
    found = _SENTENCE.fullmatch(first.text.strip())
    weather = Weather(*found.groups()) if found else None
    return weather if weather and icon_of_text(weather.sky) else None
