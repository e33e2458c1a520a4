"""What a person fills in to set a device up, checked by the firmware's own tables; pure."""

from collections import namedtuple

from settings import SettingError, check

SSID_BYTES, PASSWORD_BYTES = 32, (8, 63)
# Settings of the page. An empty name, host or user says: none.
SETTINGS = ("name", "host", "port", "user", "password")
# `settings`: {name: value} of SETTINGS. `anyway`: to be kept though it cannot be joined.
Wish = namedtuple("Wish", ("ssid", "password", "country", "settings", "anyway"))

_DIGITS = "0123456789abcdefABCDEF"


def problem_of_wifi(ssid, password) -> "tuple[str, str]":
    """(field, what is wrong with it) of a Wi-Fi's name and password; ("", "") of good ones."""
    if not 1 <= len(ssid.encode()) <= SSID_BYTES or "\0" in ssid:
        return "ssid", "The name of a Wi-Fi has 1 to 32 bytes: choose it or type it."
    size = len(password.encode())
    low, high = PASSWORD_BYTES
    is_key = size == 64 and all(letter in _DIGITS for letter in password)
    if size and not low <= size <= high and not is_key:
        return "secret", "A Wi-Fi's password has 8 to 63 characters."
    return "", ""


def read(fields: dict, known, settings) -> "tuple[Wish, dict]":
    """(what the form asks for, {field: sentence} of what is wrong with it).

    `known` are the stored credentials or None: their password stays where the form gives no other
    one. `settings` are the device's: the broker's password stays with its host and its user.
    """
    errors = {}
    ssid = fields.get("ssid") or fields.get("pick", "")
    password = fields.get("secret", "")
    if known and not password and ssid == known.ssid:
        password = known.password
    field, sentence = problem_of_wifi(ssid, password)
    if field:
        errors[field] = sentence
    country = fields.get("country", "").upper()
    if country and not (len(country) == 2 and country.isalpha()):
        errors["country"] = "A country has two letters, such as DE."
    values = _settings(fields, settings, errors)
    return Wish(ssid, password, country, values, bool(fields.get("anyway"))), errors


def _settings(fields, settings, errors):
    values = {}
    for name in SETTINGS:
        text = fields.get(name, "").strip() if name != "password" else fields.get(name, "")
        value = text
        if name == "port":
            value = int(text) if text.isdigit() and len(text) < 6 else text or 1883
        try:
            values[name] = check(name, value)
        except SettingError as error:
            errors[name] = _sentence(str(error))
    host = values.get("host", "")
    if "/" in host or ":" in host or " " in host:
        errors["host"] = "It must be a name or an address alone, such as 192.168.1.20."
    # Whoever names another broker must not be sent the password of this one.
    same = all(values.get(name) == settings.get(name) for name in ("host", "user"))
    if not values.get("password") and same:
        values["password"] = settings.get("password")
    return values


def _sentence(text):
    return text[0].upper() + text[1:]
