"""The table `progress`: which segments each miner has read, and which failed; retries back off, then stop."""

import sqlite3
from typing import NamedTuple
from zlib import crc32

from lessons.store.history.border import Part

FIRST_WAIT = 300.0
LONGEST_WAIT = 1800.0
ATTEMPTS = 5
_JITTER = 0.1  # share of the wait, at most: segments that failed together are not all retried together
_LONGEST_REASON = 500


class Miner(NamedTuple):
    """A name and a version: a new version reads everything again."""

    name: str
    version: int


CAPTURE = Miner("capture", 4)
MINING = "mining"


class FailedSegment(NamedTuple):
    """A segment that could not be read or mined, and when it is retried."""

    key: str
    file: str
    miner: str
    state: str  # failed, dead
    attempts: int
    retry_after: float  # seconds since 1970
    reason: str


class Progress(Part):
    """The segments that failed."""

    def failed_segments(self) -> list[FailedSegment]:
        """Returns those waiting for a retry and those given up, in the order of their files."""
        rows = self._connection.execute(
            "SELECT g.key, s.path, p.miner, p.state, p.attempts, p.retry_after, p.reason FROM progress p"
            " JOIN segments g ON g.id = p.segment_id JOIN sources s ON s.id = g.source_id WHERE p.state <> 'done'"
            " ORDER BY s.path, s.generation, g.number, p.miner"
        )
        return [FailedSegment(*row) for row in rows]

    def due_sources(self, now: float) -> list[int]:
        """Returns the files with a segment that could not be read and is due for a retry."""
        rows = self._connection.execute(
            "SELECT DISTINCT g.source_id FROM progress p JOIN segments g ON g.id = p.segment_id"
            f" WHERE p.state = 'failed' AND p.miner = ? AND {_IS_DUE}",
            (CAPTURE.name, now, now + LONGEST_WAIT),
        )
        return [row[0] for row in rows]

    def queue_due_sessions(self, now: float) -> None:
        """Queues the sessions whose mining failed and is due for a retry."""
        self._connection.execute(
            "INSERT INTO unmined (session_id, since) SELECT session_id, min(since) FROM progress"
            f" WHERE state = 'failed' AND miner = '{MINING}' AND {_IS_DUE} GROUP BY session_id"
            " ON CONFLICT (session_id) DO UPDATE SET since = min(since, excluded.since)",
            (now, now + LONGEST_WAIT),
        )

    def next_retry(self) -> float | None:
        """Returns when the next failed segment is due, in seconds since 1970."""
        sql = "SELECT min(retry_after) FROM progress WHERE state = 'failed'"
        found = self._connection.execute(sql).fetchone()[0]
        return None if found is None else float(found)

    def retry_all(self) -> int:
        """Makes every failed segment due now, including those given up; returns how many there are."""
        return self._connection.execute(
            "UPDATE progress SET state = 'failed', attempts = 0, retry_after = 0 WHERE state <> 'done'"
        ).rowcount

    def mining_failed(self, tool_use_id: str, session_id: str, version: int, reason: str, now: float) -> None:
        """Records that a call could not be analysed: its segment is mined again later."""
        row = self._connection.execute(
            "SELECT g.id, c.time FROM calls c JOIN segments g ON g.source_id = c.source_id AND g.number = c.segment"
            " WHERE c.tool_use_id = ?",
            (tool_use_id,),
        ).fetchone()
        if row:
            failed(self._connection, row[0], Miner(MINING, version), reason, now)
            self._connection.execute(
                "UPDATE progress SET session_id = ?, since = ? WHERE segment_id = ? AND miner = ?",
                (session_id, row[1], row[0], MINING),
            )

    def mining_succeeded(self, session_id: str, since: str) -> None:
        """Deletes the failures of a session, of calls from this moment on; those that still fail are recorded again."""
        self._connection.execute(
            f"UPDATE progress SET state = 'done' WHERE miner = '{MINING}' AND session_id = ? AND since >= ?"
            " AND state <> 'done'",
            (session_id, since),
        )

    def forget_mining(self) -> None:
        """Deletes the records of mining except failures, which `mining_failed` has just recorded."""
        self._connection.execute(f"DELETE FROM progress WHERE miner = '{MINING}' AND state = 'done'")

    def unread_sessions(self) -> set[str]:
        """Returns the sessions with a transcript segment that is neither read nor given up: mining waits for those."""
        rows = self._connection.execute(
            "SELECT DISTINCT json_extract(s.memory, '$.sessionId') FROM progress p JOIN segments g"
            " ON g.id = p.segment_id JOIN sources s ON s.id = g.source_id"
            " WHERE p.state = 'failed' AND p.miner = ? AND json_valid(s.memory)",
            (CAPTURE.name,),
        )
        return {row[0] for row in rows if row[0]}


# A wait longer than the maximum was recorded before the clock was set back.
_IS_DUE = "(retry_after <= ? OR retry_after > ?)"


def failed(connection: sqlite3.Connection, segment_id: int, miner: Miner, reason: str, now: float) -> None:
    """Records a failure: retried later, and given up after some attempts. Ignored until the retry is due."""
    if _is_waiting(connection, segment_id, miner, now):
        return
    row = connection.execute(
        "SELECT attempts, end FROM progress WHERE segment_id = ? AND miner = ? AND version = ?", (segment_id, *miner)
    ).fetchone()
    attempts, end = (row[0] + 1, row[1]) if row else (1, 0)
    state = "dead" if attempts >= ATTEMPTS else "failed"
    connection.execute(
        "INSERT INTO progress (segment_id, miner, version, end, state, attempts, retry_after, reason)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (segment_id, miner, version) DO UPDATE SET"
        " state = excluded.state, attempts = excluded.attempts, retry_after = excluded.retry_after,"
        " reason = excluded.reason",
        (segment_id, *miner, end, state, attempts, now + wait_after(attempts, segment_id), reason[:_LONGEST_REASON]),
    )


def wait_after(attempts: int, segment_id: int) -> float:
    """Returns 5 minutes, doubled each time up to 30; less a part derived from the segment and the attempt."""
    wait = min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempts - 1))
    part = crc32(b"%d %d" % (segment_id, attempts)) / 0xFFFF_FFFF
    return float(round(wait * (1 - _JITTER * part), 1))


def _is_waiting(connection: sqlite3.Connection, segment_id: int, miner: Miner, now: float) -> bool:
    """Whether a retry is pending but not due: reading the segment for another reason is not a retry."""
    row = connection.execute(
        "SELECT 1 FROM progress WHERE segment_id = ? AND miner = ? AND version = ?"
        " AND attempts > 0 AND retry_after > ? AND retry_after <= ?",
        (segment_id, *miner, now, now + LONGEST_WAIT),
    ).fetchone()
    if row:
        connection.execute(
            "UPDATE progress SET state = iif(attempts >= ?, 'dead', 'failed') WHERE segment_id = ? AND miner = ?"
            " AND version = ?",
            (ATTEMPTS, segment_id, *miner),
        )
    return row is not None
