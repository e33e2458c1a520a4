"""Names, weather codes and emoji as icons."""

import importlib
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from voxcard.cards.icons.emoji import leading_emoji
from voxcard.cards.icons.names import icon_of_text
from voxcard.cards.icons.table import ICONS

METNO = {
    "clearsky_day": "sun", "clearsky_night": "night", "clearsky_polartwilight": "sun",
    "fair_day": "partly_cloudy", "fair_night": "night_cloudy",
    "partlycloudy_day": "partly_cloudy", "partlycloudy_night": "night_cloudy", "cloudy": "cloud",
    "fog": "fog", "rain": "rain", "lightrain": "rain", "heavyrain": "rain",
    "rainshowers_day": "showers", "lightrainshowers_day": "showers",
    "heavyrainshowers_night": "showers", "rainandthunder": "storm",
    "lightrainshowersandthunder_day": "storm", "sleet": "sleet", "lightsleet": "sleet",
    "heavysleetshowers_night": "sleet", "lightssleetshowersandthunder_day": "storm",
    "snow": "snow", "heavysnow": "snow", "snowshowers_polartwilight": "snow",
    "lightssnowshowersandthunder_day": "storm",
}  # fmt: skip
OPENWEATHER = {
    "01d": "sun", "01n": "night", "02d": "partly_cloudy", "02n": "night_cloudy", "03d": "cloud",
    "04n": "cloud", "09d": "showers", "10d": "rain", "10n": "rain", "11d": "storm",
    "13n": "snow", "50d": "fog",
}  # fmt: skip
HOME_ASSISTANT = {
    "clear-night": "night", "cloudy": "cloud", "fog": "fog", "hail": "hail",
    "lightning": "storm_dry", "lightning-rainy": "storm", "partlycloudy": "partly_cloudy",
    "pouring": "rain", "rainy": "rain", "snowy": "snow", "snowy-rainy": "sleet", "sunny": "sun",
    "windy": "wind", "windy-variant": "wind",
}  # fmt: skip
EMOJI = {
    "🌧": "rain", "🌧️": "rain", "☀️": "sun", "⛅": "partly_cloudy", "🎁": "gift", "📦": "parcel",
    "👨‍👩‍👧‍👦": "people", "🚶🏽‍♀️": "walk", "❤️": "heart", "ℹ️": "info", "✓": "check",
}  # fmt: skip
MATERIAL = {
    "mdi:cloud-outline": None, "mdi:weather-cloudy": "cloud", "mdi:weather-rainy": "rain",
    "mdi:weather-partly-rainy": "showers", "mdi:lightbulb": "light", "mdi:lightbulb-on": "light",
    "mdi:package-variant-closed": "parcel", "mdi:truck": "truck", "MDI:Home": "home",
    "mdi:account-multiple": "people", "mdi:check": "check", "mdi:zodiac-leo": None,
}  # fmt: skip


@pytest.mark.parametrize("table", [METNO, OPENWEATHER, HOME_ASSISTANT, EMOJI, MATERIAL])
def test_a_code_an_emoji_and_a_material_name_give_their_icon(table):
    assert {text: icon_of_text(text) for text in table} == table


def test_the_words_of_a_weather_code_give_the_icon_of_the_code():
    for words in ("Light rain showers and thunder", "Clear sky", "Partly cloudy", " rain "):
        assert icon_of_text(words) == icon_of_text(words.replace(" ", "").lower()) is not None


@pytest.mark.parametrize("version", ["v0_8", "v0_9", "v1_0"])
def test_every_icon_of_a2ui_has_one_of_ours(version):
    components = importlib.import_module(f"a2ui.core.basic_catalog.{version}.components")
    names = a2ui_icons(vars(components).values())
    assert len(names) >= 45
    assert {name for name in names if icon_of_text(name) not in ICONS} == set()
    assert icon_of_text("shopping_cart") == icon_of_text("shoppingCart") == "cart"


def a2ui_icons(things):
    """The names of the basic catalog's icons: the one list with accountCircle in it."""
    found = set()
    for thing in things:
        for field in getattr(thing, "model_fields", {}).values():
            waiting = [field.annotation]
            while waiting:
                arguments = get_args(waiting.pop())
                if "accountCircle" in arguments:
                    found |= set(arguments)
                waiting += arguments
    return found


def test_a_sentence_or_an_unknown_name_gives_no_icon():
    for text in ("", " ", "rain tomorrow", "I need a car", "10 d", "99d", "🤷", "🇷🇴", "mdi:",
                 "x" * 99, "🌧🌧", "雨", "Regen"):  # fmt: skip
        assert icon_of_text(text) is None, text


def test_text_begins_with_one_whole_emoji_or_with_none():
    assert leading_emoji("👨‍👩‍👧‍👦 Family ticket") == ("👨‍👩‍👧‍👦", "Family ticket")
    assert leading_emoji("👍🏽 Done") == ("👍🏽", "Done")
    assert leading_emoji("🇷🇴 Cluj") == ("🇷🇴", "Cluj")
    assert leading_emoji("🌧️비") == ("🌧️", "비")
    for text in (
        "",
        "Rain 🌧",
        "★★★☆☆ good",
        "天気",
        "かな",
        "カナ",
        "#1",
        "-5 °C",
        "1️⃣ First",
        "№ 5",
    ):
        assert leading_emoji(text) == ("", text)


def test_every_icon_of_a_table_is_one_we_have():
    for table in (METNO, OPENWEATHER, HOME_ASSISTANT, EMOJI):
        assert set(table.values()) <= set(ICONS)
    emoji = importlib.import_module("voxcard.cards.icons.emoji")
    sky = importlib.import_module("voxcard.cards.icons.sky")
    names = importlib.import_module("voxcard.cards.icons.names")
    used = {*emoji._ICON_OF.values(), *sky._SKIES.values(), *sky._NIGHT.values()}
    used |= {*sky._OPENWEATHER.values(), *sky._FALLEN.values(), *names._A2UI.values()}
    assert used - set(ICONS) == set()


def test_no_emoji_stands_for_two_icons():
    emoji = importlib.import_module("voxcard.cards.icons.emoji")
    listed = [sign for row in emoji._EMOJI.values() for sign in row]
    assert sorted(listed) == sorted(set(listed))


@given(
    st.text(st.sampled_from("🌧☀👩💻🇷🇴🏽★→ a1天") | st.sampled_from("\u200d\ufe0f"), max_size=12)
)
def test_whatever_a_text_begins_with_nothing_of_it_is_lost(text):
    sign, rest = leading_emoji(text)
    assert sign + text[len(sign) :] == text
    assert rest == (text[len(sign) :].lstrip() if sign else text)
    assert icon_of_text(text) in (None, *ICONS)
