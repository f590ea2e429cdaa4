"""Writes everything that one stretch of a transcript adds to the history, in any order of transcripts.

What other records say about a call, such as its result, may come before it: then it waits in the table `marks`.
"""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

import msgspec

from lessons.store.history import search, sessions, sources, tags
from lessons.store.history.database import as_json, texts
from lessons.store.history.rows import (
    Batch,
    Call,
    DiagnosisRow,
    HookContext,
    Interrupt,
    MessageRow,
    Prompt,
    RecordOrigin,
    Result,
    StopHooks,
    TagRow,
    TaskEndRow,
)
from lessons.store.history.sources import SourceFile


class Rank(NamedTuple):
    """Where a row was read; the smallest is the original, whose file, session and position are stored."""

    copied: bool
    session_id: str
    path: str
    generation: int
    position: int
    block: int


def rank(origin: RecordOrigin, source: SourceFile, block: int = 0) -> Rank:
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
RETURNING row
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
    return min(one, other, key=lambda result: (order(result), as_json(result)))


def store_marks(
    connection: sqlite3.Connection, results: list[Result], ends: list[TaskEndRow], interrupts: list[Interrupt]
) -> None:
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
        names |= {end.tool_use_id} if end.tool_use_id else texts(connection, _SELECT_CALLS_OF_TASK, span)
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
        end = msgspec.json.decode(_earliest(rows), type=TaskEndRow)
        verdict = (end.outcome, end.exit_code, end.error, end.error_fingerprint)
        found = connection.execute(_SELECT_UNSETTLED_CALL, (*verdict, name)).fetchone()
        if found and not found[1]:
            connection.execute(_END_RESULT, (*verdict, found[0]))
            changed.add(found[0])
    return changed


def _earliest(rows: list[str]) -> str:
    """Returns the first of several ends of one task, in any order of reading."""

    def place(row: str) -> tuple[bool, str, str]:
        ended = msgspec.json.decode(row, type=TaskEndRow).ended
        return not ended, ended, row

    return min(rows, key=place)


_RESULT_COLUMNS = "outcome exit_code error error_fingerprint suspicious ended result_uuid task_id".split()
_SET_RESULT = f"UPDATE calls SET {', '.join(f'{name} = ?' for name in _RESULT_COLUMNS)} WHERE id = ?"
_SELECT_RESULTS = """
SELECT c.tool_use_id, c.id, c.hides_exit, c.outcome, c.task_id, c.ended, c.result_uuid
FROM json_each(?) AS wanted JOIN calls c ON c.tool_use_id = wanted.value
"""
_WITHOUT_RESULT = Result("", "", "unknown", None, "", "", False, "", "", "")


def write_calls(connection: sqlite3.Connection, source: SourceFile, batch: Batch) -> set[str]:
    """Stores calls and results, in any order; returns the changed calls that another record may still end otherwise."""
    ends: dict[str, Result] = {}
    for result in [*batch.results, *_take_pending(connection, [call.tool_use_id for call in batch.calls])]:
        ends[result.tool_use_id] = _preferred(result, ends.get(result.tool_use_id, result))

    def result_of(call: Call) -> tuple[object, ...]:
        return _result_values(ends.get(call.tool_use_id, _WITHOUT_RESULT), call.hides_exit)

    new, _ = _write(connection, "calls", source, batch.calls, "tool_use_id", result_of)
    rows = connection.execute(_SELECT_RESULTS, (as_json(list(ends.keys() - new)),)).fetchall()
    for name, number, hides_exit, *standing in rows:
        result, before = ends[name], _order(*standing)
        if order(result) < before or before == order(_WITHOUT_RESULT):
            connection.execute(_SET_RESULT, (*_result_values(result, hides_exit), number))
        else:
            del ends[name]
    for name in ends.keys() - new - {row[0] for row in rows}:
        _store_pending(connection, ends.pop(name))
    settled = {name for name, end in ends.items() if not end.task_id and end.outcome not in ("unknown", "refused")}
    return (new | ends.keys()) - settled


def _result_values(end: Result, hides_exit: bool) -> tuple[object, ...]:
    if end.suspicious and not hides_exit:  # a success that looks like a failure, without a pipe that may hide one
        end = msgspec.structs.replace(end, suspicious=False, error="", error_fingerprint="")
    how = (end.outcome, end.exit_code, end.error, end.error_fingerprint, end.suspicious)
    return *how, end.ended, end.uuid, end.task_id


def _take_pending(connection: sqlite3.Connection, names: list[str]) -> list[Result]:
    rows = connection.execute(_TAKE_PENDING, (as_json(names),)).fetchall()
    return [msgspec.json.decode(row, type=Result) for (row,) in rows]


def _store_pending(connection: sqlite3.Connection, result: Result) -> None:
    """Stores a result whose call is not stored yet; keeps the one of two that counts."""
    place = ("result", "", result.tool_use_id)
    row = connection.execute(_SELECT_MARK, place).fetchone()
    other = msgspec.json.decode(row[0], type=Result) if row else result
    connection.execute(_STORE_MARK, (*place, as_json(_preferred(result, other))))


_PLACE = ("copied", "session_id", "agent_id", "project")
_COLUMNS = ("agent", *MessageRow.__struct_fields__)
_LARGEST = ("model", "request_id", "stop_reason", *(name for name in _COLUMNS if name.endswith("_tokens")))
_FIRST = f"({', '.join(f'excluded.{name}' for name in _PLACE)}) < ({', '.join(_PLACE)})"
# Every column is a minimum or a maximum, so that the order in which files are read does not matter. Copies keep the
# place of the original, as with calls. A record may be written before the model has finished.
_MERGE = f"""
INSERT INTO messages ({", ".join(_COLUMNS)}) VALUES ({", ".join("?" * len(_COLUMNS))})
ON CONFLICT (message_id) DO UPDATE SET
    {", ".join(f"{name} = iif({_FIRST}, excluded.{name}, {name})" for name in _PLACE)},
    {", ".join(f"{name} = max({name}, excluded.{name})" for name in _LARGEST)},
    time = CASE WHEN time = '' THEN excluded.time WHEN excluded.time = '' THEN time ELSE min(time, excluded.time) END
"""


def write_messages(connection: sqlite3.Connection, agent: str, rows: Iterable[MessageRow]) -> None:
    connection.executemany(_MERGE, [(agent, *msgspec.structs.astuple(row)) for row in rows])


_Stored = TypeVar("_Stored", bound=Call | Prompt | HookContext | StopHooks | TagRow | DiagnosisRow)


def _write(
    connection: sqlite3.Connection,
    table: str,
    source: SourceFile,
    rows: Sequence[_Stored],
    key: str = "key",
    result_of: Callable[[_Stored], tuple[object, ...]] | None = None,
) -> tuple[set[str], set[str]]:
    """Lets originals replace copies; returns the keys of new rows, and the sessions of those that were replaced."""
    left: set[str] = set()
    if not rows:
        return set(), left
    fields = rows[0].__struct_fields__  # the origin, then columns of the table
    own = ("agent", "source_id", *RecordOrigin.__struct_fields__, *fields[1:])
    columns = (*own, *_RESULT_COLUMNS) if result_of else own
    insert = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
    replace = f"UPDATE {table} SET {', '.join(f'{name} = ?' for name in own)} WHERE {key} = ?"
    block = "t.block" if "block" in fields else "0"
    ranks = {
        name: Rank(bool(copied), *place)
        for name, copied, *place in connection.execute(
            f"SELECT t.{key}, t.copied, t.session_id, s.path, s.generation, t.position, {block}"
            f" FROM json_each(?) AS wanted JOIN {table} t ON t.{key} = wanted.value"
            " JOIN sources s ON s.id = t.source_id",
            (as_json([getattr(row, key) for row in rows]),),
        )
    }
    new: dict[str, tuple[object, ...]] = {}
    replaced: dict[str, tuple[object, ...]] = {}
    for row in rows:
        name, place = getattr(row, key), rank(row.origin, source, getattr(row, "block", 0))
        if name in ranks and ranks[name] <= place:
            continue
        origin, *rest = msgspec.structs.astuple(row)
        values = (source.agent, source.id, *msgspec.structs.astuple(origin), *rest)
        if name in ranks and name not in new:
            replaced[name] = values
            left.add(ranks[name].session_id)
        else:
            new[name] = (*values, *result_of(row)) if result_of else values
        ranks[name] = place
    connection.executemany(insert, new.values())
    connection.executemany(replace, [(*values, name) for name, values in replaced.items()])
    return set(new), left


def _withdraw(connection: sqlite3.Connection, withdrawn: list[int], written: list[Prompt]) -> None:
    """Deletes queued prompts that arrived since: permanently, in any order of reading copies of their records."""
    connection.executemany("INSERT OR IGNORE INTO delivered_prompts (key) VALUES (?)", [(key,) for key in withdrawn])
    if keys := withdrawn + [prompt.key for prompt in written]:
        connection.execute(
            "DELETE FROM prompts WHERE key IN (SELECT d.key FROM json_each(?) AS wanted"
            " JOIN delivered_prompts d ON d.key = wanted.value)",
            (as_json(keys),),
        )


class Written(msgspec.Struct):
    duplicates: int
    calls: set[int]
    new_candidates: set[str]
    updated_candidates: set[str]


def write(connection: sqlite3.Connection, source: SourceFile, batch: Batch, now: float = 0.0) -> Written:
    """Stores everything of the batch; the offset moves with it or not at all."""
    unsettled = write_calls(connection, source, batch)
    store_marks(connection, batch.results, batch.task_ends, batch.interrupts)
    _write(connection, "prompts", source, batch.prompts)
    _withdraw(connection, batch.withdrawn, batch.prompts)
    write_messages(connection, source.agent, batch.messages)
    _write(connection, "stop_hooks", source, batch.stop_hooks)
    _write(connection, "hook_contexts", source, batch.contexts)
    _write(connection, "diagnoses", source, batch.diagnoses)
    # Tags may have changed in their sessions, and in those that lost one to its original.
    _, touched = _write(connection, "tags", source, batch.tags)
    touched |= {row.origin.session_id for row in batch.tags}
    sessions.write(connection, source.agent, batch.sessions.values())
    settled = settle(connection, batch, unsettled)
    added, updated = tags.refresh(connection, touched) if touched else (set(), set())
    before = connection.total_changes
    connection.execute(  # sorted: neighbours in the table are on the same page
        "INSERT OR IGNORE INTO known (key) SELECT value FROM json_each(?)", (as_json(sorted(batch.known)),)
    )
    duplicates = len(batch.known) - (connection.total_changes - before)
    sources.write(connection, source, batch, now)
    if search.waiting(connection) > search.MOST_WAITING:
        search.catch_up(connection)
    names = {row.tool_use_id for rows in (batch.calls, batch.results) for row in rows}
    found = connection.execute(
        "SELECT c.id FROM json_each(?) AS wanted JOIN calls c ON c.tool_use_id = wanted.value", (as_json(list(names)),)
    )
    return Written(duplicates, settled.union(*found), added, updated)
