"""Writes everything that one stretch of a transcript adds to the history."""

import sqlite3
from collections.abc import Iterable, Sequence

import msgspec

from lessons.store.history import candidates, search, sessions, sources, write_calls
from lessons.store.history.database import as_json
from lessons.store.history.rows import Batch, DiagnosisRow, HookContext, MessageRow, Origin, Prompt, StopHooks, TagRow
from lessons.store.history.sources import Source
from lessons.store.history.write_calls import Rank, rank

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


Row = Prompt | HookContext | StopHooks | TagRow | DiagnosisRow


def _write(connection: sqlite3.Connection, table: str, source: Source, rows: Sequence[Row]) -> set[str]:
    """Stores new rows and lets originals replace copies; returns the sessions of replaced rows."""
    if not rows:
        return set()
    fields = rows[0].__struct_fields__  # the origin, then columns of the table
    columns = ("agent", "source_id", *Origin.__struct_fields__, *fields[1:])
    insert = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
    replace = f"UPDATE {table} SET {', '.join(f'{name} = ?' for name in columns)} WHERE key = ?"
    known = {
        key: Rank(bool(copied), session_id, path, generation, position, 0)
        for key, copied, session_id, path, generation, position in connection.execute(
            f"SELECT t.key, t.copied, t.session_id, s.path, s.generation, t.position FROM json_each(?) AS wanted"
            f" JOIN {table} t ON t.key = wanted.value JOIN sources s ON s.id = t.source_id",
            (as_json([row.key for row in rows]),),
        )
    }
    left: set[str] = set()
    for row in rows:
        place = rank(row.origin, source)
        origin, *own = msgspec.structs.astuple(row)
        values = (source.agent, source.id, *msgspec.structs.astuple(origin), *own)
        if row.key not in known:
            connection.execute(insert, values)
            known[row.key] = place
        elif place < known[row.key]:
            connection.execute(replace, (*values, row.key))
            left.add(known[row.key].session_id)
            known[row.key] = place
    return left


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


def write(connection: sqlite3.Connection, source: Source, batch: Batch, now: float = 0.0) -> Written:
    """Stores everything of the batch; the offset moves with it or not at all."""
    written = write_calls.write_calls(connection, source, batch.calls, batch.results)
    write_calls.store_marks(connection, batch.results, batch.task_ends, batch.interrupts)
    _write(connection, "prompts", source, batch.prompts)
    _withdraw(connection, batch.withdrawn, batch.prompts)
    write_messages(connection, source.agent, batch.messages)
    _write(connection, "stop_hooks", source, batch.stop_hooks)
    _write(connection, "hook_contexts", source, batch.contexts)
    _write(connection, "diagnoses", source, batch.diagnoses)
    # Tags may have changed in their sessions, and in those that lost one to its original.
    touched = _write(connection, "tags", source, batch.tags) | {row.origin.session_id for row in batch.tags}
    sessions.write(connection, source.agent, batch.sessions.values())
    settled = write_calls.settle(connection, batch, written.unsettled)
    new, updated = candidates.refresh(connection, touched) if touched else (set(), set())
    before = connection.total_changes
    connection.execute(  # sorted: neighbours in the table are on the same page
        "INSERT OR IGNORE INTO known (key) SELECT value FROM json_each(?)", (as_json(sorted(batch.known)),)
    )
    duplicates = len(batch.known) - (connection.total_changes - before)
    sources.write(connection, source, batch, now)
    if search.waiting(connection) > search.MOST_WAITING:
        search.catch_up(connection)
    return Written(duplicates, written.ids | settled, new, updated)
