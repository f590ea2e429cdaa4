"""The table `marks`: results that came before their call, ends of background tasks, and interruptions."""

import sqlite3
from collections.abc import Iterable

import msgspec

from lessons.store.history.rows import Batch, Interrupt, Result, TaskEnd
from lessons.store.history.search import replace_error

Order = tuple[bool, bool, str, bool, str]

_STORE_MARK = "INSERT OR REPLACE INTO marks (kind, session_id, name, row) VALUES (?, ?, ?, ?)"
_SELECT_MARK = "SELECT row FROM marks WHERE kind = ? AND session_id = ? AND name = ?"
_SELECT_CALLS_OF_TASK = "SELECT row FROM marks WHERE kind = 'background' AND session_id = ? AND name >= ? AND name < ?"
# By the id of the call, or by the task id in its session.
_SELECT_TASK_ENDS = """
WITH wanted AS MATERIALIZED (SELECT value AS name FROM json_each(?))
SELECT name, row FROM marks WHERE kind = 'end' AND name IN (SELECT name FROM wanted)
UNION ALL
SELECT started.row, ended.row FROM marks started JOIN marks ended ON ended.kind = 'end'
    AND ended.session_id = started.session_id
    AND ended.name = substr(started.name, 1, length(started.name) - length(started.row) - 1)
WHERE started.kind = 'background' AND started.row IN (SELECT name FROM wanted)
"""
_TAKE_PENDING = """
DELETE FROM marks WHERE kind = 'result' AND session_id = '' AND name IN (SELECT value FROM json_each(?))
RETURNING name, row
"""
_SELECT_UNSETTLED_CALL = """
SELECT id, error, outcome = ? AND exit_code IS ? AND error = ? AND error_fingerprint = ? FROM calls
WHERE tool_use_id = ? AND (outcome = 'unknown' OR task_id <> '')
"""
# The end gives a call without a task its own id as task: so a preferred end can still replace it.
_SET_RESULT = """
UPDATE calls SET outcome = ?, exit_code = ?, error = ?, error_fingerprint = ?,
    task_id = CASE task_id WHEN '' THEN tool_use_id ELSE task_id END WHERE id = ?
"""
_SET_INTERRUPTED = """
UPDATE calls SET outcome = 'interrupted' WHERE outcome = 'refused'
    AND message_id IN (SELECT name FROM marks WHERE kind = 'interrupt') AND {} RETURNING id
"""


def order(result: Result) -> Order:
    return order_of(result.outcome, result.task_id, result.ended, result.uuid)


def order_of(outcome: str, task_id: str, ended: str, uuid: str) -> Order:
    """Returns a sort key for the results of one call; the smallest counts: one with an end, then the earliest."""
    return outcome == "unknown" or bool(task_id), not ended, ended, not uuid, uuid


def preferred(one: Result, other: Result) -> Result:
    """Returns the one of two results that counts, in any order."""
    return min(one, other, key=lambda result: (order(result), _text(result)))


def is_unsettled(result: Result) -> bool:
    """Whether another record may still change how the call ended."""
    return bool(result.task_id) or result.outcome in ("unknown", "refused")


def store_pending(connection: sqlite3.Connection, result: Result) -> None:
    """Stores a result whose call is not stored yet; keeps the one of two that counts."""
    place = ("result", "", result.tool_use_id)
    row = connection.execute(_SELECT_MARK, place).fetchone()
    other = msgspec.json.decode(row[0], type=Result) if row else result
    connection.execute(_STORE_MARK, (*place, _text(preferred(result, other))))


def take_pending(connection: sqlite3.Connection, names: Iterable[str]) -> dict[str, Result]:
    """Removes and returns the results of these calls that came before them."""
    if connection.execute("SELECT 1 FROM marks WHERE kind = 'result' LIMIT 1").fetchone() is None:
        return {}
    rows = connection.execute(_TAKE_PENDING, (_json(names),)).fetchall()
    return {name: msgspec.json.decode(row, type=Result) for name, row in rows}


def store_marks(
    connection: sqlite3.Connection, results: list[Result], ends: list[TaskEnd], interrupts: list[Interrupt]
) -> None:
    """Stores what a batch says about calls of any transcript."""
    marks = [
        ("background", row.session_id, f"{row.task_id} {row.tool_use_id}", row.tool_use_id)
        for row in results
        if row.task_id
    ]
    marks += [("interrupt", mark.session_id, mark.message_id, "") for mark in interrupts]
    connection.executemany(_STORE_MARK, marks)
    for end in ends:
        place = ("end", end.session_id, end.tool_use_id or end.task_id)
        row = connection.execute(_SELECT_MARK, place).fetchone()
        connection.execute(_STORE_MARK, (*place, _earliest([_text(end), row[0]] if row else [_text(end)])))


def settle(connection: sqlite3.Connection, batch: Batch, unsettled: set[str]) -> set[int]:
    """Applies the marks to new calls and to those that the stretch refers to; returns the rows that changed."""
    names = unsettled | {row.tool_use_id for row in batch.results if row.task_id}
    for end in batch.task_ends:
        span = (end.session_id, f"{end.task_id} ", f"{end.task_id}!")
        names |= (
            {end.tool_use_id}
            if end.tool_use_id
            else {row[0] for row in connection.execute(_SELECT_CALLS_OF_TASK, span)}
        )
    changed = _end_tasks(connection, names) if names else set()
    if unsettled:
        changed |= _interrupt(connection, "tool_use_id", unsettled)
    if batch.interrupts:
        changed |= _interrupt(connection, "message_id", {mark.message_id for mark in batch.interrupts})
    return changed


def _interrupt(connection: sqlite3.Connection, column: str, names: set[str]) -> set[int]:
    """Marks calls that a person stopped while they ran: they look like refused ones, only the message differs."""
    chosen = f"{column} IN (SELECT value FROM json_each(?))"
    rows = connection.execute(_SET_INTERRUPTED.format(chosen), (_json(names),))
    return {row[0] for row in rows.fetchall()}


def _end_tasks(connection: sqlite3.Connection, names: set[str]) -> set[int]:
    ends: dict[str, list[str]] = {}
    for name, row in connection.execute(_SELECT_TASK_ENDS, (_json(names),)):
        ends.setdefault(name, []).append(row)
    changed = set()
    for name, rows in ends.items():
        end = msgspec.json.decode(_earliest(rows), type=TaskEnd)
        verdict = (end.outcome, end.exit_code, end.error, end.error_fingerprint)
        found = connection.execute(_SELECT_UNSETTLED_CALL, (*verdict, name)).fetchone()
        if found and not found[2]:
            connection.execute(_SET_RESULT, (*verdict, found[0]))
            replace_error(connection, found[0], found[1], end.error)
            changed.add(found[0])
    return changed


def _earliest(rows: list[str]) -> str:
    """Returns the first of several ends of one task, in any order of reading."""

    def place(row: str) -> tuple[bool, str, str]:
        ended = msgspec.json.decode(row, type=TaskEnd).ended
        return not ended, ended, row

    return min(rows, key=place)


def _json(names: Iterable[str]) -> str:
    return msgspec.json.encode(list(names)).decode()


def _text(row: msgspec.Struct) -> str:
    return msgspec.json.encode(row).decode()
