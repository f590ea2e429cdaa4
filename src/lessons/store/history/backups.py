"""Backups: folders with a checked copy of the history and of the files the user edits; made daily, and restored."""

import os
import shutil
import sqlite3
import time
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from hashlib import sha256

import msgspec

from lessons import __version__, paths
from lessons.errors import DamagedFile, DamagedHistory, LessonsError, NotFound
from lessons.store import files, fired, logs
from lessons.store.files import locked, make_private_folders
from lessons.store.history import database
from lessons.store.history.database import damaged, translated
from lessons.store.history.schema import VERSION, version_of
from lessons.system import make_private

KEPT_BACKUPS = 14
BY_HAND, DAILY, BEFORE_RESTORE = "by hand", "daily", "before a restore"
WITHOUT_HISTORY = "before a restore, without the history: it was damaged and is kept beside it"
_PREFIX, _UNFINISHED, _ABOUT = "backup-", ".unfinished-", "backup.json"
_PAGES = 4096  # copied in one step
_SECONDS = 30

Watch = Callable[[int, int], None]  # pages that are left, pages


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
    """Returns what is copied besides the history."""
    return [paths.lessons_file(home), paths.config_file(home), paths.decisions_file(home)]


def create(home: str, reason: str = BY_HAND, watch: Watch = lambda left, pages: None, spare: str = "") -> Backup:
    """Makes a backup, complete or not at all, and deletes the oldest ones except `spare` and the newest whole one."""
    with writing(home):
        return create_locked(home, reason, watch, spare)


@contextmanager
def writing(home: str) -> Iterator[None]:
    """Holds the lock of the backups: one process makes or changes them at a time."""
    folder = paths.backups_folder(home)
    make_private_folders(folder)
    with locked(os.path.join(folder, "backup"), _SECONDS):
        yield


def create_locked(home: str, reason: str, watch: Watch = lambda left, pages: None, spare: str = "") -> Backup:
    """Does the same; the caller holds the lock."""
    folder = paths.backups_folder(home)
    now = datetime.now(UTC)
    name = _free_name(folder, now)
    place = os.path.join(folder, _UNFINISHED + name)
    make_private(place)
    try:
        backup = Backup(name, f"{now:%Y-%m-%dT%H:%M:%SZ}", reason, __version__)
        _fill(home, place, backup, watch)
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
    """Returns the newest backup without a damaged file."""
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


def describe(home: str, backup: Backup) -> None:
    """Rewrites `backup.json`."""
    about = msgspec.json.format(msgspec.json.encode(backup), indent=2)
    files.write_bytes(os.path.join(folder_of(home, backup.name), _ABOUT), about)


def size_of(home: str, name: str) -> int:
    return sum(entry.stat().st_size for entry in os.scandir(folder_of(home, name)))


def _fill(home: str, place: str, backup: Backup, watch: Watch) -> None:
    if os.path.exists(paths.history_file(home)) and backup.reason != WITHOUT_HISTORY:
        with translated(paths.history_file(home)):
            _copy_history(home, place, backup, watch)
    for path in files_of(home):
        with suppress(FileNotFoundError), open(path, "rb") as file:
            content = file.read()
            files.write_bytes(os.path.join(place, os.path.basename(path)), content)
            backup.digests[os.path.basename(path)] = sha256(content).hexdigest()
            backup.damaged += [] if _is_valid(path, content) else [os.path.basename(path)]
    about = msgspec.json.format(msgspec.json.encode(backup), indent=2)
    files.write_bytes(os.path.join(place, _ABOUT), about)


def _is_valid(path: str, content: bytes) -> bool:
    """Whether a JSON file that users edit is one object; damaged lines of other files are skipped by their readers."""
    if not path.endswith(".json") or not content.strip():
        return True
    try:
        return isinstance(msgspec.json.decode(content.removeprefix(BOM_UTF8)), dict)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False


def _copy_history(home: str, place: str, backup: Backup, watch: Watch) -> None:
    copy = os.path.join(place, os.path.basename(paths.history_file(home)))
    os.close(os.open(copy, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600))
    source = sqlite3.connect(database.address(paths.history_file(home)), uri=True, isolation_level=None)
    with closing(source), closing(sqlite3.connect(copy, isolation_level=None)) as target:
        # One snapshot for all steps: what a scan writes meanwhile is in the next backup.
        source.executescript("PRAGMA busy_timeout = 10000; BEGIN")
        source.execute("SELECT count(*) FROM sqlite_master").fetchone()
        source.backup(target, pages=_PAGES, progress=lambda status, left, pages: watch(left, pages))
        target.execute("PRAGMA journal_mode = DELETE")
        if faults := database.faults_of(target):
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
_MARK = "backup"  # set when a process is started that makes it
_STARTING_SECONDS = 60  # until that process has begun, or has failed


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
            return create_locked(home, DAILY) if is_due(home) else None
    except DamagedHistory:
        raise
    except (OSError, LessonsError) as fault:
        logs.record_scan(home, f"No backup of {path} was made: {fault}")
        return None


def is_due(home: str) -> bool:
    """Whether there is a history with anything in it, and no backup of it today."""
    path = paths.history_file(home)
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    if not os.path.exists(path) or any(each.tables and each.time[:10] == today for each in listing(home)):
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
    return not any(each.tables and each.time >= _moment(begun) for each in listing(home))


def _moment(seconds: float) -> str:
    """In the form of `Backup.time`."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"


def _is_empty(path: str) -> bool:
    """Whether a history has no call or prompt; one that cannot be read is not empty."""
    try:
        with closing(sqlite3.connect(database.address(path), uri=True)) as connection:
            return (
                version_of(connection) == 0
                or not connection.execute("SELECT EXISTS (SELECT 1 FROM sources)").fetchone()[0]
            )
    except sqlite3.DatabaseError:
        return False


def _has_tables_of_this_version(home: str) -> bool:
    """Others are about to be changed; a history that cannot be read is damaged."""
    try:
        with closing(sqlite3.connect(database.address(paths.history_file(home)), uri=True)) as connection:
            return version_of(connection) == VERSION
    except sqlite3.DatabaseError:
        return False
