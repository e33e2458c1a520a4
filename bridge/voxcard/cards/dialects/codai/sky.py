"""Weather symbol codes in words (MET Norway's: api.met.no/weatherapi/weathericon/2.0)."""

import re

_SKIES = {"clearsky": "Clear sky", "fair": "Fair", "partlycloudy": "Partly cloudy",
          "cloudy": "Cloudy", "fog": "Fog"}  # fmt: skip
# Their names, two of them with an s too many: lightssleetshowersandthunder.
_FALLING = re.compile(r"(light|heavy)?s?(rain|sleet|snow)(showers)?(andthunder)?\Z")
_TIME_OF_DAY = re.compile(r"_(?:day|night|polartwilight)\Z")
_OTHER = re.compile(r"[a-z]{1,20}(?:[_-][a-z]{1,20}){1,5}\Z")


def symbol_words(code: str) -> str:
    """`lightrainshowersandthunder_day` as `Light rain showers and thunder`; other codes of words
    joined by underscores or hyphens in words too; empty for what is no code."""
    code = _TIME_OF_DAY.sub("", code[:60].lower() if "_" in code or code.islower() else code)
    if code in _SKIES:
        return _SKIES[code]
    match = _FALLING.match(code)
    if match:
        strength, kind, showers, thunder = match.groups()
        words = (strength, kind, showers, "and thunder" if thunder else None)
        return " ".join(word for word in words if word).capitalize()
    return re.sub("[_-]", " ", code).capitalize() if _OTHER.match(code) else ""
