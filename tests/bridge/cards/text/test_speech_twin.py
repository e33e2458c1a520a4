"""What is said of each block of a card, and how much of a text is said at all."""

import pytest
from voxcard.cards.model import (
    Action,
    Card,
    CodeBlock,
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
    Play,
    Question,
    Step,
    TableBlock,
    TextBlock,
    TimelineBlock,
)
from voxcard.cards.text.speech_twin import block_speech, latest, telling
from voxcard.cards.text.twins import SPEECH_MAX, build_speech, build_text, complete, shorten


def listed(*titles, **more):
    return ListBlock(items=tuple(ListItem(title=title, **more) for title in titles))


def pins(*labels):
    return MapBlock(pins=tuple(Pin(letter="", label=label) for label in labels), note="Note")


@pytest.mark.parametrize(
    ("block", "said"),
    [
        (TextBlock(text="One. Two."), "One."),
        (TextBlock(text="  One\ntwo"), "One, two"),
        (TextBlock(text="3.5 km to go! Now"), "3.5 km to go!"),
        (TextBlock(text="! One. Two"), "! One."),
        (TextBlock(text="x" * 1001), "x" * 1000),
        (TextBlock(text="# Head\n\n*One.* Two.", markdown=True), "One."),
        (TextBlock(text="# Head", markdown=True), "Head"),
        (TextBlock(text="***\n\n- a\n- b", markdown=True), "2 items: a and b"),
        (KeyValueBlock(rows=(("a", "1"), ("b", "2"), ("c", "3"))), "a, 1; b, 2"),
        (listed(), ""),
        (listed("a"), "a"),
        (listed("a", "b"), "2 items: a and b"),
        (listed("a", "b", "c"), "3 items: a, b and c"),
        (listed("a", "b", "c", "d"), "4 items: a, b, c and 1 more"),
        (listed("a", "b", mark="✓"), "2 items: a, done and b, done"),
        (listed("a", "b", mark="1. ✓"), "2 items: a, done and b, done"),
        (listed("a", "b", level=1), ""),
        (TableBlock(columns=("A",), rows=()), ""),
        (
            TableBlock(columns=(), rows=(("1", "", "3", "4"), ("5",))),
            "Table with 2 rows; first: 1, 3",
        ),
        (MetricBlock(label="Power", value="5", unit="kW"), "Power is 5 kW"),
        (MetricBlock(label="", value="5"), "5"),
        (MetricBlock(label="", value="5", delta="+ 2"), "5, up 2"),
        (MetricBlock(label="", value="5", delta="-2"), "5, down 2"),
        (MetricBlock(label="", value="5", delta="−2"), "5, down 2"),
        (MetricBlock(label="", value="5", delta="2"), "5"),
        (pins(), "Note"),
        (pins("A"), "Nearest is A"),
        (pins("A", "B"), "Nearest is A; 2 places"),
        (TimelineBlock(steps=()), ""),
        (TimelineBlock(steps=(Step(what="Sent", when="today"),)), "Sent, today"),
        (TimelineBlock(steps=(Step(what="Sent"),)), "Sent"),
        (CodeBlock(text="a"), "Code, 1 lines"),
        (CodeBlock(text="a\nb"), "Code, 2 lines"),
        (CodeBlock(text="a", summary="A → B\nC"), "A to B, C"),
        (ImageBlock(image=ImageRef(alt="Lake")), "Picture: Lake"),
        (ImageBlock(image=ImageRef(url="https://a.example/1.png")), ""),
        (MediaBlock(kind="video", title="T", url=""), "A video, T"),
        (MediaBlock(kind="audio", title="T", url=""), "A sound, T"),
        (InputBlock(label="PIN", value="1234", secret=True), ""),
        (InputBlock(label="Name", value="Ana"), "Name, Ana"),
    ],
)
def test_a_block_is_one_short_phrase(block, said):
    assert block_speech(block) == said


def test_a_heading_is_said_only_where_nothing_follows_it():
    head, text = TextBlock(text="H", level=1), TextBlock(text="t")
    assert telling([head, text]) == [text]
    assert telling([text, head]) == [text, head]
    assert telling([head]) == [head]


@pytest.mark.parametrize(
    ("steps", "index"),
    [
        ("abc", 2),
        ("a✓ b✓ c", 1),
        ("a✓ b▸ c", 1),
        ("a▸ b▸ c✓", 1),
        ("2026-01-03✓ 2026-01-02✓ x", 0),
        ("2026-01-01✓ 2026-01-02✓ x", 1),
        ("2026-01-01✓ 2026-01-01✓ x", 1),
        ("2026-01-03✓ b✓ x", 1),
        ("2026-01-03 2026-01-02", 0),
    ],
)
def test_the_latest_step_is_the_one_under_way_or_the_last_that_is_done(steps, index):
    words = steps.split() if " " in steps else list(steps)
    block = TimelineBlock(
        steps=tuple(
            Step(what="s", when=word.strip("✓▸"), done="✓" in word, current="▸" in word)
            for word in words
        )
    )
    assert latest(block) == index


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a" * SPEECH_MAX, "a" * SPEECH_MAX),
        ("a" * (SPEECH_MAX + 1), "a" * (SPEECH_MAX - 1) + "…"),
        ("a " * SPEECH_MAX, ("a " * 139).strip() + "…"),
        ("One. " + "a" * SPEECH_MAX, "One."),
        ("a" * 138 + ". " + "b" * 138 + ". c", "a" * 138 + ". " + "b" * 138 + "."),
        ("a" * 138 + ". " + "b" * 139 + ". c", "a" * 138 + ". " + "b" * 139 + "."),
        ("a" * 138 + ". " + "b" * 140 + ". c", "a" * 138 + "."),
        ("see https://a.example/b now", "see  now"),
    ],
)
def test_a_text_is_cut_after_a_sentence_or_a_word_to_what_is_said(text, said):
    assert shorten(text) == said and len(said) <= SPEECH_MAX


def card(**more):
    return Card(id="c", dialect="x", **more)


def button(label, kind="message"):
    return Action(id=label, label=label, kind=kind, url="https://a.example" * (kind == "link"))


@pytest.mark.parametrize(
    ("card", "said"),
    [
        (card(title="T", blocks=(TextBlock(text="a"), TextBlock(text="b"))), "T. a."),
        (card(blocks=(TextBlock(text="a"), TextBlock(text="b"), TextBlock(text="c"))), "a. b."),
        (card(blocks=(*[MapBlock(pins=())] * 3, TextBlock(text="a"))), "a."),
        (card(blocks=(*[MapBlock(pins=())] * 4, TextBlock(text="a"))), ""),
        (
            card(
                title="T",
                question=Question(kind="choice", prompt="Go?"),
                actions=tuple(map(button, "abcd")),
                blocks=(TextBlock(text="x"),),
            ),
            "Go? You can say: a, or b, or c.",
        ),
        (
            card(title="T", question=Question(kind="choice", prompt=""), actions=(button("a"),)),
            "T. You can say: a.",
        ),
        (
            card(
                title="T",
                question=Question(kind="choice", prompt="Go"),
                actions=(button("a", "link"),),
            ),
            "Go.",
        ),
        (card(title="T", actions=(button("a"),)), "T."),
        (
            card(
                title="T",
                play=Play(
                    scenes=((TextBlock(text="a"),), (TextBlock(text="b"), TextBlock(text="c"))),
                    durations_ms=(1, 1),
                ),
            ),
            "T. b.",
        ),
    ],
)
def test_a_card_is_said_in_two_sentences(card, said):
    assert build_speech(card) == said


def test_a_card_is_called_by_its_first_text_and_that_by_its_first_line():
    def called(text, **more):
        return complete(card(blocks=(TextBlock(text=text, **more),))).label

    assert called("x" * 121) == "x" * 120
    assert called("\n a\nb") == "a"
    assert called("**a** b", markdown=True) == "a b"
    assert complete(card(title="T", blocks=(TextBlock(text="a"),))).label == "T"
    assert complete(card(blocks=(listed("a"),))).label == "- a"


def test_the_text_of_a_card_has_a_length_and_a_picture_alone_is_named():
    assert len(build_text(card(blocks=(TextBlock(text="x" * 65_537),)))) == 65_536
    assert build_text(card(image=ImageRef(url="https://a.example/1.png"))) == (
        "[picture] a.example"
    )
    assert build_text(card(title="T", image=ImageRef(alt="T"))) == "**T**"
    assert build_text(card(title="T", image=ImageRef(alt="A"))) == "**T**\n\n[picture] A"
    assert build_text(card()) == ""
