"""The history: what is kept, for how long, and what happens when the file or the disk is bad."""

import sqlite3
from dataclasses import replace

import pytest
from voxcard.cards.model import (
    Action,
    Card,
    Group,
    ImageRef,
    InputBlock,
    KeyValueBlock,
    Parts,
    Play,
    QrBlock,
    TextBlock,
    Twin,
    Warned,
)
from voxcard.history.card_json import from_json, to_json
from voxcard.history.store import History, HistoryError

DAY_S = 86_400
CARD = Card(
    id="assistant_platform:7",
    dialect="assistant_platform",
    title="주문 #1042",
    blocks=(TextBlock(text="Arrives Friday."), KeyValueBlock(rows=(("Total", "12"),))),
    actions=(Action(id="a0", label="Track", kind="link", url="https://shop.example.com/1"),),
    image=ImageRef(data=b"\x89PNG\x00", alt="parcel"),
    twin=Twin(text="f", authored=frozenset({"text"})),
    group=Group(index=0, count=2, mode="carousel"),
    play=Play(scenes=((TextBlock(text="One"),),), durations_ms=(3500,)),
    parts=Parts(current=1, total=2, has_more=True, next_call={"part": 2}),
    warnings=(Warned(code="dropped", path="a.b"),),
    extra={"request": "q1", "_": "kept"},
)


def history(tmp_path, keep_days=30, keep_count=100):
    return History(tmp_path / "state" / "history.db", keep_days, keep_count)


def test_turns_come_back_newest_first_and_by_device(tmp_path):
    kept = history(tmp_path)
    kept.add_turn("kitchen", 1000.0, {"transcript": "first", "stages_ms": {"stt": 120}})
    kept.add_turn("attic", 1001.0, {"transcript": "elsewhere"})
    kept.add_turn("kitchen", 1002.5, {"transcript": "căldură"})
    assert [(turn.at_s, turn.data) for turn in kept.turns("kitchen")] == [
        (1002.5, {"transcript": "căldură"}),
        (1000.0, {"transcript": "first", "stages_ms": {"stt": 120}}),
    ]
    assert [turn.at_s for turn in kept.turns("kitchen", limit=1)] == [1002.5]


def test_the_last_card_comes_back_as_it_was_after_a_restart(tmp_path):
    first = history(tmp_path)
    first.add_card("kitchen", 1000.0, replace(CARD, title="older"))
    first.add_card("kitchen", 1001.0, CARD)
    first.close()
    again = history(tmp_path)
    assert again.last_card("kitchen") == CARD
    assert [card.title for card in again.cards("kitchen")] == ["주문 #1042", "older"]
    assert again.last_card("attic") is None


def test_pictures_are_kept_with_their_type(tmp_path):
    kept = history(tmp_path)
    kept.add_picture("kitchen", 1000.0, "image/jpeg", b"\xff\xd8\xff")
    (picture,) = kept.pictures("kitchen")
    assert (picture.at_s, picture.mime_type, picture.data) == (
        1000.0,
        "image/jpeg",
        b"\xff\xd8\xff",
    )


def test_recordings_are_kept_with_their_turn_and_forgotten_like_it(tmp_path):
    kept = history(tmp_path, keep_days=10)
    kept.add_recording("kitchen", 0.0, "t1", b"RIFF1")
    kept.add_recording("kitchen", 9.0 * DAY_S, "t2", b"RIFF2")
    kept.forget(11.0 * DAY_S)
    assert [(each.turn, each.wav) for each in kept.recordings("kitchen")] == [("t2", b"RIFF2")]


def test_secrets_are_not_kept():
    card = Card(
        id="c",
        dialect="codai",
        blocks=(
            QrBlock(data="EASYBOX-4711", caption="Locker", local_only=True),
            QrBlock(data="https://a.example", caption="Open"),
            InputBlock(label="PIN", value="1234", secret=True),
            InputBlock(label="Name", value="Radu"),
        ),
    )
    text = to_json(card)
    assert "4711" not in text and "1234" not in text
    assert from_json(text).blocks == (
        QrBlock(data="https://a.example", caption="Open"),
        InputBlock(label="PIN", value="••••", secret=True),
        InputBlock(label="Name", value="Radu"),
    )


def test_a_card_stored_with_a_field_that_is_no_longer_known_is_still_read():
    text = to_json(Card(id="c", dialect="codai", title="T", blocks=(TextBlock(text="x"),)))
    older = text.replace('"level": 0', '"level": 0, "ordered": true')
    assert older != text and from_json(older).blocks == (TextBlock(text="x"),)


def test_what_is_no_stored_card_is_a_value_error():
    for text in ("", "{}", "[]", '{"_":"Nothing"}', '{"_":"Card"}', '{"_":"bytes"}', "[" * 5000):
        with pytest.raises(ValueError, match=r"."):
            from_json(text)


def test_old_and_surplus_rows_are_forgotten(tmp_path):
    kept = history(tmp_path, keep_days=10, keep_count=3)
    for day in range(6):
        kept.add_turn("kitchen", day * DAY_S, {"day": day})
    kept.forget(5 * DAY_S)
    assert [turn.data["day"] for turn in kept.turns("kitchen")] == [5, 4, 3]
    kept.forget(14.5 * DAY_S)
    assert [turn.data["day"] for turn in kept.turns("kitchen")] == [5]


def test_retention_needs_no_call_of_its_own(tmp_path):
    kept = history(tmp_path, keep_count=5)
    for number in range(120):
        kept.add_turn("kitchen", float(number), {"number": number})
    assert len(kept.turns("kitchen", limit=1000)) <= 5 + 50


def test_a_file_that_is_no_database_is_moved_aside_and_begun_anew(tmp_path, caplog):
    kept = history(tmp_path)
    path = tmp_path / "state" / "history.db"
    path.parent.mkdir()
    path.write_bytes(b"not a database at all" * 100)
    kept.add_turn("kitchen", 1.0, {"a": 1})
    assert [turn.data for turn in kept.turns("kitchen")] == [{"a": 1}]
    assert (path.parent / "history.db.bad").read_bytes().startswith(b"not a database")
    assert "a new one begins" in caplog.text


def test_a_locked_file_is_an_error_with_a_remedy_and_works_again_later(tmp_path, monkeypatch):
    monkeypatch.setattr("voxcard.history.store._LOCK_S", 0.0)
    kept = history(tmp_path)
    kept.add_turn("kitchen", 1.0, {})
    other = sqlite3.connect(tmp_path / "state" / "history.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(HistoryError, match=r"held by another program\. Stop the other"):
        kept.add_turn("kitchen", 2.0, {})
    other.execute("ROLLBACK")
    other.close()
    kept.add_turn("kitchen", 3.0, {})
    assert [turn.at_s for turn in kept.turns("kitchen")] == [3.0, 1.0]


def test_a_full_disk_is_an_error_with_a_remedy_and_loses_no_stored_card(tmp_path):
    kept = history(tmp_path)
    kept.add_card("kitchen", 1.0, CARD)
    # SQLite's own page limit stands in for a full disk: the same error by the same path.
    kept._base.execute("PRAGMA max_page_count = 1")
    with pytest.raises(HistoryError, match=r"the disk is full\. Free some space"):
        kept.add_picture("kitchen", 2.0, "image/jpeg", b"x" * 200_000)
    assert kept.last_card("kitchen") == CARD


def test_a_folder_that_cannot_be_made_is_an_error_with_a_remedy(tmp_path):
    (tmp_path / "state").write_text("a file, not a folder")
    with pytest.raises(HistoryError, match=r"Check the folder and its permissions"):
        history(tmp_path).turns("kitchen")
