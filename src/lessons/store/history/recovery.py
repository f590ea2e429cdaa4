"""Replaces the history: a damaged one with what can still be read of it and of the newest backup, or any with a backup.

Transcripts that still exist are read again after a rescue."""

import itertools
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from hashlib import sha256
from typing import NamedTuple

import msgspec

from lessons import paths
from lessons.errors import Busy, DamagedFile, NotFound, Refused
from lessons.store import decisions, exports, files, lesson_file
from lessons.store.files import locked
from lessons.store.history import backups, candidates, database, redaction, search
from lessons.store.history.backups import Backup, Watch
from lessons.store.history.database import as_json, translated
from lessons.store.history.history import History
from lessons.store.history.schema import VERSION, bring_up_to_date, version_of
from lessons.store.running import scanning

_LONGEST_VALUE = 64 * 1024 * 1024  # a damaged length must not allocate all memory
_KINDS: dict[str, tuple[type, ...]] = {"INTEGER": (int,), "TEXT": (str,), "REAL": (float, int), "BLOB": (bytes,)}
_FAULTS = (sqlite3.Error, OverflowError, MemoryError)


class _Tag(msgspec.Struct):
    confidence: float


# Columns that a scan decodes: a flipped bit can make JSON unreadable.
_JSON = {("tags", "fields"): _Tag, ("candidates", "document"): dict, ("calls", "arguments"): dict}


class Column(NamedTuple):
    name: str
    kinds: tuple[type, ...]
    optional: bool
    key: int  # its place in the primary key, from 1


@contextmanager
def reading(path: str) -> Iterator[sqlite3.Connection]:
    """Yields a connection that reads as much as SQLite can of a file that may be damaged, and changes nothing."""
    with closing(sqlite3.connect(database.address(path), uri=True, isolation_level=None)) as connection:
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
        with suppress(sqlite3.Error):
            # One unreadable line of the schema, or a truncated file, does not hide the rest.
            connection.execute("PRAGMA writable_schema = ON")
        yield connection


def copy(old: sqlite3.Connection, new: sqlite3.Connection, table: str) -> bool:
    """Adds the valid rows of a table that the new one does not have; returns whether all rows could be read."""
    columns = _columns(old, new, table)
    if not columns:
        return False
    names = ", ".join(column.name for column in columns)
    insert = f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({', '.join('?' * len(columns))})"
    key = [column.name for column in sorted(columns, key=lambda column: column.key) if column.key]
    problems: list[str] = []

    def sound_rows(direction: str) -> Iterator[tuple[object, ...]]:
        order = ", ".join(name + direction for name in key)
        try:
            # Indexes are not trusted: they may be damaged.
            for row in old.execute(f"SELECT {names} FROM {table} NOT INDEXED ORDER BY {order}"):
                if all(_fits(table, column, value) for column, value in zip(columns, row, strict=True)):
                    yield row
                else:
                    problems.append("a row that the program cannot use")
        except _FAULTS as fault:
            problems.append(str(fault))

    new.executemany(insert, sound_rows(""))
    if problems:  # from the other end too: only rows between two damaged places are lost
        new.executemany(insert, sound_rows(" DESC"))
    return not problems


def _fits(table: str, column: Column, value: object) -> bool:
    kind = _JSON.get((table, column.name))
    try:
        if kind and value:
            msgspec.json.decode(str(value), type=kind)
    except msgspec.MsgspecError:
        return False
    return isinstance(value, column.kinds) or (value is None and column.optional)


def _columns(old: sqlite3.Connection, new: sqlite3.Connection, table: str) -> list[Column]:
    """Returns those that both have; a later one gets its default."""
    try:
        there = {str(row[1]) for row in old.execute(f"PRAGMA table_info({table})")}
    except _FAULTS:
        return []
    rows = new.execute(f"PRAGMA table_info({table})").fetchall()
    return [
        Column(str(name), _KINDS[kind], not (required or key), int(key))
        for _, name, kind, required, _, key in rows
        if name in there
    ]


_NAMED = 5
_WITH_SOURCE = ("calls", "prompts", "hook_contexts", "stop_hooks", "tags", "diagnoses")
_DROP = (
    "DELETE FROM segments WHERE source_id NOT IN (SELECT id FROM sources)",
    "DELETE FROM progress WHERE segment_id NOT IN (SELECT id FROM segments)",
    "DELETE FROM damaged WHERE source_id NOT IN (SELECT id FROM sources)",
    "DELETE FROM evidence WHERE fingerprint NOT IN (SELECT fingerprint FROM candidates)",
    "DELETE FROM facts WHERE name IN ('mining', 'ledger')",  # so that every session is mined and judged again
)
# A path that sorts after every real one: of two copies of a row the one with a real file is kept.
_STAND_IN = """
INSERT INTO sources (id, agent, path, generation, inode, size, modified, offset, head, tail, memory)
SELECT source_id, min(agent), '~unknown-' || source_id, 0, 0, -1, 0, 0, x'', x'', '' FROM {}
WHERE source_id NOT IN (SELECT id FROM sources) GROUP BY source_id
"""
# A saved row may have flipped bits that nobody can see. So its transcript, if it still exists, replaces it. Of two
# copies of a row the one with the lower position is kept. Of two results the one with an id is kept.
_BEHIND = 2**40
_READ_AGAIN = (
    "DELETE FROM damaged",
    f"UPDATE calls SET position = position + {_BEHIND}, result_uuid = ''",
    *(f"UPDATE {table} SET position = position + {_BEHIND}" for table in _WITH_SOURCE if table != "calls"),
)


def mend(connection: sqlite3.Connection) -> list[str]:
    """Returns messages for the user about the transcripts of the rows."""
    for statement in _DROP:
        connection.execute(statement)
    unknown = sum(connection.execute(_STAND_IN.format(table)).rowcount for table in _WITH_SOURCE)
    gone = _restart(connection)
    candidates.refresh(connection, [row[0] for row in connection.execute("SELECT DISTINCT session_id FROM tags")])
    search.rebuild(connection)
    sentences = []
    if unknown:
        sentences.append(f"The paths of {unknown:,} transcripts are lost.")
    if gone:
        names = ", ".join(gone[:_NAMED]) + (f" and {len(gone) - _NAMED:,} more" if len(gone) > _NAMED else "")
        sentences.append(f"Transcripts that no longer exist cannot be read again: {len(gone):,} ({names}).")
    return sentences


def _restart(connection: sqlite3.Connection) -> list[str]:
    """Queues every transcript to be read from its beginning; returns those that are missing."""
    paths = [str(row[0]) for row in connection.execute("SELECT DISTINCT path FROM sources ORDER BY path")]
    gone = [path for path in paths if not path.startswith("~") and not os.path.exists(path)]
    connection.execute("UPDATE sources SET size = -1, offset = 0, memory = '', head = x'', tail = x''")
    still_there = as_json(sorted(set(paths) - set(gone)))
    read_again = "SELECT id FROM sources WHERE path IN (SELECT value FROM json_each(?))"
    connection.execute(f"UPDATE sources SET records = 0, malformed = 0 WHERE id IN ({read_again})", (still_there,))
    for statement in _READ_AGAIN:
        connection.execute(f"{statement} WHERE source_id IN ({read_again})", (still_there,))
    return gone


# What is saved; `known` only counts copies, `words` is rebuilt from the others, and `marks` by reading again.
TABLES = (
    *("sources", "segments", *_WITH_SOURCE, "injections", "progress", "damaged", "sessions", "messages"),
    *("candidates", "evidence", "earlier_names", "answers", "facts"),
)
_FACT = "rescue"
_ENDINGS = ("-wal", "-shm", "")


class Rescue(msgspec.Struct):
    """The result of rescuing a damaged history."""

    aside: str  # where the damaged file is kept
    rows: dict[str, int]  # saved rows by table
    lost: list[str]  # sentences


def rescue(home: str) -> Rescue:
    """Sets the damaged file aside and saves what can be saved; the caller holds the scan lock."""
    path = paths.history_file(home)
    building = path + ".rescue"
    for ending in ("", "-journal"):  # of an earlier attempt that was killed
        with suppress(FileNotFoundError):
            os.unlink(building + ending)
    os.close(os.open(building, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600))
    with translated(path), closing(sqlite3.connect(building, isolation_level=None)) as new:
        # Until it has its final name, a kill leaves nothing that anyone would read.
        new.executescript("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536")
        bring_up_to_date(new, building)
        new.execute("BEGIN")
        lost = _save(home, new)
        lost += mend(new)
        redaction.reset(new)
        rows = {table: _count(new, table) for table in TABLES}
        result = Rescue(_free_name(path), rows, lost)
        database.put_fact(new, _FACT, as_json(result))
        new.execute("COMMIT")
    files.put_in_place(building, path + ".rescued")
    finish(home)
    return result


def finish(home: str) -> Rescue | None:
    """Swaps the files, also after an earlier rescue was killed meanwhile. Overwrites nothing."""
    path = paths.history_file(home)
    if not os.path.exists(path + ".rescued"):
        return None
    with translated(path), closing(sqlite3.connect(database.address(path + ".rescued"), uri=True)) as new:
        result = msgspec.json.decode(database.get_fact(new, _FACT), type=Rescue)
    for ending in _ENDINGS:
        if os.path.exists(path + ending) and os.path.exists(result.aside + ending):
            set_aside(home, _free_name(path))  # someone created a new history in place of the damaged one
            break
    set_aside(home, result.aside)
    files.put_in_place(path + ".rescued", path)
    return result


def set_aside(home: str, aside: str = "") -> str:
    """Renames the history with its -wal, so that it can still be opened, and a new one does not get that -wal."""
    path = paths.history_file(home)
    aside = aside or _free_name(path)
    for ending in _ENDINGS:
        if os.path.exists(path + ending):
            os.rename(path + ending, aside + ending)
    return aside


def last(connection: sqlite3.Connection) -> Rescue | None:
    """Returns what was saved the last time that this history was damaged."""
    text = database.get_fact(connection, _FACT)
    return msgspec.json.decode(text, type=Rescue) if text else None


def asides(home: str) -> list[str]:
    """Returns the damaged files that are kept, with their companion files."""
    name = os.path.basename(paths.history_file(home)) + ".damaged-"
    return sorted(entry.path for entry in os.scandir(home) if entry.name.startswith(name))


def _save(home: str, new: sqlite3.Connection) -> list[str]:
    """Copies what can be read, and what is missing from the newest backup; returns messages for the user."""
    with reading(paths.history_file(home)) as old:
        copied = {table: copy(old, new, table) for table in TABLES}
    missing = [table for table, is_complete in copied.items() if not is_complete]
    backup = _backup(home) if missing else None
    if backup:
        with suppress(sqlite3.Error), reading(backups.history_of(home, backup.name)) as old:
            for table in missing:
                copy(old, new, table)
    if not any(_count(new, table) for table in TABLES):
        return ["Nothing could be read from it any more: the history holds what the transcripts still tell."]
    lost = [f"Not every row could be read: {', '.join(missing)}."] if missing else []
    return lost + (
        [f"What was missing was taken from the backup of {backup.time}, as far as that goes."] if backup else []
    )


def _backup(home: str) -> Backup | None:
    """Returns the newest, unless the history was restored since: restored data must not be mixed with the rest."""
    for backup in reversed(backups.listing(home)):
        if backup.reason in (backups.BEFORE_RESTORE, backups.WITHOUT_HISTORY):
            return None
        if backup.tables:
            return backup
    return None


def _count(connection: sqlite3.Connection, table: str) -> int:
    return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def _free_name(path: str) -> str:
    base = f"{path}.damaged-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    names = itertools.chain((base,), (f"{base}-{number}" for number in itertools.count(2)))
    return next(name for name in names if not any(os.path.exists(name + ending) for ending in _ENDINGS))


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
            finish(home)
            aside = ""
            try:
                before = backups.create(home, backups.BEFORE_RESTORE, watch, spare=name)
            except DamagedFile:
                before = backups.create(home, backups.WITHOUT_HISTORY, watch, spare=name)
                aside = set_aside(home) if backup.tables else ""
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
