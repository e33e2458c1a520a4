"""sidetalk, mcp-chat-cards and companion cards nearly right: shown or refused, never broken."""

from itertools import count
from time import process_time

from fakes.device.screens import screen_of
from hypothesis import given
from hypothesis import strategies as st
from voxcard.cards.dialects import companion, sidetalk
from voxcard.cards.dialects.chat import cards as chat_cards
from voxcard.cards.dialects.markdown_blocks import read
from voxcard.cards.fit.fit import fit, wire_bytes
from voxcard.cards.model import Card, CardRefused, Parsed
from voxcard.cards.read import reading
from voxcard.cards.text.markdown.document import plain
from voxcard.cards.text.twins import complete
from voxwire import card as wire
from voxwire.bridge_only.card_writer import to_data
from voxwire.capability import BLOCKS

SMALL = screen_of(128, 64, 1, "rect", 230, (6, 8), ((32, 0x2FF),), BLOCKS)
ROUND = screen_of(240, 240, 16, "round", 130, (8, 16), ((32, 0x2FF),), BLOCKS)
WORDS = st.sampled_from((
    "tide", "spring tide", "Поезд", "طلبك", "주문 1042", "{{price}}", "**b**", "# h", "- a",
    "| a |", "|---|", "```", "<script>", "[a](https://a.example/x)", "[b](javascript:f(1))",
    "\u202e", "\ud800", "https://b.example/y.", "![p](https://c.example/p.png)", "1. x",
    "**k**: v", "\n", "\n\n", "  ",
))  # fmt: skip
TEXT = st.lists(WORDS, max_size=12).map(" ".join) | st.text(max_size=40)
JUNK = st.none() | st.booleans() | st.integers() | st.floats() | TEXT | st.lists(TEXT, max_size=2)
LINK = st.sampled_from((
    "https://a.example", "http://b.example/c", "javascript:alert(1)", "data:text/html,x", "", 7,
    None, "https://very-long.example.com/" + "x" * 900,
))  # fmt: skip


def mostly(value):
    """`value`, and one time in twelve something of any type."""
    return st.integers(0, 11).flatmap(lambda one: JUNK if one == 7 else value)


def objects(needed=(), **fields):
    """Objects with the `needed` fields and some of the others, now and then of a wrong type."""
    values = {name: mostly(value) for name, value in fields.items()}
    return st.fixed_dictionaries({name: values.pop(name) for name in needed}, optional=values)


BUTTON = objects(
    ("label", "action", "value"),
    label=TEXT,
    action=st.sampled_from(("url", "message", "tel")),
    value=LINK | TEXT,
)
ROW = objects(("title",), title=TEXT, description=TEXT, imageUrl=LINK, linkUrl=LINK)


def items(form):
    fields = {
        "text": {"title": TEXT, "description": TEXT},
        "image": {"imageUrl": LINK, "imageRatio": st.floats(), "title": TEXT, "description": TEXT},
        "list": {"items": st.lists(ROW, max_size=4), "headerText": TEXT},
    }[form]
    buttons = st.lists(BUTTON, max_size=3)
    items = objects((*fields,), type=st.just(form), buttons=buttons, **fields)
    return st.lists(items.map(lambda item: {"type": form} | item), min_size=1, max_size=20)


SIDETALK = st.sampled_from(sidetalk.TYPES).flatmap(
    lambda form: st.fixed_dictionaries(
        {
            "schema": st.just(sidetalk.SCHEMA),
            "cardType": st.just(form),
            "displayMode": st.sampled_from(sidetalk.MODES),
            "items": items(form),
        }
    )
)
SCENE = TEXT | objects(
    kind=TEXT,
    heading=TEXT,
    text=TEXT,
    bullets=st.lists(TEXT | objects(text=TEXT), max_size=4),
    shapes=st.lists(objects(id=TEXT, label=TEXT, **{"from": TEXT, "to": TEXT}), max_size=5),
    chart=objects(
        labels=st.lists(TEXT, max_size=4),
        values=st.lists(st.floats() | st.integers(), max_size=4),
        zoom=objects(**{"from": TEXT, "to": TEXT}),
        unit=TEXT,
    ),
    code=TEXT,
    duration=st.floats() | st.integers(),
)
ANIMATION = objects(
    ("title", "scenes"),
    title=TEXT,
    subtitle=TEXT,
    scenes=st.lists(SCENE, min_size=1, max_size=6),
    loop=st.booleans(),
    autoplay=st.booleans(),
    sceneDurationMs=st.integers(),
    tutorTerms=st.lists(objects(term=TEXT, tip=TEXT, caseInsensitive=st.booleans()), max_size=4),
    contextActions=st.lists(objects(label=TEXT, prompt=TEXT), max_size=3),
)
RESULT = st.fixed_dictionaries(
    {},
    optional={
        "content": st.lists(st.builds(lambda text: {"type": "text", "text": text}, TEXT)),
        "structuredContent": objects(
            ("card",),
            card=ANIMATION,
            parts=objects(current=st.integers(), total=st.integers(), hasMore=st.booleans()),
            display=objects(widget_code=TEXT),
        ),
    },
)
CHAT = st.fixed_dictionaries(
    {"tool": st.sampled_from(("create_animation_card", "create_markdown_card")) | JUNK},
    optional={"arguments": ANIMATION, "result": RESULT},
)
EVENTS = st.lists(
    objects(
        ("type", "payload"),
        type=st.sampled_from(("companion.skill_card", "companion.message")),
        seq=st.integers(0, 5),
        payload=objects(("markdown",), markdown=TEXT, text=TEXT, skill=TEXT),
    ),
    max_size=6,
)


def cards_of(parse, source):
    """The completed cards; none when the source is refused with a reason."""
    try:
        parsed = parse(source, "id")
    except CardRefused as refused:
        assert refused.reason and "\n" not in str(refused)
        return ()
    assert isinstance(parsed, Parsed) and parsed.cards
    assert parse(source, "id") == parsed
    ids = [card.id for card in parsed.cards]
    assert len(set(ids)) == len(ids)
    return tuple(map(complete, parsed.cards))


def check(cards):
    for card in cards:
        assert isinstance(card, Card) and card.twin.text
        assert all("\u202e" not in action.label for action in card.actions)
        for screen in (SMALL, ROUND):
            fitted_card = fit(card, screen, now=0, next_blob=count(1).__next__).card
            assert 1 <= len(fitted_card.pages) <= wire.PAGES_MAX
            assert wire_bytes(fitted_card) <= wire.WIRE_BYTES_MAX
            assert wire.from_data(to_data(fitted_card)) == fitted_card
        assert not any(action.url.startswith("javascript:") for action in card.actions)


@given(SIDETALK)
def test_a_sidetalk_body_is_cards_or_refused(source):
    check(cards_of(sidetalk.parse, source))
    check(reading.read({"content": [], "structuredContent": source}).cards)


@given(SIDETALK, st.integers(0, 99))
def test_a_random_card_is_one_of_the_carousels_cards(source, seed):
    every = cards_of(sidetalk.parse, source | {"displayMode": "carousel"})
    one = cards_of(
        lambda each, card_id: sidetalk.parse(each, f"{card_id}{seed}"),
        source | {"displayMode": "random"},
    )
    assert len(one) == min(1, len(every))
    assert all(card.twin in [each.twin for each in every] for card in one)


@given(CHAT)
def test_a_chat_card_is_a_card_or_refused(source):
    cards = cards_of(chat_cards.parse, source)
    check(cards)
    for card in cards:
        if card.play:
            assert len(card.play.scenes) == len(card.play.durations_ms)
            assert all(ms > 0 for ms in card.play.durations_ms) and all(card.play.scenes)
        assert all(term and isinstance(tip, str) for term, tip in card.glossary)


@given(EVENTS, st.permutations(range(6)))
def test_a_companions_events_give_the_same_cards_however_they_arrive(events, order):
    cards = cards_of(companion.parse, events)
    check(cards)
    assert all("{{price}}" not in card.twin.text for card in cards)
    numbered = {companion.seq(event): event for event in reversed(events)}
    numbered.pop(None, None)
    whole = list(numbered.values())
    mixed = [whole[index] for index in order if index < len(whole)]
    assert cards_of(companion.parse, mixed) == cards_of(companion.parse, whole)


@given(TEXT)
def test_the_words_of_a_markdown_text_are_all_in_its_blocks(text):
    found = read(text, titled=False)
    said = " ".join(plain(text).split())
    shown = repr(found.blocks)
    for word in ("tide", "Поезд", "주문", "<script>"):
        assert (word in said) <= (word in shown)


def test_markdown_made_to_take_for_ever_takes_no_time():
    hostile = (
        " " * 60_000, "# a" + " " * 60_000 + "x", "[" * 60_000, "[a](" * 15_000, "**a" * 20_000,
        "|" + " " * 60_000 + "x", "- - " * 15_000 + "x", "{{" * 30_000, "> " * 30_000,
        "**k" * 20_000, "1. " * 20_000, "https://" * 8000, "`" * 60_000, "```\n" * 15_000,
        "|a\n|--|\n" * 7000, "- a\n" * 15_000, "![a](b" * 10_000,
    )  # fmt: skip
    began = process_time()
    for text in hostile:
        cards_of(companion.parse, [{"type": companion.EVENT, "payload": {"markdown": text}}])
    assert process_time() - began < 20
