"""Copies the rows of a damaged history that SQLite can still read into a new one."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from typing import NamedTuple

import msgspec

from lessons.store.history import database

_LONGEST_VALUE = 64 * 1024 * 1024  # a damaged length must not allocate all memory
_KINDS: dict[str, tuple[type, ...]] = {"INTEGER": (int,), "TEXT": (str,), "REAL": (float, int), "BLOB": (bytes,)}
_FAULTS = (sqlite3.Error, OverflowError, MemoryError)


class _Tag(msgspec.Struct):
    confidence: float


# Columns that a scan decodes: a flipped bit can make JSON unreadable.
_JSON = {("tags", "fields"): _Tag, ("candidates", "document"): dict, ("calls", "arguments"): dict}


class Column(NamedTuple):
    name: str
    kinds: tuple[type, ...]
    optional: bool
    key: int  # its place in the primary key, from 1


@contextmanager
def reading(path: str) -> Iterator[sqlite3.Connection]:
    """Yields a connection that reads as much as SQLite can of a file that may be damaged, and changes nothing."""
    with closing(sqlite3.connect(database.address(path), uri=True, isolation_level=None)) as connection:
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
        with suppress(sqlite3.Error):
            # One unreadable line of the schema, or a truncated file, does not hide the rest.
            connection.execute("PRAGMA writable_schema = ON")
        yield connection


class Copied(NamedTuple):
    complete: bool  # every row could be read
    to_the_end: bool  # at least the last row could


def copy(old: sqlite3.Connection, new: sqlite3.Connection, table: str) -> Copied:
    """Adds the valid rows of a table that the new one does not have."""
    columns = _columns(old, new, table)
    if not columns:
        return Copied(False, False)
    names = ", ".join(column.name for column in columns)
    insert = f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({', '.join('?' * len(columns))})"
    key = [column.name for column in sorted(columns, key=lambda column: column.key) if column.key]

    def run(direction: str) -> _SoundRows:
        order = ", ".join(name + direction for name in key)
        # Indexes are not trusted: they may be damaged.
        rows = _SoundRows(old, f"SELECT {names} FROM {table} NOT INDEXED ORDER BY {order}", table, columns)
        new.executemany(insert, rows)
        return rows

    up = run("")
    if up.ended:
        return Copied(not up.spoiled, True)
    # Rows between two damaged places are lost.
    return Copied(False, run(" DESC").sound > 0)


class _SoundRows:
    """Iterates over rows of a query until it ends or fails; skips those whose values the program cannot read."""

    def __init__(self, old: sqlite3.Connection, query: str, table: str, columns: Sequence[Column]) -> None:
        self.old, self.query, self.table, self.columns = old, query, table, columns
        self.sound, self.spoiled, self.ended = 0, 0, False

    def __iter__(self) -> Iterator[tuple[object, ...]]:
        try:
            for row in self.old.execute(self.query):
                if self._is_sound(row):
                    self.sound += 1
                    yield row
                else:
                    self.spoiled += 1
            self.ended = True
        except _FAULTS:
            return

    def _is_sound(self, row: tuple[object, ...]) -> bool:
        try:
            return all(self._fits(column, value) for column, value in zip(self.columns, row, strict=True))
        except msgspec.MsgspecError:
            return False

    def _fits(self, column: Column, value: object) -> bool:
        kind = _JSON.get((self.table, column.name))
        if kind and value:
            msgspec.json.decode(str(value), type=kind)
        return isinstance(value, column.kinds) or (value is None and column.optional)


def _columns(old: sqlite3.Connection, new: sqlite3.Connection, table: str) -> list[Column]:
    """Returns those that both have; a later one gets its default."""
    try:
        there = {str(row[1]) for row in old.execute(f"PRAGMA table_info({table})")}
    except _FAULTS:
        return []
    rows = new.execute(f"PRAGMA table_info({table})").fetchall()
    return [
        Column(str(name), _KINDS[kind], not (required or key), int(key))
        for _, name, kind, required, _, key in rows
        if name in there
    ]
