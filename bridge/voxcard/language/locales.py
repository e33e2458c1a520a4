"""Locales of a home, a device or a turn: `de`, `de-CH`, `de_CH.UTF-8`."""

from collections.abc import Collection

HOME_LANGUAGE = "en"  # what everything has words in
LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "ro", "ko")  # that the bridge has words in


def normal(locale: str) -> str:
    """`locale` as Babel and BCP 47 write it, without an encoding: "de_CH.UTF-8" -> "de-CH"."""
    parts = locale.partition(".")[0].partition("@")[0].replace("_", "-").split("-")
    return "-".join([parts[0].lower(), *(each.upper() for each in parts[1:] if each)])


def language_of(locale: str) -> str:
    """The language of a locale: "de-CH" -> "de"; "" where there is none."""
    return normal(locale).partition("-")[0]


def best(locale: str, known: Collection[str]) -> str:
    """The first of de-CH, de, en that is `known`; "en" when none is."""
    choices = (normal(locale), language_of(locale), HOME_LANGUAGE)
    return next((each for each in choices if each in known), HOME_LANGUAGE)


def babel_name(locale: str) -> str:
    """The name that Babel knows it by, in its language's own form where its country is unknown."""
    from babel import Locale, UnknownLocaleError

    for name in (normal(locale), language_of(locale)):
        try:
            return str(Locale.parse(name, sep="-"))
        except (UnknownLocaleError, ValueError, TypeError):
            continue
    return HOME_LANGUAGE
