"""The tables `prompts`, `hook_contexts`, `stop_hooks`, `tags` and `diagnoses`: each row is stored once, by its key."""

import sqlite3
from collections.abc import Sequence

import msgspec

from lessons.store.history import search
from lessons.store.history.originals import Rank, rank
from lessons.store.history.rows import DiagnosisRow, HookContext, Origin, Prompt, StopHooks, TagRow
from lessons.store.history.sources import Source

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
        wanted = msgspec.json.encode(keys).decode()
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
        (msgspec.json.encode(keys).decode(),),
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
