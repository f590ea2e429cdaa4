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
    connection.executemany(_MERGE, [_values(agent, row) for row in rows])


def _values(agent: str, row: MessageRow) -> tuple[object, ...]:
    """Converts booleans to numbers, which sqlite3 stores faster."""
    message_id, session_id, agent_id, project, time, copied, *rest = msgspec.structs.astuple(row)
    return agent, message_id, session_id, agent_id, project, time, +copied, *rest


_ORIGIN = "agent session_id agent_id project time uuid source_id segment position copied".split()
_OWN = {
    "prompts": "branch text sureness".split(),
    "hook_contexts": "tool_use_id event name text".split(),
    "stop_hooks": "hooks errors commands prevented".split(),
    "tags": "message_id number fields fingerprint".split(),
    "diagnoses": "tool_use_id number text".split(),
}


def write_prompts(connection: sqlite3.Connection, source: Source, prompts: list[Prompt]) -> None:
    rows = [(row.key, row.origin, (row.branch, row.text, row.sureness)) for row in prompts]
    _write(connection, "prompts", source, rows)


def write_contexts(connection: sqlite3.Connection, source: Source, contexts: list[HookContext]) -> None:
    rows = [(row.key, row.origin, (row.tool_use_id, row.event, row.name, row.text)) for row in contexts]
    _write(connection, "hook_contexts", source, rows)


def write_stop_hooks(connection: sqlite3.Connection, source: Source, found: list[StopHooks]) -> None:
    rows = [(row.key, row.origin, (row.hooks, row.errors, row.commands, +row.prevented)) for row in found]
    _write(connection, "stop_hooks", source, rows)


def withdraw(connection: sqlite3.Connection, withdrawn: list[int], written: list[Prompt]) -> None:
    """Deletes queued prompts that arrived since: permanently, in any order of reading copies of their records."""
    connection.executemany("INSERT OR IGNORE INTO delivered_prompts (key) VALUES (?)", [(key,) for key in withdrawn])
    keys = withdrawn + [prompt.key for prompt in written]
    if keys:
        wanted = as_json(keys)
        rows = connection.execute(
            "SELECT p.id, p.text FROM json_each(?) AS wanted JOIN delivered_prompts d ON d.key = wanted.value"
            " JOIN prompts p ON p.key = d.key",
            (wanted,),
        ).fetchall()
        search.remove_prompts(connection, rows)


def write_diagnoses(connection: sqlite3.Connection, source: Source, diagnoses: list[DiagnosisRow]) -> None:
    rows = [(row.key, row.origin, (row.tool_use_id, row.number, row.text)) for row in diagnoses]
    _write(connection, "diagnoses", source, rows)


def write_tags(connection: sqlite3.Connection, source: Source, tags: list[TagRow]) -> set[str]:
    """Returns the sessions whose tags may have changed: those of the tags, and those that lost one to its original."""
    rows = [(row.key, row.origin, (row.message_id, row.number, row.fields, row.fingerprint)) for row in tags]
    left = _write(connection, "tags", source, rows)
    return left | {row.origin.session_id for row in tags}


def _write(
    connection: sqlite3.Connection, table: str, source: Source, rows: Sequence[tuple[int, Origin, tuple[object, ...]]]
) -> set[str]:
    """Stores new rows and lets originals replace copies; returns the sessions of replaced rows."""
    if not rows:
        return set()
    known = _known(connection, table, [key for key, _, _ in rows])
    columns = _ORIGIN + _OWN[table]
    insert = f"INSERT INTO {table} (key, {', '.join(columns)}) VALUES ({', '.join('?' * (1 + len(columns)))})"
    move = f"UPDATE {table} SET {', '.join(f'{name} = ?' for name in columns)} WHERE key = ?"
    left: set[str] = set()
    for key, origin, own in rows:
        place, values = rank(origin, source), (*_origin(origin, source), *own)
        if key not in known:
            connection.execute(insert, (key, *values))
            known[key] = place
        elif place < known[key]:
            connection.execute(move, (*values, key))
            left.add(known[key].session_id)
            known[key] = place
    return left


def _known(connection: sqlite3.Connection, table: str, keys: list[int]) -> dict[int, Rank]:
    rows = connection.execute(
        f"SELECT t.key, t.copied, t.session_id, s.path, s.generation, t.position"
        f" FROM json_each(?) AS wanted JOIN {table} t ON t.key = wanted.value JOIN sources s ON s.id = t.source_id",
        (as_json(keys),),
    )
    return {
        key: Rank(bool(copied), session_id, path, generation, position, 0)
        for key, copied, session_id, path, generation, position in rows
    }


def _origin(origin: Origin, source: Source) -> tuple[object, ...]:
    return (
        *(source.agent, origin.session_id, origin.agent_id, origin.project, origin.time, origin.uuid),
        *(source.id, origin.segment, origin.position, +origin.copied),  # a number: stored faster than a boolean
    )


class Written(msgspec.Struct):
    """What a batch changed."""

    duplicates: int
    calls: set[int]
    new_candidates: set[str]
    updated_candidates: set[str]


def write(connection: sqlite3.Connection, source: Source, batch: Batch, now: float = 0.0) -> Written:
    """Stores everything of the batch; the offset moves with it or not at all."""
    written = write_calls.write_calls(connection, source, batch.calls, batch.results)
    write_calls.store_marks(connection, batch.results, batch.task_ends, batch.interrupts)
    write_prompts(connection, source, batch.prompts)
    withdraw(connection, batch.withdrawn, batch.prompts)
    write_messages(connection, source.agent, batch.messages)
    write_stop_hooks(connection, source, batch.stop_hooks)
    write_contexts(connection, source, batch.contexts)
    write_diagnoses(connection, source, batch.diagnoses)
    touched = write_tags(connection, source, batch.tags)
    sessions.write(connection, source.agent, batch.sessions.values())
    settled = write_calls.settle(connection, batch, written.unsettled)
    new, updated = candidates.refresh(connection, touched) if touched else (set(), set())
    duplicates = _duplicates(connection, batch.known)
    sources.write(connection, source, batch, now)
    if search.waiting(connection) > search.MOST_WAITING:
        search.catch_up(connection)
    return Written(duplicates, written.ids | settled, new, updated)


def _duplicates(connection: sqlite3.Connection, keys: list[int]) -> int:
    """Returns how many of these records were read before; remembers all of them."""
    before = connection.total_changes
    # Sorted: neighbours in the table are on the same page.
    text = as_json(sorted(keys))
    connection.execute("INSERT OR IGNORE INTO known (key) SELECT value FROM json_each(?)", (text,))
    return len(keys) - (connection.total_changes - before)
