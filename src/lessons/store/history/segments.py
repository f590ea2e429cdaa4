"""The table `segments`: where a transcript was compacted; each part is sealed when the next one starts."""

import sqlite3

from lessons.store.history import progress
from lessons.store.history.progress import CAPTURE
from lessons.store.history.rows import SegmentRow

_OF_SOURCE = "miner = ? AND segment_id IN (SELECT id FROM segments WHERE source_id = ?)"


def grow(connection: sqlite3.Connection, source_id: int, found: list[SegmentRow], end: int) -> None:
    """Adds the segments that begin in this stretch, seals those before them, and moves the end of the last one."""
    for segment in found:
        connection.execute(
            "UPDATE segments SET sealed = 1, end = ? WHERE source_id = ? AND number = ?",
            (segment.start, source_id, segment.number - 1),
        )
        connection.execute(
            "INSERT INTO segments (source_id, number, key, boundary_uuid, start, end, sealed)"
            " VALUES (?, ?, ?, ?, ?, ?, 0) ON CONFLICT (source_id, number) DO UPDATE"
            " SET key = excluded.key, boundary_uuid = excluded.boundary_uuid, start = excluded.start",
            (source_id, segment.number, segment.key, segment.boundary_uuid, segment.start, segment.start),
        )
    connection.execute("UPDATE segments SET end = max(end, ?) WHERE source_id = ? AND NOT sealed", (end, source_id))


def keys(connection: sqlite3.Connection) -> dict[str, list[str]]:
    """Returns the keys of all segments of every file as it is now."""
    found: dict[str, list[str]] = {}
    rows = connection.execute(
        "SELECT s.path, g.key FROM segments g JOIN sources s ON s.id = g.source_id"
        " WHERE g.key <> '' AND s.generation = (SELECT max(generation) FROM sources l WHERE l.path = s.path)"
        " ORDER BY s.path, g.number"
    )
    for path, key in rows:
        found.setdefault(path, []).append(key)
    return found


def note_failures(connection: sqlite3.Connection, source_id: int, failed: list[tuple[int, str]], now: float) -> None:
    """Records which segments, by their numbers, have a record that could not be read, and the first reason."""
    for number, reason in dict(reversed(failed)).items():
        row = connection.execute("SELECT id FROM segments WHERE source_id = ? AND number = ?", (source_id, number))
        for (segment_id,) in row.fetchall():
            progress.failed(connection, segment_id, CAPTURE, reason, now)


def retry(connection: sqlite3.Connection, source_id: int) -> None:
    """Clears failures, because the file is read from its beginning: what still fails is recorded again."""
    connection.execute(f"UPDATE progress SET state = 'done' WHERE state <> 'done' AND {_OF_SOURCE}", _names(source_id))


def forget_failures(connection: sqlite3.Connection, source_id: int) -> None:
    """Deletes old failures after the file was read to its end: what did not fail again has succeeded."""
    connection.execute(
        "UPDATE progress SET attempts = 0, retry_after = 0, reason = '' WHERE state = 'done' AND attempts > 0"
        f" AND {_OF_SOURCE}",
        _names(source_id),
    )


def _names(source_id: int) -> tuple[str, int]:
    return CAPTURE.name, source_id


def mark_read(connection: sqlite3.Connection, source_id: int) -> None:
    """Records that every segment of the file was read to its end, even if nothing was found in it."""
    connection.execute(
        "INSERT INTO progress (segment_id, miner, version, end, state) SELECT id, ?, ?, end, 'done' FROM segments"
        " WHERE source_id = ? ON CONFLICT (segment_id, miner, version) DO UPDATE SET end = excluded.end"
        " WHERE end <> excluded.end",
        (*CAPTURE, source_id),
    )
