"""Redacts stored texts again, in the history and its backups, once redaction recognises more than it did."""

import os
import sqlite3
from collections.abc import Callable
from functools import lru_cache

import msgspec

from lessons import paths
from lessons.errors import LessonsError
from lessons.failure.error_text import fingerprint
from lessons.redact.texts import redacted
from lessons.store import exports
from lessons.store.history import backups, forget, search, sessions
from lessons.store.history.database import HistoryPart, as_json, get_fact, is_damage, put_fact, texts

# Another version redacts every history and its backups again.
VERSION = "3"
_TEXTS, _BACKUPS = "redaction", "redactionOfBackups"
_COLUMNS = {
    "calls": ["command", "arguments", "error"],
    "prompts": ["text"],
    "hook_contexts": ["text"],
    "diagnoses": ["text"],
    "stop_hooks": ["errors", "commands", "stop_reason"],
    "tags": ["fields"],
    "marks": ["row"],
    "sessions": ["title"],
    "candidates": ["document"],
    "answers": ["document", "reasons"],
}
_JSON = ("arguments", "errors", "commands", "fields", "row", "document", "reasons")
_MINED = ("calls", "prompts")  # sessions whose rows of these tables change are mined again


class Redaction(HistoryPart):
    """Whether this version has redacted the texts of a history."""

    def is_due(self) -> bool:
        """Whether there are texts to redact again, which may take some seconds."""
        some = "SELECT EXISTS (SELECT 1 FROM calls) OR EXISTS (SELECT 1 FROM prompts)"
        is_current = get_fact(self._connection, _TEXTS) == VERSION
        return not is_current and bool(self._connection.execute(some).fetchone()[0])

    def update(self, home: str) -> None:
        """Redacts the stored texts again, all of them or none; returns at once if that is done."""
        if _update(self._connection, lambda: exports.remove_candidates(home)):
            # Until then the file has the old pages. If somebody is reading, it is done when the history is closed.
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def update_backups(self, home: str) -> None:
        """Does the same for the backups; skips damaged ones. What cannot be written now is left to the next scan."""
        if get_fact(self._connection, _BACKUPS) == VERSION:
            return
        if os.path.isdir(paths.backups_folder(home)):
            try:
                with backups.writing(home):
                    _, faults = forget.in_copies(home, lambda path, connection: _update(connection))
            except (OSError, LessonsError):
                return
            if any(isinstance(fault, sqlite3.DatabaseError) and not is_damage(fault) for fault in faults.values()):
                return
        put_fact(self._connection, _BACKUPS, VERSION)


def reset(connection: sqlite3.Connection) -> None:
    """Has the texts redacted again: rows of an older copy were added."""
    connection.execute("DELETE FROM facts WHERE name IN (?, ?)", (_TEXTS, _BACKUPS))


def _update(connection: sqlite3.Connection, before_commit: Callable[[], None] = lambda: None) -> bool:
    if get_fact(connection, _TEXTS) == VERSION:
        return False
    connection.execute("BEGIN IMMEDIATE")
    try:
        has_changed = _redact(connection)
        put_fact(connection, _TEXTS, VERSION)
        if has_changed:
            before_commit()
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # SQLite itself rolls back when the disk is full
            connection.execute("ROLLBACK")
        raise
    return has_changed


def _redact(connection: sqlite3.Connection) -> bool:
    """What was mined from changed texts is made again by the next mining."""
    connection.create_function("redacted", 1, redacted, deterministic=True)
    connection.create_function("redacted_json", 1, _redacted_document, deterministic=True)
    connection.create_function("fingerprint_of", 1, lambda error: fingerprint(error) if error else "")
    changed = 0
    for table, columns in _COLUMNS.items():
        new = {name: f"redacted{'_json' if name in _JSON else ''}({name})" for name in columns}
        differs, given = " OR ".join(f"{name} <> {text}" for name, text in new.items()), tuple[str, ...]()
        if table in _MINED:  # the largest: nearly all of their texts stay as they are, and are redacted once only
            ids = [row[0] for row in connection.execute(f"SELECT id FROM {table} WHERE {differs}")]
            differs, given = "id IN (SELECT value FROM json_each(?))", (as_json(ids),)
            sessions.add(
                connection, texts(connection, f"SELECT DISTINCT session_id FROM {table} WHERE {differs}", given)
            )
        if table == "calls":
            new["error_fingerprint"] = f"fingerprint_of({new['error']})"
        values = ", ".join(f"{name} = {text}" for name, text in new.items())
        changed += connection.execute(f"UPDATE {table} SET {values} WHERE {differs}", given).rowcount
    if changed:
        connection.execute("DELETE FROM proposals")  # they may quote the texts, and are rebuilt
        for table in ("episodes", "corrections"):
            connection.execute(f"DELETE FROM {table} WHERE session_id IN (SELECT session_id FROM unmined)")
        search.rebuild(connection)
    return changed > 0


def _redacted_document(document: str) -> str:
    try:
        value = msgspec.json.decode(document)
    except msgspec.MsgspecError:
        return redacted(document)
    new = _redacted_value(value)
    return document if new == value else as_json(new)


def _redacted_value(value: object) -> object:
    if isinstance(value, str):
        return redacted(value)
    if isinstance(value, list):
        return [_redacted_value(item) for item in value]
    if isinstance(value, dict):
        return {_redacted_key(str(key)): _redacted_value(item) for key, item in value.items()}
    return value


@lru_cache(maxsize=1000)
def _redacted_key(key: str) -> str:
    """The same few names come again and again."""
    return redacted(key)
