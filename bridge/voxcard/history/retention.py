"""Retention of the history: old rows go in small rounds, never by a full scan."""

import contextlib
import sqlite3
from collections.abc import Sequence

DAY_S = 86_400
SWEEP_EVERY = 50  # writes between two rounds of forgetting
# Rows of each table that one round forgets: more than come between two rounds, and few enough
# that "show the last result" does not wait for them.
ROWS_MAX = 200
PAGES_MAX = 1000  # of the file that one round gives back, 4 MB


class Retention:
    """Keeps rows of `tables` (with columns id and at) for `keep_days`, the last `keep_count`.

    One round forgets at most ROWS_MAX rows a table; while more are left, every write is a round.
    """

    def __init__(self, tables: Sequence[str], keep_days: int, keep_count: int) -> None:
        self._tables = tables
        self._keep_s = keep_days * DAY_S
        self._keep_count = keep_count
        self._writes = 0
        self._more = False
        self._shrinks = False

    def wrote(self, base: sqlite3.Connection, now_s: float) -> None:
        """Count a write at Unix time `now_s`, and forget where that is due."""
        self._writes += 1
        if self._more or self._writes % SWEEP_EVERY == 1:
            self.sweep(base, now_s)

    def sweep(self, base: sqlite3.Connection, now_s: float) -> bool:
        """Forget one round of rows, inside a transaction; whether more are left."""
        forgotten = [self._sweep_table(base, table, now_s) for table in self._tables]
        self._more = max(forgotten, default=0) == ROWS_MAX
        self._shrinks |= any(forgotten)
        return self._more

    def shrink(self, base: sqlite3.Connection) -> None:
        """Give the room of forgotten rows back to the disk, outside of a transaction.

        A file of an older version keeps its room until it is written anew once, when nothing
        surplus is left in it.
        """
        if not self._shrinks:
            return
        self._shrinks = False
        # The write before it is safe already; a full disk has no room to shrink in.
        with contextlib.suppress(sqlite3.OperationalError):
            if base.execute("PRAGMA auto_vacuum").fetchone()[0]:
                # It answers with an empty row for every page, and `execute` ends at the first.
                base.executescript(f"PRAGMA incremental_vacuum({PAGES_MAX})")
            elif not self._more:
                base.execute("PRAGMA auto_vacuum=INCREMENTAL")
                base.execute("VACUUM")
            self._shrinks = base.execute("PRAGMA freelist_count").fetchone()[0] > 0

    def _sweep_table(self, base: sqlite3.Connection, table: str, now_s: float) -> int:
        """Forget rows of one table, the oldest first; how many."""
        last = base.execute(f"SELECT max(id) FROM {table}").fetchone()[0] or 0
        surplus = base.execute(
            f"DELETE FROM {table} WHERE id IN"
            f" (SELECT id FROM {table} WHERE id <= ? ORDER BY id LIMIT ?)",
            (last - self._keep_count, ROWS_MAX),
        ).rowcount
        old = base.execute(
            f"DELETE FROM {table} WHERE id IN"
            f" (SELECT id FROM {table} WHERE at < ? ORDER BY at LIMIT ?)",
            (now_s - self._keep_s, ROWS_MAX - surplus),
        ).rowcount
        return surplus + old
