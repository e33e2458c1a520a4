"""What a block says on a screen, entry by entry, before lines are broken."""

import pytest
from voxcard.cards.fit.entries import Entry, Page, action_entries, block_entries
from voxcard.cards.model import (
    Action,
    Card,
    ChartBlock,
    CodeBlock,
    ImageBlock,
    ImageRef,
    InputBlock,
    KeyValueBlock,
    ListBlock,
    ListItem,
    MapBlock,
    MediaBlock,
    Pin,
    Step,
    TableBlock,
    TimelineBlock,
)

PAGE = Page(cols=20, bars=True)
LAKE = ImageRef(url="https://i.example/1.png")


def said(block, page=PAGE):
    return [entry.text for entry in block_entries(block, page)]


def item(title, **more):
    return ListBlock(items=(ListItem(title=title, **more),))


@pytest.mark.parametrize(
    ("level", "indent"), [(0, ""), (1, "  "), (2, "    "), (3, "      "), (4, "      ")]
)
def test_lists_in_lists_stand_in_three_times_at_most(level, indent):
    [entry] = block_entries(item("a", level=level), PAGE)
    assert entry == Entry(text=f"{indent}• a", hang=len(indent) + 2)


def test_a_detail_is_beside_its_title_where_a_line_holds_both():
    assert said(item("x" * 10, detail="y" * 5)) == ["• " + "x" * 10 + "\xa0· " + "y" * 5]
    assert said(item("x" * 10, detail="y" * 6)) == ["• " + "x" * 10 + "\n  " + "y" * 6]
    assert said(item("a", detail="b\nc", mark="12.")) == ["12. a\n    b\n    c"]


def test_a_link_without_a_code_is_said_by_its_host():
    block = item("a", url="https://a.example/b")
    assert said(block) == ["• a\n  a.example"]
    assert said(block, Page(cols=20, coded=("https://a.example/b",))) == ["• a"]
    film = MediaBlock(kind="video", title="", url="https://a.example/b", poster=LAKE)
    assert said(film) == ["[video]\n  a.example"]
    page = Page(cols=20, coded=("https://a.example/b",), pictures=(LAKE,))
    assert said(film, page) == ["", "[video]"]


@pytest.mark.parametrize(
    ("block", "texts"),
    [
        (KeyValueBlock(rows=(("a", "1"), ("b", ""), ("", "c"), ("", ""))), ["a: 1", "b: –", "c"]),
        (TableBlock(columns=("A", "B"), rows=(("1", "2"), ("3",), ("4", "5", "6"), ("", ""))),
         ["A · B", "1: 2", "3: –", "4: 5 · 6"]),
        (TableBlock(columns=("A", "B", "C"), rows=(("1", "2", "3", "4"), ("", "5", ""), ("",))),
         ["1\n  B: 2\n  C: 3\n  4", "–\n  B: 5"]),
        (TableBlock(columns=(), rows=(("1", "2"),)), ["1\n  2"]),
        (MapBlock(pins=(Pin(letter="A", label="a", detail="b"), Pin(letter="", label="c")),
                  note="n"), ["A. a\n  b", "c", "n"]),
        (CodeBlock(text="a\nb", summary="S", language="py"), ["S", "a\nb"]),
        (CodeBlock(text="a", summary="S", language="Mermaid"), ["S"]),
        (InputBlock(label="PIN", value="1", secret=True), ["PIN: ••••"]),
        (TimelineBlock(steps=()), []),
        (TimelineBlock(steps=(Step(what="a", when="1"), Step(what="b", when="2", current=True),
                              Step(what="c", when="3"))), ["▸ 2 b", "3 c", "1 a"]),
        (TimelineBlock(steps=(Step(what="a", when="3"), Step(what="b", when="2", current=True),
                              Step(what="c", when="1"))), ["▸ 2 b", "3 a", "1 c"]),
    ],
)  # fmt: skip
def test_each_block_is_its_entries(block, texts):
    assert said(block) == texts


def chart(*values, unit=""):
    points = tuple((f"p{index}", value) for index, value in enumerate(values))
    return ChartBlock(summary="", points=points, unit=unit)


@pytest.mark.parametrize(
    ("values", "bars"),
    [
        ((10.0, 5.0), [14, 7]),  # "p0 10" and a blank leave 14 of 20 cells
        ((5.0, 0.0), [15, 0]),
        ((0.0, 0.0), [0, 0]),
        ((5.0, -1.0), [0, 0]),
        ((1.0,) * 8, [15] * 8),
    ],
)
def test_bars_take_the_room_beside_the_longest_name(values, bars):
    assert [text.count("▇") for text in said(chart(*values))] == bars


def test_bars_want_three_cells_and_start_below_each_other():
    assert [text.index("▇") for text in said(chart(10.0, 5.0))] == [6, 6]
    for cols, drawn in ((9, True), (8, False)):
        [text] = said(chart(10.0), Page(cols=cols, bars=True))
        assert ("▇" in text) is drawn
    assert said(chart(10.0), Page(cols=20)) == ["p0 10"]
    assert said(chart()) == []


def test_a_picture_without_words_is_worth_a_line_where_there_are_many():
    assert said(ImageBlock(image=LAKE)) == ["[picture] i.example"]
    assert said(ImageBlock(image=ImageRef())) == ["[picture]"]
    assert said(ImageBlock(image=LAKE), Page(cols=20, wordless=False)) == []
    named = ImageBlock(image=ImageRef(alt="Lake"))
    assert said(named, Page(cols=20, wordless=False)) == ["[picture] Lake"]
    [entry] = block_entries(ImageBlock(image=LAKE), Page(cols=20, pictures=(LAKE,)))
    assert (entry.text, entry.picture) == ("", LAKE)


def test_buttons_are_said_where_they_are_no_page_of_their_own():
    actions = (
        Action(id="c", label="Code", kind="copy", text="42"),
        Action(id="m", label="Go", kind="message"),
        Action(id="l", label="Site", kind="link", url="https://a.example"),
    )
    card = Card(id="c", dialect="x", actions=actions)
    for buttons, texts in ((True, ["Code: 42"]), (False, ["Code: 42", "• Go"])):
        assert [entry.text for entry in action_entries(card, PAGE, buttons)] == texts
