"""Deletes what the user wants forgotten from the history and every copy of it; the caller holds the scan lock."""

import glob
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress

import msgspec

from lessons import paths
from lessons.errors import Busy, LessonsError
from lessons.store import scan_state
from lessons.store.forget.scope import ForgetScope
from lessons.store.history import database, forget_rows, salvage, search
from lessons.store.history.forget_rows import NOTHING_QUOTED, Gone, Quoted
from lessons.store.history.history import History

_MAGIC = b"SQLite format 3\0"


class Found(msgspec.Struct):
    """The result for every copy of the history, by its path."""

    gone: dict[str, Gone]
    unreadable: list[str]  # damaged copies, whose content is unknown

    def together(self) -> Gone:
        """Combines all copies, without row counts; a session is complete only if no copy has any of it left."""
        everyone = list(self.gone.values())
        united = {name: set().union(*(getattr(each, name) for each in everyone)) for name in forget_rows.SETS}
        united["sessions"] -= set().union(*(each.touched - each.sessions for each in everyone))
        times = [each for each in everyone if each.first]
        first, last = min((each.first for each in times), default=""), max((each.last for each in times), default="")
        return Gone({}, first, last, **united)


def survey_rows(home: str, scope: ForgetScope, quoted: Quoted = NOTHING_QUOTED) -> Found:
    """Returns what would be deleted: deletes everything and rolls back."""
    return _everywhere(home, lambda path, connection: _tried(connection, scope, quoted))


def delete_rows(home: str, scope: ForgetScope) -> None:
    """The caller holds the lock of the backups."""
    _everywhere(home, lambda path, connection: _deleted(home, path, connection, scope))


def finish(home: str) -> bool:
    """Finishes an interrupted `forget`: deleted rows whose bytes may still be in the file.

    Also removes leftovers of a killed rescue or restore, which contain rows and which nobody needs.
    """
    salvage.finish(home)
    for path in glob.glob(glob.escape(paths.history_file(home)) + ".res*"):
        os.unlink(path)
    # Earlier versions copied a damaged history into this folder.
    for path in glob.glob(f"{glob.escape(home)}/.rescue-*"):
        shutil.rmtree(path, ignore_errors=True)
    found = _everywhere(home, lambda path, connection: _finished(home, path, connection))
    return any(gone.rows for gone in found.gone.values())


def known_sessions(home: str) -> set[str]:
    """Returns every session that the history or a copy of it names."""
    return {name for gone in _everywhere(home, _sessions_of).gone.values() for name in gone.sessions}


def _everywhere(home: str, act: Callable[[str, sqlite3.Connection], Gone]) -> Found:
    """Runs on the history and all its copies; records an unreadable copy, but the history itself must be readable."""
    main = paths.history_file(home)
    found = Found({}, salvage.asides(home))
    if os.path.exists(main):
        with database.opened(home) as connection:
            try:
                found.gone[main] = act(main, connection)
            except sqlite3.OperationalError as fault:
                raise Busy(f"{main} cannot be changed now ({fault}). Fix that and try again.") from None
    for path in copies(home):
        try:
            with opened_copy(path) as connection:
                found.gone[path] = act(path, connection)
        except Busy:
            raise
        except (sqlite3.DatabaseError, LessonsError):
            found.unreadable.append(path)
    return found


def copies(home: str) -> list[str]:
    """Returns every SQLite file in the backups, whatever its name."""
    found = []
    for folder, _, names in os.walk(paths.backups_folder(home)):
        for path in (os.path.join(folder, name) for name in names):
            with suppress(OSError), open(path, "rb") as file:
                if file.read(len(_MAGIC)) == _MAGIC or path.endswith(".db"):
                    found.append(path)
    return sorted(found)


@contextmanager
def opened_copy(path: str) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")
        database.migrate(connection, path)
        yield connection


def _tried(connection: sqlite3.Connection, scope: ForgetScope, quoted: Quoted) -> Gone:
    connection.execute("BEGIN IMMEDIATE")
    try:
        return forget_rows.delete(connection, scope, quoted)
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
    """Removes every byte of deleted rows from the file and the files beside it; only then is the work done."""
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
    tables = (
        "sessions",
        "calls",
        "prompts",
        "hook_contexts",
        "stop_hooks",
        "messages",
        "tags",
        "diagnoses",
        "injections",
    )
    sql = " UNION ".join(f"SELECT session_id FROM {table}" for table in tables)
    return Gone(sessions={str(row[0]) for row in connection.execute(sql)})
