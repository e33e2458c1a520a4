"""The one big value of a page: its figures, unit, label, change and icon."""

import pytest
from fakes.cards.type_sheets import TenPxLetters, inks, items, right, sheet, texts
from voxcard.cards.compose.hero import Hero
from voxcard.cards.icons.table import ICONS
from voxwire.type.roles import ACCENT, BAD_INK, DIM, GOOD_INK, INK


def faces(on, drawn):
    return [on.setting.screen.faces[item.face] for item in drawn]


def value(name="240x240", top=10, **fields):
    """(face, text) of what a hero draws."""
    on = sheet(name, top=top, next_top=top)
    drawn = items(Hero(**fields), on, top)
    return list(zip(faces(on, drawn), texts(drawn), strict=True))


def test_a_label_stands_dim_over_the_value_and_its_unit_dim_on_the_baseline():
    on = sheet()
    label, figures, unit = items(Hero(value="21.5", unit="°C", label="Living room"), on)
    assert inks([label, figures, unit]) == [("Living room", DIM), ("21.5", INK), ("°C", DIM)]
    assert faces(on, [label, figures, unit]) == ["t20", "d54", "b28"]
    assert label.y < figures.y - 54 and figures.y == unit.y
    assert unit.x - right(on, figures) == 10  # half a capital


@pytest.mark.parametrize(
    ("text", "face"),
    [("21.5", "d54"), ("48,900", "d44"), ("123,456", "d36"), ("12,345,678", "d28")],
)
def test_figures_step_down_until_the_value_fits(text, face):
    assert value(value=text) == [(face, text)]


def test_a_unit_takes_room_from_the_figures_and_is_small_beside_small_ones():
    assert value(value="48.90", unit="EUR") == [("d36", "48.90"), ("t20", "EUR")]


def test_words_are_set_in_the_headline():
    said = value(value="Arrived at the depot in Oslo")
    assert {face for face, _ in said} == {"b28"}
    assert " ".join(text for _, text in said) == "Arrived at the depot in Oslo"


def test_a_number_that_no_line_holds_with_its_unit_is_not_broken():
    assert value(value="1,234,567,890", unit="kWh") == [
        ("b20", "1,234,567,890"),
        ("b20", "kWh"),
    ]


def test_a_change_stands_under_the_value_tinted_by_its_sign():
    up = items(Hero(value="21", delta="+2.1 %"), sheet())[-1]
    down = items(Hero(value="21", delta="−2.1 %"), sheet())[-1]
    same = items(Hero(value="21", delta="unchanged"), sheet())[-1]
    assert [each.ink for each in (up, down, same)] == [GOOD_INK, BAD_INK, DIM]
    assert up.text == "+2.1 %" and up.y > 74


def test_an_icon_stands_flush_right_in_the_middle_of_the_figures():
    on = sheet()
    figures, icon = items(Hero(value="21", icon="parcel"), on)
    assert (icon.text, icon.ink) == (chr(ICONS["parcel"].code), ACCENT)
    assert (faces(on, [icon]), right(on, icon)) == (["i72"], 230)
    assert icon.y - 72 // 2 == figures.y - 54 // 2


def test_an_icon_that_leaves_no_room_for_figures_is_dropped():
    assert value(value="123,456", icon="parcel") == [("d36", "123,456")]
    assert value(value="12", icon="parcel")[0] == ("d54", "12")


def test_what_it_is_about_stands_under_the_value_where_the_title_is_over_it():
    on = sheet()
    figures, label = items(Hero(value="21", label="Sunny", titled=True), on)
    assert (label.text, label.ink, faces(on, [label])) == ("Sunny", INK, ["b20"])
    assert label.y > figures.y


def test_a_value_is_in_the_middle_of_a_round_panel():
    on = sheet("240x240-round", top=80, next_top=80)
    figures, unit = items(Hero(value="21", unit="°C"), on, 80)
    assert abs(figures.x + right(on, unit) - 240) <= 1


def test_a_right_to_left_label_begins_at_the_right():
    on = sheet(smooth=TenPxLetters())
    label, _ = items(Hero(value="21", label="שלום"), on)
    assert right(on, label) == 230
