"""SQLite store of turns, cards and pictures, and of recordings where configured."""

import json
import logging
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TypeVar

from voxcard.cards.model import Card
from voxcard.errors import VoxcardError
from voxcard.history.card_json import from_json, to_json
from voxcard.history.retention import Retention
from voxcard.json_value import Json
from voxcard.private_files import private_file, private_folder

Result = TypeVar("Result")

_LOG = logging.getLogger(__name__)
_BESIDE = ("-wal", "-shm")  # SQLite's own files beside the database
_LOCK_S = 2.0  # how long another program may hold the file

_SCHEMA = """
CREATE TABLE IF NOT EXISTS turns (
    id INTEGER PRIMARY KEY, device TEXT NOT NULL, at REAL NOT NULL, data TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS turns_by_device ON turns (device, id);
CREATE TABLE IF NOT EXISTS cards (
    id INTEGER PRIMARY KEY, device TEXT NOT NULL, at REAL NOT NULL, card TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS cards_by_device ON cards (device, id);
CREATE TABLE IF NOT EXISTS pictures (
    id INTEGER PRIMARY KEY, device TEXT NOT NULL, at REAL NOT NULL, mime_type TEXT NOT NULL,
    data BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS recordings (
    id INTEGER PRIMARY KEY, device TEXT NOT NULL, at REAL NOT NULL, turn TEXT NOT NULL,
    wav BLOB NOT NULL);
"""
_TABLES = ("turns", "cards", "pictures", "recordings")
_INDEXES = "".join(f"CREATE INDEX IF NOT EXISTS {t}_by_at ON {t} (at);" for t in _TABLES)


class HistoryError(VoxcardError):
    """The history cannot be written or read now; the conversation goes on without it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTurn:
    """A turn as it was recorded: `data` is what `add_turn` was given."""

    id: int
    device: str
    at_s: float
    data: Mapping[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPicture:
    device: str
    at_s: float
    mime_type: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRecording:
    """What the microphone of a turn heard, as the bytes of a WAV file."""

    device: str
    at_s: float
    turn: str
    wav: bytes


class History:
    """Turns, cards, pictures and recordings of every device.

    Calls block: use them from a worker thread (they take turns among themselves). Each raises
    HistoryError when the disk is full or the file locked; a file that is no database any more is
    moved aside (`<name>.bad`) and begun anew, with a warning in the log.
    """

    def __init__(self, path: Path, keep_days: int, keep_count: int) -> None:
        self._path = path
        self._retention = Retention(_TABLES, keep_days, keep_count)
        self._lock = Lock()
        self._base: sqlite3.Connection | None = None

    def add_turn(self, device: str, at_s: float, data: Mapping[str, Json]) -> int:
        """Keep a turn (`data`: any JSON object) of Unix time `at_s`; its id."""
        text = json.dumps(data, ensure_ascii=False, default=str)
        return self._insert("INSERT INTO turns (device, at, data) VALUES (?, ?, ?)",
                            device, at_s, text)  # fmt: skip

    def add_card(self, device: str, at_s: float, card: Card) -> int:
        """Keep a card that was shown, without its secrets; its row's id."""
        return self._insert("INSERT INTO cards (device, at, card) VALUES (?, ?, ?)",
                            device, at_s, to_json(card))  # fmt: skip

    def add_picture(self, device: str, at_s: float, mime_type: str, data: bytes) -> int:
        """Keep a picture a tool gave back (a photo); its row's id."""
        return self._insert(
            "INSERT INTO pictures (device, at, mime_type, data) VALUES (?, ?, ?, ?)",
            device, at_s, mime_type, data)  # fmt: skip

    def add_recording(self, device: str, at_s: float, turn: str, wav: bytes) -> int:
        """Keep what the microphone of a turn heard; its row's id."""
        return self._insert("INSERT INTO recordings (device, at, turn, wav) VALUES (?, ?, ?, ?)",
                            device, at_s, turn, wav)  # fmt: skip

    def turns(self, device: str, limit: int = 20) -> list[StoredTurn]:
        """The last turns of a device, newest first."""
        rows = self._select("SELECT id, device, at, data FROM turns", device, limit)
        return [StoredTurn(id=r[0], device=r[1], at_s=r[2], data=json.loads(r[3])) for r in rows]

    def cards(self, device: str, limit: int = 20) -> list[Card]:
        """The last cards of a device, newest first."""
        rows = self._select("SELECT card FROM cards", device, limit)
        return [card for card in (_read_card(row[0]) for row in rows) if card is not None]

    def last_card(self, device: str) -> Card | None:
        """The card a device showed last."""
        return next(iter(self.cards(device, 1)), None)

    def pictures(self, device: str, limit: int = 20) -> list[StoredPicture]:
        """The last pictures of a device, newest first."""
        rows = self._select("SELECT device, at, mime_type, data FROM pictures", device, limit)
        return [StoredPicture(device=r[0], at_s=r[1], mime_type=r[2], data=r[3]) for r in rows]

    def recordings(self, device: str, limit: int = 20) -> list[StoredRecording]:
        """The last recordings of a device, newest first."""
        rows = self._select("SELECT device, at, turn, wav FROM recordings", device, limit)
        return [StoredRecording(device=r[0], at_s=r[1], turn=r[2], wav=r[3]) for r in rows]

    def forget(self, now_s: float) -> None:
        """Drop all that is older than the days, or beyond the count, that are kept."""
        while self._run(lambda base: self._retention.sweep(base, now_s)):
            pass

    def close(self) -> None:
        """Close the file; a later call opens it again."""
        with self._lock:
            self._drop()

    def _insert(
        self, statement: str, device: str, at_s: float, *values: str | bytes | None
    ) -> int:
        def insert(base: sqlite3.Connection) -> int:
            row = base.execute(statement, (device, at_s, *values)).lastrowid
            self._retention.wrote(base, at_s)
            return row or 0

        return self._run(insert)

    def _select(self, statement: str, device: str, limit: int) -> list[Json]:
        """Rows, newest first; their columns are those of `statement`."""
        whole = f"{statement} WHERE device = ? ORDER BY id DESC LIMIT ?"
        return self._run(lambda base: base.execute(whole, (device, limit)).fetchall())

    def _run(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        with self._lock, _explained(self._path):
            try:
                return self._in_transaction(work)
            except sqlite3.OperationalError:
                raise  # full, locked or not to be opened: the file itself may be well
            except sqlite3.DatabaseError as error:
                self._set_aside(error)
                return self._in_transaction(work)

    def _in_transaction(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        base = self._base = self._base or self._open()
        with base:
            result = work(base)
        self._retention.shrink(base)
        return result

    def _open(self) -> sqlite3.Connection:
        private_folder(self._path.parent)
        private_file(self._path)
        for suffix in _BESIDE:
            beside = self._path.with_name(self._path.name + suffix)
            if beside.exists():
                private_file(beside)  # a new one gets the mode of the database from SQLite
        base = sqlite3.connect(self._path, timeout=_LOCK_S, check_same_thread=False)
        try:
            base.execute("PRAGMA auto_vacuum=INCREMENTAL")  # of a new file alone
            base.execute("PRAGMA journal_mode=WAL")
            base.execute("PRAGMA synchronous=NORMAL")
            base.executescript(_SCHEMA + _INDEXES)
        except sqlite3.Error:
            base.close()
            raise
        return base

    def _drop(self) -> None:
        if self._base is not None:
            self._base.close()
            self._base = None

    def _set_aside(self, error: sqlite3.DatabaseError) -> None:
        self._drop()
        aside = self._path.with_name(self._path.name + ".bad")
        self._path.replace(aside)
        for suffix in _BESIDE:  # they belong to the broken file
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
        _LOG.warning("history %s is damaged (%s); kept as %s, a new one begins",
                     self._path, error, aside.name)  # fmt: skip


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """SQLite's and the system's errors as a HistoryError that says what to do."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if "locked" in str(error) or "busy" in str(error):
            problem, remedy = "is held by another program", "Stop the other bridge or tool."
        elif "full" in str(error):
            problem, remedy = "cannot grow: the disk is full", "Free some space."
        else:
            problem, remedy = f"cannot be used ({error})", "Check the folder and its permissions."
        raise HistoryError(f"The history {path} {problem}.", remedy) from error
    except (sqlite3.Error, OSError) as error:
        raise HistoryError(
            f"The history {path} cannot be used ({error}).",
            "Check the folder and its permissions.",
        ) from error


def _read_card(text: str) -> Card | None:
    try:
        return from_json(text)
    except ValueError:
        return None  # of another version of the bridge
