"""opencode's database, read while opencode writes it: its sessions, and one of them as records."""

import os
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import quote

import msgspec

from lessons.agents.base import Record
from lessons.agents.follow import Damaged
from lessons.agents.jsonl import storable
from lessons.agents.object_lines import Fields
from lessons.agents.opencode.places import SEPARATOR
from lessons.agents.opencode.session_records import Message, Parts, Session
from lessons.agents.whole import Held, NotOurs, Piece, Snapshot
from lessons.store.faults import describe
from lessons.store.history.rows import FileState

_WAIT_SECONDS = 2.0
_PARTS_AT_ONCE = 200
_MOST_PARENTS = 20
_LARGEST_NUMBER = 9_000_000_000_000  # milliseconds; as nanoseconds still a number of SQLite
_SESSIONS = """
SELECT s.id, s.parent_id, s.directory, max(s.time_updated, coalesce(p.updated, 0), coalesce(m.updated, 0)),
       coalesce(p.number, 0) + coalesce(m.number, 0)
FROM session s
LEFT JOIN (SELECT session_id, count(*) AS number, max(time_updated) AS updated FROM part {0} GROUP BY session_id) p
    ON p.session_id = s.id
LEFT JOIN (SELECT session_id, count(*) AS number, max(time_updated) AS updated FROM message {0} GROUP BY session_id) m
    ON m.session_id = s.id
"""
_ONE = _SESSIONS.format("WHERE session_id = :id") + " WHERE s.id = :id"
_SESSION = "SELECT parent_id, directory, title, version, time_created FROM session WHERE id = ?"
_PARTS = """
SELECT m.id, m.data, p.id, p.data, p.time_created FROM message m JOIN part p ON p.message_id = m.id
WHERE m.session_id = ? ORDER BY m.time_created, m.id, p.id
"""


class StoredSession(msgspec.Struct):
    """A row of the list of sessions."""

    id: str
    parent: str
    folder: str
    updated: int
    rows: int

    def held(self, file: str) -> Held:
        # The number is derived from its name, so that no two sessions are confused.
        number = zlib.crc32(self.id.encode("utf-8", "replace"))
        return Held(f"{file}{SEPARATOR}{self.id}", FileState(number, self.rows, self.updated * 1_000_000))


@contextmanager
def opened(file: str) -> Iterator[sqlite3.Connection]:
    """Opens a snapshot. Writes nothing, not even beside the file; OSError says what is wrong."""
    os.stat(file)  # reports a missing file as such
    # Without a log beside it nobody is writing, and SQLite would have to create files to check for one.
    is_written = os.path.exists(f"{file}-wal") and os.path.getsize(f"{file}-wal") > 0
    address = f"file:{quote(os.path.abspath(file))}?mode=ro{'' if is_written else '&immutable=1'}"
    try:
        connection = sqlite3.connect(address, uri=True, timeout=_WAIT_SECONDS, isolation_level=None)
        try:
            connection.text_factory = lambda data: data.decode("utf-8", "replace")
            connection.execute("BEGIN")
            yield connection
        finally:
            connection.close()
    except sqlite3.Error as fault:
        raise OSError(None, f"SQLite says: {fault}") from None


def sessions(file: str) -> list[StoredSession]:
    with opened(file) as connection:
        return [_row(row) for row in connection.execute(_SESSIONS.format(""))]


@contextmanager
def snapshot(file: str, identifier: str, all_texts: bool) -> Iterator[Snapshot]:
    with opened(file) as connection:
        found = connection.execute(_ONE, {"id": identifier}).fetchone()
        if found is None:
            raise NotOurs(identifier)
        yield Snapshot(_row(found).held(file).state, _pieces(connection, identifier, all_texts))


def _row(row: tuple[object, ...]) -> StoredSession:
    identifier, parent, folder, updated, rows = row
    return StoredSession(str(identifier), str(parent or ""), str(folder or ""), _number(updated), _number(rows))


def _number(value: object) -> int:
    """Returns a column of any type as a time or count that can be stored; 0 if it is neither."""
    return int(value) if isinstance(value, int | float) and 0 <= value <= _LARGEST_NUMBER else 0


def _pieces(connection: sqlite3.Connection, identifier: str, all_texts: bool) -> Iterator[Piece]:
    parent, folder, title, version, created = connection.execute(_SESSION, (identifier,)).fetchone()
    root = _root(connection, identifier, parent)
    session = Session(identifier, root, str(folder or ""), str(title or ""), str(version or ""), _number(created))
    parts = Parts(session, all_texts)
    yield Piece((parts.title(),), 1)
    rows = connection.execute(_PARTS, (identifier,))
    while some := rows.fetchmany(_PARTS_AT_ONCE):
        records = [record for row in some if (record := _record(parts, row)) is not None]
        yield Piece(records, sum(_length(row[3]) for row in some))


def _root(connection: sqlite3.Connection, identifier: str, parent: object) -> str:
    """Returns the session that a person started; a session with missing or circular parents is its own root."""
    found = identifier
    for _ in range(_MOST_PARENTS):
        if not parent:
            return found
        found = str(parent)
        row = connection.execute("SELECT parent_id FROM session WHERE id = ?", (found,)).fetchone()
        parent = row[0] if row else None
    return identifier


def _length(column: object) -> int:
    return len(column) if isinstance(column, str | bytes) else 1


def _record(parts: Parts, row: tuple[object, ...]) -> Record | Damaged | None:
    """Handles any type: SQLite stores any type in any column."""
    message_id, message, part_id, part, created = row
    try:
        fields, content = _fields(message), _fields(part)
        if content is None:
            parts.number += 1
            return Damaged(parts.number, _length(part))
        return parts.record(Message(str(message_id), fields or {}), str(part_id), content, _number(created))
    except Exception as fault:  # a bug must lose only its part
        return Damaged(parts.number, _length(part), describe(fault))


def _fields(column: object) -> Fields | None:
    if not isinstance(column, str | bytes):
        return None
    try:
        found = msgspec.json.decode(column)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    plain = storable(found)
    return plain if isinstance(plain, dict) else None
