"""Text and speech twins: what stands for each block in words."""

import pytest
from voxcard.cards.model import (
    Action,
    Card,
    ChartBlock,
    CodeBlock,
    DividerBlock,
    ImageBlock,
    ImageRef,
    InputBlock,
    KeyValueBlock,
    ListBlock,
    ListItem,
    MapBlock,
    MediaBlock,
    MetricBlock,
    Pin,
    Provenance,
    QrBlock,
    Question,
    Step,
    TableBlock,
    TextBlock,
    TimelineBlock,
    Twin,
    VisualBlock,
)
from voxcard.cards.text.markdown.document import plain
from voxcard.cards.text.speech_twin import block_speech, latest
from voxcard.cards.text.text_twin import block_text
from voxcard.cards.text.twins import complete, direction, is_empty, messaging_text, shorten

LIST = ListBlock(items=tuple(ListItem(title=name, detail="d") for name in "abcde"))
TWINS = (
    (TextBlock(text="It rains. Take a coat."), "It rains. Take a coat.", "It rains."),
    (TextBlock(text="Plan", level=2), "**Plan**", "Plan"),
    (
        KeyValueBlock(rows=(("Total", "12 €"), ("Carrier", "GHN"), ("Weight", "2 kg"))),
        "- Total: 12 €\n- Carrier: GHN\n- Weight: 2 kg",
        "Total, 12 €; Carrier, GHN",
    ),
    (LIST, "- a — d\n- b — d\n- c — d\n- d — d\n- e — d", "5 items: a, b, c and 2 more"),
    (
        ListBlock(items=(ListItem(title="One", url="https://a.example", mark="1."),)),
        "1. [One](https://a.example)",
        "One",
    ),
    (
        TableBlock(columns=("Plan", "Price"), rows=(("S", "10"), ("L", "25"))),
        "| Plan | Price |\n|---|---|\n| S | 10 |\n| L | 25 |",
        "Table with 2 rows; first: S, 10",
    ),
    (
        TableBlock(columns=("A", "B", "C", "D"), rows=(("1", "2", "3", "4"),)),
        "- 1: B=2, C=3, D=4",
        "Table with 1 rows; first: 1, 2, 3",
    ),
    (
        MetricBlock(label="Humidity", value="81", unit="%", delta="+3"),
        "**Humidity**: 81 % (+3)",
        "Humidity is 81 %, up 3",
    ),
    (
        ChartBlock(summary="Rain falls off.", points=(("Jan", 12.0), ("Feb", 7.5)), unit="mm"),
        "Rain falls off.\n- Jan: 12 mm\n- Feb: 7.5 mm",
        "Rain falls off.",
    ),
    (
        MapBlock(
            pins=(Pin(letter="A", label="Gara", detail="Str. 1"), Pin(letter="B", label="P"))
        ),
        "A. Gara — Str. 1\nB. P",
        "Nearest is Gara; 2 places",
    ),
    (
        QrBlock(data="WIFI:S:home;P:secret;;", caption="Join the Wi-Fi", local_only=True),
        "Join the Wi-Fi",
        "A code is on the screen",
    ),
    (ImageBlock(image=ImageRef(alt="The lake")), "[picture] The lake", "Picture: The lake"),
    (
        MediaBlock(kind="video", title="Clip", url="https://v.example/a"),
        "Clip: https://v.example/a",
        "A video, Clip",
    ),
    (CodeBlock(text="a\nb", language="py"), "```py\na\nb\n```", "Code, 2 lines"),
    (
        TimelineBlock(steps=(Step(what="Sent", when="9:00", done=True), Step(what="Arrives"))),
        "- 9:00 — Sent ✓\n- Arrives",
        "Sent, 9:00",
    ),
    (InputBlock(label="PIN", value="1234", secret=True), "PIN: ••••", ""),
    (InputBlock(label="Name", value="Radu"), "Name: Radu", "Name, Radu"),
    (VisualBlock(summary="A small circle."), "A small circle.", "A small circle."),
    (DividerBlock(), "", ""),
)


@pytest.mark.parametrize(
    ("block", "text", "speech"), TWINS, ids=lambda value: type(value).__name__
)
def test_each_block_has_its_twins(block, text, speech):
    assert (block_text(block), block_speech(block)) == (text, speech)


def test_a_built_text_twin_keeps_the_order():
    card = complete(
        Card(
            id="c",
            dialect="codai",
            title="Trip",
            subtitle="Friday",
            blocks=(TextBlock(text="Leave early."), KeyValueBlock(rows=(("Gate", "12"),))),
            actions=(
                Action(id="1", label="Map", kind="link", url="https://m.example/1"),
                Action(id="2", label="Cancel", kind="message", text="Cancel it"),
            ),
            provenance=Provenance(source="TAROM", fetched_at="2026-11-30T10:00:00Z"),
        )
    )
    assert card.twin.text == (
        "**Trip**\nFriday\n\nLeave early.\n\n- Gate: 12\n\nMap: https://m.example/1\n- Cancel\n\n"
        "Source: TAROM, updated 2026-11-30T10:00:00Z"
    )
    assert card.twin.speak == "Trip. Leave early."
    assert (card.label, card.summary, card.direction) == ("Trip", "Trip. Leave early.", "ltr")
    assert messaging_text(card) == card.twin.text


def test_completing_twice_is_completing_once():
    card = Card(id="c", dialect="codai", blocks=(TextBlock(text="Only a block"),))
    once = complete(card, "The result.")
    assert complete(once) == once
    assert (once.label, once.twin.speak) == ("Only a block", "The result.")


def test_authored_twins_win():
    twin = Twin(text="**Mine**", speak="Mine.", markdown=True, authored=frozenset({"text"}))
    card = complete(Card(id="c", dialect="codai", title="T", twin=twin), "The result.")
    assert card.twin == twin


def test_an_authored_text_is_spoken_when_nothing_else_is():
    twin = Twin(text="Order shipped.", authored=frozenset({"text"}))
    assert complete(Card(id="c", dialect="x", title="T", twin=twin)).twin.speak == "Order shipped."


def test_a_question_is_spoken_with_what_can_be_answered():
    options = tuple(
        Action(id=n, label=n, kind="message", text=n) for n in ("Mon", "Tue", "Wed", "Thu")
    )
    question = Question(kind="choice", prompt="Which day?")
    card = complete(
        Card(id="c", dialect="x", title="Which day?", actions=options, question=question)
    )
    assert card.twin.speak == "Which day? You can say: Mon, or Tue, or Wed."


def test_speech_is_short_and_has_no_links():
    assert shorten("See https://a.example/x now") == "See  now"
    long = "First sentence here. " + "word " * 100
    assert shorten(long) == "First sentence here."
    assert len(shorten("w" * 1000)) <= 280
    assert len(shorten("wörter " * 100)) <= 280


def test_the_direction_is_that_of_the_first_strong_character():
    assert direction("12 طلبك") == "rtl"
    assert direction("(order) طلبك") == "ltr"
    assert direction("1042") == "ltr"


def test_messaging_text_adds_each_link_once():
    card = Card(
        id="c",
        dialect="assistant_platform",
        twin=Twin(text="Shipped.\nTrack: https://a.example/1", authored=frozenset({"text"})),
        actions=(
            Action(id="1", label="Track", kind="link", url="https://a.example/1"),
            Action(id="2", label="Help", kind="link", url="https://a.example/2"),
        ),
    )
    assert messaging_text(card) == (
        "Shipped.\nTrack: https://a.example/1\nHelp: https://a.example/2"
    )


def test_a_heading_that_only_names_the_block_after_it_is_not_what_is_said():
    table = TableBlock(columns=("Zone", "€"), rows=(("In", "2"),))
    card = Card(id="c", dialect="x", title="Bus", blocks=(TextBlock(text="Fees", level=1), table))
    assert complete(card).twin.speak == "Bus. Table with 1 rows; first: In, 2."


@pytest.mark.parametrize(
    ("steps", "place"),
    [
        ((Step(what="a", done=True), Step(what="b", current=True), Step(what="c")), 1),
        ((Step(what="a", done=True), Step(what="b", done=True), Step(what="c")), 1),
        ((Step(what="a"), Step(what="b")), 1),
        ((Step(what="a", when="2026-11-30", done=True),
          Step(what="b", when="2026-11-29", done=True)), 0),
        ((Step(what="a", when="noon", done=True),
          Step(what="b", when="2026-11-29", done=True)), 1),
    ],
)  # fmt: skip
def test_the_latest_step_is_under_way_or_the_last_one_done(steps, place):
    assert latest(TimelineBlock(steps=steps)) == place


@pytest.mark.parametrize(
    ("more", "empty"),
    [
        ({}, True),
        ({"blocks": (DividerBlock(), TextBlock(text=" "))}, True),
        ({"twin": Twin(text="built")}, True),
        ({"twin": Twin(text="x", authored=frozenset({"text"}))}, False),
        ({"title": "T"}, False),
        ({"blocks": (QrBlock(data="x", local_only=True),)}, False),
        ({"question": Question(kind="choice", prompt="Go?")}, False),
        ({"slides": (Card(id="s", dialect="x"),)}, True),
        ({"slides": (Card(id="s", dialect="x", title="S"),)}, False),
    ],
)
def test_a_card_is_empty_when_nothing_of_it_is_seen_or_said(more, empty):
    assert is_empty(Card(id="c", dialect="x", **more)) is empty


def test_markdown_as_plain_text():
    assert (
        plain("# Plan\n\n\n\n- **Mon**: _swim_\n- [x] done `now`")
        == "Plan\n\n• Mon: swim\n✓ done now"
    )
    assert (
        plain("[site](https://a.example) ![Lake](https://i.example/1.jpg)")
        == "site\n\n[picture] Lake"
    )
    assert plain("| A | B |\n|---|---|\n| 1 | 2 |") == "A · B\n1 · 2"
    assert plain("> said") == "“said”"
    assert plain("<b>Hi</b> 2*3*4 snake_case_name") == "Hi 2*3*4 snake_case_name"
    assert plain("<b>Hi</b>", html=False) == "<b>Hi</b>"
    assert plain("```py\ncode\n```\nend") == "code\n\nend"


def test_markdown_that_would_take_for_ever_takes_no_time():
    assert plain(" " * 60_000).strip() == ""
    for text in ("# a" + " #" * 30_000 + "x", "|" + " " * 60_000 + "x"):
        assert plain(text).endswith("+1 more")


def test_a_links_target_may_hold_brackets():
    assert plain("[x](javascript:alert(1)) text") == "x text"
    assert plain("see [Foo](https://a.example/Foo_(bar)).") == "see Foo."
