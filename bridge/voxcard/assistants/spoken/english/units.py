"""Units and currencies in English: names of CLDR, where it has them."""

from functools import cache

from babel.numbers import get_currency_name
from babel.units import format_unit

_LOCALE = "en"
_PERCENT = "percent"
# How it is written -> CLDR's unit.
_CLDR = {
    "°F": "temperature-fahrenheit", "km/h": "speed-kilometer-per-hour",
    "kph": "speed-kilometer-per-hour", "mph": "speed-mile-per-hour",
    "m/s": "speed-meter-per-second", "km²": "area-square-kilometer",
    "m²": "area-square-meter", "cm²": "area-square-centimeter", "m³": "volume-cubic-meter",
    "km": "length-kilometer", "cm": "length-centimeter", "mm": "length-millimeter",
    "m": "length-meter", "µm": "length-micrometer", "ft": "length-foot", "mi": "length-mile",
    "yd": "length-yard", "kg": "mass-kilogram", "g": "mass-gram", "mg": "mass-milligram",
    "lbs": "mass-pound", "lb": "mass-pound", "oz": "mass-ounce", "l": "volume-liter",
    "L": "volume-liter", "dl": "volume-deciliter", "cl": "volume-centiliter",
    "ml": "volume-milliliter", "mL": "volume-milliliter", "tsp": "volume-teaspoon",
    "tbsp": "volume-tablespoon", "gal": "volume-gallon", "kWh": "energy-kilowatt-hour",
    "kW": "power-kilowatt", "MW": "power-megawatt", "mW": "power-milliwatt",
    "W": "power-watt", "V": "electric-volt",
    "mA": "electric-milliampere", "Hz": "frequency-hertz", "kHz": "frequency-kilohertz",
    "MHz": "frequency-megahertz", "GHz": "frequency-gigahertz", "kB": "digital-kilobyte",
    "KB": "digital-kilobyte", "MB": "digital-megabyte", "GB": "digital-gigabyte",
    "TB": "digital-terabyte", "hPa": "pressure-hectopascal", "mbar": "pressure-millibar",
    "bar": "pressure-bar", "kcal": "energy-kilocalorie", "kJ": "energy-kilojoule",
    "ms": "duration-millisecond", "sec": "duration-second", "secs": "duration-second",
    "s": "duration-second", "min": "duration-minute", "mins": "duration-minute",
    "floz": "volume-fluid-ounce", "in": "length-inch", "yr": "duration-year",
    "yrs": "duration-year", "wk": "duration-week", "wks": "duration-week",
    "µg": "mass-microgram",
    "h": "duration-hour", "hr": "duration-hour", "hrs": "duration-hour",
}  # fmt: skip
# A temperature at home is Celsius: only the other scale is named.
_OWN = {
    "°C": ("degree", "degrees"),
    "°": ("degree", "degrees"),
    "%": (_PERCENT, _PERCENT),
    "ppm": ("part per million", "parts per million"),
    "µg/m³": ("microgram per cubic meter", "micrograms per cubic meter"),
    "Wh": ("watt hour", "watt hours"),
    "dB": ("decibel", "decibels"),
    "Mbit/s": ("megabit per second", "megabits per second"),
    "kbps": ("kilobit per second", "kilobits per second"),
    "kbit/s": ("kilobit per second", "kilobits per second"),
    "Mbps": ("megabit per second", "megabits per second"),
    "Gbit/s": ("gigabit per second", "gigabits per second"),
    "MB/s": ("megabyte per second", "megabytes per second"),
    "l/h": ("liter per hour", "liters per hour"),
    "rpm": ("revolution per minute", "revolutions per minute"),
    "mAh": ("milliampere hour", "milliampere hours"),
}
# A currency's name, its plural, and the same of its hundredth.
_DOLLAR = ("dollar", "dollars", "cent", "cents")
_EURO = ("euro", "euros", "cent", "cents")
_POUND = ("pound", "pounds", "penny", "pence")
CURRENCIES = {
    "$": _DOLLAR, "US$": _DOLLAR, "USD": _DOLLAR,
    "€": _EURO, "EUR": _EURO, "£": _POUND, "GBP": _POUND,
    "¥": ("yen", "yen", "sen", "sen"), "₹": ("rupee", "rupees", "paisa", "paise"),
    "₩": ("won", "won", "jeon", "jeon"),
    "CHF": ("Swiss franc", "Swiss francs", "centime", "centimes"),
}  # fmt: skip
_CODES = frozenset((
    "AUD", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "GBP", "HUF", "INR", "JPY", "KRW", "MXN",
    "NOK", "NZD", "PLN", "RON", "RUB", "SEK", "SGD", "TRY", "UAH", "USD", "ZAR",
))  # fmt: skip
SCALES = {
    "k": "thousand", "K": "thousand", "thousand": "thousand", "m": "million", "M": "million",
    "mn": "million", "million": "million", "B": "billion", "bn": "billion",
    "billion": "billion", "trillion": "trillion",
}  # fmt: skip
MAX_TOKENS = 3  # of a unit: "km", "/", "h"


@cache
def unit(sign: str) -> tuple[str, str] | None:
    """The unit's name and its plural; None: there is no such unit."""
    if sign in _OWN:
        return _OWN[sign]
    if sign not in _CLDR:
        return None
    return _named(1, _CLDR[sign]), _named(2, _CLDR[sign])


@cache
def currency(sign: str) -> tuple[str, str, str, str] | None:
    """Name, plural, hundredth and hundredths ("": not divided by name); None: no currency."""
    if sign in CURRENCIES:
        return CURRENCIES[sign]
    if sign not in _CODES:
        return None
    one, many = (get_currency_name(sign, count, locale=_LOCALE) for count in (1, 2))
    return (one, many, "cent", "cents") if one.endswith("dollar") else (one, many, "", "")


def _named(count: int, name: str) -> str:
    words = format_unit(count, name, length="long", locale=_LOCALE)
    return words.removeprefix(f"{count} ").replace("-", " ")
