"""A condition on the table `calls` in, the calls that meet it out, streamed: what a trigger is tried on."""

import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager
from typing import Any

import msgspec

from lessons.store.history.queue import StoredCall

_BATCH = 1_000
_COLUMNS = (
    "tool_use_id, tool, command, arguments, error, cwd, agent, model, program, subcommand,"
    " session_id, project, time, c.path, outcome, error_fingerprint, suspicious"
)
_BY_ID = f"SELECT {_COLUMNS} FROM json_each(?) AS wanted JOIN calls c ON c.id = wanted.value WHERE c.time >= ?"
_IN_GROUP = "SELECT count(*) FROM json_each(?) AS wanted JOIN calls c ON c.tool_use_id = wanted.value WHERE c.time >= ?"
_SPAN = "SELECT min(nullif(first_time, '')), max(last_time) FROM sessions"
_SPAN_OF_CALLS = "SELECT min(nullif(time, '')), max(time) FROM calls"

Keep = Callable[[Any], object]  # of a text, or of NULL; whatever it returns is taken for yes or no


class Condition(msgspec.Struct, frozen=True):
    """A condition in SQL with its values; `column` tells of what it lets through whether to read on."""

    sql: str
    values: list[str | int]
    column: str


class PastCall(StoredCall, frozen=True, gc=False):
    """A call with what came of it."""

    session_id: str
    project: str
    time: str
    path: str
    outcome: str
    error_fingerprint: str
    suspicious: int


def calls(connection: sqlite3.Connection, condition: Condition, keep: Keep, since: str) -> Iterator[PastCall]:
    """Those that meet the condition and whose column is kept; only these are read as a whole."""
    with _plain_rows(connection) as rows, _plain_rows(connection) as whole:
        rows.execute(f"SELECT id, {condition.column} FROM calls WHERE {condition.sql}", condition.values)
        while some := rows.fetchmany(_BATCH):
            if kept := [number for number, text in some if keep(text)]:
                yield from _whole(whole, kept, since)


def count_of(connection: sqlite3.Connection, tool_use_ids: Collection[str], since: str) -> int:
    """How many of these calls the history holds."""
    values = (msgspec.json.encode(sorted(set(tool_use_ids))).decode(), since)
    return int(connection.execute(_IN_GROUP, values).fetchone()[0])


def span(connection: sqlite3.Connection) -> tuple[str, str]:
    """The first and the last time that is known; empty where nothing is."""
    first, last = connection.execute(_SPAN).fetchone()
    if not first or not last:  # a scan always leaves sessions, and they are few
        first, last = connection.execute(_SPAN_OF_CALLS).fetchone()
    return first or "", last or ""


@contextmanager
def _plain_rows(connection: sqlite3.Connection) -> Iterator[sqlite3.Cursor]:
    """A cursor of tuples: a million rows with names take half as long again."""
    with closing(connection.cursor()) as cursor:
        cursor.row_factory = None
        yield cursor


def _whole(cursor: sqlite3.Cursor, numbers: list[int], since: str) -> Iterator[PastCall]:
    for row in cursor.execute(_BY_ID, (msgspec.json.encode(numbers).decode(), since)).fetchall():
        yield PastCall(*row)
