"""Forgetting costs the same however much is kept, and gives its room back."""

import sqlite3
from itertools import pairwise

import pytest
from voxcard.history.retention import DAY_S, ROWS_MAX, SWEEP_EVERY, Retention
from voxcard.history.store import History

NOW_S = 400 * DAY_S


def history(tmp_path, keep_days=30, keep_count=100):
    return History(tmp_path / "history.db", keep_days, keep_count)


def filled(tmp_path, rows, *, text="{}", at_s=NOW_S, keep_count=100):
    """A history with `rows` turns, written behind its back, and the connection to its file."""
    kept = history(tmp_path, keep_count=keep_count)
    kept.turns("kitchen")
    base = sqlite3.connect(tmp_path / "history.db")
    with base:
        turns = (("kitchen", at_s, text) for _ in range(rows))
        base.executemany("INSERT INTO turns (device, at, data) VALUES (?, ?, ?)", turns)
    return kept, base


def count(base):
    return base.execute("SELECT count(*) FROM turns").fetchone()[0]


def sweep(base, retention):
    """One round, and how many hundred instructions of SQLite's virtual machine it takes."""
    hundreds = 0

    def step():
        nonlocal hundreds
        hundreds += 1
        return 0

    base.set_progress_handler(step, 100)
    with base:
        retention.sweep(base, NOW_S)
    base.set_progress_handler(None, 0)
    return hundreds


@pytest.mark.parametrize("surplus", [0, 150, 10_000])
def test_a_round_of_forgetting_takes_no_longer_with_a_hundred_times_the_rows(tmp_path, surplus):
    taken = []
    for rows in (1_000, 100_000):
        folder = tmp_path / str(rows)
        folder.mkdir()
        _, base = filled(folder, rows + surplus)
        taken.append(sweep(base, Retention(("turns",), 30, rows)))
        assert count(base) == rows + surplus - min(surplus, ROWS_MAX)
        base.close()
    few, many = taken
    assert many <= few + few // 2 + 10


def test_rows_that_are_too_old_are_found_by_their_index(tmp_path):
    taken = []
    for rows in (1_000, 100_000):
        folder = tmp_path / str(rows)
        folder.mkdir()
        _, base = filled(folder, rows)
        with base:
            base.execute("UPDATE turns SET at = 0 WHERE id <= 100")
        taken.append(sweep(base, Retention(("turns",), 30, 1_000_000)))
        assert count(base) == rows - 100
        base.close()
    few, many = taken
    assert many <= few + few // 2 + 10


def test_a_lowered_count_is_reached_in_rounds_that_are_all_bounded(tmp_path):
    kept, base = filled(tmp_path, 3_000)
    left = []
    for number in range(SWEEP_EVERY):
        kept.add_turn("kitchen", NOW_S + number, {})
        left.append(count(base))
    assert all(before + 1 - after <= ROWS_MAX for before, after in pairwise([3_000, *left]))
    assert left[-1] <= 100 + SWEEP_EVERY


def test_forgetting_by_hand_forgets_all_of_it(tmp_path):
    kept, base = filled(tmp_path, 3_000)
    kept.forget(NOW_S)
    assert count(base) == 100


@pytest.mark.parametrize("old", [False, True], ids=["new file", "file of an older version"])
def test_the_file_shrinks_when_its_rows_are_forgotten(tmp_path, old):
    path = tmp_path / "history.db"
    if old:
        base = sqlite3.connect(path)
        base.execute("CREATE TABLE was_here (id INTEGER)")
        base.close()
    kept, base = filled(tmp_path, 5_000, text="x" * 4_000)
    base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    full_bytes = path.stat().st_size
    assert full_bytes > 20_000_000
    kept.forget(NOW_S)
    for number in range(30):
        kept.add_turn("kitchen", NOW_S + number, {})
    base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert path.stat().st_size < full_bytes // 20
    assert count(base) <= 100 + SWEEP_EVERY
    base.close()


def test_a_disk_too_full_to_shrink_the_file_costs_no_write(tmp_path):
    kept, base = filled(tmp_path, 2_000, text='"' + "x" * 4_000 + '"')

    class NoRoom:
        """A connection whose file cannot be shrunk."""

        def __init__(self, inner):
            self.inner = inner

        def __getattr__(self, name):
            return getattr(self.inner, name)

        def __enter__(self):
            return self.inner.__enter__()

        def __exit__(self, *how):
            return self.inner.__exit__(*how)

        def executescript(self, script):
            assert "incremental_vacuum" in script
            raise sqlite3.OperationalError("database or disk is full")

    kept._base = NoRoom(kept._base)
    kept.forget(NOW_S)
    assert kept.add_turn("kitchen", NOW_S, {"a": 1}) > 0
    assert count(base) == 100
