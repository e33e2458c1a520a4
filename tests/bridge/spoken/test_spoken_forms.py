"""Money, times, dates, units and names with numbers, at the edges of how they are said."""

import pytest
from voxcard.assistants.spoken.verbalise import spoken


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("$0", "zero dollars"),
        ("$1.00", "one dollar"),
        ("$0.01", "one cent"),
        ("$0.02", "two cents"),
        ("$0.5", "fifty cents"),
        ("$2.05", "two dollars and five cents"),
        ("$1.01", "one dollar and one cent"),
        ("$1 million", "one million dollars"),
        ("$1.5M", "one point five million dollars"),
        ("2,50 €", "two euros and fifty cents"),
        ("1.234,50 €", "one thousand two hundred thirty four euros and fifty cents"),
        ("1 €", "one euro"),
        ("2,5 €", "two euros and fifty cents"),
        ("5 000 €", "five thousand euros"),
        ("5 000 100 €", "five million one hundred euros"),
        (".5 €", "fifty cents"),
        ("1.50 €", "one euro and fifty cents"),
    ],
)
def test_money_is_said_in_its_two_units(text, said):
    assert spoken(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("00:00", "midnight"),
        ("0:30", "twelve thirty a.m"),
        ("01:00", "one a.m"),
        ("09:05", "nine oh five a.m"),
        ("1:00", "one o'clock"),
        ("11:59", "eleven fifty nine"),
        ("12:00", "noon"),
        ("12:30", "twelve thirty"),
        ("13:00", "one p.m"),
        ("23:59", "eleven fifty nine p.m"),
        ("12:00 pm", "twelve p.m"),
        ("12:30 PM", "twelve thirty p.m"),
        ("6:05 p.m.", "six oh five p.m."),
        ("at 9 a.m. sharp", "at nine a.m sharp"),
        ("at 9 a.m.", "at nine a.m."),
        ("at 9 a.m. ", "at nine a.m."),
    ],
)
def test_a_time_of_the_day_is_said_by_the_clock(text, said):
    assert spoken(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2026-01-01", "January first, twenty twenty six"),
        ("2026-12-31", "December thirty first, twenty twenty six"),
        ("2026-00-01", "two thousand twenty six zero one"),
        ("2026-13-01", "two thousand twenty six thirteen one"),
        ("2026-12-00", "two thousand twenty six twelve zero"),
        ("2026-12-32", "two thousand twenty six twelve thirty two"),
        ("1/2/26", "January second, twenty twenty six"),
        ("12/1/2026", "December first, twenty twenty six"),
        ("13/1/2026", "January thirteenth, twenty twenty six"),
        ("5.1.2026", "January fifth, twenty twenty six"),
        ("2026-11-30 18:30", "November thirtieth, twenty twenty six, at six thirty p.m"),
    ],
)
def test_a_date_is_said_with_its_month_and_what_is_none_is_not(text, said):
    assert spoken(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 km", "one kilometer"),
        ("2 km", "two kilometers"),
        ("a 5 km run", "a five kilometer run"),
        ("An 8 km run", "An eight kilometer run"),
        ("A 5 km run", "A five kilometer run"),
        ("the 5 km run", "the five kilometers run"),
        ("5 s", "five seconds"),
        ("1 s", "one second"),
    ],
)
def test_a_unit_is_one_of_one_and_before_what_it_measures(text, said):
    assert spoken(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2/3", "two thirds"),
        ("3 2/3", "three and two thirds"),
        ("2 1/4", "two and a quarter"),
        ("5 3/7", "five three out of seven"),
        ("3/7", "three out of seven"),
    ],
)
def test_a_fraction_is_said_by_its_name_or_as_so_many_of_so_many(text, said):
    assert spoken(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Henry I", "Henry I"),
        ("Henry II", "Henry the second"),
        ("Henry III", "Henry the third"),
        ("Henry IV", "Henry the fourth"),
        ("Pius XI", "Pius the eleventh"),
        ("Pius XII", "Pius the twelfth"),
        ("Pius XIII", "Pius the thirteenth"),
        ("Louis XIV", "Louis the fourteenth"),
        ("Louis XXI", "Louis the twenty first"),
        ("John XXIII", "John the twenty third"),
        ("Louis X", "Louis the tenth"),
        ("Leo XIX", "Leo the nineteenth"),
        ("Chapter I", "Chapter one"),
        ("Chapter IX", "Chapter nine"),
        ("Rocky II", "Rocky two"),
        ("the World I know", "the World I know"),
    ],
)
def test_roman_numbers_are_said_after_rulers_parts_and_names(text, said):
    assert spoken(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("order 1042", "order ten forty two"),
        ("order 0142", "order zero one four two"),
        ("order 1002", "order one zero zero two"),
        ("order 10423", "order one zero four two three"),
        ("order no. 1142", "order number eleven forty two"),
        ("555-1234", "five five five, one two three four"),
        ("+40 721 123 456", "plus four zero, seven two one, one two three, four five six"),
        ("1.2.3", "one point two point three"),
    ],
)
def test_what_names_something_is_said_in_its_digits(text, said):
    assert spoken(text) == said


def test_a_sentence_of_more_than_2000_letters_stays_as_it_is():
    text = "5 km" + " a" * 998
    assert len(text) == 2000
    assert spoken(text).startswith("five kilometers a")
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
    assert spoken(f"on {short}. 5") == f"on {month} fifth"


@pytest.mark.parametrize(
    "text",
    [
        "ANY PARTY WHO MODIFIES IT",
        "See /usr/share/doc or notes/readme.md for it",
        "%s is out of &name",
        "Q. Why is it so",
        "John V. Smith",
        "I mix it and he may go",
        "Set it to on",
        "The cat sat in a row.",
    ],
)
def test_what_is_no_number_sign_or_abbreviation_is_left(text):
    assert spoken(text).replace("John V Smith", "John V. Smith") == text
