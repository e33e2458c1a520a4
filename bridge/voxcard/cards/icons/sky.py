"""Weather symbols and conditions as icons, by the names that weather services give them.

MET Norway (api.met.no/weatherapi/weathericon/2.0), OpenWeather
(openweathermap.org/weather-conditions), Home Assistant
(developers.home-assistant.io/docs/core/entity/weather) and their words in English, with blanks,
underscores or hyphens or without.
"""

import re

_NIGHT = {"sun": "night", "partly_cloudy": "night_cloudy"}
# With a leading "light" or "heavy" or without. MET spells two names with an s too many.
_FALLING = re.compile(r"(?:light|heavy)?s?(rain|sleet|snow)(showers)?(andthunder)?\Z")
_FALLEN = {"rain": "rain", "sleet": "sleet", "snow": "snow"}
_SKIES = {
    "clearsky": "sun", "sunny": "sun", "clearnight": "night", "cloudy": "cloud",
    "fair": "partly_cloudy", "partlycloudy": "partly_cloudy", "fewclouds": "partly_cloudy",
    "scatteredclouds": "cloud", "brokenclouds": "cloud", "overcast": "cloud",
    "overcastclouds": "cloud", "mostlysunny": "partly_cloudy", "partlysunny": "partly_cloudy",
    "mostlycloudy": "cloud", "mainlyclear": "partly_cloudy",
    "rainy": "rain", "pouring": "rain", "moderaterain": "rain", "drizzle": "rain",
    "lightdrizzle": "rain", "showers": "showers", "showerrain": "showers",
    "snowy": "snow", "moderatesnow": "snow", "snowyrainy": "sleet", "hail": "hail",
    "thunderstorm": "storm", "thunderstorms": "storm", "lightningrainy": "storm",
    "lightning": "storm_dry", "fog": "fog", "foggy": "fog", "mist": "fog", "haze": "fog",
    "partlyrainy": "showers", "partlysnowy": "snow", "partlylightning": "storm_dry",
    "windy": "wind", "windyvariant": "wind",
}  # fmt: skip
_OPENWEATHER = {
    "01": "sun", "02": "partly_cloudy", "03": "cloud", "04": "cloud", "09": "showers",
    "10": "rain", "11": "storm", "13": "snow", "50": "fog",
}  # fmt: skip
_OPENWEATHER_CODE = re.compile(r"(\d\d)([dn])\Z")
_TIME_OF_DAY = re.compile(r"_(day|night|polartwilight)\Z")


def sky_icon(text: str) -> str | None:
    """The icon of one weather symbol code or condition; None for what is neither."""
    text = text[:60].strip().lower()
    code = _OPENWEATHER_CODE.match(text)
    if code:
        return _by_night(_OPENWEATHER.get(code[1]), code[2] == "n")
    time = _TIME_OF_DAY.search(text)
    name = re.sub("[ _-]", "", text[: time.start()] if time else text)
    return _by_night(_SKIES.get(name) or _falling(name), time is not None and time[1] == "night")


def _falling(name: str) -> str | None:
    match = _FALLING.match(name)
    if match is None:
        return None
    kind, showers, thunder = match.groups()
    return "storm" if thunder else "showers" if showers and kind == "rain" else _FALLEN[kind]


def _by_night(icon: str | None, night: bool) -> str | None:
    return _NIGHT.get(icon, icon) if night and icon else icon
