"""Backups: folders with a checked copy of the history and of the files the user edits; made daily, and restored."""

import os
import shutil
import sqlite3
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import msgspec

from lessons import __version__, paths
from lessons.errors import DamagedFile, DamagedHistory, LessonsError, NotFound
from lessons.store import files, logs
from lessons.store.files import locked, make_private_folders
from lessons.store.history import database
from lessons.store.history.database import damaged, translated, version_of
from lessons.store.history.schema import VERSION
from lessons.system import make_private

KEPT_BACKUPS = 14
BY_HAND, DAILY, BEFORE_RESTORE = "by hand", "daily", "before a restore"
WITHOUT_HISTORY = "before a restore, without the history: it was damaged and is kept beside it"
_PREFIX, _UNFINISHED, _ABOUT = "backup-", ".unfinished-", "backup.json"
_SECONDS = 30


class Backup(msgspec.Struct, rename="camel"):
    """The content of `backup.json`, which describes its folder."""

    name: str
    time: str
    reason: str
    made_by: str  # the version of the program
    tables: int = 0  # the version of the history's tables; 0: there was no history
    calls: int = 0
    digests: dict[str, str] = {}  # of the other files
    damaged: list[str] = []  # files that were not valid when they were copied


def files_of(home: str) -> list[str]:
    return [paths.lessons_file(home), paths.config_file(home), paths.decisions_file(home)]


def create(home: str, reason: str = BY_HAND, spare: str = "") -> Backup:
    """Makes a backup, complete or not at all, and deletes the oldest ones except `spare` and the newest whole one."""
    with writing(home):
        return _create(home, reason, spare)


@contextmanager
def writing(home: str) -> Iterator[None]:
    """Holds the lock of the backups: one process makes or changes them at a time."""
    folder = paths.backups_folder(home)
    make_private_folders(folder)
    with locked(os.path.join(folder, "backup"), _SECONDS):
        yield


def _create(home: str, reason: str, spare: str = "") -> Backup:
    folder = paths.backups_folder(home)
    now = datetime.now(UTC)
    name = _free_name(folder, now)
    place = os.path.join(folder, _UNFINISHED + name)
    make_private(place)
    try:
        backup = Backup(name, f"{now:%Y-%m-%dT%H:%M:%SZ}", reason, __version__)
        if os.path.exists(paths.history_file(home)) and reason != WITHOUT_HISTORY:
            with translated(paths.history_file(home)):
                _copy_history(home, place, backup)
        for path in files_of(home):
            with suppress(FileNotFoundError), open(path, "rb") as file:
                content = file.read()
                file_name = os.path.basename(path)
                files.write_bytes(os.path.join(place, file_name), content)
                backup.digests[file_name] = sha256(content).hexdigest()
                backup.damaged += [] if _is_valid(path, content) else [file_name]
        describe(place, backup)
        os.rename(place, os.path.join(folder, name))
    finally:
        whole = newest_whole(home)
        _prune(folder, {spare, whole.name if whole else ""})
    return backup


def listing(home: str) -> list[Backup]:
    """Returns all backups, oldest first; skips folders without a readable description."""
    folder = paths.backups_folder(home)
    try:
        names = sorted(name for name in os.listdir(folder) if name.startswith(_PREFIX))
    except (FileNotFoundError, NotADirectoryError):
        return []
    found = []
    for name in names:
        with suppress(LessonsError):
            found.append(read(home, name))
    return sorted(found, key=lambda backup: (backup.time, backup.name))


def newest_whole(home: str) -> Backup | None:
    return next((each for each in reversed(listing(home)) if not each.damaged), None)


def read(home: str, name: str) -> Backup:
    place = folder_of(home, name)
    remedy = "`lessons backup list` shows them all"
    if os.path.basename(name) != name or not name.startswith(_PREFIX) or not os.path.isdir(place):
        raise NotFound(f"There is no backup {name!r}: {remedy}.")
    try:
        with open(os.path.join(place, _ABOUT), "rb") as file:
            backup = msgspec.json.decode(file.read(), type=Backup)
    except (OSError, msgspec.MsgspecError) as fault:
        raise DamagedFile(f"{place}/{_ABOUT} cannot be read ({fault}): choose another one, {remedy}.") from None
    backup.name = name
    return backup


def folder_of(home: str, name: str) -> str:
    return os.path.join(paths.backups_folder(home), name)


def history_of(home: str, name: str) -> str:
    return os.path.join(folder_of(home, name), os.path.basename(paths.history_file(home)))


def describe(folder: str, backup: Backup) -> None:
    about = msgspec.json.format(msgspec.json.encode(backup), indent=2)
    files.write_bytes(os.path.join(folder, _ABOUT), about)


def size_of(home: str, name: str) -> int:
    return sum(entry.stat().st_size for entry in os.scandir(folder_of(home, name)))


def _is_valid(path: str, content: bytes) -> bool:
    """Whether a JSON file that users edit is one object; damaged lines of other files are skipped by their readers."""
    if not path.endswith(".json") or not content.strip():
        return True
    try:
        return isinstance(msgspec.json.decode(content.removeprefix(BOM_UTF8)), dict)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False


def _copy_history(home: str, place: str, backup: Backup) -> None:
    copy = os.path.join(place, os.path.basename(paths.history_file(home)))
    os.close(os.open(copy, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600))
    source = sqlite3.connect(database.address(paths.history_file(home)), uri=True, isolation_level=None)
    with closing(source), closing(sqlite3.connect(copy, isolation_level=None)) as target:
        # One snapshot for all steps: what a scan writes meanwhile is in the next backup.
        source.executescript("PRAGMA busy_timeout = 10000; BEGIN")
        source.execute("SELECT count(*) FROM sqlite_master").fetchone()
        source.backup(target)
        target.execute("PRAGMA journal_mode = DELETE")
        if faults := database.checked(target).faults:
            raise damaged(paths.history_file(home), faults[0])
        backup.tables = version_of(target)
        backup.calls = target.execute("SELECT count(*) FROM calls").fetchone()[0] if backup.tables else 0
    files.put_in_place(copy, copy)


def _free_name(folder: str, now: datetime) -> str:
    base = f"{_PREFIX}{now:%Y%m%dT%H%M%SZ}"
    # After the last of this second: names stay in order of time although the oldest are removed.
    endings = (name.removeprefix(base)[1:] for name in os.listdir(folder) if name.startswith(base))
    last = max((int(ending) if ending.isdecimal() else 1 for ending in endings), default=0)
    name = f"{base}-{last + 1:02}" if last else base
    shutil.rmtree(os.path.join(folder, _UNFINISHED + name), ignore_errors=True)
    return name


def _prune(folder: str, spared: set[str]) -> None:
    """Call it only under the lock: any unfinished backup was then left by a process that died."""
    names = sorted(os.listdir(folder))
    ours = [name for name in names if name.startswith(_PREFIX) and os.path.isdir(os.path.join(folder, name))]
    for name in ours[:-KEPT_BACKUPS]:
        if name not in spared:
            os.rename(os.path.join(folder, name), os.path.join(folder, _UNFINISHED + name))
    for entry in os.listdir(folder):
        if entry.startswith(_UNFINISHED):
            shutil.rmtree(os.path.join(folder, entry), ignore_errors=True)


_LARGE_BYTES = 20_000_000
_LATELY = timedelta(days=2)


def make(home: str) -> Backup | None:
    """Makes a backup once a day; logs a failed one, and does not stop the scan. Raises DamagedHistory."""
    path = paths.history_file(home)
    if not is_due(home):
        return None
    try:
        if shutil.disk_usage(home).free < 2 * os.path.getsize(path):
            logs.record_scan(home, f"No backup of {path} was made: there is too little room on the disk.")
            return None
        with writing(home):
            return _create(home, DAILY) if is_due(home) else None
    except DamagedHistory:
        raise
    except (OSError, LessonsError) as fault:
        logs.record_scan(home, f"No backup of {path} was made: {fault}")
        return None


def is_due(home: str) -> bool:
    """Whether there is a history with anything in it, and no backup of it today."""
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    if any(each.tables and each.time[:10] == today for each in listing(home)):
        return False
    try:
        with _looking(home) as connection:
            has_tables = bool(version_of(connection))
            return has_tables and bool(connection.execute("SELECT EXISTS (SELECT 1 FROM sources)").fetchone()[0])
    except database.FAULTS:
        return os.path.exists(paths.history_file(home))  # what cannot be read is not empty


def can_wait(home: str) -> bool:
    """Whether a scan may read first: backups were made until yesterday, and the history keeps its tables."""
    lately = f"{datetime.now(UTC) - _LATELY:%Y-%m-%dT%H:%M:%SZ}"
    if not any(each.tables and each.time >= lately for each in listing(home)):
        return False
    try:
        with _looking(home) as connection:
            return version_of(connection) == VERSION
    except database.FAULTS:
        return False


def _looking(home: str) -> closing[sqlite3.Connection]:
    return closing(sqlite3.connect(database.address(paths.history_file(home)), uri=True))


def is_large(home: str) -> bool:
    """Whether a person would notice that a history is copied or looked through."""
    path = paths.history_file(home)
    return os.path.exists(path) and os.path.getsize(path) >= _LARGE_BYTES
