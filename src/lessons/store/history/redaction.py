"""Keeps stored texts redacted: those of an older version are redacted again, once, in the history and its backups."""

import sqlite3
import time
from collections.abc import Callable

from lessons.errors import LessonsError
from lessons.store import exports
from lessons.store.history.database import Part, get_fact, is_damage, put_fact

# Another version redacts every history and its backups again.
VERSION = "1"
_TEXTS, _BACKUPS = "redaction", "redactionOfBackups"
_SECONDS_FOR_BACKUPS = 10.0  # of one scan


class Redaction(Part):
    """Whether this version has redacted the texts of a history."""

    def is_due(self) -> bool:
        """Whether there are texts to redact again, which may take some seconds."""
        some = "SELECT EXISTS (SELECT 1 FROM calls) OR EXISTS (SELECT 1 FROM prompts)"
        return not _is_current(self._connection) and bool(self._connection.execute(some).fetchone()[0])

    def update(self, home: str) -> None:
        """Redacts the stored texts again, all of them or none; returns at once if that is done."""
        if _update(self._connection, lambda: exports.remove_candidates(home)):
            # Until then the file has the old pages. If somebody is reading, it is done when the history is closed.
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def update_backups(self, home: str) -> None:
        """Does the same for the backups. If that takes long, the next scan continues."""
        if get_fact(self._connection, _BACKUPS) != VERSION and _are_updated(home):
            put_fact(self._connection, _BACKUPS, VERSION)


def reset(connection: sqlite3.Connection) -> None:
    """Has the texts redacted again: rows of an older copy were added."""
    connection.execute("DELETE FROM facts WHERE name IN (?, ?)", (_TEXTS, _BACKUPS))


def _is_current(connection: sqlite3.Connection) -> bool:
    return get_fact(connection, _TEXTS) == VERSION


def _update(connection: sqlite3.Connection, before_commit: Callable[[], None] = lambda: None) -> bool:
    """Returns whether a text changed."""
    if _is_current(connection):
        return False
    from lessons.store.history.redact_again import redact_again  # loaded only now: it is needed once

    connection.execute("BEGIN IMMEDIATE")
    try:
        has_changed = redact_again(connection)
        put_fact(connection, _TEXTS, VERSION)
        if has_changed:
            before_commit()
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # SQLite itself rolls back when the disk is full
            connection.execute("ROLLBACK")
        raise
    return has_changed


def _are_updated(home: str) -> bool:
    """Redacts the backups one by one; returns False if the next scan must continue. Skips damaged ones."""
    from lessons.store.history import backups
    from lessons.store.history.forget import copies, opened_copy

    until = time.monotonic() + _SECONDS_FOR_BACKUPS
    if not copies(home):
        return True
    try:
        with backups.writing(home):
            for path in copies(home):
                if time.monotonic() > until:
                    return False
                try:
                    with opened_copy(path) as connection:
                        _update(connection)
                except sqlite3.DatabaseError as fault:
                    if not is_damage(fault):
                        return False
                except LessonsError:
                    continue  # of a newer version
    except (OSError, LessonsError):
        return False  # another process is writing them
    return True
