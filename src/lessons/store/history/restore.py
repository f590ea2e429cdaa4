"""Restores a backup, after backing up the present data home."""

import os
import shutil
import sqlite3
from contextlib import closing, suppress
from hashlib import sha256

import msgspec

from lessons import paths
from lessons.errors import Busy, DamagedFile, NotFound, Refused
from lessons.store import decisions, exports, files, lesson_file
from lessons.store.files import locked
from lessons.store.history import backups, database, salvage
from lessons.store.history.backups import Backup, Watch
from lessons.store.history.history import History
from lessons.store.history.schema import VERSION, version_of
from lessons.store.running import scanning


class Restored(msgspec.Struct):
    """What was restored, and the backup that undoes it."""

    backup: Backup
    files: list[str]
    before: Backup
    missing: list[str] = []  # slugs of lessons that were promoted since then
    aside: str = ""  # a damaged history that could not be part of the backup


def latest(home: str) -> str:
    """Returns the newest backup; one with a damaged file only if there is no other."""
    found = backups.listing(home)
    if not found:
        raise NotFound("No backup yet. Run `lessons backup create`.")
    return (backups.newest_whole(home) or found[-1]).name


def check(home: str, name: str) -> Backup:
    """Refuses a backup that is incomplete, damaged or of a newer version."""
    backup = backups.read(home, name)
    place = backups.folder_of(home, name)
    if backup.tables > VERSION:
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
    """Replaces every file that is in the backup, and leaves the others unchanged."""
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
            restored = _put_files(home, backup)
            if backup.tables:
                _put_history(home, backup, before)
                restored.insert(0, os.path.basename(paths.history_file(home)))
            return Restored(backup, restored, before, _promoted_since(home, backup), aside)
    except Busy as busy:
        running = str(busy).rpartition(":")[0]
        raise Busy(f"{running}, and nothing was restored: wait until it has ended, then try again.") from None


def _check_history(home: str, backup: Backup) -> None:
    path = backups.history_of(home, backup.name)
    try:
        with closing(sqlite3.connect(database.address(path), uri=True)) as connection:
            faults = database.faults_of(connection)
            version = version_of(connection)
    except sqlite3.DatabaseError as fault:
        raise _unsound(backup.name, str(fault)) from None
    if faults:
        raise _unsound(backup.name, faults[0])
    if version > VERSION:
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
        with locked(path):
            if path == paths.decisions_file(home):
                content = _with_later_lines(path, content)
            files.write_bytes(path, content)
        done.append(name)
    return done


def _with_later_lines(path: str, older: bytes) -> bytes:
    """Keeps later lines: what the user has decided or forgotten since then still holds."""
    try:
        with open(path, "rb") as file:
            lines = file.read().splitlines()
    except FileNotFoundError:
        return older
    known = set(older.splitlines())
    end = b"" if not older or older.endswith(b"\n") else b"\n"
    return older + end + b"".join(line + b"\n" for line in lines if line not in known)


def _promoted_since(home: str, backup: Backup) -> list[str]:
    """Returns slugs of lessons that were promoted later and are not among the restored ones."""
    if os.path.basename(paths.lessons_file(home)) not in backup.digests:
        return []
    there = {lesson.id for lesson in lesson_file.read(home).lessons()}
    standing = [each for each in decisions.standing(decisions.read(home)) if each.action == "promoted"]
    return [each.slug for each in standing if each.time >= backup.time and not each.part_of and each.id not in there]


def _put_history(home: str, backup: Backup, before: Backup) -> None:
    path = paths.history_file(home)
    temporary = path + ".restore"
    with suppress(FileNotFoundError):
        os.unlink(temporary)
    os.close(os.open(temporary, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600))
    shutil.copyfile(backups.history_of(home, backup.name), temporary)
    # The restored file must not get the -wal of the previous one, whose content is in the backup just made.
    for ending in ("-wal", "-shm"):
        with suppress(FileNotFoundError):
            os.unlink(path + ending)
    files.put_in_place(temporary, path)
    with History.opened(home) as history:
        if before.tables:
            # What hooks did since then still happened: the log it was read from may be deleted.
            with history.transaction():
                history.injections.add_from(backups.history_of(home, before.name))
        decisions.apply(history)
        exports.write_scan_state(history)
