"""Writes a batch of rows and the new offset of their file, in the caller's transaction."""

import sqlite3

import msgspec

from lessons.store.history import (
    calls,
    messages,
    pending_results,
    prompts_and_tags,
    search,
    segments,
    sessions,
    sources,
    tagged,
)
from lessons.store.history.rows import Batch
from lessons.store.history.sources import Source


class Written(msgspec.Struct):
    """What a batch changed."""

    duplicates: int
    calls: set[int]
    new_candidates: set[str]
    updated_candidates: set[str]


def write(connection: sqlite3.Connection, source: Source, batch: Batch, now: float = 0.0) -> Written:
    """Stores everything of the batch; the offset moves with it or not at all."""
    written = calls.write(connection, source, batch.calls, batch.results)
    pending_results.store_marks(connection, batch.results, batch.task_ends, batch.interrupts)
    prompts_and_tags.write_prompts(connection, source, batch.prompts)
    prompts_and_tags.withdraw(connection, batch.withdrawn, batch.prompts)
    messages.write(connection, source.agent, batch.messages)
    prompts_and_tags.write_stop_hooks(connection, source, batch.stop_hooks)
    prompts_and_tags.write_contexts(connection, source, batch.contexts)
    prompts_and_tags.write_diagnoses(connection, source, batch.diagnoses)
    touched = prompts_and_tags.write_tags(connection, source, batch.tags)
    sessions.write(connection, source.agent, batch.sessions.values())
    settled = pending_results.settle(connection, batch, written.unsettled)
    new, updated = tagged.refresh(connection, touched) if touched else (set(), set())
    duplicates = _duplicates(connection, batch.known)
    connection.executemany(
        "INSERT OR IGNORE INTO damaged (source_id, position, length) VALUES (?, ?, ?)",
        [(source.id, position, length) for position, length in batch.damaged],
    )
    segments.grow(connection, source.id, batch.segments, batch.end)
    segments.mark_read(connection, source.id)
    if batch.failed:
        segments.note_failures(connection, source.id, batch.failed, now)
    if batch.state is not None:
        segments.forget_failures(connection, source.id)
    sources.advance(connection, source, batch)
    if search.waiting(connection) > search.MOST_WAITING:
        search.catch_up(connection)
    return Written(duplicates, written.ids | settled, new, updated)


def _duplicates(connection: sqlite3.Connection, keys: list[int]) -> int:
    """Returns how many of these records were read before; remembers all of them."""
    before = connection.total_changes
    # Sorted: neighbours in the table are on the same page.
    text = msgspec.json.encode(sorted(keys)).decode()
    connection.execute("INSERT OR IGNORE INTO known (key) SELECT value FROM json_each(?)", (text,))
    return len(keys) - (connection.total_changes - before)
