"""The cut-down card: its JSON, page by page."""

import json

from voxwire import card
from voxwire.bridge_only.card_writer import to_data
from voxwire.errors import WireError
from voxwire.type import drawing

# 21 modules: three bytes a row.
ROWS = bytes(range(63))
PACKED = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+"
FULL = {
    "id": "orders-3",
    "rev": 2,
    "pages": [
        {"k": "t", "t": "Order 1042", "l": ["Out for delivery", ["h", "Friday"], ["s", 4, 0, 1]]},
        {
            "k": "q",
            "t": "Track",
            "l": ["shop.example"],
            "n": 21,
            "s": 2,
            "z": 1,
            "d": PACKED,
        },
        {"k": "a", "l": ["What now?"], "o": [["cancel", "Cancel order"]], "ms": 3000},
        {"k": "i", "b": 4, "w": 128, "h": 48},
    ],
    "foot": "shop 2h",
    "ttl": 60,
    "prio": 1,
    "play": {"auto": True, "loop": False},
    "res": [4],
}


def refusal(**changes):
    data = dict(FULL)
    data.update(changes)
    try:
        card.from_data(data)
    except WireError as error:
        return str(error)
    raise AssertionError("was not refused")


def test_a_card_with_every_page_kind_survives_the_round_trip():
    read = card.from_data(FULL)
    assert json.loads(json.dumps(to_data(read))) == FULL
    assert read.pages[0].lines[1] == card.heading("Friday")
    assert read.pages[0].lines[2] == card.strip(4, 0, True)
    assert read.pages[1].rows == ROWS
    assert read.pages[2].options == (card.Option("cancel", "Cancel order"),)
    assert read.auto and not read.loop and read.resources == (4,)


def test_a_field_keeps_its_name_and_value_in_one_text():
    lines = [["b", "4 °C"], ["f", "", "-2"], ["f", "Due", "9: 11"], ["f", "Due", ""]]
    read = card.from_data({"id": "a", "pages": [{"k": "t", "l": lines}]})
    assert read.pages[0].lines == (
        card.Line("b", "4 °C", None, None),
        card.Line("f", "-2", None, 0),
        card.Line("f", "Due: 9: 11", None, 5),
        card.Line("f", "Due: ", None, 5),
    )
    assert read.pages[0].lines[:3] == (
        card.big("4 °C"),
        card.field("", "-2"),
        card.field("Due", "9: 11"),
    )
    assert json.loads(json.dumps(to_data(read)))["pages"] == [{"k": "t", "l": lines}]


def test_a_title_and_a_label_may_be_strips():
    data = {"k": "a", "t": ["s", 4, 0, 1], "o": [["go", ["s", 4, 1, 0]]]}
    read = card.from_data({"id": "a", "pages": [data]})
    assert read.pages[0].title == card.strip(4, 0, True)
    assert read.pages[0].options[0].label == card.strip(4, 1)
    assert json.loads(json.dumps(to_data(read)))["pages"] == [data]


def test_a_wrong_place_is_named():
    assert refusal(pages=[]) == "card.pages: must be 1 to 24"
    assert refusal(pages=[{"k": "t"}] * 25) == "card.pages: must be 1 to 24"
    assert refusal(pages=[{"k": "z"}]) == "card.pages.0.k: is no page kind"
    assert refusal(pages=[{"k": "t", "l": [7]}]) == "card.pages.0.l: is no line"
    for line in (["h", "a", "b"], ["h", 7], ["r", 4, 0, 1], ["s", 4, 0],
                 ["s", 4, 0, 1, 9], [], ["b", "a", "b"], ["b", 7], ["f", "a"], ["f", "a", 7],
                 ["f", 7, "a"], ["f", "a", "b", "c"]):  # fmt: skip
        assert refusal(pages=[{"k": "t", "l": [line]}]) == "card.pages.0.l: is no line"
    for title in (["h", "x"], ["b", "x"], ["f", "x", "y"]):
        assert refusal(pages=[{"k": "t", "t": title}]) == (
            "card.pages.0.t: must be of type string"
        )
    assert refusal(pages=[{"k": "a", "o": []}]) == "card.pages.0.o: is empty"
    for pair in ("a", [], ["a"], ["a", "b", "c"]):
        assert refusal(pages=[{"k": "a", "o": [pair]}]) == (
            "card.pages.0.o: must hold [id, label] pairs"
        )
    assert refusal(pages=[{"k": "q", "n": 22, "d": "", "s": 2}]) == (
        "card.pages.0.n: is no QR size"
    )
    assert refusal(pages=[{"k": "q", "n": 21, "d": "AA==", "s": 2}]) == (
        "card.pages.0.d: has the wrong length"
    )
    assert refusal(id=None) == "card.id: is missing"


def test_a_card_has_1_to_24_pages():
    for count in (1, 24):
        assert len(card.from_data(dict(FULL, pages=[{"k": "t"}] * count)).pages) == count


def test_numbers_out_of_range_are_refused_whatever_their_size():
    huge = 10**400
    for value in (-1, 0, 1025, huge, -huge, 1.5):
        assert refusal(pages=[{"k": "i", "b": 1, "w": value, "h": 9}]) == (
            "card.pages.0.w: must be a whole number from 1 to 1024"
        )
    for value in (-1, 65536, huge):
        assert refusal(pages=[{"k": "t", "l": [["s", 4, value, 0]]}]) == (
            "card.pages.0.l: must be a whole number from 0 to 65535"
        )
    for value in (-1, 0, 65536, huge):
        assert refusal(res=[value]) == "card.res: must be a whole number from 1 to 65535"
        assert refusal(pages=[{"k": "t", "t": ["s", value, 0, 0]}]) == (
            "card.pages.0.t: must be a whole number from 1 to 65535"
        )
    for value in (-1, 17, huge):
        assert refusal(pages=[{"k": "q", "n": 21, "d": PACKED, "s": value}]) == (
            "card.pages.0.s: must be a whole number from 1 to 16"
        )


def test_times_are_within_what_a_device_can_count():
    assert refusal(ttl=2678401) == "card.ttl: must be a whole number from 0 to 2678400"
    assert refusal(ttl=-1) == "card.ttl: must be a whole number from 0 to 2678400"
    assert refusal(rev=10**400) == "card.rev: must be a whole number from 0 to 1000000000"
    assert refusal(prio=-1) == "card.prio: must be a whole number from 0 to 100"
    assert refusal(pages=[{"k": "t", "ms": 3600001}]) == (
        "card.pages.0.ms: must be a whole number from 0 to 3600000"
    )
    longest = dict(FULL, ttl=2678400)
    assert card.from_data(longest).ttl_s == 2678400


def test_a_page_laid_out_in_type_comes_back_as_it_was():
    page = drawing.DrawnPage(
        "",
        (),
        1500,
        (
            drawing.Text(10, 40, 1, 1, "Hej", 0),
            drawing.Text(10, 60, 0, 4, "dim", 9),
            drawing.Box(0, 50, 240, 2, 13, 0),
            drawing.Smooth(4, 70, 100, 24, 7, 0, 1),
            drawing.Photo(0, 100, 240, 120, 8),
        ),
        (
            drawing.Choice("yes", "Ja", 10, 170, 220, 40, 1),
            drawing.Choice("no", card.strip(7, 1), 10, 170, 220, 40, 1),
        ),
        drawing.Code(60, 30, 21, bytes(63), 4, 1),
    )
    whole = card.Card("a", 0, (page,), "", 0, 0, False, False, ())
    assert card.from_data(to_data(whole)) == whole
