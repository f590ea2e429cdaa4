"""The tables `sources`, `segments` and `progress`: how far each transcript was read, and which segments failed.

Retries of a failed segment back off, then stop.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from zlib import crc32

import msgspec

from lessons.store.consent import digest
from lessons.store.history import database
from lessons.store.history.database import HistoryPart
from lessons.store.history.rows import Batch, FileState

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
# A wait longer than the maximum was recorded before the clock was set back.
_IS_DUE = "(retry_after <= :now OR retry_after > :now + :longest)"
_OF_SOURCE = f"miner = '{CAPTURE.name}' AND segment_id IN (SELECT id FROM segments WHERE source_id = ?)"


class FailedSegment(NamedTuple):
    """A segment that could not be read or mined, and when it is retried."""

    key: str
    file: str
    miner: str
    state: str  # failed, dead
    attempts: int
    retry_after: float  # seconds since 1970
    reason: str


class SegmentProgress(HistoryPart):
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
            f" WHERE p.state = 'failed' AND p.miner = '{CAPTURE.name}' AND {_IS_DUE}",
            {"now": now, "longest": LONGEST_WAIT},
        )
        return [row[0] for row in rows]

    def queue_due_sessions(self, now: float) -> None:
        """Queues the sessions whose mining failed and is due for a retry."""
        self._connection.execute(
            "INSERT OR IGNORE INTO unmined (session_id) SELECT session_id FROM progress"
            f" WHERE state = 'failed' AND miner = '{MINING}' AND {_IS_DUE}",
            {"now": now, "longest": LONGEST_WAIT},
        )

    def next_retry(self) -> float | None:
        sql = "SELECT min(retry_after) FROM progress WHERE state = 'failed'"
        found = self._connection.execute(sql).fetchone()[0]
        return None if found is None else float(found)

    def retry_all(self) -> int:
        """Makes every failed segment due now, including those given up; returns how many there are."""
        return self._connection.execute(
            "UPDATE progress SET state = 'failed', attempts = 0, retry_after = 0 WHERE state <> 'done'"
        ).rowcount

    def mined(self, sessions: Iterable[str], faults: Iterable[tuple[str, str, str]], version: int, now: float) -> None:
        """Records the calls of these sessions that could not be analysed; what failed before has succeeded.

        A fault names the call, its session and the reason: the segment of the call is mined again later.
        """
        failing: set[int] = set()
        for tool_use_id, session_id, reason in faults:
            rows = self._connection.execute(
                "SELECT g.id FROM calls c JOIN segments g ON g.source_id = c.source_id AND g.number = c.segment"
                " WHERE c.tool_use_id = ?",
                (tool_use_id,),
            )
            for (segment_id,) in rows.fetchall():
                failing.add(segment_id)
                failed(self._connection, segment_id, Miner(MINING, version), reason, now)
                self._connection.execute(
                    f"UPDATE progress SET session_id = ? WHERE segment_id = ? AND miner = '{MINING}'",
                    (session_id, segment_id),
                )
        self._connection.execute(
            f"DELETE FROM progress WHERE miner = '{MINING}' AND session_id IN (SELECT value FROM json_each(?))"
            " AND segment_id NOT IN (SELECT value FROM json_each(?))",
            (database.as_json(sorted(sessions)), database.as_json(sorted(failing))),
        )

    def unread_sessions(self) -> set[str]:
        """Returns the sessions with a transcript segment that is neither read nor given up: mining waits for those."""
        sql = (
            "SELECT DISTINCT json_extract(s.memory, '$.sessionId') FROM progress p JOIN segments g"
            " ON g.id = p.segment_id JOIN sources s ON s.id = g.source_id"
            f" WHERE p.state = 'failed' AND p.miner = '{CAPTURE.name}' AND json_valid(s.memory)"
        )
        return set(filter(None, database.texts(self._connection, sql)))


def failed(connection: sqlite3.Connection, segment_id: int, miner: Miner, reason: str, now: float) -> None:
    """Records a failure: retried later, and given up after some attempts.

    Before a retry is due, reading the segment for another reason is not a retry.
    """
    row = connection.execute(
        "SELECT attempts, retry_after FROM progress WHERE segment_id = ? AND miner = ? AND version = ?",
        (segment_id, *miner),
    ).fetchone()
    attempts, retry_after = row or (0, 0.0)
    if not (attempts and now < retry_after <= now + LONGEST_WAIT):
        attempts += 1
        retry_after = now + wait_after(attempts, segment_id)
    state = "dead" if attempts >= ATTEMPTS else "failed"
    connection.execute(
        "INSERT INTO progress (segment_id, miner, version, end, state, attempts, retry_after, reason)"
        " VALUES (?, ?, ?, 0, ?, ?, ?, ?) ON CONFLICT (segment_id, miner, version) DO UPDATE SET"
        " state = excluded.state, attempts = excluded.attempts, retry_after = excluded.retry_after,"
        " reason = excluded.reason",
        (segment_id, *miner, state, attempts, retry_after, reason[:_LONGEST_REASON]),
    )


def wait_after(attempts: int, segment_id: int) -> float:
    """Returns 5 minutes, doubled each time up to 30; less a part derived from the segment and the attempt."""
    wait = min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempts - 1))
    part = crc32(b"%d %d" % (segment_id, attempts)) / 0xFFFF_FFFF
    return float(round(wait * (1 - _JITTER * part), 1))


_NEVER = FileState(0, -1, 0)
_REREAD = -2  # a size: the file must be read again from its beginning
WITHHELD = "withheld:"
_STORE = "store:"
# Rows that are not transcripts: they only record what need not be read again.
_NO_TRANSCRIPT = f"(path LIKE '{WITHHELD}%' OR path LIKE '{_STORE}%')"
_CONSENT = "consent"


class SourceFile(msgspec.Struct, gc=False):
    id: int
    agent: str
    path: str
    generation: int
    state: FileState
    offset: int
    head: bytes
    tail: bytes
    memory: str

    @property
    def is_to_be_reread(self) -> bool:
        return self.state.size == _REREAD


_COLUMNS = "id, agent, path, generation, inode, size, modified, offset, head, tail, memory"
_SELECT_READ = "SELECT inode, size, modified FROM sources WHERE agent = ? AND offset > 0"


class Sources(HistoryPart):
    def fully_read(self, agents: Iterable[str]) -> set[tuple[int, int, int]]:
        """Returns inode, size and time of every file that was read to its end; not its path, which may change."""
        return {row for agent in agents for row in self._connection.execute(_SELECT_READ, (agent,))}

    def reader_of(self, path: str, agents: Sequence[str]) -> str | None:
        """Returns which of these agents wrote the file when it was last read; None if none of them did."""
        rows = self._connection.execute("SELECT agent FROM sources WHERE path = ? ORDER BY generation DESC", (path,))
        return next((agent for (agent,) in rows if agent in agents), None)

    def latest(self, agent: str, path: str) -> SourceFile | None:
        row = self._connection.execute(
            f"SELECT {_COLUMNS} FROM sources WHERE agent = ? AND path = ? ORDER BY generation DESC LIMIT 1",
            (agent, path),
        ).fetchone()
        if row is None:
            return None
        number, name, _, generation, inode, size, modified, *rest = row
        return SourceFile(number, name, path, generation, FileState(inode, size, modified), *rest)

    def mark_for_rereading(self, source_ids: list[int]) -> None:
        """Queues these to be read from their beginning, even if the present scan is interrupted."""
        if source_ids:
            self._connection.execute(f"DELETE FROM sources WHERE path LIKE '{_STORE}%'")
        self._connection.executemany(
            f"UPDATE sources SET size = {_REREAD} WHERE id = ?", [(number,) for number in source_ids]
        )

    def follow_consent(self, name: str) -> None:
        """Queues everything that the user's earlier choices excluded, if they have changed."""
        if database.get_fact(self._connection, _CONSENT) == name:
            return
        self._connection.execute(f"UPDATE sources SET size = {_REREAD} WHERE memory LIKE '%\"refused\":true%'")
        self._connection.execute(f"DELETE FROM sources WHERE {_NO_TRANSCRIPT}")
        database.put_fact(self._connection, _CONSENT, name)

    def withhold(self, agent: str, path: str, state: FileState) -> None:
        """Records, without its name, that nothing of a file may be stored: it is not read again until it changes."""
        self.allow(agent, path)
        self._insert(agent, WITHHELD + digest(path), 0, state, 1)

    def note_store(self, agent: str, path: str, state: FileState) -> None:
        """Records that everything in a store was read: it is not opened again until it changes."""
        self._connection.execute("DELETE FROM sources WHERE agent = ? AND path = ?", (agent, _STORE + path))
        self._insert(agent, _STORE + path, 0, state, 1)

    def _insert(self, agent: str, path: str, generation: int, state: FileState, offset: int) -> int:
        row = (agent, path, generation, *msgspec.structs.astuple(state), offset)
        insert = "INSERT INTO sources (agent, path, generation, inode, size, modified, offset, head, tail, memory)"
        cursor = self._connection.execute(f"{insert} VALUES (?, ?, ?, ?, ?, ?, ?, x'', x'', '')", row)
        return cursor.lastrowid or 0

    def allow(self, agent: str, path: str) -> None:
        self._connection.execute("DELETE FROM sources WHERE agent = ? AND path = ?", (agent, WITHHELD + digest(path)))

    def add(self, agent: str, path: str) -> SourceFile:
        """Adds a new generation of a file, of which nothing was read yet."""
        sql = "SELECT coalesce(max(generation), -1) + 1 FROM sources WHERE path = ?"
        generation = self._connection.execute(sql, (path,)).fetchone()[0]
        number = self._insert(agent, path, generation, _NEVER, 0)
        return SourceFile(number, agent, path, generation, _NEVER, 0, b"", b"", "")

    def restart(self, source: SourceFile) -> None:
        """Queues the file to be read from its beginning; keeps what is stored of it."""
        source.offset, source.memory, source.state, source.head, source.tail = 0, "", _NEVER, b"", b""
        self._connection.execute(
            "UPDATE sources SET size = -1, offset = 0, memory = '', head = x'', tail = x'', records = 0, malformed = 0"
            " WHERE id = ?",
            (source.id,),
        )
        self._connection.execute("DELETE FROM damaged WHERE source_id = ?", (source.id,))
        # What still fails is recorded again.
        self._connection.execute(f"UPDATE progress SET state = 'done' WHERE {_OF_SOURCE}", (source.id,))

    def offsets(self) -> dict[str, int]:
        rows = self._connection.execute(
            f"SELECT path, offset, max(generation) FROM sources WHERE NOT {_NO_TRANSCRIPT} GROUP BY path ORDER BY path"
        )
        return {path: offset for path, offset, _ in rows}

    def segment_keys(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        rows = self._connection.execute(
            "SELECT s.path, g.key FROM segments g JOIN sources s ON s.id = g.source_id"
            # An earlier version stored segments without a key for files that it does not read.
            " WHERE g.key <> '' AND s.generation = (SELECT max(generation) FROM sources l WHERE l.path = s.path)"
            " ORDER BY s.path, g.number"
        )
        for path, key in rows:
            found.setdefault(path, []).append(key)
        return found

    def count(self) -> int:
        sql = f"SELECT count(DISTINCT path) FROM sources WHERE path NOT LIKE '{_STORE}%'"
        return int(self._connection.execute(sql).fetchone()[0])

    def records(self) -> tuple[int, int]:
        sql = "SELECT coalesce(sum(records), 0), coalesce(sum(malformed), 0) FROM sources"
        records, malformed = self._connection.execute(sql).fetchone()
        return records, malformed

    def damaged_parts(self) -> tuple[int, int]:
        number, size = self._connection.execute("SELECT count(*), coalesce(sum(length), 0) FROM damaged").fetchone()
        return number, size


def write(connection: sqlite3.Connection, source: SourceFile, batch: Batch, now: float) -> None:
    """Records that the file was read up to the end of the batch, with the segments in it and those that failed."""
    number = source.id
    for segment in batch.segments:
        connection.execute(
            "UPDATE segments SET sealed = 1, end = ? WHERE source_id = ? AND number = ?",
            (segment.start, number, segment.number - 1),
        )
        connection.execute(
            "INSERT INTO segments (source_id, number, key, boundary_uuid, start, end, sealed)"
            " VALUES (?, ?, ?, ?, ?, ?, 0) ON CONFLICT (source_id, number) DO UPDATE"
            " SET key = excluded.key, boundary_uuid = excluded.boundary_uuid, start = excluded.start",
            (number, segment.number, segment.key, segment.boundary_uuid, segment.start, segment.start),
        )
    connection.execute("UPDATE segments SET end = max(end, ?) WHERE source_id = ? AND NOT sealed", (batch.end, number))
    # Every segment was read to its end, even if nothing was found in it.
    connection.execute(
        "INSERT INTO progress (segment_id, miner, version, end, state) SELECT id, ?, ?, end, 'done' FROM segments"
        " WHERE source_id = ? ON CONFLICT (segment_id, miner, version) DO UPDATE SET end = excluded.end"
        " WHERE end <> excluded.end",
        (*CAPTURE, number),
    )
    for segment_number, reason in dict(reversed(batch.failed)).items():  # the first reason counts
        rows = connection.execute(
            "SELECT id FROM segments WHERE source_id = ? AND number = ?", (number, segment_number)
        )
        for (segment_id,) in rows.fetchall():
            failed(connection, segment_id, CAPTURE, reason, now)
    if batch.state is not None:  # read to its end: what did not fail again has succeeded
        connection.execute(
            "UPDATE progress SET attempts = 0, retry_after = 0, reason = ''"
            f" WHERE state = 'done' AND attempts > 0 AND {_OF_SOURCE}",
            (number,),
        )
    connection.executemany(
        "INSERT OR IGNORE INTO damaged (source_id, position, length) VALUES (?, ?, ?)",
        [(number, position, length) for position, length in batch.damaged],
    )
    state = source.state = batch.state or _NEVER
    source.offset, source.head, source.tail, source.memory = batch.end, batch.head, batch.tail, batch.memory
    connection.execute(
        "UPDATE sources SET inode = ?, size = ?, modified = ?, offset = ?, head = ?, tail = ?, memory = ?,"
        " records = records + ?, malformed = malformed + ? WHERE id = ?",
        (
            *(state.inode, state.size, state.modified),
            *(batch.end, batch.head, batch.tail, batch.memory),
            *(batch.tally.records, batch.tally.malformed, number),
        ),
    )
