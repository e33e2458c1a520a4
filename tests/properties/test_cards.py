"""Cards from any JSON: cards or the typed refusal; a fitted card is within screen and wire."""

from itertools import count

from fakes.device.screens import screen_of
from hypothesis import given
from hypothesis import strategies as st
from voxcard.cards import model
from voxcard.cards.dialects.context import NO_CONTEXT
from voxcard.cards.fit.fit import fit, wire_bytes
from voxcard.cards.model import Card, CardRefused, ImageRef, Parsed
from voxcard.cards.read.dialects import DIALECTS
from voxcard.cards.read.reading import read, read_text
from voxcard.cards.text.cells import plain_line, width, wrap
from voxcard.cards.text.twins import complete, messaging_text
from voxcard.history.card_json import from_json, to_json
from voxcard.text_safety import clean
from voxwire import card as wire
from voxwire.bridge_only.card_writer import to_data
from voxwire.capability import BLOCKS, Screen

NOW = 1_796_040_000.0
WORDS = (
    "Order 1042", "주문 조회", "طلبك رقم", "https://a.example/x", "a\x00b\u202ec", "👨\u200d👩",
    "e\u0301\u0301", "\ud800", "x" * 90, "no\nbreaks\n\nkept", "", " ", "**bold**", "{{price}}",
)  # fmt: skip
TEXT = st.sampled_from(WORDS) | st.text(max_size=60)
KEYS = st.sampled_from((
    "title", "subtitle", "text", "fallback_text", "fields", "actions", "label", "value", "kind",
    "url", "icon_url", "image_url", "v", "content", "type", "_meta", "assistant_platform",
    "card", "structuredContent", "blocks", "items", "schema", "cardType", "displayMode", "a2ui",
    "uri", "name", "resource", "mimeType", "data", "annotations", "audience", "resultType",
    "inputRequests", "method", "params", "message", "requestedSchema", "properties", "enum",
    "rows", "columns", "id", "scenes", "parts", "tool", "arguments", "result", "version",
    "createSurface", "updateComponents", "components", "root", "component", "children", "path",
    "live", "key", "fallback", "speak", "provenance", "source", "payload", "markdown", "seq",
    "events", "scopes",
))  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS | TEXT, inner, max_size=6),
    max_leaves=25,
)
LINK = st.sampled_from(("https://shop.example.com/o/1", "https://a.example/" + "x" * 400, ""))
IMAGE = st.builds(ImageRef, alt=TEXT, url=LINK)
SCREENS = st.builds(
    Screen,
    st.sampled_from((32, 64, 80, 128, 135, 240, 320)),
    st.sampled_from((16, 32, 64, 128, 160, 240)),
    st.sampled_from((1, 16)),
    st.sampled_from(("rect", "round")),
    st.sampled_from((0, 116, 170, 230)),
    st.sampled_from(((4, 6), (6, 8), (8, 16), (10, 20))),
    st.just(((32, 0x24F),)),
    st.sampled_from((BLOCKS, ("text",), ("text", "qr"))),
    st.sampled_from((0, 320 * 240 * 2)),
)
BLOCK = st.one_of(
    st.builds(model.TextBlock, text=TEXT, level=st.integers(0, 2), markdown=st.booleans()),
    st.builds(model.KeyValueBlock, rows=st.lists(st.tuples(TEXT, TEXT)).map(tuple)),
    st.builds(
        model.ListBlock,
        items=st.lists(
            st.builds(
                model.ListItem,
                title=TEXT,
                detail=TEXT,
                url=LINK,
                mark=st.sampled_from(("", "1.", "104.", "✓", "☐", "1. ✓")),
                level=st.integers(0, 40),
            )
        ).map(tuple),
    ),
    st.builds(
        model.TableBlock,
        columns=st.lists(TEXT, max_size=5).map(tuple),
        rows=st.lists(st.lists(TEXT, max_size=5).map(tuple)).map(tuple),
    ),
    st.builds(model.MetricBlock, label=TEXT, value=TEXT, unit=TEXT, delta=TEXT),
    st.builds(
        model.ChartBlock,
        summary=TEXT,
        points=st.lists(st.tuples(TEXT, st.floats(allow_nan=False, allow_infinity=False))).map(
            tuple
        ),
    ),
    st.builds(
        model.MapBlock,
        pins=st.lists(st.builds(model.Pin, letter=st.just("A"), label=TEXT, url=LINK)).map(tuple),
        note=TEXT,
        links=st.lists(st.tuples(TEXT, LINK), max_size=2).map(tuple),
    ),
    st.builds(model.QrBlock, data=TEXT, caption=TEXT, local_only=st.booleans()),
    st.builds(model.ImageBlock, image=IMAGE),
    st.builds(model.MediaBlock, kind=st.just("video"), title=TEXT, url=LINK),
    st.builds(model.CodeBlock, text=TEXT, summary=TEXT),
    st.builds(
        model.TimelineBlock,
        steps=st.lists(
            st.builds(model.Step, what=TEXT, when=TEXT, done=st.booleans(), current=st.booleans())
        ).map(tuple),
    ),
    st.builds(model.InputBlock, label=TEXT, value=TEXT, secret=st.booleans()),
    st.builds(model.VisualBlock, summary=TEXT),
    st.just(model.DividerBlock()),
    st.builds(model.MoreBlock, count=st.integers(1, 10**6)),
)
BLOCKS_OF_ONE = st.lists(BLOCK, max_size=8).map(tuple)
MANY_SCENES = st.lists(
    st.builds(model.TextBlock, text=TEXT).map(lambda block: (block,)), min_size=20, max_size=40
).map(tuple)
ACTION = st.builds(
    model.Action,
    id=st.text(max_size=80) | st.just("\ud800"),
    label=TEXT,
    kind=st.sampled_from(("link", "message", "copy", "control")),
    url=LINK,
    text=TEXT,
    style=st.sampled_from(("", "primary")),
)
CARDS = st.builds(
    Card,
    id=TEXT,
    dialect=st.just("any"),
    title=TEXT,
    subtitle=TEXT,
    blocks=BLOCKS_OF_ONE,
    actions=st.lists(ACTION, max_size=20).map(tuple),
    image=st.none() | IMAGE,
    provenance=st.none() | st.builds(model.Provenance, source=TEXT, fetched_at=TEXT),
    play=st.none()
    | st.builds(
        model.Play,
        scenes=st.lists(BLOCKS_OF_ONE, max_size=3).map(tuple) | MANY_SCENES,
        durations_ms=st.lists(st.integers(0, 60_000), min_size=40, max_size=40).map(tuple),
    ),
    glossary=st.lists(st.tuples(TEXT, TEXT), max_size=3).map(tuple),
    parts=st.none() | st.just(model.Parts(current=1, total=2, has_more=True)),
    question=st.none() | st.builds(model.Question, kind=st.just("choice"), prompt=TEXT),
)


@given(st.sampled_from(sorted(DIALECTS)), JSON)
def test_any_json_gives_cards_or_the_typed_refusal_and_the_same_each_time(dialect, source):
    def outcome():
        try:
            return DIALECTS[dialect].parse(source, "id", NO_CONTEXT)
        except CardRefused as refused:
            return str(refused)

    first = outcome()
    assert isinstance(first, Parsed | str)
    assert repr(outcome()) == repr(first)


@given(JSON, JSON, JSON, TEXT)
def test_any_result_gives_cards_or_none_and_never_raises(content, structured, card, tool):
    result = {
        "content": content,
        "structuredContent": structured,
        "_meta": {"assistant_platform": {"card": card}},
    }
    for source in (result, content):
        parsed = read(source, tool=tool, call_id="1")
        for each in parsed.cards:
            assert complete(each) == each
            fit(each, screen_of(128, 64, 1, "rect", 0, (6, 8), ((32, 126),), BLOCKS),
                now=NOW, next_blob=count(1).__next__)  # fmt: skip
        assert isinstance(parsed.text, str)


@given(TEXT, JSON)
def test_any_text_gives_fenced_cards_or_none(text, source):
    fence = f"{text}\n```codai-card\n{source!r}\n```\nend"
    assert "codai-card" not in read_text(fence).text


@given(CARDS, SCREENS, st.sampled_from(("full", "text")))
def test_a_fitted_card_is_within_the_screen_and_the_wire(card, screen, mode):
    fitted_card = fit(card, screen, now=NOW, mode=mode, next_blob=count(60_000).__next__).card
    assert 1 <= len(fitted_card.pages) <= wire.PAGES_MAX
    assert wire_bytes(fitted_card) <= wire.WIRE_BYTES_MAX
    assert wire.from_data(to_data(fitted_card)) == fitted_card
    for page in fitted_card.pages:
        _check_page(page, screen)
        if mode == "text":
            assert isinstance(page, wire.TextPage)
    grid = wire.layout(screen)
    assert width(fitted_card.foot) <= max(0, grid.foot.cols - 5)


def _check_page(page, screen):
    if isinstance(page, wire.QrPage):
        place = wire.qr_layout(screen, page.modules, page.scale, page.quiet)
        assert page.quiet >= 1 and page.scale >= 2
        assert place.side <= min(screen.width, screen.height)
        area, title = place.caption, place.title
        rows = area.rows
    else:
        grid = wire.layout(screen, bool(page.title))
        area, title, rows = grid.body, grid.title, grid.body.rows
    used = len(page.lines)
    if isinstance(page, wire.ChoicePage):
        used += 1  # the device scrolls the others under the question
        assert all(width(option.label) <= max(2, area.cols) for option in page.options)
    if not isinstance(page, wire.ImagePage):
        assert used <= max(1, rows)
    assert width(page.title) <= title.cols
    assert page.title == plain_line(page.title)
    for line, below in zip(page.lines, (*page.lines, None)[1:], strict=True):
        large = line.style == "b"
        assert width(line.text) <= (area.cols // 2 if large else max(2, area.cols))
        if large:  # over two rows; what is beside the lower one is flush right
            assert below in (wire.text_line(""), wire.field("", below.text))
            assert 2 * width(line.text) + bool(below.text) + width(below.text) <= area.cols


@given(CARDS)
def test_twins_are_built_for_any_card_once(card):
    once = complete(card)
    assert complete(once) == once
    assert len(once.twin.speak) <= 280 and "https://" not in once.twin.speak
    messaging_text(once)


@given(CARDS)
def test_a_stored_card_comes_back(card):
    text = to_json(card)
    again = from_json(text)
    assert to_json(again) == text
    assert again.title == card.title


@given(st.text(), st.integers(2, 40))
def test_wrapped_lines_fit_and_lose_no_letter(text, cols):
    lines = wrap(text, cols)
    assert all(width(line) <= cols for line in lines)
    letters = [each for each in clean(text) if each.isascii() and each.isalnum()]
    kept = [each for line in lines for each in line if each.isascii() and each.isalnum()]
    assert kept == letters


def test_huge_input_is_bounded_work():
    text = "lorem ipsum " * 400_000
    screen = screen_of(128, 64, 1, "rect", 0, (6, 8), ((32, 126),), BLOCKS)
    rows = tuple((f"k{number}", "v" * 500) for number in range(500))
    card = Card(
        id="c",
        dialect="x",
        title=text[:100_000],
        blocks=(model.TextBlock(text=text), model.KeyValueBlock(rows=rows)) * 20,
    )
    fitted_card = fit(card, screen, now=NOW, next_blob=count(1).__next__)
    assert len(fitted_card.card.pages) <= wire.PAGES_MAX
    assert wire_bytes(fitted_card.card) <= wire.WIRE_BYTES_MAX
