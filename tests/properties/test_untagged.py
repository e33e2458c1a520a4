"""A file that nobody named: cards or one refusal, whatever is in it, and the same each time."""

import json

from hypothesis import given
from hypothesis import strategies as st
from voxcard.cards.model import CardRefused
from voxcard.cards.read import card_file
from voxcard.cards.read.dialects import DIALECTS

KEYS = st.sampled_from(
    [
        "content",
        "structuredContent",
        "_meta",
        "resultType",
        "messages",
        "events",
        "schema",
        "cardType",
        "scenes",
        "tool",
        "blocks",
        "block",
        "title",
        "v",
        "type",
        "text",
        "createSurface",
        "updateComponents",
        "assistant_platform",
        "card",
    ]
)
LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=20)
JSON = st.recursive(
    LEAVES | st.just("companion.skill_card"),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=12,
)


def outcome(text, dialect):
    try:
        return card_file.read(text, dialect=dialect)
    except CardRefused as refused:
        return str(refused)


@given(JSON, st.sampled_from(["", *DIALECTS]))
def test_any_json_gives_cards_or_a_refusal(value, dialect):
    text = json.dumps(value)
    read = outcome(text, dialect)
    assert read == outcome(text, dialect)
    assert read if isinstance(read, str) else read.cards


@given(st.text() | st.text(alphabet='{}[]":,`~\n 0codai-card'))
def test_any_text_gives_cards_or_a_refusal(text):
    outcome(text, "")
