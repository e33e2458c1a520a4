"""codai cards from any JSON of their shape: a card or the typed refusal, in bounded time."""

import json
from itertools import count
from time import process_time

import pytest
from fakes.device.screens import screen_of
from hypothesis import given
from hypothesis import strategies as st
from voxcard.cards.dialects.codai.guard import CARD_BYTES_MAX, json_bytes
from voxcard.cards.dialects.codai.parser import parse
from voxcard.cards.dialects.codai.short_forms import SHORT_FORMS
from voxcard.cards.dialects.codai.short_forms import parse as parse_short
from voxcard.cards.fit.fit import fit, wire_bytes
from voxcard.cards.live.live_card import LINE_MAX, LiveCards
from voxcard.cards.live.merge_patch import difference, merge
from voxcard.cards.model import CardRefused
from voxcard.cards.read.fences import split
from voxcard.cards.read.reading import read_text
from voxcard.cards.text.twins import complete, messaging_text
from voxwire import card as wire
from voxwire.capability import BLOCKS

OLED = screen_of(128, 64, 1, "rect", 170, (6, 8), ((32, 126),), BLOCKS)
TYPES = (
    "text", "table", "metric", "weather", "places", "map", "links", "products", "timeline",
    "chart", "qr", "gallery", "image", "list", "choices", "comparison", "visual", "code",
    "diagram", "math", "approval", "changes", "divider", "hologram",
)  # fmt: skip
KEYS = st.sampled_from((
    "text", "title", "label", "name", "value", "summary", "source", "data", "rows", "columns",
    "items", "images", "url", "alt", "src", "image", "markers", "lat", "lng", "tempC", "current",
    "daily", "high", "price", "currency", "time", "status", "done", "labels", "series", "points",
    "x", "y", "question", "options", "id", "kind", "attributes", "pros", "latex", "files", "path",
    "diff", "args", "command", "danger", "confirm", "style", "caption", "secret", "route",
    "distanceM", "center", "cells", "unit", "delta", "type",
))  # fmt: skip
WORDS = st.sampled_from((
    "", " ", "https://a.example/x", "http://a.example", "javascript:x", "//a.example",
    "data:image/png;base64,AAAA", "data:image/png;base64,!", "<svg/>", "A --> B", r"\frac{a}{b}",
    "[a](https://a.example)", "한국어", "\u202ea", "\ud800", "2026-11-30T08:00:00Z", "12.5",
)) | st.text(max_size=20)  # fmt: skip
LEAF = st.none() | st.booleans() | st.integers() | st.floats() | WORDS
JSON = st.recursive(
    LEAF,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS | WORDS, inner, max_size=5),
    max_leaves=12,
)
# Mostly what the type needs, so that refusals do not hide the rest.
NEEDED = {"text": "t", "summary": "s", "alt": "a", "source": "<svg/>", "data": [1], "rows": [],
          "value": 1, "options": ["a"], "question": "q", "code": "c", "latex": "x",
          "url": "https://a.example",
          "images": [{"url": "https://a.example/i.png", "alt": "a"}]}  # fmt: skip
BLOCK = st.builds(
    lambda kind, needed, fields: {**fields, **(NEEDED if needed else {}), "type": kind},
    st.sampled_from(TYPES),
    st.booleans(),
    st.dictionaries(KEYS, JSON, max_size=5),
)
ACTION = st.dictionaries(
    st.sampled_from(("id", "label", "kind", "url", "text", "style", "confirm", "control")),
    WORDS | st.sampled_from(("open_url", "prompt", "copy", "control", "stop", "primary")) | JSON,
    max_size=6,
)
CARD = st.fixed_dictionaries(
    {"blocks": st.lists(BLOCK, min_size=1, max_size=4)},
    optional={
        "title": WORDS,
        "subtitle": WORDS,
        "fallback": st.dictionaries(st.sampled_from(("text", "speak")), WORDS),
        "a11y": st.dictionaries(st.sampled_from(("label", "summary")), WORDS),
        "actions": st.lists(ACTION, max_size=3),
        "provenance": st.dictionaries(
            st.sampled_from(("source", "url", "fetchedAt", "licence")), WORDS
        ),
        "live": st.just({"key": "k"}) | JSON,
    },
)


def outcome(source):
    try:
        return parse(source, "id").cards[0]
    except CardRefused as refused:
        assert str(refused)
        return None


@given(CARD)
def test_a_card_of_any_content_is_drawn_or_refused_and_the_same_each_time(source):
    before = repr(source)
    card = outcome(source)
    assert repr(outcome(source)) == repr(card)
    assert repr(source) == before
    if card is None:
        return
    whole = complete(card)
    assert complete(whole) == whole
    ids = [action.id for action in whole.actions]
    assert len(ids) == len(set(ids))
    assert all(action.url.startswith("https://") for action in whole.actions if action.url)
    assert all(len(action.id) <= wire.WIRE_BYTES_MAX for action in whole.actions)
    messaging_text(whole)
    fitted_card = fit(whole, OLED, now=0, next_blob=count(1).__next__).card
    assert wire_bytes(fitted_card) <= wire.WIRE_BYTES_MAX


@given(CARD)
def test_a_card_that_is_taken_is_within_its_size_with_its_twins(source):
    card = outcome(source)
    if card is not None:
        twin = complete(card).twin
        filled = {**source, "fallback": {"text": twin.text, "speak": twin.speak}}
        images = json.dumps(source).count("data:image") * 30
        assert json_bytes(filled) <= CARD_BYTES_MAX + images


@given(CARD, CARD | st.dictionaries(KEYS, JSON) | JSON)
def test_an_update_is_applied_or_changes_nothing(source, patch):
    card = outcome({**source, "live": {"key": "k"}})
    if card is None:
        return
    live = LiveCards()
    shown = live.show(card)
    try:
        change = live.update({"cardId": "k", "patch": patch})
    except CardRefused as refused:
        assert str(refused)
        assert live.get("k") == shown
        return
    assert change.card.id == shown.id
    assert change.card.revision == shown.revision + change.redraw
    assert len(change.line) <= LINE_MAX and bool(change.line) <= change.redraw
    assert live.get("k") is change.card


NO_NULL = st.recursive(
    st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abcd"), inner, max_size=4)
    ),
    max_leaves=12,
)
OBJECT = st.dictionaries(st.sampled_from("abcd"), NO_NULL, max_size=4)


@given(OBJECT, OBJECT)
def test_the_difference_applied_gives_what_it_was_made_for(before, after):
    assert merge(before, difference(before, after)) == after


@given(st.sampled_from(sorted(SHORT_FORMS)), st.dictionaries(KEYS, JSON, max_size=6))
def test_a_short_form_of_any_arguments_is_a_card_or_a_refusal(name, arguments):
    try:
        assert len(parse_short(name, arguments).cards) == 1
    except CardRefused as refused:
        assert str(refused)


LINE = st.sampled_from(("```codai-card", "```", "~~~", "````", "{}", "text", "```py", " "))


@given(st.lists(LINE, max_size=12).map("\n".join))
def test_no_line_of_a_text_with_fences_is_lost_or_said_twice(text):
    cards, rest = split(text)
    kept = [line for part in (*cards, rest) for line in part.split("\n")]
    for word in ("{}", "text"):
        assert kept.count(word) == text.split("\n").count(word)


@pytest.mark.parametrize(
    "block",
    [
        {"type": "visual", "summary": "s", "source": "<meta" * 13_000},
        {"type": "visual", "summary": "s", "source": "\"' " * 21_000},
        {"type": "visual", "summary": "s", "source": "<!--" * 16_000},
        {"type": "diagram", "source": ("a-" * 150 + "\n") * 100},
        {"type": "diagram", "source": ("a[" * 150 + "\n") * 100},
        {"type": "math", "latex": "\\frac{a}{" * 3000},
        {"type": "text", "text": "[a](https://" * 2500},
        {"type": "text", "text": "[" * 30_000},
        {"type": "text", "text": "*" * 30_000},
        {"type": "text", "text": "|-" * 15_000},
        {"type": "table", "rows": [["x"] * 60] * 60},
        {"type": "hologram", "a": [[["x"] * 20] * 20] * 20},
    ],
    ids=lambda block: f"{block['type']}",
)
def test_hostile_blocks_take_bounded_time(block):
    began = process_time()
    outcome({"blocks": [block], "fallback": {"text": "t", "speak": "s"}})
    assert process_time() - began < 10  # a runaway pattern takes minutes


@pytest.mark.parametrize(
    "text",
    [
        "```codai-card\n" * 70_000,
        "```codai-card\n{}\n```\n" * 40_000,
        "`" * 1_000_000,
        "``` a" + " " * 900_000 + "b",
        "```codai-card\n" + "[" * 200_000 + "\n```",
    ],
)
def test_hostile_fences_take_bounded_time(text):
    began = process_time()
    read_text(text)
    assert process_time() - began < 10
