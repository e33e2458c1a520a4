"""The text twin of each block: Markdown that keeps the order and loses no value."""

import pytest
from voxcard.cards.model import (
    ChartBlock,
    CodeBlock,
    ImageBlock,
    ImageRef,
    InputBlock,
    ListBlock,
    ListItem,
    MapBlock,
    MediaBlock,
    MetricBlock,
    MoreBlock,
    Pin,
    QrBlock,
    Step,
    TableBlock,
    TextBlock,
    TimelineBlock,
)
from voxcard.cards.text.text_twin import block_text


def item(title, **more):
    return ListBlock(items=(ListItem(title=title, **more),))


def place(**more):
    return MapBlock(pins=(Pin(letter="A", label="Home", **more),))


@pytest.mark.parametrize(
    ("block", "text"),
    [
        (TextBlock(text="H", level=1), "**H**"),
        (TextBlock(text="**H**", level=1), "**H**"),
        (TextBlock(text="H"), "H"),
        (item("a"), "- a"),
        (item("a", detail="b", url="https://a.example"), "- [a](https://a.example) — b"),
        (item("a", level=2), "      - a"),
        (item("a", mark="12."), "12. a"),
        (item("a", mark="✓"), "- ✓ a"),
        (TableBlock(columns=("A", "B"), rows=(("1", "x|y\nz"),)),
         "| A | B |\n|---|---|\n| 1 | x\\|y z |"),
        (TableBlock(columns=("A", "B", "C"), rows=()), "| A | B | C |\n|---|---|---|"),
        (TableBlock(columns=(), rows=(("1", "2"),)), "| 1 | 2 |"),
        (TableBlock(columns=("A", "B", "C", "D"), rows=(("1", "2", "3", "4"), ())),
         "- 1: B=2, C=3, D=4\n- : "),
        (ChartBlock(title="T", summary="S", points=(("a", 1.0), ("b", 2.5)), unit="mm"),
         "**T**\nS\n- a: 1 mm\n- b: 2.5 mm"),
        (ChartBlock(summary="", points=(("a", 1.0),)), "- a: 1"),
        (place(), "A. Home"),
        (place(latitude=1.0, longitude=2.123456), "A. Home — 1, 2.1235"),
        (place(latitude=0.0, longitude=0.0), "A. Home — 0, 0"),
        (place(latitude=1.0), "A. Home"),
        (place(longitude=1.0), "A. Home"),
        (place(latitude=1.0, longitude=2.0, detail="5 km"), "A. Home — 5 km"),
        (MapBlock(pins=(), links=(("Map", "https://a.example"),), note="N"),
         "Map: https://a.example\nN"),
        (TimelineBlock(steps=(Step(what="a", when="b", done=True), Step(what="c", current=True),
                              Step(what="d"))), "- b — a ✓\n- c ◀\n- d"),
        (QrBlock(data="x", caption=""), "x"),
        (QrBlock(data="x", caption="Join"), "Join: x"),
        (QrBlock(data="x", caption="Join x"), "Join x"),
        (QrBlock(data="x", caption="Join", local_only=True), "Join"),
        (CodeBlock(text="a", language="py"), "```py\na\n```"),
        (CodeBlock(text="```", summary="S"), "S\n````\n```\n````"),
        (InputBlock(label="PIN", value="1", secret=True), "PIN: ••••"),
        (InputBlock(label="PIN", value="1"), "PIN: 1"),
        (MetricBlock(label="P", value="5", unit="kW", delta="+1"), "**P**: 5 kW (+1)"),
        (MetricBlock(label="", value="5"), "5"),
        (ImageBlock(image=ImageRef(alt="")), ""),
        (ImageBlock(image=ImageRef(alt="A")), "[picture] A"),
        (MediaBlock(kind="video", title="", url="u"), "video: u"),
        (MoreBlock(count=3), "+3 more"),
    ],
)  # fmt: skip
def test_each_block_has_its_markdown(block, text):
    assert block_text(block) == text
