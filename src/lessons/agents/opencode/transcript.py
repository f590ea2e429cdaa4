"""Reads the sessions in opencode's database, while opencode writes it (see FORMAT.md); each part is one record.

A part changes in place while it is created (pending, running, completed). Only final data is reported: a text that has
ended, the arguments of a running call, the result of an ended one.
"""

import os
import re
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import NamedTuple
from urllib.parse import quote

from lessons.agents.base import Damaged, Held, Line, NotOurs, Piece, Record, Snapshot
from lessons.agents.events import RESULT_ENDS, Called, Compacted, Event, Prompted, Returned, Titled, Verdict, Wrote
from lessons.agents.follow import LONGEST_LINE
from lessons.agents.hook_event import unique_call_id
from lessons.agents.names import plain_id, real_path
from lessons.agents.object_lines import PROMPT_LIMIT, Fields, Reader, ends, inner, object_of, record_key, spoken, text
from lessons.match.call import ToolCall, canonical_name, folder_key
from lessons.store.history.rows import FileState
from lessons.store.logs import describe_fault as describe
from lessons.system import open_regular

# Our plugin's error to deny a call starts like this; a tool's own error never does.
DENIED = "Denied by a lesson of the user. "
# Fixed sentences of the client.
_REFUSED = (
    DENIED,
    "The user rejected permission to use this specific tool call",
    "The user has specified a rule which prevents you from using this specific tool call",
    "The user dismissed this question",
)
_ABORTED = "Tool execution aborted"
_STOPPED = re.compile(r"<(?:shell|bash)_metadata>\n[^\n]{0,40}[Uu]ser aborted the command")
_INVALID = "invalid"


def verdict_of(tool: str, state: dict[str, object]) -> tuple[Verdict, str]:
    """Returns the verdict, and the output."""
    if state.get("status") == "error":
        error = text(state, "error")
        if error.startswith(_REFUSED):
            return Verdict("refused", None), error
        return Verdict("interrupted" if error.startswith(_ABORTED) else "failed", None), error
    printed = text(state, "output")
    metadata = state.get("metadata")
    code = metadata.get("exit", 0) if isinstance(metadata, dict) else 0
    if isinstance(code, int) and not isinstance(code, bool) and code:
        return Verdict("failed", code), printed
    # A command without an exit code was ended by its time limit or by the user; a call of a missing tool is completed
    # by a tool of the client itself.
    if code is None or tool == _INVALID:
        return Verdict("interrupted" if _STOPPED.search(printed[-1_000:]) else "failed", None), printed
    is_shell = isinstance(metadata, dict) and "exit" in metadata
    return Verdict("ok", 0 if is_shell else None), printed


_PATCH_TOOLS = ("apply_patch", "patch")


def _with_path(tool: str, arguments: Mapping[str, object]) -> dict[str, object]:
    """Returns the arguments; for a patch with its first file as `path`."""
    given = dict(arguments)
    if tool in _PATCH_TOOLS and "path" not in given:
        texts = [value for value in given.values() if isinstance(value, str)]
        found = [path for each in texts for path in ToolCall("apply_patch", {"patch": each}).paths]
        return {**given, "path": found[0]} if found else given
    return given


# These have no events.
_SILENT = frozenset("reasoning step-start step-finish snapshot patch file agent subtask retry".split())
_ENDED = ("completed", "error")
_BEGUN = (*_ENDED, "running")


class Session(NamedTuple):
    """What all records of a session share; `root` is the session that a person started."""

    id: str
    root: str
    folder: str
    title: str
    version: str
    created: int

    @property
    def is_child(self) -> bool:
        return self.root != self.id


class Message(NamedTuple):
    """A message without its parts."""

    id: str
    fields: Fields


class Parts:
    """Builds records of one session; `all_texts` as for any reader."""

    def __init__(self, session: Session, all_texts: bool) -> None:
        self.session = session
        self.all_texts = all_texts
        self.number = 0
        self.known: dict[str, Callable[[Message, Fields, Line], list[Event]]] = {
            "text": self._text,
            "tool": self._tool,
            "compaction": lambda message, part, line: [Compacted(False)],
        }

    def title(self) -> Record:
        line = self._line(f"title {self.session.title}", self.session.created, self.session.folder)
        line.uuid = ""
        return Record(line, "session", True, 0, [Titled(self.session.title)] if self.session.title else [])

    def record(self, message: Message, identifier: str, part: Fields, created: int) -> Record | None:
        """Returns None while there is nothing to report yet."""
        self.number += 1
        kind = text(part, "type")
        line = self._line(plain_id(identifier), created, text(inner(message.fields, "path"), "cwd"))
        handler = self.known.get(kind)
        events = handler(message, part, line) if handler else []
        if handler and not events:
            return None
        is_spoken = kind in ("text", "tool")
        return Record(
            line, kind, kind in _SILENT or handler is not None, record_key(identifier, kind), events, is_spoken
        )

    def _line(self, uuid: str, created: int, folder: str) -> Line:
        session = self.session
        return Line(
            self.number,
            uuid,
            session.root,
            session.id if session.is_child else "",
            sidechain=session.is_child,
            time=moment(created),
            cwd=folder or session.folder,
            version=session.version,
        )

    def _text(self, message: Message, part: Fields, line: Line) -> list[Event]:
        words = text(part, "text")
        if text(message.fields, "role") == "user":
            is_typed = not (part.get("synthetic") or part.get("ignored") or self.session.is_child)
            return [Prompted(words[:PROMPT_LIMIT], "likely" if is_typed else "no")] if words else []
        if not is_number(inner(part, "time").get("end")) or message.fields.get("summary") is True:
            return []
        return [Wrote(message.id, spoken(words, self.all_texts))] if words else []

    def _tool(self, message: Message, part: Fields, line: Line) -> list[Event]:
        state, tool = inner(part, "state"), text(part, "tool")
        status, given = text(state, "status"), inner(state, "input")
        if status not in _BEGUN:
            return []
        times = inner(state, "time")
        line.time = moment(times.get("start")) or line.time
        name = plain_id(unique_call_id(text(part, "callID") or line.uuid, self.session.id))
        arguments: dict[object, object] = dict(_with_path(tool, given).items())
        events: list[Event] = [
            Called(name, message.id, text(message.fields, "modelID"), canonical_name(tool), arguments)
        ]
        if status in _ENDED:
            verdict, printed = verdict_of(tool, state)
            telling = self.all_texts or verdict.outcome != "ok" or canonical_name(tool) == "Bash"
            events.append(Returned(name, verdict, ends(printed, RESULT_ENDS) if telling else ""))
        return events


def moment(milliseconds: object) -> str:
    """Formats a time as other agents do; empty if invalid."""
    if not is_number(milliseconds):
        return ""
    try:
        found = datetime.fromtimestamp(float(str(milliseconds)) / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return ""
    return found.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


# Between the database file and the session, in the name of a source.
_SEPARATOR = "#"
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
_TABLES = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN ('session', 'message', 'part')"
_ONE = _SESSIONS.format("WHERE session_id = :id") + " WHERE s.id = :id"
_SESSION = "SELECT parent_id, directory, title, version, time_created FROM session WHERE id = ?"
_PARTS = """
SELECT m.id, {} FROM message m JOIN part p ON p.message_id = m.id
WHERE m.session_id = ? ORDER BY m.time_created, m.id, p.id
"""
_COLUMNS = "m.data, p.id, p.data, p.time_created"
_PART = f"SELECT m.id, {_COLUMNS} FROM message m JOIN part p ON p.message_id = m.id WHERE p.id = ?"


class StoredSession(NamedTuple):
    """A row of the list of sessions."""

    held: Held
    parent: str
    folder: str


@contextmanager
def _opened(file: str) -> Iterator[sqlite3.Connection]:
    """Opens a snapshot. Writes nothing, not even beside the file; OSError says what is wrong."""
    file = real_path(file)
    open_regular(file).close()  # reports a missing file as such; SQLite would wait for a pipe
    # Without a log beside it nobody is writing, and SQLite would have to create files to check for one.
    is_written = os.path.exists(f"{file}-wal") and os.path.getsize(f"{file}-wal") > 0
    address = f"file:{quote(os.fsencode(os.path.abspath(file)))}?mode=ro{'' if is_written else '&immutable=1'}"
    try:
        connection = sqlite3.connect(address, uri=True, timeout=_WAIT_SECONDS, isolation_level=None)
        try:
            connection.text_factory = lambda data: data.decode("utf-8", "replace")
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_LINE)
            connection.execute("BEGIN")
            if connection.execute(_TABLES).fetchone()[0] != 3:
                raise OSError(None, "it has other tables than opencode's")  # a view could make rows without end
            yield connection
        finally:
            connection.close()
    except (sqlite3.Error, UnicodeDecodeError) as fault:  # the second for a name in the schema that is not UTF-8
        raise OSError(None, f"SQLite says: {fault}") from None


def _sessions(file: str) -> list[StoredSession]:
    with _opened(file) as connection:
        return [_row(file, row) for row in connection.execute(_SESSIONS.format(""))]


def _row(file: str, row: tuple[object, ...]) -> StoredSession:
    identifier, parent, folder, updated, rows = row
    # The number is derived from the name, so that no two sessions are confused.
    number = zlib.crc32(str(identifier).encode("utf-8", "replace"))
    state = FileState(number, _number(rows), _number(updated) * 1_000_000)
    return StoredSession(Held(f"{file}{_SEPARATOR}{identifier}", state), str(parent or ""), str(folder or ""))


def _number(value: object) -> int:
    """Returns a column of any type as a time or count that can be stored; 0 if it is neither."""
    return int(value) if isinstance(value, int | float) and 0 <= value <= _LARGEST_NUMBER else 0


def _pieces(connection: sqlite3.Connection, identifier: str, all_texts: bool) -> Iterator[Piece]:
    parent, folder, title, version, created = connection.execute(_SESSION, (identifier,)).fetchone()
    root = _root(connection, identifier, parent)
    session = Session(identifier, root, str(folder or ""), str(title or ""), str(version or ""), _number(created))
    parts = Parts(session, all_texts)
    yield Piece((parts.title(),), 1)
    rows = connection.execute(_PARTS.format("p.id"), (identifier,))
    while some := rows.fetchmany(_PARTS_AT_ONCE):
        found = [_part(connection, part) for _, part in some]
        records = [record for row in found if (record := _row_record(parts, row)) is not None]
        yield Piece(records, sum(_length(row[3]) for row in found))


def _part(connection: sqlite3.Connection, identifier: object) -> tuple[object, ...]:
    """Returns a row without its data if that is longer than a line may be."""
    try:
        row: tuple[object, ...] = connection.execute(_PART, (identifier,)).fetchone()
    except sqlite3.DataError:
        return "", None, "", None, 0
    return row


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
    return object_of(column) if isinstance(column, str | bytes) else None


class Sessions(Reader):
    """None of its sources is a file of lines."""

    suffix = (_DATABASE, _DATABASE + _LOG)
    skipped_folders = frozenset("log snapshot bin tool-output repos worktree plans storage".split())

    def stem(self, path: str) -> str:
        """Returns the id of the session."""
        return os.path.basename(path).rpartition(_SEPARATOR)[2]

    def conversations(self, project_root: str) -> Iterator[str]:
        """Yields the names of sessions, without those of subagents; none for an unreadable store."""
        for root in self.roots():
            yield from STORE.conversations(root, project_root)


class SessionStore:
    """A database has many sessions."""

    def __init__(self, all_texts: bool = False) -> None:
        self._all_texts = all_texts

    def store_of(self, path: str) -> str | None:
        """Returns the store; the write-ahead log belongs to its database."""
        folder, name = os.path.split(path)
        file = name.partition(_SEPARATOR)[0].removesuffix(_LOG)
        if file.startswith("opencode") and file.endswith(_DATABASE):
            return os.path.join(folder, file)
        return None

    def state(self, store: str) -> FileState:
        store = real_path(store)
        status = os.stat(store)
        size, modified = status.st_size, status.st_mtime_ns
        try:
            log = os.stat(store + _LOG)
            size, modified = size + log.st_size, max(modified, log.st_mtime_ns)
        except FileNotFoundError:
            pass  # everything is already in the database
        return FileState(status.st_ino, size, modified)

    def sessions(self, store: str) -> Sequence[Held]:
        return [session.held for session in _sessions(store)]

    @contextmanager
    def snapshot(self, path: str) -> Iterator[Snapshot]:
        file, _, identifier = path.rpartition(_SEPARATOR)
        with _opened(file) as connection:
            found = connection.execute(_ONE, {"id": identifier}).fetchone()
            if found is None:
                raise NotOurs(identifier)
            yield Snapshot(_row(file, found).held.state, _pieces(connection, identifier, self._all_texts))

    def conversations(self, root: str, project_root: str) -> Iterator[str]:
        """Yields sessions that are not a subagent's, in this project or below it, or all if none is named."""
        inside = tuple({folder_key(each) for each in (project_root, os.path.realpath(project_root))})
        try:
            files = [entry.path for entry in os.scandir(root) if self.store_of(entry.path) == entry.path]
        except OSError:
            return
        for file in files:
            with suppress(OSError):
                for session in _sessions(file):
                    if not session.parent and (not project_root or folder_key(session.folder).startswith(inside)):
                        yield session.held.path


READER = FULL_READER = Sessions("opencode")
STORE = SessionStore()
FULL_STORE = SessionStore(all_texts=True)
