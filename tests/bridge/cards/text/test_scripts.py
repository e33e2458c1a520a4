"""Which script a letter is of, and in which direction a text is written."""

import pytest
from voxcard.cards.text.scripts import direction, direction_in, script_of


@pytest.mark.parametrize(
    ("text", "ltr", "rtl"),
    [
        ("", "ltr", "rtl"),
        ("abc", "ltr", "ltr"),
        ("12:30", "ltr", "rtl"),
        ("שלום", "rtl", "rtl"),
        ("سلام", "rtl", "rtl"),
        ("abc שלום", "ltr", "rtl"),
        ("שלום abc", "rtl", "rtl"),
        ("12 שלום", "rtl", "rtl"),
        ("é", "ltr", "ltr"),
        ("–", "ltr", "rtl"),
    ],
)
def test_a_text_is_written_as_its_first_letter_is_or_as_its_card(text, ltr, rtl):
    assert direction(text) == direction_in(text, "ltr") == ltr
    assert direction_in(text, "rtl") == rtl


@pytest.mark.parametrize(
    ("letter", "script"),
    [
        ("ཀ", "Tibetan"),
        ("ᱚ", "Ol Chiki"),
        ("ᐁ", "Canadian"),
        ("中", "Chinese"),
        ("豈", "Chinese"),
        ("ߊ", "N'Ko"),
        ("Ა", "Georgian Mtavruli"),
        ("\ue000", "an unknown script"),
        ("☁", "an unknown script"),
    ],
)
def test_a_script_is_called_by_its_name(letter, script):
    assert script_of(letter) == script
