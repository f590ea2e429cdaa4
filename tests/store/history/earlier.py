"""The tables of every earlier version of the history, and rows that version 15 had made of three sessions."""

import sqlite3
from contextlib import closing
from pathlib import Path

_FOLDER = Path(__file__).parent
# Each step made the tables of one version out of those of the one before.
STEPS = [part.partition("\n")[2] for part in (_FOLDER / "earlier_tables.sql").read_text().split("-- ")[1:]]


def make(file: Path, version: int, with_rows: bool = False) -> None:
    """Makes a history of an earlier version."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        for step in STEPS[:version]:
            connection.executescript(step)
        for table, columns, values in _rows() if with_rows else ():
            there = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            both = {name: value for name, value in zip(columns, values, strict=True) if name in there}
            if both:
                holders = ", ".join("?" * len(both))
                connection.execute(f"INSERT INTO {table} ({', '.join(both)}) VALUES ({holders})", [*both.values()])
        if version > 1 and with_rows:
            connection.execute("UPDATE indexed SET calls = 0, prompts = 0")
        connection.execute(f"PRAGMA user_version = {version}")


def rows_of(file: Path) -> dict[str, list[tuple[object, ...]]]:
    """The rows of the tables whose rows exist nowhere else."""
    tables = "sessions calls prompts tags candidates evidence injections messages facts".split()
    with closing(sqlite3.connect(file)) as connection:
        there = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        found = {table: connection.execute(f"SELECT * FROM {table}") for table in tables if table in there}
        return {table: sorted(_without_id(table, row) for row in rows) for table, rows in found.items()}


def _without_id(table: str, row: tuple[object, ...]) -> tuple[object, ...]:
    # Messages had no number of their own once.
    return row[1:] if table == "messages" and isinstance(row[0], int) else row


def _rows() -> list[tuple[str, list[str], tuple[object, ...]]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        for step in STEPS[:15]:
            connection.executescript(step)
        connection.executescript((_FOLDER / "earlier_rows.sql").read_text())
        tables = "sources segments progress sessions calls prompts tags candidates evidence facts injections messages"
        found = []
        for table in tables.split():
            cursor = connection.execute(f"SELECT * FROM {table}")
            columns = [column[0] for column in cursor.description]
            found += [(table, columns, row) for row in cursor.fetchall()]
        return found
