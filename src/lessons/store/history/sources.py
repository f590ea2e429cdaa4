"""The table `sources`: how far each transcript was read, and how to tell that it was replaced."""

import sqlite3

import msgspec

from lessons.store.forgotten import digest
from lessons.store.history.rows import Batch, FileState

_NEVER = FileState(0, -1, 0)


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
    def is_again(self) -> bool:
        return self.state.size == _AGAIN


_COLUMNS = "id, agent, path, generation, inode, size, modified, offset, head, tail, memory"
_READ = "SELECT inode, size, modified FROM sources s WHERE agent = ? AND offset > 0"
# An offset without segments may come from elsewhere, and is not believed.
_WITH_SEGMENTS = " AND EXISTS (SELECT 1 FROM segments WHERE source_id = s.id)"
_ALL_HAVE = "SELECT (SELECT count(*) FROM sources) = (SELECT count(*) FROM segments WHERE number = 0)"


def read_to_the_end(connection: sqlite3.Connection, agent: str) -> set[tuple[int, int, int]]:
    """Inode, size and time of every file that was read to its end as it was then; a file may be moved meanwhile."""
    (trusted,) = connection.execute(_ALL_HAVE).fetchone()
    return set(connection.execute(_READ if trusted else _READ + _WITH_SEGMENTS, (agent,)))


def latest(connection: sqlite3.Connection, agent: str, path: str) -> Source | None:
    """The last generation of a file; one without segments counts as not read at all."""
    row = connection.execute(
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


_AGAIN = -2  # a size: the file is to be read again from its beginning
WITHHELD = "withheld:"


def mark_again(connection: sqlite3.Connection, numbers: list[int]) -> None:
    """These are to be read again, also if that is interrupted."""
    connection.executemany(f"UPDATE sources SET size = {_AGAIN} WHERE id = ?", [(number,) for number in numbers])


def reconsider(connection: sqlite3.Connection) -> None:
    """A person's wishes have changed: whatever they kept out of the history is looked at again."""
    connection.execute(f"UPDATE sources SET size = {_AGAIN} WHERE memory LIKE '%\"refused\":true%'")
    connection.execute(f"DELETE FROM sources WHERE path LIKE '{WITHHELD}%'")


def withhold(connection: sqlite3.Connection, agent: str, path: str, state: FileState) -> None:
    """Remember that nothing of a file may be stored, and nothing else: it is not read again until it changes."""
    allow(connection, agent, path)
    row = (agent, WITHHELD + digest(path), state.inode, state.size, state.modified)
    number = connection.execute(
        "INSERT INTO sources (agent, path, generation, inode, size, modified, offset, head, tail, memory)"
        " VALUES (?, ?, 0, ?, ?, ?, 1, x'', x'', '')",
        row,
    ).lastrowid
    connection.execute(
        "INSERT INTO segments (source_id, number, key, boundary_uuid, start, end, sealed)"
        " VALUES (?, 0, '', '', 0, 0, 0)",
        (number,),
    )


def allow(connection: sqlite3.Connection, agent: str, path: str) -> None:
    """What is known of a file under another name than its own is no longer needed."""
    connection.execute("DELETE FROM sources WHERE agent = ? AND path = ?", (agent, WITHHELD + digest(path)))


def added(connection: sqlite3.Connection, agent: str, path: str) -> Source:
    """A new generation of a file, of which nothing was read yet."""
    row = connection.execute("SELECT coalesce(max(generation), -1) + 1 FROM sources WHERE path = ?", (path,))
    source = Source(0, agent, path, row.fetchone()[0], _NEVER, 0, b"", b"", "")
    cursor = connection.execute(
        "INSERT INTO sources (agent, path, generation, inode, size, modified, offset, head, tail, memory)"
        " VALUES (?, ?, ?, 0, -1, 0, 0, x'', x'', '')",
        (agent, path, source.generation),
    )
    source.id = cursor.lastrowid or 0
    return source


def advance(connection: sqlite3.Connection, source: Source, batch: Batch) -> None:
    """The file was read up to the end of the batch."""
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


def restart(connection: sqlite3.Connection, source: Source) -> None:
    """Read the file again from its beginning: what is known stays known."""
    source.offset, source.memory, source.state, source.head, source.tail = 0, "", _NEVER, b"", b""
    connection.execute(
        "UPDATE sources SET size = -1, offset = 0, memory = '', head = x'', tail = x'', records = 0, malformed = 0"
        " WHERE id = ?",
        (source.id,),
    )
    connection.execute("DELETE FROM damaged WHERE source_id = ?", (source.id,))


def offsets(connection: sqlite3.Connection) -> dict[str, int]:
    """How far each file was read, for the export."""
    rows = connection.execute(
        f"SELECT path, offset, max(generation) FROM sources WHERE path NOT LIKE '{WITHHELD}%'"
        " GROUP BY path ORDER BY path"
    )
    return {path: offset for path, offset, _ in rows}
