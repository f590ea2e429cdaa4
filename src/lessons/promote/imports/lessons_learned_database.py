"""Reads the SQLite database of joeblackwaslike/lessons-learned."""

import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

from lessons.errors import Refused
from lessons.promote.imports.draft import MOST_DRAFTS, Draft
from lessons.promote.imports.lessons_learned import draft_of

HEADER = b"SQLite format 3\0"
_LARGEST_DATABASE = 256 * 1024**2
_LONGEST_TEXT = 1 << 20
_SECONDS = 10.0
_COLUMNS = (
    "slug status type summary problem solution toolNames commandPatterns pathPatterns contentPatterns modelPatterns"
    " tags confidence archiveReason scope"
).split()


def drafts(path: str) -> list[Draft]:
    """Returns drafts in the order of the table."""
    try:
        with _opened_copy(path) as connection:
            return [draft_of(record, f"row {number}") for number, record in enumerate(_records(connection, path), 1)]
    except sqlite3.Error as fault:
        raise Refused(f"{path} cannot be read as a database of lessons ({fault}): name another file.") from None


@contextmanager
def _opened_copy(path: str) -> Iterator[sqlite3.Connection]:
    """Opens a temporary copy: reading a database in use would write files beside the original."""
    if not os.path.isfile(path) or os.path.getsize(path) > _LARGEST_DATABASE:
        raise Refused(f"{path} is not a file, or larger than {_LARGEST_DATABASE // 1024**2} MB: too large for lessons.")
    with tempfile.TemporaryDirectory(prefix="lessons-") as folder:
        copy = os.path.join(folder, "copy.db")
        for ending in ("", "-wal"):
            if os.path.isfile(path + ending) and os.path.getsize(path + ending) <= _LARGEST_DATABASE:
                shutil.copyfile(path + ending, copy + ending)
        with closing(sqlite3.connect(copy)) as connection:
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_TEXT)
            # A foreign file may contain anything, including queries that never end.
            end = time.monotonic() + _SECONDS
            connection.set_progress_handler(lambda: time.monotonic() > end, 10_000)
            yield connection


def _records(connection: sqlite3.Connection, path: str) -> Iterator[dict[str, object]]:
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'lessons'").fetchone():
        raise Refused(f"{path} has no table of lessons: name the database of lessons-learned.")
    there = {str(row[1]) for row in connection.execute("PRAGMA table_info(lessons)")}
    columns = [name for name in _COLUMNS if name in there]
    if not {"problem", "solution"} <= there:
        raise Refused(f"{path} has no lessons with problem and solution: name the database of lessons-learned.")
    quoted = ", ".join(f'"{name}"' for name in columns)
    for number, row in enumerate(connection.execute(f"SELECT {quoted} FROM lessons")):
        if number == MOST_DRAFTS:
            raise Refused(f"{path} holds more than {MOST_DRAFTS:,} lessons, which is the limit: delete some first.")
        yield dict(zip(columns, row, strict=True))
