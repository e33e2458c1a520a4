"""Lines on pages: what stays together, and where a card that is too long is cut."""

import pytest
from voxcard.cards.fit.flow import Item, flow
from voxcard.cards.model import ImageRef
from voxwire import card as wire

PICTURE = ImageRef(url="https://i.example/1.png")


def item(text, **more):
    """An item of a group for each word; the lines of a group have a + between them."""
    groups = tuple(tuple(map(wire.text_line, word.split("+"))) for word in text.split())
    return Item(groups=groups, **more)


def head(text):
    return Item(groups=((wire.heading(text),),), heading=True)


def picture(text="", **more):
    return item(text, picture=PICTURE, **more)


def flowed(items, rows=4, lines_max=100, **more):
    """Pages as texts (a picture as `[title: caption]`), how many are left out, whether full."""
    done = flow(items, 20, rows, lines_max, **more)
    pages = []
    for draft in done.drafts:
        words = " ".join(line.text or "_" for line in draft.lines)
        pages.append(f"[{draft.title}: {words}]" if draft.picture else words)
    return pages, done.left_out, done.full


def pages(*items, **more):
    return flowed(items, **more)[0]


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ([item("a b c d")], ["a b c d"]),
        ([item("a b c d e")], ["a b c d", "e"]),
        ([item("a b c"), item("d")], ["a b c d"]),
        ([item("a b c"), item("d e")], ["a b c", "d e"]),  # two lines are not torn apart
        ([item("a b c"), item("d e f")], ["a b c d", "e f"]),  # three of a page's four are
        ([item("a b"), item("c d")], ["a b c d"]),
        ([item("a b c"), head("H"), item("d")], ["a b c", "H d"]),
        ([item("a b"), head("H"), item("c d e")], ["a b H c", "d e"]),
        ([item("a b c"), head("H")], ["a b c H"]),  # leads nothing
        ([item("a b c"), item("d+e+f")], ["a b c", "d e f"]),
        ([item("a"), item("b+c+d e")], ["a b c d", "e"]),
    ],
)
def test_short_items_are_whole_and_headings_lead(items, expected):
    assert pages(*items) == expected


def test_six_lines_of_a_large_page_stay_together_and_seven_not():
    eight = item("a b c d e f g h")
    assert pages(eight, item("1 2 3 4 5 6"), rows=12) == ["a b c d e f g h", "1 2 3 4 5 6"]
    assert pages(eight, item("1 2 3 4 5 6 7"), rows=12)[0] == "a b c d e f g h 1 2 3 4"


def test_no_blank_line_opens_a_page():
    blank = Item(groups=((wire.text_line(""),),))
    assert pages(blank, item("a"), blank, item("b")) == ["a _ b"]
    assert pages(item("a b c d"), blank, item("e")) == ["a b c d", "e"]
    styled = Item(groups=((wire.heading(""),),))
    assert pages(styled, item("a")) == ["_ a"]


def test_the_first_page_may_have_more_rows():
    assert pages(item("a b c d e f"), rows=2, first_rows=3) == ["a b c", "d e", "f"]
    assert pages(item("a b c"), rows=2, first_rows=0) == ["a b", "c"]


@pytest.mark.parametrize(
    ("lines_max", "expected"),
    [
        (4, (["a b c d"], 0, False)),
        (3, (["a b +1 more"], 1, True)),
        (2, (["a +2 more"], 2, True)),
        (1, (["+2 more"], 2, True)),
        (0, (["+2 more"], 2, True)),
    ],
)
def test_what_has_no_room_is_counted_on_the_last_line(lines_max, expected):
    assert flowed([item("a b"), item("c d")], lines_max=lines_max) == expected


@pytest.mark.parametrize("lines_max", range(1, 12))
def test_no_more_lines_than_asked_for_are_shown_and_each_of_them_is_used(lines_max):
    for size in range(1, 5):
        for count in range(1, 6):
            items = [item(" ".join("abcd"[:size])) for _ in range(count)]
            shown = " ".join(flowed(items, lines_max=lines_max)[0]).replace("+", "").split()
            lines = len(shown) - ("more" in shown)
            assert lines == min(lines_max, size * count), (size, count)


def test_what_follows_is_counted_too():
    assert flowed([item("a"), item("b")], lines_max=1, after=5) == (["+7 more"], 7, True)
    assert flowed([item("a")], after=5) == (["a"], 0, False)


def test_the_first_lines_of_an_item_that_is_cut_are_shown_by_whole_groups():
    assert flowed([item("a b+c d e")], lines_max=4) == (["a b c +1 more"], 1, True)
    assert flowed([item("a b+c d e")], lines_max=3) == (["a +1 more"], 1, True)


def test_a_picture_is_a_page_of_its_own_and_takes_as_many_lines():
    assert pages(item("a"), picture("c"), item("b")) == ["a", "[: c]", "b"]
    assert flowed([item("a"), picture()], lines_max=5) == (["a", "[: ]"], 0, False)
    assert flowed([item("a"), picture()], lines_max=4) == (["a +1 more"], 1, True)
    assert pages(picture(), head("H"), picture()) == ["[: ]", "H", "[: ]"]


def test_a_heading_before_a_picture_that_is_titled_becomes_its_title():
    assert pages(item("a"), head("H"), picture("c", titled=True)) == ["a", "[H: c]"]
    assert pages(item("a"), picture("c", titled=True)) == ["a", "[: c]"]
    assert pages(head("H"), picture(titled=True), item("b")) == ["[H: ]", "b"]
    assert pages(head("H"), picture("c")) == ["H", "[: c]"]


def test_items_say_themselves_what_they_leave_out():
    items = [item("a", left_out=3), item("b"), item("c", left_out=2)]
    assert flowed(items) == (["a b c"], 5, False)
    assert flowed(items, lines_max=2) == (["a +2 more"], 5, True)


def test_nothing_has_no_page():
    assert flowed([]) == ([], 0, False)
