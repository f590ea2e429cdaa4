"""A history that cannot be read any more in, a new one with every row that could still be read out."""

import itertools
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime

import msgspec

from lessons import paths
from lessons.errors import DamagedFile
from lessons.store import atomic
from lessons.store.history import damaged_db, database, facts, relink, sound_rows
from lessons.store.history.readable import KeyedRows, Loss, NumberedRows, Row
from lessons.store.history.sound_rows import Column

# What is saved; `known` only counts copies, and `words` is made anew from the others.
_NUMBERED = ("sources", "segments", "calls", "prompts", "hook_contexts", "tags")
_KEYED = ("progress", "damaged", "sessions", "marks", "candidates", "evidence", "facts")
TABLES = (*_NUMBERED, *_KEYED)
_FACT = "rescue"
_ENDINGS = ("-wal", "-shm", "")


class Rescue(msgspec.Struct):
    """What became of a damaged history."""

    aside: str  # where the damaged file is kept
    rows: dict[str, int]  # saved rows by table
    lost: list[str]  # sentences


def is_damage(fault: Exception) -> bool:
    """Whether the file itself is broken, and not merely busy, full or forbidden."""
    return isinstance(fault, DamagedFile) or (isinstance(fault, sqlite3.DatabaseError) and database.is_damage(fault))


def rescue(home: str) -> Rescue:
    """Set the damaged file aside and save what can be saved; only for who holds the lock of the scan."""
    path = paths.history_file(home)
    building = path + ".rescue"
    _clear(building)
    os.close(os.open(building, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600))
    with closing(sqlite3.connect(building, isolation_level=None)) as new:
        # Until it has its final name a kill leaves nothing that anyone would read.
        new.executescript("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536")
        database.migrate(new, building)
        new.execute("BEGIN")
        lost = _save(path, new)
        lost += relink.mend(new)
        rows = {table: _count(new, table) for table in TABLES}
        result = Rescue(_free_name(path), rows, lost)
        facts.put(new, _FACT, msgspec.json.encode(result).decode())
        new.execute("COMMIT")
    atomic.put_in_place(building, _rescued(path))
    finish(home)
    return result


def finish(home: str) -> Rescue | None:
    """Exchange the files; also where an earlier rescue was killed while it did. Nothing is overwritten."""
    path = paths.history_file(home)
    if not os.path.exists(_rescued(path)):
        return None
    with closing(sqlite3.connect(database.address(_rescued(path)), uri=True)) as new:
        result = msgspec.json.decode(facts.get(new, _FACT), type=Rescue)
    for ending in _ENDINGS:
        if os.path.exists(path + ending) and os.path.exists(result.aside + ending):
            set_aside(home, _free_name(path))  # someone made a new history where the damaged one had stood
            break
    set_aside(home, result.aside)
    atomic.put_in_place(_rescued(path), path)
    return result


def set_aside(home: str, aside: str = "") -> str:
    """Rename the history; with its -wal under the same name it can still be opened, and a new one cannot meet that."""
    path = paths.history_file(home)
    aside = aside or _free_name(path)
    for ending in _ENDINGS:
        if os.path.exists(path + ending):
            os.rename(path + ending, aside + ending)
    return aside


def last(connection: sqlite3.Connection) -> Rescue | None:
    """What was saved the last time that this history was damaged."""
    text = facts.get(connection, _FACT)
    return msgspec.json.decode(text, type=Rescue) if text else None


def asides(home: str) -> list[str]:
    """The damaged files that are kept, and what belongs to them."""
    name = os.path.basename(paths.history_file(home)) + ".damaged-"
    return sorted(entry.path for entry in os.scandir(home) if entry.name.startswith(name))


def _save(path: str, new: sqlite3.Connection) -> list[str]:
    tables = {table: sound_rows.columns_of(new, table) for table in TABLES}
    lost = []

    def reach(old: sqlite3.Connection) -> int:
        return sum(_reach(old, table, columns) for table, columns in tables.items())

    with damaged_db.boarded(path, reach, sum(map(len, tables.values()))) as old:
        if old is None:
            return ["Nothing could be read from it any more: the history holds what the transcripts still tell."]
        for table, columns in tables.items():
            lost += _copy(old, new, table, columns, os.path.getsize(path))
    return lost


def _there(old: sqlite3.Connection, table: str, columns: list[Column]) -> list[Column]:
    """Those columns that the damaged table has; one that came later gets its default."""
    try:
        names = {str(row[1]) for row in old.execute(f"PRAGMA table_info({table})")}
    except sqlite3.Error:
        return []
    return [column for column in columns if column.name in names]


def _reach(old: sqlite3.Connection, table: str, columns: list[Column]) -> int:
    """How many columns of a table can be read, if its first row makes sense."""
    there = _there(old, table, columns)
    try:
        names = ", ".join(column.name for column in there)
        row = old.execute(f"SELECT {names} FROM {table} NOT INDEXED LIMIT 1").fetchone()
    except (sqlite3.Error, OverflowError, MemoryError):
        return 0
    return len(there) if row is None or sound_rows.is_sound(table, there, row) else 0


def _copy(old: sqlite3.Connection, new: sqlite3.Connection, table: str, columns: list[Column], size: int) -> list[str]:
    """One table; returns what is to be said about it."""
    columns = _there(old, table, columns)
    names = [column.name for column in columns]
    if not names:
        return [f"Nothing of the table {table} could be read."]
    rows: NumberedRows | KeyedRows
    if table in _NUMBERED:
        rows = NumberedRows(old, table, names, size)
    else:
        rows = KeyedRows(old, table, names, [column.name for column in sorted(columns, key=_key) if column.key])
    spoiled = 0

    def sound() -> Iterator[Row]:
        nonlocal spoiled
        for row in rows:
            if sound_rows.is_sound(table, columns, row):
                yield row
            else:
                spoiled += 1

    insert = f"INSERT OR IGNORE INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
    new.executemany(insert, sound())
    rows.loss.rows += spoiled
    if table in _NUMBERED and rows.loss.rows:
        # Rows may be missing without a word, too: where some could not be read, every gap counts.
        gaps = new.execute(f"SELECT coalesce(max(id), 0) - count(*) FROM {table}").fetchone()[0]
        rows.loss.rows = max(rows.loss.rows, gaps)
    return _told(table, rows.loss)


def _key(column: Column) -> int:
    return column.key


def _told(table: str, loss: Loss) -> list[str]:
    if loss.untold:
        return [f"Rows of the table {table} are lost; how many cannot be told."]
    if loss.rows == 1:
        return [f"One row of the table {table} is lost."]
    return [f"Up to {loss.rows:,} rows of the table {table} are lost."] if loss.rows else []


def _count(connection: sqlite3.Connection, table: str) -> int:
    return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def _rescued(path: str) -> str:
    return path + ".rescued"


def _free_name(path: str) -> str:
    base = f"{path}.damaged-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    names = itertools.chain((base,), (f"{base}-{number}" for number in itertools.count(2)))
    return next(name for name in names if not any(os.path.exists(name + ending) for ending in _ENDINGS))


def _clear(building: str) -> None:
    """What an earlier attempt left behind when it was killed; it was never finished."""
    for ending in ("", "-journal"):
        with suppress(FileNotFoundError):
            os.unlink(building + ending)
    folder = os.path.dirname(building)
    for entry in os.scandir(folder):
        if entry.name.startswith(damaged_db.FOLDER) and entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path, ignore_errors=True)
