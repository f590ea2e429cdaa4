"""The table `progress`: up to where each miner has read each segment; retries back off, then stop."""

import sqlite3
from typing import NamedTuple

FIRST_WAIT = 300.0
LONGEST_WAIT = 1800.0
ATTEMPTS = 5


class Miner(NamedTuple):
    """A name and a version: a new version reads everything again."""

    name: str
    version: int


CAPTURE = Miner("capture", 2)


class Due(NamedTuple):
    """A segment with something in it that a miner has not seen."""

    segment_id: int
    source_id: int
    number: int
    start: int  # of what is new; the beginning of the segment where nothing was seen
    end: int
    sealed: bool


def done(connection: sqlite3.Connection, segment_id: int, miner: Miner, end: int) -> None:
    """Records that the segment was read up to this byte; finding nothing is a success too."""
    connection.execute(
        "INSERT INTO progress (segment_id, miner, version, end, state) VALUES (?, ?, ?, ?, 'done')"
        " ON CONFLICT (segment_id, miner, version) DO UPDATE SET end = excluded.end, state = 'done',"
        " attempts = 0, retry_after = 0, reason = ''",
        (segment_id, *miner, end),
    )


def failed(connection: sqlite3.Connection, segment_id: int, miner: Miner, reason: str, now: float) -> None:
    """Records a failure: retried later, and after some attempts not at all."""
    row = connection.execute(
        "SELECT attempts, end FROM progress WHERE segment_id = ? AND miner = ? AND version = ?", (segment_id, *miner)
    ).fetchone()
    attempts, end = (row[0] + 1, row[1]) if row else (1, 0)
    wait = min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempts - 1))
    connection.execute(
        "INSERT OR REPLACE INTO progress (segment_id, miner, version, end, state, attempts, retry_after, reason)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (segment_id, *miner, end, "dead" if attempts >= ATTEMPTS else "failed", attempts, now + wait, reason[:500]),
    )


def due(connection: sqlite3.Connection, miner: Miner, now: float) -> list[Due]:
    """What this miner has to read now: new segments, tails that grew, failures that are due for a retry."""
    rows = connection.execute(
        "SELECT g.id, g.source_id, g.number, coalesce(max(p.end, g.start), g.start), g.end, g.sealed FROM segments g"
        " LEFT JOIN progress p ON p.segment_id = g.id AND p.miner = ? AND p.version = ?"
        " WHERE p.segment_id IS NULL OR (p.state = 'done' AND p.end < g.end)"
        " OR (p.state = 'failed' AND p.retry_after <= ?)"
        " ORDER BY g.source_id, g.number",
        (*miner, now),
    )
    return [Due(number, source, place, start, end, bool(sealed)) for number, source, place, start, end, sealed in rows]


def is_ready(connection: sqlite3.Connection, source_id: int, first: Miner) -> bool:
    """Whether a second miner may start with a file: the first has read, or given up on, every known segment."""
    row = connection.execute(
        "SELECT count(*), coalesce(sum(NOT coalesce(p.state = 'dead' OR (p.state = 'done' AND p.end >= g.end), 0)), 0)"
        " FROM segments g LEFT JOIN progress p"
        " ON p.segment_id = g.id AND p.miner = ? AND p.version = ?"
        " WHERE g.source_id = ?",
        (*first, source_id),
    ).fetchone()
    known, waiting = row
    return bool(known and not waiting)
