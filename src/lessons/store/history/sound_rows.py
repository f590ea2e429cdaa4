"""Rows from a damaged table in, those out that hold what their columns say and that the program can read."""

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from lessons.store.history.readable import Row
from lessons.store.history.rows import Result, TaskEnd

_KINDS: dict[str, tuple[type, ...]] = {"INTEGER": (int,), "TEXT": (str,), "REAL": (float, int), "BLOB": (bytes,)}


class Column(NamedTuple):
    name: str
    kinds: tuple[type, ...]
    optional: bool
    key: int  # its place in the primary key, from 1


class _Tag(msgspec.Struct):
    confidence: float


def columns_of(connection: sqlite3.Connection, table: str) -> list[Column]:
    """As the table was made; columns that are computed are left out."""
    rows = connection.execute(f"PRAGMA table_info({table})").fetchall()
    return [
        Column(str(name), _KINDS[kind], not (required or key), int(key)) for _, name, kind, required, _, key in rows
    ]


def is_sound(table: str, columns: Sequence[Column], row: Row) -> bool:
    """A flipped bit can turn a text into a number, or JSON into nothing that a scan could read."""
    for column, value in zip(columns, row, strict=True):
        if not (isinstance(value, column.kinds) or (value is None and column.optional)):
            return False
    try:
        return _is_readable(table, {column.name: value for column, value in zip(columns, row, strict=True)})
    except msgspec.MsgspecError:
        return False


def _is_readable(table: str, row: dict[str, object]) -> bool:
    if table == "marks" and row["kind"] in ("result", "end"):
        msgspec.json.decode(str(row["row"]), type=Result if row["kind"] == "result" else TaskEnd)
    elif table == "tags" and row["fields"]:
        msgspec.json.decode(str(row["fields"]), type=_Tag)
    elif table == "candidates":
        msgspec.json.decode(str(row["document"]))
    elif table == "calls":
        msgspec.json.decode(str(row["arguments"]))
    return True
