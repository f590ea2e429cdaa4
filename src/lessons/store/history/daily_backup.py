"""The daily backup: when it is due, and whether it can be left to a process that nobody waits for."""

import os
import shutil
import sqlite3
import time
from contextlib import closing
from datetime import UTC, datetime

from lessons import paths
from lessons.errors import DamagedFile, LessonsError
from lessons.store import fired, scan_log
from lessons.store.history import backups, database
from lessons.store.history.backups import Backup
from lessons.store.history.migrations import STEPS

_LARGE_BYTES = 20_000_000
_MARK = "backup"  # set when a process is started that makes it
_STARTING_SECONDS = 60  # until that process has begun, or has failed


def make(home: str) -> Backup | None:
    """Makes a backup once a day; logs a failed one, and does not stop the scan. Raises DamagedFile."""
    path = paths.history_file(home)
    if not is_due(home):
        return None
    try:
        if shutil.disk_usage(home).free < 2 * os.path.getsize(path):
            scan_log.record(home, f"No backup of {path} was made: there is too little room on the disk.")
            return None
        with backups.writing(home):
            return backups.create_locked(home, backups.DAILY) if is_due(home) else None
    except DamagedFile:
        raise
    except (OSError, LessonsError) as fault:
        scan_log.record(home, f"No backup of {path} was made: {fault}")
        return None


def is_due(home: str) -> bool:
    """Whether there is a history with anything in it, and no backup of it today."""
    path = paths.history_file(home)
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    if not os.path.exists(path) or any(each.tables and each.time[:10] == today for each in backups.listing(home)):
        return False
    return not _is_empty(path)


def can_wait(home: str) -> bool:
    """Whether a scan may read before it: the tables stay as they are, and nothing suggests that it would fail."""
    return is_large(home) and not _has_failed(home) and _has_tables_of_this_version(home)


def start(home: str) -> bool:
    """Returns whether the caller should start a process that makes it, and counts on that."""
    begun = fired.last(home, _MARK)
    if not is_due(home) or (begun is not None and abs(time.time() - begun) < _STARTING_SECONDS):
        return False
    fired.touch(home, _MARK)
    return True


def is_large(home: str) -> bool:
    """Whether a person would notice that a history is copied or looked through."""
    try:
        return os.path.getsize(paths.history_file(home)) >= _LARGE_BYTES
    except FileNotFoundError:
        return False


def _has_failed(home: str) -> bool:
    """Whether a process was started for it and has made none, so that the next scan waits for it and says why."""
    begun = fired.last(home, _MARK)
    if begun is None or time.time() - begun < _STARTING_SECONDS:
        return False
    return not any(each.tables and each.time >= _moment(begun) for each in backups.listing(home))


def _moment(seconds: float) -> str:
    """In the form of `Backup.time`."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"


def _is_empty(path: str) -> bool:
    """Whether a history has no call or prompt; one that cannot be read is not empty."""
    try:
        with closing(sqlite3.connect(database.address(path), uri=True)) as connection:
            return (
                database.version_of(connection) == 0
                or not connection.execute("SELECT EXISTS (SELECT 1 FROM sources)").fetchone()[0]
            )
    except sqlite3.DatabaseError:
        return False


def _has_tables_of_this_version(home: str) -> bool:
    """Others are about to be changed; a history that cannot be read is damaged."""
    try:
        with closing(sqlite3.connect(database.address(paths.history_file(home)), uri=True)) as connection:
            return database.version_of(connection) == len(STEPS)
    except sqlite3.DatabaseError:
        return False
