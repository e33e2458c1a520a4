"""Data of a form nobody here knows: every text, value and link of it, in its order."""

from voxcard.cards.dialects.codai.fields import named_unit
from voxcard.cards.dialects.foreign import ENTRIES_MAX, LOOKS, Reading, data_blocks
from voxcard.cards.model import KeyValueBlock, ListBlock, ListItem, MoreBlock, TextBlock

BARE = Reading(hidden=LOOKS, bare=True, named=named_unit)


def test_an_object_is_rows_then_what_is_inside_of_it_under_its_key():
    data = {"door": "shut", "since": "07:40", "zone": {"name": "Hall", "heat": 21}, "tags": ["a"]}
    assert data_blocks(data) == (
        KeyValueBlock(rows=(("door", "shut"), ("since", "07:40"))),
        TextBlock(text="zone", level=2),
        KeyValueBlock(rows=(("name", "Hall"), ("heat", "21"))),
        KeyValueBlock(rows=(("tags", "a"),)),
    )


def test_a_list_of_objects_is_entries_with_their_other_values_and_links():
    data = [
        {"name": "Moon", "length": "3:10", "url": "https://s.example/1"},
        {"name": "Sea", "parts": [1, 2]},
        "loose",
        None,
    ]
    assert data_blocks(data) == (
        ListBlock(
            items=(
                ListItem(title="Moon", detail="length: 3:10", url="https://s.example/1"),
                ListItem(title="Sea", detail="parts: 1, 2"),
                ListItem(title="loose"),
            )
        ),
    )


def test_a_value_is_shown_with_its_unit():
    (block,) = data_blocks({"value": 21, "unit": "°C", "low": 3})
    assert block.rows == (("value", "21 °C"), ("low", "3"))


def test_titles_and_texts_have_no_key_and_styling_is_hidden():
    data = {
        "type": "hologram",
        "title": "Deck",
        "speedKmh": 3,
        "colour": "red",
        "note": "Mind it.",
    }
    assert data_blocks(data, BARE) == (
        TextBlock(text="Deck"),
        KeyValueBlock(rows=(("Speed", "3 km/h"),)),
        TextBlock(text="Mind it."),
    )


def test_the_name_of_an_object_links_to_its_url():
    data = {"title": "Leek soup", "url": "https://c.example/leek", "more": "https://c.example/m"}
    assert data_blocks(data, BARE) == (
        ListBlock(items=(ListItem(title="Leek soup", url="https://c.example/leek"),)),
        ListBlock(items=(ListItem(title="More", url="https://c.example/m"),)),
    )


def test_more_than_pages_hold_is_counted():
    blocks = data_blocks([f"entry {index}" for index in range(ENTRIES_MAX + 7)])
    assert len(blocks[0].items) == ENTRIES_MAX
    assert blocks[1] == MoreBlock(count=7)


def test_data_nested_without_end_ends():
    deep = "core"
    for _ in range(60):
        deep = {"in": deep}
    assert data_blocks(deep)[-1] == MoreBlock(count=1)


def test_empty_values_give_no_blocks():
    assert data_blocks({"a": None, "b": "", "c": [], "d": {}}) == ()
