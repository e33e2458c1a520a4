"""Places and their time zones: cities and countries by CLDR's names, and what they lack."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from babel import Locale
from babel.core import get_global

_NOT_A_LETTER = re.compile(r"[^a-z0-9]+")
_REGIONS = frozenset(("Africa", "America", "Asia", "Atlantic", "Australia", "Europe", "Pacific"))
_NO_TERRITORY = frozenset(("001", "ZZ", "AQ", "UM"))
# Last parts of zones' names that are also everyday words.
_WORDS = frozenset(("center", "easter", "wake", "north", "south", "west", "east", "act", "nsw"))
# Where most of a country's people live (primaryZones of CLDR's metaZones.xml).
_PRIMARY = {
    "CL": "America/Santiago", "CN": "Asia/Shanghai", "DE": "Europe/Berlin",
    "EC": "America/Guayaquil", "ES": "Europe/Madrid", "MH": "Pacific/Majuro",
    "MY": "Asia/Kuala_Lumpur", "NZ": "Pacific/Auckland", "PT": "Europe/Lisbon",
    "UA": "Europe/Kyiv", "UZ": "Asia/Tashkent",
}  # fmt: skip
# Names of countries as people say them.
_COUNTRIES = {
    "uk": "GB", "great britain": "GB", "britain": "GB", "england": "GB", "scotland": "GB",
    "wales": "GB", "northern ireland": "GB", "usa": "US", "america": "US", "us": "US",
    "united states of america": "US", "uae": "AE", "emirates": "AE", "holland": "NL",
    "czech republic": "CZ", "turkey": "TR", "ivory coast": "CI", "burma": "MM",
    "hong kong": "HK", "macau": "MO", "macao": "MO", "russia": "RU", "korea": "KR",
    "vatican": "VA", "palestine": "PS", "congo": "CG", "bosnia": "BA",
}  # fmt: skip
# Countries that are called "the": of several parts, or of islands.
_WITH_ARTICLE = frozenset((
    "AE", "BS", "CD", "CF", "CK", "DO", "FK", "FO", "GB", "GM", "KM", "KY", "MH", "MP", "MV",
    "NL", "PH", "SB", "SC", "TC", "US", "VG", "VI",
))  # fmt: skip
# Cities and states that no zone is named after.
_CITIES = {
    "America/New_York": "washington, boston, philadelphia, miami, atlanta, orlando, baltimore,"
    " pittsburgh, cleveland, new york city, florida",
    "America/Chicago": "dallas, houston, austin, san antonio, new orleans, minneapolis,"
    " saint louis, st louis, kansas city, memphis, nashville, milwaukee",
    "America/Denver": "salt lake city, albuquerque",
    "America/Los_Angeles": "san francisco, seattle, san diego, las vegas, san jose, sacramento,"
    " portland, california, silicon valley, hollywood, la",
    "Pacific/Honolulu": "hawaii",
    "America/Anchorage": "alaska",
    "America/Toronto": "ottawa, montreal, quebec",
    "America/Edmonton": "calgary",
    "America/Sao_Paulo": "rio de janeiro, rio, brasilia",
    "Europe/London": "edinburgh, glasgow, manchester, liverpool, cardiff, belfast, oxford",
    "Europe/Berlin": "munich, hamburg, frankfurt, cologne, stuttgart, dusseldorf, leipzig",
    "Europe/Paris": "lyon, marseille, nice, toulouse, bordeaux, strasbourg",
    "Europe/Rome": "milan, naples, venice, florence, turin",
    "Europe/Madrid": "barcelona, seville, valencia, bilbao",
    "Europe/Zurich": "geneva, basel, bern, lausanne",
    "Europe/Amsterdam": "rotterdam, hague, utrecht",
    "Europe/Brussels": "antwerp, ghent, bruges",
    "Europe/Vienna": "salzburg, graz, innsbruck",
    "Europe/Warsaw": "krakow, gdansk",
    "Europe/Bucharest": "cluj",
    "Europe/Moscow": "saint petersburg, st petersburg",
    "Europe/Istanbul": "ankara, izmir, antalya",
    "Asia/Jerusalem": "tel aviv, haifa",
    "Asia/Dubai": "abu dhabi",
    "Asia/Kolkata": "delhi, new delhi, mumbai, bombay, bangalore, chennai, hyderabad",
    "Asia/Karachi": "islamabad, lahore",
    "Asia/Shanghai": "beijing, shenzhen, guangzhou, wuhan",
    "Asia/Tokyo": "osaka, kyoto, yokohama",
    "Asia/Seoul": "busan",
    "Asia/Bangkok": "hanoi, phuket",
    "Asia/Makassar": "bali",
    "Africa/Johannesburg": "cape town, durban, pretoria",
    "Australia/Sydney": "canberra",
    "Pacific/Auckland": "wellington, christchurch",
    "Etc/UTC": "utc, gmt",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """`name` as it is written, and all of its `zones` by their IANA names."""

    name: str
    zones: tuple[str, ...]


def find(name: str) -> Place | None:
    """The place that is called so in English, in any case and with or without accents."""
    return _places().get(_key(name).removeprefix("the "))


@cache
def _places() -> Mapping[str, Place]:
    """By key; a country wins over a city, and a city that zones are named after over others."""
    places: dict[str, Place] = {}
    for name, place in (*_other_names(), *_zone_cities(), *_territories()):
        if _key(name) not in _WORDS:
            places[_key(name)] = place
    return places


def _other_names() -> Iterator[tuple[str, Place]]:
    for zone, names in _CITIES.items():
        for name in names.split(", "):
            yield name, Place(name.upper() if len(name) < 4 else name.title(), (zone,))


def _zone_cities() -> Iterator[tuple[str, Place]]:
    cities = Locale("en").time_zones
    aliases: Mapping[str, str] = get_global("zone_aliases")
    for alias, zone in aliases.items():
        if alias.partition("/")[0] in _REGIONS - {"Australia"}:
            yield _last(alias), Place(_last(alias), (zone,))
    for territory, zones in get_global("territory_zones").items():
        for zone in () if territory in _NO_TERRITORY else zones:
            city = cities.get(zone, {}).get("city", _last(zone))
            yield _last(zone), Place(city, (zone,))
            yield city, Place(city, (zone,))


def _territories() -> Iterator[tuple[str, Place]]:
    names: Mapping[str, str] = Locale("en").territories
    zones: Mapping[str, list[str]] = get_global("territory_zones")
    said = [(names[code], code) for code in zones if code not in _NO_TERRITORY and code in names]
    for name, code in (*said, *_COUNTRIES.items()):
        if code in zones:
            main = (_PRIMARY[code],) if code in _PRIMARY else tuple(zones[code])
            article = "the " if code in _WITH_ARTICLE else ""
            yield name, Place(article + names[code], main)


def _last(zone: str) -> str:
    return zone.rpartition("/")[2].replace("_", " ")


def _key(name: str) -> str:
    """Lower case without accents and signs, words apart: "São Paulo" -> "sao paulo"."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    bare = "".join(each for each in plain if not unicodedata.combining(each) and each not in "'’")
    return " ".join(_NOT_A_LETTER.sub(" ", bare).split())
