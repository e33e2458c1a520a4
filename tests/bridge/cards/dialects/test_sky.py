"""Weather symbol codes in words."""

import pytest
from voxcard.cards.dialects.codai.sky import symbol_words


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("clearsky_day", "Clear sky"),
        ("partlycloudy_polartwilight", "Partly cloudy"),
        ("fog", "Fog"),
        ("rain", "Rain"),
        ("heavysnowshowers_night", "Heavy snow showers"),
        ("lightrainshowersandthunder_day", "Light rain showers and thunder"),
        ("lightssleetshowersandthunder_day", "Light sleet showers and thunder"),
        ("sleetandthunder", "Sleet and thunder"),
        ("scattered_clouds", "Scattered clouds"),
        ("Sunny spells", ""),
        ("10d", ""),
        ("", ""),
    ],
)
def test_a_code_is_said_in_words(code, words):
    assert symbol_words(code) == words
