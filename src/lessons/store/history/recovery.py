"""Replaces the history: a damaged one with what can still be read of it and of the newest backup, or any with a backup.

Transcripts that still exist are read again after a rescue."""

import itertools
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from hashlib import sha256
from operator import itemgetter

import msgspec

from lessons import paths
from lessons.errors import Busy, DamagedFile, NotFound, Refused
from lessons.store import decisions, exports, files, lesson_file
from lessons.store.files import locked
from lessons.store.history import backups, database, redaction, search, tags
from lessons.store.history.backups import Backup
from lessons.store.history.database import as_json, bring_up_to_date, translated
from lessons.store.history.history import History
from lessons.store.history.schema import VERSION
from lessons.store.running import scanning

_LONGEST_VALUE = 64 * 1024 * 1024  # a damaged length must not allocate all memory
_KINDS: dict[str, tuple[type, ...]] = {"INTEGER": (int,), "TEXT": (str,), "REAL": (float, int), "BLOB": (bytes,)}
_FAULTS = (*database.FAULTS, OverflowError, MemoryError)


class _Tag(msgspec.Struct):
    confidence: float


# Columns that a scan decodes: a flipped bit can make JSON unreadable.
_JSON = {("tags", "fields"): _Tag, ("candidates", "document"): dict, ("calls", "arguments"): dict}


@contextmanager
def reading(path: str) -> Iterator[sqlite3.Connection]:
    """Yields a connection that reads as much as SQLite can of a file that may be damaged, and changes nothing."""
    with closing(sqlite3.connect(database.address(path), uri=True, isolation_level=None)) as connection:
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
        with suppress(*database.FAULTS):
            # One unreadable line of the schema, or a truncated file, does not hide the rest.
            connection.execute("PRAGMA writable_schema = ON")
        yield connection


def copy(old: sqlite3.Connection, new: sqlite3.Connection, table: str) -> bool:
    """Adds the valid rows of a table that the new one does not have; returns whether all rows could be read."""
    try:
        there = {row[1] for row in old.execute(f"PRAGMA table_info({table})")}
    except _FAULTS:
        return False
    # Columns that both have; a later one gets its default.
    columns = [row for row in new.execute(f"PRAGMA table_info({table})") if row[1] in there]
    if not columns:
        return False
    names = ", ".join(name for _, name, *_ in columns)
    key = [name for _, name, *_, place in sorted(columns, key=itemgetter(-1)) if place]
    insert = f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({', '.join('?' * len(columns))})"
    problems: list[str] = []

    def fits(value: object, column: tuple[object, str, str, int, object, int]) -> bool:
        _, name, kind, is_required, _, place_in_key = column
        try:
            if value and (document := _JSON.get((table, name))):
                msgspec.json.decode(str(value), type=document)
        except msgspec.MsgspecError:
            return False
        return isinstance(value, _KINDS[kind]) or (value is None and not is_required and not place_in_key)

    def valid_rows(direction: str) -> Iterator[tuple[object, ...]]:
        order = ", ".join(name + direction for name in key)
        try:
            # Indexes are not trusted: they may be damaged.
            for row in old.execute(f"SELECT {names} FROM {table} NOT INDEXED ORDER BY {order}"):
                if all(map(fits, row, columns)):
                    yield row
                else:
                    problems.append("a row that the program cannot use")
        except _FAULTS as fault:
            problems.append(str(fault))

    new.executemany(insert, valid_rows(""))
    if problems:  # from the other end too: only rows between two damaged places are lost
        new.executemany(insert, valid_rows(" DESC"))
    return not problems


_MOST_NAMED = 5
_WITH_SOURCE = ("calls", "prompts", "hook_contexts", "stop_hooks", "tags", "diagnoses")
# A path that sorts after every real one: of two copies of a row the one with a real file is kept.
_ADD_MISSING_SOURCES = """
INSERT INTO sources (id, agent, path, generation, inode, size, modified, offset, head, tail, memory)
SELECT source_id, min(agent), '~unknown-' || source_id, 0, 0, -1, 0, 0, x'', x'', '' FROM {}
WHERE source_id NOT IN (SELECT id FROM sources) GROUP BY source_id
"""
_TIDY = (
    "DELETE FROM segments WHERE source_id NOT IN (SELECT id FROM sources)",
    "DELETE FROM progress WHERE segment_id NOT IN (SELECT id FROM segments)",
    "DELETE FROM damaged WHERE source_id NOT IN (SELECT id FROM sources)",
    "DELETE FROM evidence WHERE fingerprint NOT IN (SELECT fingerprint FROM candidates)",
    "DELETE FROM facts WHERE name IN ('mining', 'ledger')",  # so that every session is mined and judged again
    "UPDATE sources SET size = -1, offset = 0, memory = '', head = x'', tail = x''",
)
# A saved row may have flipped bits that nobody can see. So its transcript, if it still exists, replaces it. Of two
# copies of a row the one with the lower position is kept. Of two results the one with an id is kept.
_BEHIND = 2**40
_READ_AGAIN = (
    "UPDATE sources SET records = 0, malformed = 0 WHERE id",
    "DELETE FROM damaged WHERE source_id",
    "UPDATE calls SET result_uuid = '' WHERE source_id",
    *(f"UPDATE {table} SET position = position + {_BEHIND} WHERE source_id" for table in _WITH_SOURCE),
)


def mend(connection: sqlite3.Connection) -> list[str]:
    """Makes the copied rows consistent, and has every transcript that still exists read again; returns messages."""
    for statement in _TIDY:
        connection.execute(statement)
    unknown = sum(connection.execute(_ADD_MISSING_SOURCES.format(table)).rowcount for table in _WITH_SOURCE)
    transcripts = sorted(database.texts(connection, "SELECT DISTINCT path FROM sources"))
    gone = [path for path in transcripts if not path.startswith("~") and not os.path.exists(path)]
    still_there = as_json(sorted(set(transcripts) - set(gone)))
    for statement in _READ_AGAIN:
        ids = "SELECT id FROM sources WHERE path IN (SELECT value FROM json_each(?))"
        connection.execute(f"{statement} IN ({ids})", (still_there,))
    tags.refresh(connection, database.texts(connection, "SELECT DISTINCT session_id FROM tags"))
    search.rebuild(connection)
    messages = [f"The paths of {unknown:,} transcripts are lost."] if unknown else []
    if gone:
        more = f" and {len(gone) - _MOST_NAMED:,} more" if len(gone) > _MOST_NAMED else ""
        names = ", ".join(gone[:_MOST_NAMED]) + more
        messages.append(f"Transcripts that no longer exist cannot be read again: {len(gone):,} ({names}).")
    return messages


# What is saved; `known` only counts copies, `words` is rebuilt from the others, and `marks` by reading again.
TABLES = (
    *("sources", "segments", *_WITH_SOURCE, "injections", "progress", "damaged", "sessions", "messages"),
    *("candidates", "evidence", "earlier_names", "answers", "facts"),
)
_FACT = "rescue"
_ENDINGS = ("-wal", "-shm", "")


class Rescue(msgspec.Struct):
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
    set_aside(home, result.aside)
    files.put_in_place(path + ".rescued", path)
    return result


def set_aside(home: str, aside: str = "") -> str:
    """Renames the history with its -wal, so that it can still be opened, and a new one does not get that -wal."""
    path = paths.history_file(home)
    if not aside or any(os.path.exists(path + ending) and os.path.exists(aside + ending) for ending in _ENDINGS):
        aside = _free_name(path)
    for ending in _ENDINGS:
        if os.path.exists(path + ending):
            os.rename(path + ending, aside + ending)
    return aside


def last(connection: sqlite3.Connection) -> Rescue | None:
    text = database.get_fact(connection, _FACT)
    return msgspec.json.decode(text, type=Rescue) if text else None


def asides(home: str) -> list[str]:
    name = os.path.basename(paths.history_file(home)) + ".damaged-"
    return sorted(entry.path for entry in os.scandir(home) if entry.name.startswith(name))


def _save(home: str, new: sqlite3.Connection) -> list[str]:
    """Copies what can be read, and what is missing from the newest backup; returns messages for the user."""
    with reading(paths.history_file(home)) as old:
        missing = [table for table in TABLES if not copy(old, new, table)]
    lost = [f"Not every row could be read: {', '.join(missing)}."] if missing else []
    for backup in reversed(backups.listing(home) if missing else []):
        if backup.reason in (backups.BEFORE_RESTORE, backups.WITHOUT_HISTORY):
            break  # the history was restored since: its rows must not be mixed with those from before
        if backup.tables:
            with suppress(*database.FAULTS), reading(backups.history_of(home, backup.name)) as old:
                for table in missing:
                    copy(old, new, table)
            lost.append(f"What was missing was taken from the backup of {backup.time}, as far as that goes.")
            break
    if not any(_count(new, table) for table in TABLES):
        return ["Nothing could be read from it any more: the history holds what the transcripts still tell."]
    return lost


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
    if backup.tables > VERSION:
        raise Refused(f"{name} was made by a newer lessons ({backup.made_by}): update lessons, then restore it.")
    faults: list[str] = []
    for file, digest in backup.digests.items():
        with suppress(OSError), open(os.path.join(backups.folder_of(home, name), os.path.basename(file)), "rb") as copy:
            if sha256(copy.read()).hexdigest() == digest:
                continue
        faults.append(f"{file} is not what was copied")
    if backup.tables:
        history = database.address(backups.history_of(home, name))
        try:
            with closing(sqlite3.connect(history, uri=True)) as connection:
                faults += database.checked(connection).faults
        except database.FAULTS as fault:
            faults.append(database.words_of(fault))
    if faults:
        remedy = "choose another one, `lessons backup list` shows them all"
        raise DamagedFile(f"{name} is damaged ({faults[0]}): {remedy}.")
    return backup


def restore(home: str, name: str) -> Restored:
    """Replaces every file that is in the backup, and leaves the others unchanged."""
    try:
        with scanning(home):
            backup = check(home, name)
            finish(home)
            aside = ""
            try:
                before = backups.create(home, backups.BEFORE_RESTORE, spare=name)
            except DamagedFile:
                before = backups.create(home, backups.WITHOUT_HISTORY, spare=name)
                aside = set_aside(home) if backup.tables else ""
            restored = _put_files(home, backup)
            if backup.tables:
                _put_history(home, backup, before)
                restored.insert(0, os.path.basename(paths.history_file(home)))
            return Restored(backup, restored, before, _promoted_since(home, backup), aside)
    except Busy:
        raise Busy("A scan or a backup is running, and nothing was restored: try again when it is done.") from None


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
    before = older.splitlines()
    with suppress(FileNotFoundError), open(path, "rb") as file:
        known = set(before)
        before += [line for line in file.read().splitlines() if line not in known]
    return b"".join(line + b"\n" for line in before)


def _promoted_since(home: str, backup: Backup) -> list[str]:
    """Returns slugs of lessons that were promoted later and are not among the restored ones."""
    if os.path.basename(paths.lessons_file(home)) not in backup.digests:
        return []
    there = {lesson.id for lesson in lesson_file.read(home).lessons()}
    standing = [each for each in decisions.standing(decisions.read(home)) if each.action == "promoted"]
    return [each.slug for each in standing if each.time >= backup.time and not each.part_of and each.id not in there]


def _put_history(home: str, backup: Backup, before: Backup) -> None:
    path = paths.history_file(home)
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    copy = database.address(backups.history_of(home, backup.name))
    with translated(path), closing(sqlite3.connect(copy, uri=True)) as old, closing(sqlite3.connect(path)) as present:
        old.backup(present)  # one transaction: a reader sees all of it or nothing
    with History.opened(home) as history:
        if before.tables:
            # What hooks did since then still happened: the log it was read from may be deleted.
            with history.transaction():
                history.injections.add_from(backups.history_of(home, before.name))
        decisions.apply(history)
        exports.write_scan_state(history)
