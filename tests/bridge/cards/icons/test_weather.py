"""The weather that a card begins with."""

import pytest
from voxcard.cards.icons.weather import weather_of
from voxcard.cards.model import Card, DividerBlock, TextBlock


def told(text, **more):
    return weather_of(Card(id="c", dialect="x", blocks=(TextBlock(text=text),), **more))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Oslo: 4 °C, Light rain", ("Oslo", "4", "°C", "Light rain")),
        (" New York: −12.5°F, snow ", ("New York", "−12.5", "°F", "snow")),
    ],
)
def test_a_sentence_of_place_temperature_and_sky_is_weather(text, expected):
    assert told(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Oslo: 4 °C",
        "Oslo: 4 °C, a good year",
        "Oslo: 4 °K, Light rain",
        "Oven: 1200 °C, Light rain",
        "It is 4 °C, Light rain",
        "Oslo: 4 °C, Light rain\nBring a coat",
    ],
)
def test_other_sentences_are_not(text):
    assert told(text) is None


def test_it_is_what_the_card_says_first():
    first = TextBlock(text="Oslo: 4 °C, Light rain")
    for blocks in ((), (DividerBlock(), first), (TextBlock(text=first.text, level=1),)):
        assert weather_of(Card(id="c", dialect="x", blocks=blocks)) is None
    assert told(first.text, subtitle="Today") is None
