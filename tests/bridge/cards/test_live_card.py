"""Live cards: patches by key, what is ignored, the line that is said, run cards."""

from dataclasses import replace

import pytest
from voxcard.cards.dialects.codai.parser import parse
from voxcard.cards.live.live_card import CARDS_MAX, LINE_MAX, LiveCards, StatusLines, changed_line
from voxcard.cards.live.merge_patch import difference, merge
from voxcard.cards.model import Card, CardRefused, QrBlock
from voxcard.history.card_json import to_json

# RFC 7396, appendix A: original, patch, result.
RFC_TABLE = (
    ({"a": "b"}, {"a": "c"}, {"a": "c"}),
    ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
    ({"a": "b"}, {"a": None}, {}),
    ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
    ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
    ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
    ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
    ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
    (["a", "b"], ["c", "d"], ["c", "d"]),
    ({"a": "b"}, ["c"], ["c"]),
    ({"a": "foo"}, None, None),
    ({"a": "foo"}, "bar", "bar"),
    ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
    ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
    ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
)
BACKUP = {
    "title": "Backup",
    "subtitle": "Running",
    "live": {"key": "job:44"},
    "blocks": [{"type": "text", "text": "Step 1"}, {"type": "text", "text": "Step 2"}],
    "actions": [{"id": "stop", "label": "Stop", "kind": "control"}],
}


def shown(source, card_id="codai:1"):
    live = LiveCards()
    card = live.show(parse(source, card_id).cards[0])
    return live, card


def update(live, **patch):
    return live.update({"cardId": "job:44", "patch": patch})


@pytest.mark.parametrize(("original", "patch", "result"), RFC_TABLE)
def test_a_merge_patch_does_what_the_rfc_says(original, patch, result):
    before = repr(original)
    assert merge(original, patch) == result
    assert repr(original) == before


@pytest.mark.parametrize(
    ("before", "after", "patch"),
    [
        ({"a": 1, "b": 2}, {"a": 1, "c": 3}, {"b": None, "c": 3}),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1}}, {"a": {"c": None}}),
        ({"a": [1]}, {"a": [1]}, {}),
        ({"a": 1}, {"a": True}, {"a": True}),
    ],
)
def test_the_difference_of_two_cards_is_a_patch(before, after, patch):
    assert difference(before, after) == patch
    assert merge(before, patch) == after


def test_an_update_keeps_the_cards_id_counts_its_revision_and_rebuilds_its_twins():
    live, card = shown({**BACKUP, "fallback": {"text": "Backup running", "speak": "It runs."}})
    assert (card.id, card.revision, card.twin.speak) == ("codai:1", 0, "It runs.")
    change = update(live, subtitle="Done in 9 s", actions=[])
    assert (change.card.id, change.card.revision, change.redraw) == ("codai:1", 1, True)
    assert change.card.twin.text == "**Backup**\nDone in 9 s\n\nStep 1\n\nStep 2"
    assert change.card.twin.speak == "Backup. Step 1."
    assert change.line == "Backup: Done in 9 s"
    assert change.card.actions == ()
    assert live.get("job:44") == change.card


def test_a_patch_may_bring_its_own_twin_and_loses_it_with_the_next():
    live, _ = shown(BACKUP)
    assert update(live, fallback={"text": "Done", "speak": "Finished."}).card.twin.text == "Done"
    after = update(live, subtitle="Later")
    assert after.card.twin.text.startswith("**Backup**\nLater")
    assert "fallback" not in after.card.twin.authored


def test_an_authored_label_stays_and_an_authored_summary_is_built_again():
    live, card = shown({**BACKUP, "a11y": {"label": "Backup job", "summary": "It is running."}})
    assert (card.label, card.summary) == ("Backup job", "It is running.")
    card = update(live, subtitle="Done").card
    assert (card.label, card.summary) == ("Backup job", "Backup. Step 1.")


@pytest.mark.parametrize(
    ("event", "why"),
    [
        ({"cardId": "job:99", "patch": {}}, "cardId: unknown card"),
        ({"cardId": 44, "patch": {}}, "cardId: must be text: the live key of a card"),
        ({"kind": "note"}, "cardId: must be text: the live key of a card"),
        (None, "cardId: must be text: the live key of a card"),
        ({"cardId": "job:44"}, "patch: must be a JSON object"),
        ({"cardId": "job:44", "patch": None}, "patch: must be a JSON object"),
        ({"cardId": "job:44", "patch": ["x"]}, "patch: must be a JSON object"),
        (
            {"cardId": "job:44", "patch": {"live": {"key": "job:45"}}},
            "live.key: must not change; an update keeps the card's key",
        ),
        (
            {"cardId": "job:44", "patch": {"live": None}},
            "live.key: must not change; an update keeps the card's key",
        ),
        ({"cardId": "job:44", "patch": {"blocks": "nope"}}, "blocks: must be a list"),
        ({"cardId": "job:44", "patch": {"blocks": None}}, "blocks: is missing"),
        (
            {"cardId": "job:44", "patch": {"extra": "z" * 40_000}},
            "card exceeds 32768 bytes",
        ),
    ],
)
def test_an_update_that_is_ignored_says_why_and_the_card_stays(event, why):
    live, card = shown(BACKUP)
    with pytest.raises(CardRefused) as refused:
        live.update(event)
    assert str(refused.value) == why
    assert live.get("job:44") == card


def test_a_patch_of_many_levels_is_refused_before_it_is_merged():
    live, _ = shown(BACKUP)
    deep: dict = {}
    for _ in range(5000):
        deep = {"a": deep}
    with pytest.raises(CardRefused, match="is nested deeper than 64 levels"):
        update(live, extra=deep)


def test_a_session_event_carries_the_update_as_its_payload():
    live, _ = shown(BACKUP)
    event = {
        "kind": "card_update",
        "payload": {"cardId": "job:44", "patch": {"subtitle": "Background job · Done · 42s"}},
    }
    assert live.update(event).line == "Backup: Background job · Done · 42s"


def test_nothing_is_redrawn_or_said_when_nothing_seen_changed():
    live, _ = shown(BACKUP)
    for patch in ({}, {"subtitle": "Running"}, {"extra": {"a": None, "b": 1}}):
        change = update(live, **patch)
        assert (change.redraw, change.line, change.card.revision) == (False, "", 0)
    assert live.get("job:44").extra["source"]["extra"] == {"b": 1}


@pytest.mark.parametrize(
    ("patch", "line"),
    [
        ({"subtitle": "Gata în 42 s"}, "Backup: Gata în 42 s"),
        ({"blocks": [{"type": "text", "text": "Step 1"}, {"type": "text", "text": "**97 %**"}]},
         "Backup: 97 %"),
        ({"blocks": [{"type": "text", "text": "Step 1"}]}, "Backup: updated"),
        ({"subtitle": None}, "Backup: updated"),
        ({"title": "Backup 2"}, "Backup 2: Running"),
        ({"title": "Archive"}, "Archive: Running"),
        ({"title": None, "subtitle": "Done"}, "Done"),
        ({"subtitle": "long " * 30}, "Backup:" + " long" * 10 + "…"),
        ({"actions": [{"id": "o", "label": "Open", "kind": "link", "url": "https://a.example"}]},
         "Backup: updated"),
    ],
)  # fmt: skip
def test_one_short_line_says_what_changed(patch, line):
    live, _ = shown(BACKUP)
    assert update(live, **patch).line == line
    assert len(line) <= LINE_MAX


def test_lines_are_said_one_in_two_seconds_and_only_the_latest_of_each_card():
    lines = StatusLines()
    assert (lines.take(0), lines.wait_ms(0)) == ("", None)
    lines.put("a", "10 %")
    assert lines.take(100) == "10 %"
    lines.put("a", "20 %")
    lines.put("b", "started")
    lines.put("a", "30 %")
    lines.put("b", "")
    assert (lines.take(2099), lines.wait_ms(2099)) == ("", 1)
    assert lines.take(2100) == "30 %"
    assert (lines.take(2200), lines.wait_ms(2200)) == ("", 1900)
    assert lines.take(9000) == "started"
    assert lines.wait_ms(9000) is None


def test_a_card_shown_again_with_its_key_takes_the_place_of_the_first():
    live, _ = shown(BACKUP)
    again = live.show(parse({**BACKUP, "subtitle": "Again"}, "codai:2").cards[0])
    assert (again.id, again.revision, again.subtitle) == ("codai:1", 1, "Again")


def test_a_card_without_a_key_is_left_as_it_is():
    live = LiveCards()
    card = parse({"blocks": [{"type": "text", "text": "x"}]}).cards[0]
    assert live.show(card) is card
    assert live.get("") is None


def surface(card_id, title="Tides"):
    return Card(id=card_id, dialect="a2ui", title=title, live_key="job:44")


def test_a_key_of_one_sender_is_not_anothers_and_no_dialect_takes_anothers():
    live, codai = shown(BACKUP)
    first = live.show(surface("a2ui:1"), "sea")
    assert (first.id, first.revision) == ("a2ui:1", 0)
    assert live.show(surface("a2ui:2"), "port").id == "a2ui:2"
    again = live.show(surface("a2ui:3", "High tide"), "sea")
    assert (again.id, again.revision, again.title) == ("a2ui:1", 1, "High tide")
    assert live.get("job:44") == codai
    assert update(live, subtitle="Done").card.id == "codai:1"


def test_the_oldest_live_cards_are_forgotten():
    live = LiveCards()
    for number in range(CARDS_MAX + 1):
        live.show(parse({**BACKUP, "live": {"key": f"job:{number}"}}).cards[0])
    assert live.get("job:0") is None
    assert live.get("job:1") is not None


def test_a_local_code_of_a_live_card_does_not_reach_the_history():
    block = {"type": "qr", "data": "SECRET-7731", "caption": "Locker", "localOnly": True}
    _, card = shown({"blocks": [block], "live": {"key": "parcel"}})
    assert card.blocks == (QrBlock(data="SECRET-7731", caption="Locker", local_only=True),)
    assert "SECRET-7731" not in to_json(card)
    assert "SECRET-7731" not in card.twin.text + card.twin.speak


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("x" * 57, "T: " + "x" * 57),
        ("x" * 58, "T: " + "x" * 56 + "…"),
        ("x" * 27 + " " + "y" * 40, "T: " + "x" * 27 + " " + "y" * 28 + "…"),
        ("x" * 28 + " " + "y" * 40, "T: " + "x" * 28 + "…"),
        ("x" * 56 + " y", "T: " + "x" * 56 + "…"),
    ],
)
def test_a_line_of_over_sixty_letters_ends_after_a_word_that_is_not_too_far_from_its_end(
    words, line
):
    before = Card(id="c", dialect="x", title="T")
    assert changed_line(before, replace(before, subtitle=words)) == line


def test_thirty_two_live_cards_are_kept():
    live = LiveCards()
    for number in range(32):
        live.show(parse({**BACKUP, "live": {"key": f"job:{number}"}}).cards[0])
    assert live.get("job:0") is not None
    live.show(parse({**BACKUP, "live": {"key": "job:0"}}).cards[0])  # the latest again
    live.show(parse({**BACKUP, "live": {"key": "job:32"}}).cards[0])
    assert (live.get("job:1"), live.get("job:0").revision) == (None, 1)


def test_an_update_counts_the_revision_once_and_one_that_is_not_drawn_does_not():
    live, _ = shown(BACKUP)
    assert [update(live, subtitle=words).card.revision for words in ("a", "b", "b", "c")] == [
        1, 2, 2, 3,
    ]  # fmt: skip
