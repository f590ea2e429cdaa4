"""Reads opencode's sessions, from its database and from the files of older versions (see FORMAT.md).

The database is read while opencode writes it. Before it had one, opencode stored one file per message and part.
"""

import os
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from urllib.parse import quote

import msgspec

from lessons.agents.base import Damaged, Held, NotOurs, Piece, Record, Snapshot
from lessons.agents.jsonl import storable
from lessons.agents.object_lines import Fields, NoLines, inner, text
from lessons.agents.opencode.sessions import Message, Parts, Session, is_number
from lessons.match.call import folder_key
from lessons.store.history.rows import FileState
from lessons.store.logs import describe_fault as describe

# Between the database file and the session, in the name of a source.
_SEPARATOR = "#"
# Of the files in which older versions stored sessions.
_ENDING = ".json"
_DATABASE, _LOG = ".db", "-wal"
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
        return Held(f"{file}{_SEPARATOR}{self.id}", FileState(number, self.rows, self.updated * 1_000_000))


@contextmanager
def _opened(file: str) -> Iterator[sqlite3.Connection]:
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


def database_sessions(file: str) -> list[StoredSession]:
    with _opened(file) as connection:
        return [_row(row) for row in connection.execute(_SESSIONS.format(""))]


@contextmanager
def database_snapshot(file: str, identifier: str, all_texts: bool) -> Iterator[Snapshot]:
    with _opened(file) as connection:
        found = connection.execute(_ONE, {"id": identifier}).fetchone()
        if found is None:
            raise NotOurs(identifier)
        yield Snapshot(_row(found).held(file).state, _database_pieces(connection, identifier, all_texts))


def _row(row: tuple[object, ...]) -> StoredSession:
    identifier, parent, folder, updated, rows = row
    return StoredSession(str(identifier), str(parent or ""), str(folder or ""), _number(updated), _number(rows))


def _number(value: object) -> int:
    """Returns a column of any type as a time or count that can be stored; 0 if it is neither."""
    return int(value) if isinstance(value, int | float) and 0 <= value <= _LARGEST_NUMBER else 0


def _database_pieces(connection: sqlite3.Connection, identifier: str, all_texts: bool) -> Iterator[Piece]:
    parent, folder, title, version, created = connection.execute(_SESSION, (identifier,)).fetchone()
    root = _root(connection, identifier, parent)
    session = Session(identifier, root, str(folder or ""), str(title or ""), str(version or ""), _number(created))
    parts = Parts(session, all_texts)
    yield Piece((parts.title(),), 1)
    rows = connection.execute(_PARTS, (identifier,))
    while some := rows.fetchmany(_PARTS_AT_ONCE):
        records = [record for row in some if (record := _row_record(parts, row)) is not None]
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


def _row_record(parts: Parts, row: tuple[object, ...]) -> Record | Damaged | None:
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


_MOST_BYTES = 32 << 20


def _is_session_file(path: str) -> bool:
    """Whether it is `storage/session/PROJECT/ses_….json`."""
    folder, name = os.path.split(path)
    return name.startswith("ses_") and name.endswith(_ENDING) and os.path.dirname(folder).endswith("/storage/session")


def _files_state(path: str) -> FileState:
    """Returns the state of the session with its messages and parts: total bytes, and the last write of any of them."""
    status = os.stat(path)
    size, modified = status.st_size, status.st_mtime_ns
    for _, message in _messages(path):
        for each in (message, *(entry for _, entry in _parts(path, message.name.removesuffix(_ENDING)))):
            found = each.stat()
            size, modified = size + found.st_size, max(modified, found.st_mtime_ns)
    return FileState(status.st_ino, size, modified)


@contextmanager
def files_snapshot(path: str, all_texts: bool) -> Iterator[Snapshot]:
    before = _files_state(path)
    given = _read(path)
    if given is None or not text(given, "id"):
        raise NotOurs(path)
    created = inner(given, "time").get("created")
    parent = text(given, "parentID")
    identity = (text(given, "id"), parent or text(given, "id"), text(given, "directory"), text(given, "title"))
    session = Session(*identity, text(given, "version"), int(float(str(created))) if is_number(created) else 0)
    yield Snapshot(before, _file_pieces(path, Parts(session, all_texts)))


def _file_pieces(path: str, parts: Parts) -> Iterator[Piece]:
    yield Piece((parts.title(),), 1)
    read = [(entry.name.removesuffix(_ENDING), _read(entry.path) or {}) for _, entry in _messages(path)]
    for identifier, message in sorted(read, key=lambda each: (_created(each[1]), each[0])):
        records: list[Record | Damaged] = []
        size = 1
        for name, entry in _parts(path, identifier):
            size += entry.stat().st_size
            records += _file_record(parts, Message(identifier, message), name, entry.path)
        yield Piece(records, size)


def _file_record(parts: Parts, message: Message, name: str, path: str) -> list[Record | Damaged]:
    given = _read(path)
    if given is None:
        parts.number += 1
        return [Damaged(parts.number, os.path.getsize(path))]
    start = inner(given, "time").get("start")
    created = int(float(str(start))) if is_number(start) else _created(message.fields)
    try:
        record = parts.record(message, name, given, created)
    except Exception as fault:  # a bug must lose only its part
        return [Damaged(parts.number, 0, describe(fault))]
    return [record] if record else []


def _created(message: Fields) -> int:
    created = inner(message, "time").get("created")
    return int(float(str(created))) if is_number(created) else 0


def _messages(path: str) -> list[tuple[str, os.DirEntry[str]]]:
    return _entries(os.path.join(_storage(path), "message", os.path.basename(path).removesuffix(_ENDING)))


def _parts(path: str, message: str) -> list[tuple[str, os.DirEntry[str]]]:
    return _entries(os.path.join(_storage(path), "part", message))


def _storage(path: str) -> str:
    return os.path.dirname(os.path.dirname(os.path.dirname(path)))


def _entries(folder: str) -> list[tuple[str, os.DirEntry[str]]]:
    """Sorts by name, which is by time."""
    try:
        with os.scandir(folder) as found:
            some = [(entry.name.removesuffix(_ENDING), entry) for entry in found if entry.name.endswith(_ENDING)]
    except FileNotFoundError:
        return []
    return sorted(some, key=lambda each: each[0])


def _read(path: str) -> Fields | None:
    """Returns None if it is not an object, for example while it is written."""
    with open(path, "rb") as file:
        data = file.read(_MOST_BYTES)
    try:
        found = storable(msgspec.json.decode(data))
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


class Sessions(NoLines):
    """None of its sources is a file of lines."""

    suffix = (_DATABASE, _DATABASE + _LOG, _ENDING)
    # Folders beside the database, and beside the sessions of older versions.
    skipped_folders = frozenset(
        "log snapshot bin tool-output repos worktree plans".split()
        + "message part session_diff session_share todo migration".split()
    )

    def stem(self, path: str) -> str:
        """Returns the id of the session."""
        return os.path.basename(path).rpartition(_SEPARATOR)[2].removesuffix(_ENDING)

    def conversations(self, project_root: str) -> Iterator[str]:
        """Yields the names of sessions, without those of subagents; none for an unreadable store."""
        for root in self.roots():
            yield from STORE.conversations(root, project_root)


class SessionStore:
    """A database has many sessions; in the older folder every session is a separate store."""

    def __init__(self, all_texts: bool = False) -> None:
        self._all_texts = all_texts

    def store_of(self, path: str) -> str | None:
        """Returns the store; the write-ahead log belongs to its database."""
        folder, name = os.path.split(path)
        file = name.partition(_SEPARATOR)[0].removesuffix(_LOG)
        if file.startswith("opencode") and file.endswith(_DATABASE):
            return os.path.join(folder, file)
        return path if _is_session_file(path) else None

    def state(self, store: str) -> FileState:
        if not store.endswith(_DATABASE):
            return _files_state(store)
        status = os.stat(store)
        size, modified = status.st_size, status.st_mtime_ns
        try:
            log = os.stat(store + _LOG)
            size, modified = size + log.st_size, max(modified, log.st_mtime_ns)
        except FileNotFoundError:
            pass  # everything is already in the database
        return FileState(status.st_ino, size, modified)

    def sessions(self, store: str) -> Sequence[Held]:
        if not store.endswith(_DATABASE):
            return (Held(store, self.state(store)),)
        return [session.held(store) for session in database_sessions(store)]

    def snapshot(self, path: str) -> AbstractContextManager[Snapshot]:
        file, _, identifier = path.rpartition(_SEPARATOR)
        if file.endswith(_DATABASE):
            return database_snapshot(file, identifier, self._all_texts)
        return files_snapshot(path, self._all_texts)

    def conversations(self, root: str, project_root: str) -> Iterator[str]:
        """Yields sessions that are not a subagent's, in this project or below it, or all if none is named."""
        inside = tuple({folder_key(each) for each in (project_root, os.path.realpath(project_root))})
        try:
            files = [entry.path for entry in os.scandir(root) if self.store_of(entry.path) == entry.path]
        except OSError:
            return
        for file in files:
            try:
                found = database_sessions(file)
            except OSError:
                continue
            for session in found:
                if not session.parent and (not project_root or folder_key(session.folder).startswith(inside)):
                    yield session.held(file).path


READER = FULL_READER = Sessions("opencode")
STORE = SessionStore()
FULL_STORE = SessionStore(all_texts=True)
