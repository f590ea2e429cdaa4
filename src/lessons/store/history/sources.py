"""The table `sources`: how far each transcript was read, and how to detect that it was replaced."""

import sqlite3
from collections.abc import Iterable, Sequence

import msgspec

from lessons.store.forgotten import digest
from lessons.store.history import facts, segments
from lessons.store.history.border import Part
from lessons.store.history.rows import Batch, FileState

_NEVER = FileState(0, -1, 0)
_REREAD = -2  # a size: the file must be read again from its beginning
WITHHELD = "withheld:"
_STORE = "store:"
# Rows that are not transcripts: they only record what need not be read again.
_NO_TRANSCRIPT = f"(path LIKE '{WITHHELD}%' OR path LIKE '{_STORE}%')"
_CONSENT = "consent"


class Source(msgspec.Struct, gc=False):
    """One generation of a transcript file."""

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
_SELECT_READ = "SELECT inode, size, modified FROM sources s WHERE agent = ? AND offset > 0"
# An offset without segments may come from elsewhere, and is not trusted.
_WITH_SEGMENTS = " AND EXISTS (SELECT 1 FROM segments WHERE source_id = s.id)"
_ALL_HAVE = "SELECT (SELECT count(*) FROM sources) = (SELECT count(*) FROM segments WHERE number = 0)"


class Sources(Part):
    """The transcripts that were read into a history."""

    def fully_read(self, agents: Iterable[str]) -> set[tuple[int, int, int]]:
        """Returns inode, size and time of every file that was read to its end; not its path, which may change."""
        (trusted,) = self._connection.execute(_ALL_HAVE).fetchone()
        select = _SELECT_READ if trusted else _SELECT_READ + _WITH_SEGMENTS
        return {row for agent in agents for row in self._connection.execute(select, (agent,))}

    def reader_of(self, path: str, agents: Sequence[str]) -> str | None:
        """Returns which of these agents wrote the file when it was last read; None if none of them did."""
        rows = self._connection.execute("SELECT agent FROM sources WHERE path = ? ORDER BY generation DESC", (path,))
        return next((agent for (agent,) in rows if agent in agents), None)

    def latest(self, agent: str, path: str) -> Source | None:
        """Returns the last generation of a file; one without segments counts as not read."""
        row = self._connection.execute(
            f"SELECT {_COLUMNS}, EXISTS (SELECT 1 FROM segments WHERE source_id = s.id) FROM sources s"
            " WHERE agent = ? AND path = ? ORDER BY generation DESC LIMIT 1",
            (agent, path),
        ).fetchone()
        if row is None:
            return None
        number, name, _, generation, inode, size, modified, offset, head, tail, memory, trusted = row
        state = FileState(inode, size, modified)
        if not trusted:
            offset, memory, state = 0, "", _NEVER
        return Source(number, name, path, generation, state, offset, head, tail, memory)

    def mark_for_rereading(self, source_ids: list[int]) -> None:
        """Queues these to be read from their beginning, even if the present scan is interrupted."""
        if source_ids:
            self._forget_stores()
        self._connection.executemany(
            f"UPDATE sources SET size = {_REREAD} WHERE id = ?", [(number,) for number in source_ids]
        )

    def follow_consent(self, name: str) -> None:
        """Queues everything that the user's earlier choices excluded, if they have changed."""
        if facts.get(self._connection, _CONSENT) == name:
            return
        self._connection.execute(f"UPDATE sources SET size = {_REREAD} WHERE memory LIKE '%\"refused\":true%'")
        self._connection.execute(f"DELETE FROM sources WHERE {_NO_TRANSCRIPT}")
        facts.put(self._connection, _CONSENT, name)

    def withhold(self, agent: str, path: str, state: FileState) -> None:
        """Records, without its name, that nothing of a file may be stored: it is not read again until it changes."""
        self.allow(agent, path)
        self._note(agent, WITHHELD + digest(path), state)

    def note_store(self, agent: str, path: str, state: FileState) -> None:
        """Records that everything in a store was read: it is not opened again until it changes."""
        self._connection.execute("DELETE FROM sources WHERE agent = ? AND path = ?", (agent, _STORE + path))
        self._note(agent, _STORE + path, state)

    def _forget_stores(self) -> None:
        self._connection.execute(f"DELETE FROM sources WHERE path LIKE '{_STORE}%'")

    def _note(self, agent: str, name: str, state: FileState) -> None:
        row = (agent, name, state.inode, state.size, state.modified)
        number = self._connection.execute(
            "INSERT INTO sources (agent, path, generation, inode, size, modified, offset, head, tail, memory)"
            " VALUES (?, ?, 0, ?, ?, ?, 1, x'', x'', '')",
            row,
        ).lastrowid
        self._connection.execute(
            "INSERT INTO segments (source_id, number, key, boundary_uuid, start, end, sealed)"
            " VALUES (?, 0, '', '', 0, 0, 0)",
            (number,),
        )

    def allow(self, agent: str, path: str) -> None:
        """Undoes a `withhold`."""
        self._connection.execute("DELETE FROM sources WHERE agent = ? AND path = ?", (agent, WITHHELD + digest(path)))

    def add(self, agent: str, path: str) -> Source:
        """Adds a new generation of a file, of which nothing was read yet."""
        row = self._connection.execute("SELECT coalesce(max(generation), -1) + 1 FROM sources WHERE path = ?", (path,))
        source = Source(0, agent, path, row.fetchone()[0], _NEVER, 0, b"", b"", "")
        cursor = self._connection.execute(
            "INSERT INTO sources (agent, path, generation, inode, size, modified, offset, head, tail, memory)"
            " VALUES (?, ?, ?, 0, -1, 0, 0, x'', x'', '')",
            (agent, path, source.generation),
        )
        source.id = cursor.lastrowid or 0
        return source

    def restart(self, source: Source) -> None:
        """Queues the file to be read from its beginning; keeps what is stored of it."""
        source.offset, source.memory, source.state, source.head, source.tail = 0, "", _NEVER, b"", b""
        self._connection.execute(
            "UPDATE sources SET size = -1, offset = 0, memory = '', head = x'', tail = x'', records = 0, malformed = 0"
            " WHERE id = ?",
            (source.id,),
        )
        self._connection.execute("DELETE FROM damaged WHERE source_id = ?", (source.id,))
        segments.retry(self._connection, source.id)

    def offsets(self) -> dict[str, int]:
        """Returns how far each file was read."""
        rows = self._connection.execute(
            f"SELECT path, offset, max(generation) FROM sources WHERE NOT {_NO_TRANSCRIPT} GROUP BY path ORDER BY path"
        )
        return {path: offset for path, offset, _ in rows}

    def segment_keys(self) -> dict[str, list[str]]:
        """Returns the keys of all segments of every file."""
        return segments.keys(self._connection)

    def count(self) -> int:
        """Returns how many files were read."""
        sql = f"SELECT count(DISTINCT path) FROM sources WHERE path NOT LIKE '{_STORE}%'"
        return int(self._connection.execute(sql).fetchone()[0])

    def records(self) -> tuple[int, int]:
        """Returns how many records the files have, and how many of them could not be parsed."""
        sql = "SELECT coalesce(sum(records), 0), coalesce(sum(malformed), 0) FROM sources"
        records, malformed = self._connection.execute(sql).fetchone()
        return records, malformed

    def damaged_parts(self) -> tuple[int, int]:
        """Returns how many stretches of the files could not be parsed, and their length in bytes."""
        number, size = self._connection.execute("SELECT count(*), coalesce(sum(length), 0) FROM damaged").fetchone()
        return number, size


def advance(connection: sqlite3.Connection, source: Source, batch: Batch) -> None:
    """Records that the file was read up to the end of the batch."""
    state = batch.state or _NEVER
    source.state, source.offset, source.head, source.tail = state, batch.end, batch.head, batch.tail
    source.memory = batch.memory
    connection.execute(
        "UPDATE sources SET inode = ?, size = ?, modified = ?, offset = ?, head = ?, tail = ?, memory = ?,"
        " records = records + ?, malformed = malformed + ? WHERE id = ?",
        (
            *(state.inode, state.size, state.modified),
            *(batch.end, batch.head, batch.tail, batch.memory),
            *(batch.tally.records, batch.tally.malformed, source.id),
        ),
    )
