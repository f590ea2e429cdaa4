"""Writes the table `calls`: one row per call, however many transcripts contain it, in any order.

What other records say about a call, such as its result, may come before it: then it waits in the table `marks`.
"""

import sqlite3
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from lessons.store.history.database import as_json
from lessons.store.history.rows import Batch, Call, Interrupt, Origin, Result, TaskEnd
from lessons.store.history.sources import Source


class Rank(NamedTuple):
    """Where a row was read; the smallest is the original, whose file, session and position are stored."""

    copied: bool
    session_id: str
    path: str
    generation: int
    position: int
    block: int


def rank(origin: Origin, source: Source, block: int = 0) -> Rank:
    return Rank(origin.copied, origin.session_id, source.path, source.generation, origin.position, block)


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
SELECT id, outcome = ? AND exit_code IS ? AND error = ? AND error_fingerprint = ? FROM calls
WHERE tool_use_id = ? AND (outcome = 'unknown' OR task_id <> '')
"""
# The end gives a call without a task its own id as task: so a preferred end can still replace it.
_END_RESULT = """
UPDATE calls SET outcome = ?, exit_code = ?, error = ?, error_fingerprint = ?,
    task_id = CASE task_id WHEN '' THEN tool_use_id ELSE task_id END WHERE id = ?
"""
_SET_INTERRUPTED = """
UPDATE calls SET outcome = 'interrupted' WHERE outcome = 'refused'
    AND message_id IN (SELECT name FROM marks WHERE kind = 'interrupt') AND {} RETURNING id
"""


def order(result: Result) -> Order:
    """Returns a sort key for the results of one call; the smallest counts: one with an end, then the earliest."""
    return _order(result.outcome, result.task_id, result.ended, result.uuid)


def _order(outcome: str, task_id: str, ended: str, uuid: str) -> Order:
    return outcome == "unknown" or bool(task_id), not ended, ended, not uuid, uuid


def _preferred(one: Result, other: Result) -> Result:
    """Returns the one of two results that counts, in any order."""
    return min(one, other, key=lambda result: (order(result), as_json(result)))


def _is_unsettled(result: Result) -> bool:
    """Whether another record may still change how the call ended."""
    return bool(result.task_id) or result.outcome in ("unknown", "refused")


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
        connection.execute(_STORE_MARK, (*place, _earliest([as_json(end), row[0]] if row else [as_json(end)])))


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
    rows = connection.execute(_SET_INTERRUPTED.format(chosen), (as_json(list(names)),))
    return {row[0] for row in rows.fetchall()}


def _end_tasks(connection: sqlite3.Connection, names: set[str]) -> set[int]:
    ends: dict[str, list[str]] = {}
    for name, row in connection.execute(_SELECT_TASK_ENDS, (as_json(list(names)),)):
        ends.setdefault(name, []).append(row)
    changed = set()
    for name, rows in ends.items():
        end = msgspec.json.decode(_earliest(rows), type=TaskEnd)
        verdict = (end.outcome, end.exit_code, end.error, end.error_fingerprint)
        found = connection.execute(_SELECT_UNSETTLED_CALL, (*verdict, name)).fetchone()
        if found and not found[1]:
            connection.execute(_END_RESULT, (*verdict, found[0]))
            changed.add(found[0])
    return changed


def _earliest(rows: list[str]) -> str:
    """Returns the first of several ends of one task, in any order of reading."""

    def place(row: str) -> tuple[bool, str, str]:
        ended = msgspec.json.decode(row, type=TaskEnd).ended
        return not ended, ended, row

    return min(rows, key=place)


_REQUEST_COLUMNS = ("agent", "source_id", *Origin.__struct_fields__, *Call.__struct_fields__[1:])
_RESULT_COLUMNS = "outcome exit_code error error_fingerprint suspicious ended result_uuid task_id".split()
_INSERT = (
    f"INSERT INTO calls (id, {', '.join((*_REQUEST_COLUMNS, *_RESULT_COLUMNS))})"
    f" VALUES ({', '.join('?' * (1 + len(_REQUEST_COLUMNS) + len(_RESULT_COLUMNS)))})"
)
_SET_REQUEST = f"UPDATE calls SET {', '.join(f'{name} = ?' for name in _REQUEST_COLUMNS)} WHERE id = ?"
_SET_RESULT = f"UPDATE calls SET {', '.join(f'{name} = ?' for name in _RESULT_COLUMNS)} WHERE id = ?"
_SELECT_KNOWN = """
SELECT c.tool_use_id, c.id, c.copied, c.session_id, s.path, s.generation, c.position, c.block,
       c.outcome, c.task_id, c.ended, c.result_uuid, c.hides_exit
FROM json_each(?) AS wanted JOIN calls c ON c.tool_use_id = wanted.value JOIN sources s ON s.id = c.source_id
"""
_NO_RESULT = Result("", "", "unknown", None, "", "", False, "", "", "")


class KnownCall(msgspec.Struct, gc=False):
    """Decides whether a copy of a stored call, or another result of it, replaces the stored one."""

    id: int
    rank: Rank
    order: Order
    hides_exit: bool


class WrittenCalls(NamedTuple):
    """The rows that a stretch refers to, and the ids of calls whose new result another record may still correct."""

    ids: set[int]
    unsettled: set[str]


def write_calls(
    connection: sqlite3.Connection, source: Source, calls: list[Call], results: list[Result]
) -> WrittenCalls:
    """Stores calls and their results, in any order."""
    ends: dict[str, Result] = {}
    for result in results:
        ends[result.tool_use_id] = _preferred(result, ends.get(result.tool_use_id, result))
    asked: dict[str, Call] = {}
    for call in calls:  # in their order: the rows are numbered in it
        copies = (asked.get(call.tool_use_id, call), call)
        asked[call.tool_use_id] = min(copies, key=lambda each: rank(each.origin, source, each.block))
    known: dict[str, KnownCall] = {}
    for name, number, copied, *place, outcome, task, ended, uuid, hides_exit in connection.execute(
        _SELECT_KNOWN, (as_json([*asked, *ends]),)
    ):
        where = Rank(bool(copied), *place)
        known[name] = KnownCall(number, where, _order(outcome, task, ended, uuid), bool(hides_exit))
    unsettled: set[str] = set()
    new: list[tuple[object, ...]] = []
    waiting = _take_pending(connection, [name for name in asked if name not in known])
    next_id = connection.execute("SELECT coalesce(max(id), 0) + 1 FROM calls").fetchone()[0]
    for name, call in asked.items():
        if name in known:
            place = rank(call.origin, source, call.block)
            if place < known[name].rank:
                connection.execute(_SET_REQUEST, (*_request_values(call, source), known[name].id))
            continue
        end = ends.pop(name, None)
        if name in waiting:
            end = _preferred(waiting[name], end or waiting[name])
        end = _without_false_suspicion(end or _NO_RESULT, call.hides_exit)
        new.append((next_id + len(new), *_request_values(call, source), *_result_values(end)))
        if _is_unsettled(end):
            unsettled.add(name)
    connection.executemany(_INSERT, new)
    for name, result in ends.items():
        if name not in known:
            _store_pending(connection, result)
        elif _store_result(connection, known[name], result) and _is_unsettled(result):
            unsettled.add(name)
    return WrittenCalls({call.id for call in known.values()} | set(range(next_id, next_id + len(new))), unsettled)


def _take_pending(connection: sqlite3.Connection, names: list[str]) -> dict[str, Result]:
    """Removes and returns the results of these calls that came before them."""
    rows = connection.execute(_TAKE_PENDING, (as_json(names),)).fetchall()
    return {name: msgspec.json.decode(row, type=Result) for name, row in rows}


def _store_pending(connection: sqlite3.Connection, result: Result) -> None:
    """Stores a result whose call is not stored yet; keeps the one of two that counts."""
    place = ("result", "", result.tool_use_id)
    row = connection.execute(_SELECT_MARK, place).fetchone()
    other = msgspec.json.decode(row[0], type=Result) if row else result
    connection.execute(_STORE_MARK, (*place, as_json(_preferred(result, other))))


def _store_result(connection: sqlite3.Connection, known: KnownCall, result: Result) -> bool:
    """Stores the result of a call that was stored before; returns whether it is a new one."""
    if order(result) >= known.order and known.order != order(_NO_RESULT):
        return False
    result = _without_false_suspicion(result, known.hides_exit)
    connection.execute(_SET_RESULT, (*_result_values(result), known.id))
    return True


def _request_values(call: Call, source: Source) -> tuple[object, ...]:
    return (source.agent, source.id, *msgspec.structs.astuple(call.origin), *msgspec.structs.astuple(call)[1:])


def _result_values(end: Result) -> tuple[object, ...]:
    how = (end.outcome, end.exit_code, end.error, end.error_fingerprint, end.suspicious)
    return *how, end.ended, end.uuid, end.task_id


def _without_false_suspicion(end: Result, hides_exit: bool) -> Result:
    """Returns a success that looks like a failure as a success, unless a pipe or the like may hide the exit code."""
    if end.suspicious and not hides_exit:
        return msgspec.structs.replace(end, suspicious=False, error="", error_fingerprint="")
    return end


def put_fingerprints(connection: sqlite3.Connection, fingerprint: Callable[[str], str]) -> None:
    """Recomputes the fingerprints of all errors after a change of version."""
    connection.create_function("fingerprint_of", 1, fingerprint, deterministic=True)
    connection.execute(
        "UPDATE calls SET error_fingerprint = fingerprint_of(error)"
        " WHERE error <> '' AND error_fingerprint <> fingerprint_of(error)"
    )
