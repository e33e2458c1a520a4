"""Money, times, dates, units and names with numbers, at the edges of how they are said."""

import pytest
from voxcard.assistants.offline.speech.spoken_forms import spoken


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("$0", "0 dollars"),
        ("$1.00", "1 dollar"),
        ("$0.01", "1 cent"),
        ("$0.02", "2 cents"),
        ("$0.5", "50 cents"),
        ("$2.05", "2 dollars and 5 cents"),
        ("$1.01", "1 dollar and 1 cent"),
        ("$1 million", "1 million dollars"),
        ("$1.5M", "1.5 million dollars"),
        ("2,50 €", "2 euros and 50 cents"),
        ("1.234,50 €", "1,234 euros and 50 cents"),
        ("1 €", "1 euro"),
        ("1.50 €", "1 euro and 50 cents"),
    ],
)
def test_money_is_said_in_its_two_units(text, said):
    assert spoken(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("00:00", "12 AM"),
        ("0:30", "12:30 AM"),
        ("01:00", "1 AM"),
        ("09:05", "9:05 AM"),
        ("1:00", "1 o'clock"),
        ("11:59", "11:59"),
        ("12:00", "noon"),
        ("12:30", "12:30"),
        ("13:00", "1 PM"),
        ("23:59", "11:59 PM"),
        ("12:00 pm", "12 PM"),
        ("12:30 PM", "12:30 PM"),
        ("6:05 p.m.", "6:05 PM."),
        ("at 9 a.m. sharp", "at 9 AM sharp"),
        ("at 9 a.m.", "at 9 AM."),
        ("at 9 a.m. ", "at 9 AM."),
    ],
)
def test_a_time_of_the_day_is_said_by_the_clock(text, said):
    assert spoken(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2026-01-01", "January 1, 2026"),
        ("2026-12-31", "December 31, 2026"),
        ("2026-00-01", "2026 00 01"),
        ("2026-13-01", "2026 13 01"),
        ("2026-12-00", "2026 12 00"),
        ("2026-12-32", "2026 12 32"),
        ("1/2/26", "January 2, 2026"),
        ("12/1/2026", "December 1, 2026"),
        ("13/1/2026", "January 13, 2026"),
        ("5.1.2026", "January 5, 2026"),
        ("2026-11-30 18:30", "November 30, 2026 at 6:30 PM"),
    ],
)
def test_a_date_is_said_with_its_month_and_what_is_none_is_not(text, said):
    assert spoken(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 km", "1 kilometre"),
        ("2 km", "2 kilometres"),
        ("a 5 km run", "a 5 kilometre run"),
        ("An 8 km run", "An 8 kilometre run"),
        ("A 5 km run", "A 5 kilometre run"),
        ("the 5 km run", "the 5 kilometres run"),
        ("5 s", "5 seconds"),
        ("1 s", "1 second"),
    ],
)
def test_a_unit_is_one_of_one_and_before_what_it_measures(text, said):
    assert spoken(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2/3", "two thirds"),
        ("3 2/3", "3 and two thirds"),
        ("2 1/4", "2 and a quarter"),
        ("5 3/7", "5 3 out of 7"),
        ("3/7", "3 out of 7"),
    ],
)
def test_a_fraction_is_said_by_its_name_or_as_so_many_of_so_many(text, said):
    assert spoken(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Henry I", "Henry I"),
        ("Henry II", "Henry the 2nd"),
        ("Henry III", "Henry the 3rd"),
        ("Henry IV", "Henry the 4th"),
        ("Pius XI", "Pius the 11th"),
        ("Pius XII", "Pius the 12th"),
        ("Pius XIII", "Pius the 13th"),
        ("Louis XIV", "Louis the 14th"),
        ("Louis XXI", "Louis the 21st"),
        ("John XXIII", "John the 23rd"),
        ("Louis X", "Louis X"),
        ("Leo XIX", "Leo the 19th"),
        ("Chapter I", "Chapter 1"),
        ("Chapter IX", "Chapter 9"),
        ("Rocky II", "Rocky 2"),
        ("the World I know", "the World I know"),
    ],
)
def test_roman_numbers_are_said_after_rulers_parts_and_names(text, said):
    assert spoken(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("order 1042", "order 10 42"),
        ("order 0142", "order 0 1 4 2"),
        ("order 1002", "order 1 0 0 2"),
        ("order 10423", "order 1 0 4 2 3"),
        ("order no. 1142", "order number 11 42"),
        ("555-1234", "5 5 5, 1 2 3 4"),
        ("+40 721 123 456", "plus 4 0, 7 2 1, 1 2 3, 4 5 6"),
        ("1.2.3", "1 point 2 point 3"),
    ],
)
def test_what_names_something_is_said_in_its_digits(text, said):
    assert spoken(text) == said


def test_a_sentence_of_more_than_2000_letters_stays_as_it_is():
    text = "5 km" + " a" * 998
    assert len(text) == 2000
    assert spoken(text).startswith("5 kilometres a")
    assert spoken(text + ".") == text + "."


@pytest.mark.parametrize(
    ("short", "month"),
    [
        ("Jan", "January"), ("Feb", "February"), ("Mar", "March"), ("Apr", "April"),
        ("Jun", "June"), ("Jul", "July"), ("Aug", "August"), ("Sep", "September"),
        ("Sept", "September"), ("Oct", "October"), ("Nov", "November"), ("Dec", "December"),
    ],
)  # fmt: skip
def test_a_month_is_said_whole(short, month):
    assert spoken(f"on {short}. 5") == f"on {month} 5"
