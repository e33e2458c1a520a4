"""Locales: how they are written, and what stands in for one that nobody has words for."""

import pytest
from voxcard.language.locales import babel_name, best, language_of, normal


@pytest.mark.parametrize(
    ("written", "read"),
    [("de", "de"), ("de_CH", "de-CH"), ("DE-ch", "de-CH"), ("ro_RO.UTF-8", "ro-RO"),
     ("de_DE@euro", "de-DE"), ("", ""), ("en-", "en")],
)  # fmt: skip
def test_a_locale_is_read_in_every_spelling(written, read):
    assert normal(written) == read
    assert language_of(written) == read[:2]


def test_a_country_falls_back_to_its_language_and_that_to_english():
    assert best("de-CH", {"de-CH", "de", "en"}) == "de-CH"
    assert best("de-CH", {"de", "en"}) == "de"
    assert best("pl-PL", {"de", "en"}) == "en"


@pytest.mark.parametrize(
    ("locale", "name"),
    [("de-CH", "de_CH"), ("ko", "ko"), ("de-XX", "de"), ("tlh", "en"), ("", "en"), ("..", "en"),
     ("de-" + 500 * "x", "de")],
)  # fmt: skip
def test_what_babel_does_not_know_becomes_what_it_does(locale, name):
    assert babel_name(locale) == name
