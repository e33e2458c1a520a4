"""Pages that the bridge laid out, as a device reads them."""

from voxwire.card import from_data
from voxwire.errors import WireError
from voxwire.type.drawing import Box, Choice, Photo, Smooth, Text

PAGE = {
    "k": "d",
    "g": [
        [10, 40, 1, 1, "Hej"],
        [10, 60, 0, 4, "dim", 9],
        ["f", 0, 50, 240, 2, 13, 0],
        ["s", 4, 70, 100, 24, 7, 0, 1],
        ["p", 0, 100, 240, 120, 8],
    ],
    "o": [["yes", "Keep it", 10, 170, 220, 40, 1]],
    "ms": 2000,
}


def page(**changes):
    return from_data({"id": "a", "pages": [dict(PAGE, **changes)]}).pages[0]


def refused(**changes):
    try:
        page(**changes)
    except WireError as error:
        return str(error)
    return ""


def test_a_page_has_its_items_choices_and_time():
    read = page()
    assert read.items == (
        Text(10, 40, 1, 1, "Hej", 0),
        Text(10, 60, 0, 4, "dim", 9),
        Box(0, 50, 240, 2, 13, 0),
        Smooth(4, 70, 100, 24, 7, 0, 1),
        Photo(0, 100, 240, 120, 8),
    )
    assert read.options == (Choice("yes", "Keep it", 10, 170, 220, 40, 1),)
    assert read.ms == 2000 and read.code is None and read.lines == ()


def test_a_page_with_a_code_says_where_it_stands():
    code = page(g=[], o=[], n=21, s=4, z=1, x=60, y=30, d="AAAA" * 21).code
    assert (code.x, code.y, code.modules, code.scale, code.quiet) == (60, 30, 21, 4, 1)
    assert code.rows == bytes(63)


def test_what_is_no_item_is_refused_and_named():
    assert "card.pages.0.g" in refused(g=None)
    for wrong in ([], {}, "x", ["x", 1], ["f", 1, 2], [1, 2, 3], [1, 2, 99, 1, "a"],
                  [1, 2, 1, 14, "a"], [1, 2, 1, 1, 5], [9999, 2, 1, 1, "a"],
                  ["f", 0, 0, -1, 2, 1, 0], ["s", 0, 0, 1, 2, 0, 0, 1],
                  ["p", 0, 0, 0, 9, 1], ["p", 0, 0, 9, 0, 1]):  # fmt: skip
        assert "card.pages.0.g.0" in refused(g=[wrong]), wrong


def test_what_is_no_choice_is_refused_and_named():
    for wrong in ([], ["a", "b"], ["a", "b", 1, 2, 3, 4, 99], [1, "b", 1, 2, 3, 4, 0]):
        assert "card.pages.0.o" in refused(o=[wrong]), wrong
