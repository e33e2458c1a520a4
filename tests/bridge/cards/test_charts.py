"""Charts for one panel: what is drawn, what is left to words, and that it is legible."""

import math
from itertools import count

import pytest
from fakes.device.screens import screen_of
from hypothesis import given, settings
from hypothesis import strategies as st
from voxcard.cards.drawing.drawer import Drawer
from voxcard.cards.fit.fit import fit, wire_bytes
from voxcard.cards.images.charts import draw, short
from voxcard.cards.model import Card, ChartBlock, TextBlock
from voxwire import card as wire
from voxwire.bridge_only.card_writer import to_data
from voxwire.capability import BLOCKS

from tools.pictures import cards as golden

FONT = ((32, 126), (0x2026, 0x2026))
MONO = screen_of(128, 64, 1, "rect", 0, (6, 12), FONT, BLOCKS)
PANEL = screen_of(240, 240, 16, "rect", 0, (8, 16), FONT, BLOCKS)
ROUND = screen_of(240, 240, 16, "round", 0, (8, 16), FONT, BLOCKS)
NARROW = screen_of(80, 160, 16, "rect", 0, (6, 12), FONT, BLOCKS)
DRAWERS = {cell: Drawer(cell) for cell in ((6, 12), (8, 16))}
RAIN = ChartBlock(title="Rain", summary="It rains most on Friday.", unit="mm",
                  points=(("Mon", 2.0), ("Tue", 14.5), ("Fri", 21.0)))  # fmt: skip


def drawn(chart, screen):
    return draw(chart, screen, DRAWERS[screen.cell])


def lit(picture, left, top, right, bottom):
    """Ink in a part of a picture, 0 to 1."""
    stride = (picture.width + 7) // 8
    found = sum(
        picture.data[y * stride + x // 8] << x % 8 & 128 > 0
        for y in range(top, bottom)
        for x in range(left, right)
    )
    return found / ((right - left) * (bottom - top))


def test_every_golden_picture_is_what_the_firmware_draws_now():
    assert golden.differences() == []


def test_a_bar_is_as_long_as_its_value():
    chart = ChartBlock(summary="", points=(("a", 10.0), ("b", 5.0), ("c", 0.0)))
    picture = drawn(chart, MONO)
    assert (picture.width, picture.height, picture.ink) == (128, 64, False)
    rows = [lit(picture, 12, y, 108, y + 6) for y in (10, 29, 48)]
    assert rows[0] > 0.9 and 0.4 < rows[1] < 0.6 and rows[2] < 0.1


def test_on_colour_a_chart_is_ink_on_the_lines_under_a_title():
    for screen in (PANEL, ROUND, NARROW):
        body = wire.layout(screen, True).body
        picture = drawn(RAIN, screen)
        assert picture.ink
        assert picture.width == body.cols * screen.cell[0]
        assert picture.height == body.rows * screen.cell[1]


def test_the_words_of_a_chart_stand_before_its_picture():
    picture = drawn(RAIN, PANEL)
    card = Card(id="c", dialect="t", title="Weather", blocks=(RAIN,))
    fitted_card = fit(card, PANEL, now=0, next_blob=count(1).__next__, images={RAIN: picture})
    words, chart = fitted_card.card.pages
    assert [line.text for line in words.lines] == ["Rain", "It rains most on Friday."]
    (blob,) = fitted_card.blobs
    assert blob.kind == "strips" and fitted_card.card.resources == (blob.id,)
    assert chart.lines == tuple(wire.strip(blob.id, index) for index in range(12))
    assert blob.data[:6] == b"\x00\x0c\x00\xe8\x00\x10"  # 12 strips; the first 232 px by 16
    assert len(blob.data) == 2 + 12 * (4 + 16 * 29) < 16_384


def test_a_heading_right_before_a_chart_is_the_title_of_its_page():
    chart = ChartBlock(summary="", title="Rain", points=(("a", 1.0), ("b", 2.0)))
    card = Card(id="c", dialect="t", title="Weather", blocks=(TextBlock(text="Oslo"), chart))
    images = {chart: drawn(chart, PANEL)}
    fitted_card = fit(card, PANEL, now=0, next_blob=count(1).__next__, images=images)
    assert [page.title for page in fitted_card.card.pages] == ["Weather", "Rain"]
    assert [line.text for line in fitted_card.card.pages[0].lines] == ["Oslo"]


def test_on_mono_a_chart_is_an_image():
    card = Card(id="c", dialect="t", blocks=(RAIN,))
    images = {RAIN: drawn(RAIN, MONO)}
    fitted_card = fit(card, MONO, now=0, next_blob=count(1).__next__, images=images)
    page = fitted_card.card.pages[-1]
    assert (page.width, page.height, page.lines) == (128, 64, ())
    assert [(blob.kind, len(blob.data)) for blob in fitted_card.blobs] == [("image", 1024)]


def test_strips_of_text_and_of_a_chart_keep_their_numbers():
    chart = ChartBlock(summary="السلام عليكم", points=(("a", 1.0), ("b", 2.0)))
    card = Card(id="c", dialect="t", blocks=(chart,))
    images = {chart: drawn(chart, PANEL)}
    more = {"images": images, "drawer": DRAWERS[(8, 16)], "next_blob": count(1).__next__}
    fitted_card = fit(card, PANEL, now=0, **more)
    words, page = fitted_card.card.pages
    blobs = {blob.id: blob for blob in fitted_card.blobs}
    assert len(blobs) == 2 and set(fitted_card.card.resources) == set(blobs)
    assert [line.index for line in words.lines] == [0]
    assert [line.index for line in page.lines] == list(range(12))
    assert blobs[words.lines[0].blob].data[:2] == b"\x00\x01"
    assert blobs[page.lines[0].blob].data[:2] == b"\x00\x0c"


def test_text_mode_and_a_device_without_strips_have_the_words_and_values():
    images = {RAIN: drawn(RAIN, PANEL)}
    bare = PANEL._replace(blocks=("text", "image"))
    for screen, mode in ((PANEL, "text"), (bare, "full")):
        card = Card(id="c", dialect="t", blocks=(RAIN,))
        fitted_card = fit(
            card, screen, now=0, mode=mode, next_blob=count(1).__next__, images=images
        )
        (page,) = fitted_card.card.pages
        assert "Tue 14.5mm" in page.lines[3].text and not fitted_card.blobs


@pytest.mark.parametrize(
    "points", [(), (("a", math.nan),), (("a", math.inf), ("b", -math.inf)), (("a", 1e300),)]
)
def test_a_chart_without_a_number_is_not_drawn(points):
    assert drawn(ChartBlock(summary="", points=points), PANEL) is None


def test_numbers_are_short():
    values = (0, 7, -12.5, 48.9, 1250, 9999, 12_500, 3_000_000, -2.5e9, 0.0001234)
    told = ["0", "7", "-12.5", "48.9", "1250", "9999", "12.5k", "3M", "-2.5G", "0.0001234"]
    assert [short(value) for value in values] == told


NAME = st.text(max_size=30) | st.sampled_from(
    ("Mon", "دبي", "서울", "🌊", "a" * 90, "e\u0301", "\n")
)


@pytest.mark.parametrize("kind", ["bar", "line", "pie"])
@pytest.mark.parametrize("tiny", [5e-324, -5e-324, 1e-310, 2e-200, -1e-308])
def test_values_next_to_zero_are_drawn_on_a_scale_of_their_own_or_as_zero(kind, tiny):
    points = (("a", 0.0), ("b", 0.0), ("c", tiny))
    assert drawn(ChartBlock(summary="s", kind=kind, points=points), MONO) is not None


CHARTS = st.builds(
    ChartBlock,
    summary=st.just("s"),
    kind=st.sampled_from(("bar", "line", "pie", "donut")),
    unit=st.sampled_from(("", "%", "°C", "kWh", "passengers")),
    points=st.lists(st.tuples(NAME, st.floats()), max_size=80).map(tuple),
)


@settings(max_examples=120)
@given(CHARTS, st.sampled_from((MONO, PANEL, ROUND, NARROW)))
def test_any_chart_is_drawn_within_the_panel_or_left_to_words(chart, screen):
    picture = drawn(chart, screen)
    if picture is None:
        return
    assert len(picture.data) == picture.height * ((picture.width + 7) // 8)
    assert picture.width <= screen.width and picture.height <= screen.height
    card = Card(id="c", dialect="t", blocks=(chart,))
    fitted_card = fit(card, screen, now=0, next_blob=count(1).__next__, images={chart: picture})
    assert wire_bytes(fitted_card.card) <= wire.WIRE_BYTES_MAX
    wire.from_data(to_data(fitted_card.card))


def test_a_value_too_large_to_draw_leaves_the_chart_to_words():
    chart = ChartBlock(summary="s", points=(("a", 1.0), ("b", 9.9e15)))
    assert draw(chart, MONO, DRAWERS[MONO.cell]) is None
