"""Deletes all that a person wants forgotten from every file of the data home; the caller holds the scan lock."""

import glob
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress

import msgspec

from lessons import paths
from lessons.errors import Busy, LessonsError, NotFound, Refused
from lessons.store import forget_lines, forgotten, scan_state
from lessons.store.claims import session_memory
from lessons.store.history import database, forget_rows, salvage, search
from lessons.store.history.forget_rows import Gone
from lessons.store.history.forget_scope import ForgetScope
from lessons.store.history.history import History
from lessons.store.lock import locked

_SHORTEST_PREFIX = 6
_SECONDS = 30
_MAGIC = b"SQLite format 3\0"

_Lines = Callable[[list[str], forget_lines.Belongs], int]  # counts or blanks lines of log files


class Forgetting(msgspec.Struct):
    """What is deleted, or would be."""

    rows: dict[str, int]
    first: str
    last: str
    backups: list[str]  # copies of the history that hold some of it
    unreadable: list[str]  # damaged copies: nobody can tell what they hold

    def __bool__(self) -> bool:
        return any(self.rows.values()) or bool(self.backups)


def survey(home: str, scope: ForgetScope) -> Forgetting:
    """What would be deleted: deletes everything and rolls back."""
    found = _everywhere(home, lambda path, connection: _tried(connection, scope))
    return _summary(home, scope, found, forget_lines.count)


def forget(home: str, scope: ForgetScope, damaged_too: bool = False) -> Forgetting:
    """Records the scope first: even if this is killed, no scan brings anything back, and another call finishes it.

    The rows of the history go last, since they tell what else belongs to the scope.
    """
    found = _everywhere(home, lambda path, connection: _tried(connection, scope))
    _note(home, scope, found)
    done = _summary(home, scope, found, forget_lines.blank)
    for session in {scope.session}.union(*(gone.sessions for gone in found.gone.values())):
        session_memory.forget_session(home, session)
    # A backup that is being made now must be there to be cleaned; the next one is made from what is left.
    with locked(os.path.join(paths.backups_folder(home), "backup"), _SECONDS):
        _everywhere(home, lambda path, connection: _deleted(home, path, connection, scope))
    if damaged_too:
        for path in done.unreadable:
            os.unlink(path)
    return done


def finish(home: str) -> bool:
    """What an earlier `forget` began and could not end: rows that are gone and may still be found in the bytes.

    What a killed rescue or restore left behind holds rows as well, and nobody needs it.
    """
    salvage.finish(home)
    for path in glob.glob(glob.escape(paths.history_file(home)) + ".res*"):
        os.unlink(path)
    # Earlier versions copied a damaged history into such a folder.
    for path in glob.glob(f"{glob.escape(home)}/.rescue-*"):
        shutil.rmtree(path, ignore_errors=True)
    found = _everywhere(home, lambda path, connection: _finished(home, path, connection))
    return any(gone.rows for gone in found.gone.values())


def session_named(home: str, name: str) -> str:
    """The whole id: by itself, or by a beginning that only one session has."""
    known = forget_lines.sessions_in(home)
    known |= {name for gone in _everywhere(home, _sessions_of).gone.values() for name in gone.sessions}
    if name in known:
        return name
    if len(name) < _SHORTEST_PREFIX:
        raise Refused(f"The session {name!r} is too short: write at least {_SHORTEST_PREFIX} characters of its id.")
    found = sorted(each for each in known if each.startswith(name))
    if len(found) > 1:
        raise Refused(f"{len(found)} sessions begin with {name!r}: write more of {' or '.join(found[:3])}.")
    if not found:
        raise NotFound(f"No session begins with {name!r}: `lessons search` shows the sessions of what it finds.")
    return found[0]


class _Found(msgspec.Struct):
    """What every copy of the history answered, by its path."""

    gone: dict[str, Gone]
    unreadable: list[str]


def _everywhere(home: str, act: Callable[[str, sqlite3.Connection], Gone]) -> _Found:
    """In the history itself and in all its copies; one that cannot be read is noted, the history itself must be."""
    main = paths.history_file(home)
    found = _Found({}, salvage.asides(home))
    if os.path.exists(main):
        with database.opened(home) as connection:
            try:
                found.gone[main] = act(main, connection)
            except sqlite3.OperationalError as fault:
                raise Busy(f"{main} cannot be changed now ({fault}). Fix that and try again.") from None
    for path in _copies(home):
        try:
            with _copy(path) as connection:
                found.gone[path] = act(path, connection)
        except Busy:
            raise
        except (sqlite3.DatabaseError, LessonsError):
            found.unreadable.append(path)
    return found


def _copies(home: str) -> list[str]:
    """Every SQLite file among the backups, whatever its name."""
    found = []
    for folder, _, names in os.walk(paths.backups_folder(home)):
        for path in (os.path.join(folder, name) for name in names):
            with suppress(OSError), open(path, "rb") as file:
                if file.read(len(_MAGIC)) == _MAGIC or path.endswith(".db"):
                    found.append(path)
    return sorted(found)


@contextmanager
def _copy(path: str) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")
        database.migrate(connection, path)
        yield connection


def _tried(connection: sqlite3.Connection, scope: ForgetScope) -> Gone:
    connection.execute("BEGIN IMMEDIATE")
    try:
        return forget_rows.delete(connection, scope)
    finally:
        connection.execute("ROLLBACK")


def _deleted(home: str, path: str, connection: sqlite3.Connection, scope: ForgetScope) -> Gone:
    connection.execute("BEGIN IMMEDIATE")
    try:
        gone = forget_rows.delete(connection, scope)
        if any(gone.rows.values()):
            search.rebuild(connection)
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    _finished(home, path, connection)
    return gone


def _finished(home: str, path: str, connection: sqlite3.Connection) -> Gone:
    """No byte of what was deleted stays in the file or beside it; only then is the work done."""
    if not forget_rows.is_unfinished(connection):
        return Gone()
    if path == paths.history_file(home):
        scan_state.export(History(connection, home))
    connection.execute("VACUUM")
    if connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
        raise Busy(f"Another program is reading {path}: close it and run `lessons forget` again.")
    forget_rows.finish(connection)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return Gone(rows={"finished": 1})


def _sessions_of(path: str, connection: sqlite3.Connection) -> Gone:
    tables = ("sessions", "calls", "prompts", "hook_contexts", "tags")
    sql = " UNION ".join(f"SELECT session_id FROM {table}" for table in tables)
    return Gone(sessions={str(row[0]) for row in connection.execute(sql)})


def _note(home: str, scope: ForgetScope, found: _Found) -> None:
    if not scope.folders:
        forgotten.record(home, session=scope.session, before=scope.before)
    # A work tree elsewhere is a project of its own as soon as it is gone from the disk.
    worked_in = {folder for gone in found.gone.values() for folder in gone.folders if scope.folders and folder}
    for folder in (*scope.folders, *sorted(folder for folder in worked_in if not scope.covers_folder(folder))):
        forgotten.record(home, project=folder)


def _summary(home: str, scope: ForgetScope, found: _Found, lines: _Lines) -> Forgetting:
    """The rows of the history itself and the lines of the logs; of the copies only which ones hold something."""
    main = found.gone.get(paths.history_file(home), Gone())
    copies = [path for path, gone in found.gone.items() if any(gone.rows.values()) and path != paths.history_file(home)]
    files = {path for gone in found.gone.values() for path in gone.files}
    rows = {
        **main.rows,
        "injections": lines(forget_lines.injection_files(home), forget_lines.injections_of(scope)),
        "log_lines": lines(forget_lines.log_files(home), forget_lines.log_lines_of(scope, files)),
    }
    times = [gone for gone in found.gone.values() if gone.first]
    first = min((gone.first for gone in times), default="")
    return Forgetting(rows, first, max((gone.last for gone in times), default=""), copies, found.unreadable)
