"""Restores a backup, after a backup of the data home as it is."""

import os
import shutil
import sqlite3
from contextlib import closing, suppress
from hashlib import sha256

import msgspec

from lessons import paths
from lessons.errors import Busy, DamagedFile, NotFound, Refused
from lessons.store import atomic, scan_state
from lessons.store.history import backups, database, salvage
from lessons.store.history.backups import Backup, Watch
from lessons.store.history.history import History
from lessons.store.history.migrations import STEPS
from lessons.store.lock import locked
from lessons.store.scan_lock import scanning


class Restored(msgspec.Struct):
    """What was restored, and the backup that undoes it."""

    backup: Backup
    files: list[str]
    before: Backup
    aside: str = ""  # a damaged history that could not be part of the backup


def latest(home: str) -> str:
    found = backups.listing(home)
    if not found:
        raise NotFound("No backup yet. Run `lessons backup create`.")
    return found[-1].name


def check(home: str, name: str) -> Backup:
    """Refuses a backup that is incomplete, damaged or of a newer version."""
    backup = backups.read(home, name)
    place = backups.folder_of(home, name)
    if backup.tables > len(STEPS):
        raise Refused(f"{name} was made by a newer lessons ({backup.made_by}): update lessons, then restore it.")
    for file, digest in backup.digests.items():
        try:
            with open(os.path.join(place, os.path.basename(file)), "rb") as opened:
                sound = sha256(opened.read()).hexdigest() == digest
        except OSError:
            sound = False
        if not sound:
            raise _unsound(name, f"{file} is not what was copied")
    if backup.tables:
        _check_history(home, backup)
    return backup


def restore(home: str, name: str, watch: Watch = lambda left, pages: None) -> Restored:
    """Replaces every file that the backup holds and leaves the others alone."""
    try:
        with scanning(home):
            backup = check(home, name)
            salvage.finish(home)
            aside = ""
            try:
                before = backups.create(home, backups.BEFORE_RESTORE, watch, spare=name)
            except DamagedFile:
                before = backups.create(home, backups.WITHOUT_HISTORY, watch, spare=name)
                aside = salvage.set_aside(home) if backup.tables else ""
            files = _put_files(home, backup)
            if backup.tables:
                _put_history(home, backup)
                files.insert(0, os.path.basename(paths.history_file(home)))
            return Restored(backup, files, before, aside)
    except Busy as busy:
        running = str(busy).rpartition(":")[0]
        raise Busy(f"{running}, and nothing was restored: wait until it has ended, then try again.") from None


def _check_history(home: str, backup: Backup) -> None:
    path = backups.history_of(home, backup.name)
    try:
        with closing(sqlite3.connect(database.address(path), uri=True)) as connection:
            faults = database.faults_of(connection)
            version = database.version_of(connection)
    except sqlite3.DatabaseError as fault:
        raise _unsound(backup.name, str(fault)) from None
    if faults:
        raise _unsound(backup.name, faults[0])
    if version > len(STEPS):
        raise Refused(f"{backup.name} was made by a newer lessons (tables {version}): update lessons.")


def _unsound(name: str, why: str) -> DamagedFile:
    return DamagedFile(f"{name} is damaged ({why}): choose another one, `lessons backup list` shows them all.")


def _put_files(home: str, backup: Backup) -> list[str]:
    done = []
    for path in backups.files_of(home):
        name = os.path.basename(path)
        if name not in backup.digests:
            continue
        with open(os.path.join(backups.folder_of(home, backup.name), name), "rb") as file:
            content = file.read()
        if path == paths.decisions_file(home):
            atomic.write_bytes(path, content + _later_forgotten(path, content))
        else:
            with locked(path):
                atomic.write_bytes(path, content)
        done.append(name)
    return done


def _later_forgotten(path: str, older: bytes) -> bytes:
    """What a person asked to be forgotten since then stays forgotten."""
    try:
        with open(path, "rb") as file:
            lines = file.read().splitlines()
    except FileNotFoundError:
        return b""
    known = set(older.splitlines())
    return b"".join(line + b"\n" for line in lines if b'"forgotten"' in line and line not in known)


def _put_history(home: str, backup: Backup) -> None:
    path = paths.history_file(home)
    temporary = path + ".restore"
    with suppress(FileNotFoundError):
        os.unlink(temporary)
    os.close(os.open(temporary, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600))
    shutil.copyfile(backups.history_of(home, backup.name), temporary)
    # The restored file must not meet the -wal of the one before; all of that is in the backup that was just made.
    for ending in ("-wal", "-shm"):
        with suppress(FileNotFoundError):
            os.unlink(path + ending)
    atomic.put_in_place(temporary, path)
    with History.opened(home) as history:
        scan_state.export(history)
