"""Units and currencies as a voice should say them."""

# A currency's name, its plural, and the same of its hundredth.
CURRENCIES = {
    **dict.fromkeys(("$", "US$", "USD"), ("dollar", "dollars", "cent", "cents")),
    **dict.fromkeys(("€", "EUR"), ("euro", "euros", "cent", "cents")),
    **dict.fromkeys(("£", "GBP"), ("pound", "pounds", "penny", "pence")),
    "¥": ("yen", "yen", "sen", "sen"),
    "₹": ("rupee", "rupees", "paisa", "paise"),
    "CHF": ("franc", "francs", "centime", "centimes"),
}
SCALES = {
    **dict.fromkeys(("k", "K", "thousand"), "thousand"),
    **dict.fromkeys(("m", "M", "million"), "million"),
    **dict.fromkeys(("B", "bn", "billion"), "billion"),
}
_NAMES = """
    °C degree, °F degree Fahrenheit, ° degree, % percent,
    km/h kilometre per hour, mph mile per hour, m/s metre per second,
    km² square kilometre, m² square metre, m³ cubic metre,
    km kilometre, cm centimetre, mm millimetre, m metre, ft foot, mi mile, yd yard,
    kg kilogram, g gram, mg milligram, lbs pound, lb pound, oz ounce,
    l litre, L litre, ml millilitre, mL millilitre,
    kWh kilowatt hour, Wh watt hour, kW kilowatt, MW megawatt, W watt, V volt, mA milliampere,
    Hz hertz, kHz kilohertz, MHz megahertz, GHz gigahertz,
    KB kilobyte, kB kilobyte, MB megabyte, GB gigabyte, TB terabyte,
    hPa hectopascal, mbar millibar, dB decibel, kcal kilocalorie, ppm part per million,
    ms millisecond, sec second, min minute, h hour, hr hour, hrs hour, s second
"""
_SINGULARS = dict(each.strip().split(" ", 1) for each in _NAMES.split(","))


def _plural(name: str) -> str:
    """ "mile per hour" -> "miles per hour"."""
    counted, per, rest = name.partition(" per ")
    noun, blank, scale = counted.partition(" F")
    if noun == "foot":
        noun = "feet"
    elif not noun.endswith(("hertz", "percent")):
        noun += "s"
    return noun + blank + scale + per + rest


UNITS = {sign: (name, _plural(name)) for sign, name in _SINGULARS.items()}
