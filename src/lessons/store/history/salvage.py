"""Replaces a damaged history: with the rows SQLite can still read, then the newest backup, then the transcripts."""

import itertools
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec

from lessons import paths
from lessons.store import files
from lessons.store.history import backups, candidates, database, redaction, search
from lessons.store.history.backups import Backup
from lessons.store.history.database import as_json, translated
from lessons.store.history.schema import bring_up_to_date

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


class Copied(NamedTuple):
    complete: bool  # every row could be read
    to_the_end: bool  # at least the last row could


def copy(old: sqlite3.Connection, new: sqlite3.Connection, table: str) -> Copied:
    """Adds the valid rows of a table that the new one does not have."""
    columns = _columns(old, new, table)
    if not columns:
        return Copied(False, False)
    names = ", ".join(column.name for column in columns)
    insert = f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({', '.join('?' * len(columns))})"
    key = [column.name for column in sorted(columns, key=lambda column: column.key) if column.key]

    def run(direction: str) -> _SoundRows:
        order = ", ".join(name + direction for name in key)
        # Indexes are not trusted: they may be damaged.
        rows = _SoundRows(old, f"SELECT {names} FROM {table} NOT INDEXED ORDER BY {order}", table, columns)
        new.executemany(insert, rows)
        return rows

    up = run("")
    if up.ended:
        return Copied(not up.spoiled, True)
    # Rows between two damaged places are lost.
    return Copied(False, run(" DESC").sound > 0)


class _SoundRows:
    """Iterates over rows of a query until it ends or fails; skips those whose values the program cannot read."""

    def __init__(self, old: sqlite3.Connection, query: str, table: str, columns: Sequence[Column]) -> None:
        self.old, self.query, self.table, self.columns = old, query, table, columns
        self.sound, self.spoiled, self.ended = 0, 0, False

    def __iter__(self) -> Iterator[tuple[object, ...]]:
        try:
            for row in self.old.execute(self.query):
                if self._is_sound(row):
                    self.sound += 1
                    yield row
                else:
                    self.spoiled += 1
            self.ended = True
        except _FAULTS:
            return

    def _is_sound(self, row: tuple[object, ...]) -> bool:
        try:
            return all(self._fits(column, value) for column, value in zip(self.columns, row, strict=True))
        except msgspec.MsgspecError:
            return False

    def _fits(self, column: Column, value: object) -> bool:
        kind = _JSON.get((self.table, column.name))
        if kind and value:
            msgspec.json.decode(str(value), type=kind)
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
        sentences.append(f"Of {_many(unknown, 'transcript')} it is not known any more where {_be(unknown)}.")
    if gone:
        names = ", ".join(gone[:_NAMED]) + (f" and {len(gone) - _NAMED:,} more" if len(gone) > _NAMED else "")
        files = "the file is" if len(gone) == 1 else "the files are"
        what = f"{_many(len(gone), 'transcript')} cannot be read again, because {files} gone"
        sentences.append(f"{what}: there is what could be saved, and no more ({names}).")
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


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _be(number: int) -> str:
    return "it was" if number == 1 else "they were"


# What is saved; `known` only counts copies, `words` is rebuilt from the others, and `marks` by reading again.
_NUMBERED = (
    "sources",
    "segments",
    "calls",
    "prompts",
    "hook_contexts",
    "stop_hooks",
    "tags",
    "diagnoses",
    "injections",
)
_OTHERS = "progress damaged sessions messages candidates evidence earlier_names answers facts"
TABLES = (*_NUMBERED, *_OTHERS.split())
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
    _clear(building)
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
    files.put_in_place(building, _rescued(path))
    finish(home)
    return result


def finish(home: str) -> Rescue | None:
    """Swaps the files, also after an earlier rescue was killed meanwhile. Overwrites nothing."""
    path = paths.history_file(home)
    if not os.path.exists(_rescued(path)):
        return None
    with translated(path), closing(sqlite3.connect(database.address(_rescued(path)), uri=True)) as new:
        result = msgspec.json.decode(database.get_fact(new, _FACT), type=Rescue)
    for ending in _ENDINGS:
        if os.path.exists(path + ending) and os.path.exists(result.aside + ending):
            set_aside(home, _free_name(path))  # someone created a new history in place of the damaged one
            break
    set_aside(home, result.aside)
    files.put_in_place(_rescued(path), path)
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
    missing = [table for table, found in copied.items() if not found.complete]
    backup = _backup(home) if missing else None
    if backup:
        with suppress(sqlite3.Error), reading(backups.history_of(home, backup.name)) as old:
            for table in missing:
                copy(old, new, table)
    if not any(_count(new, table) for table in TABLES):
        return ["Nothing could be read from it any more: the history holds what the transcripts still tell."]
    from_backup = (
        [f"What was missing was taken from the backup of {backup.time}, as far as that goes."] if backup else []
    )
    return [*_losses(new, {table: copied[table].to_the_end for table in missing}), *from_backup]


def _backup(home: str) -> Backup | None:
    """Returns the newest, unless the history was restored since: restored data must not be mixed with the rest."""
    for backup in reversed(backups.listing(home)):
        if backup.reason in (backups.BEFORE_RESTORE, backups.WITHOUT_HISTORY):
            return None
        if backup.tables:
            return backup
    return None


def _losses(new: sqlite3.Connection, read_to_the_end: dict[str, bool]) -> list[str]:
    """Returns a sentence for each table with a known loss, and one for all others together."""
    unknown = [table for table, whole in read_to_the_end.items() if not whole or table not in _NUMBERED]
    counted = [_loss(new, table) for table in read_to_the_end if table not in unknown]
    tables = f"the table {unknown[0]}" if len(unknown) == 1 else f"{len(unknown)} tables ({', '.join(unknown)})"
    together = [f"Rows of {tables} are lost; how many cannot be told."] if unknown else []
    return [*together, *filter(None, counted)]


def _loss(new: sqlite3.Connection, table: str) -> str:
    # A number that was never used counts too.
    gaps = int(new.execute(f"SELECT coalesce(max(id), 0) - count(*) FROM {table}").fetchone()[0])
    if gaps == 1:
        return f"One row of the table {table} is lost."
    return f"Up to {gaps:,} rows of the table {table} are lost." if gaps else ""


def _count(connection: sqlite3.Connection, table: str) -> int:
    return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def _rescued(path: str) -> str:
    return path + ".rescued"


def _free_name(path: str) -> str:
    base = f"{path}.damaged-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    names = itertools.chain((base,), (f"{base}-{number}" for number in itertools.count(2)))
    return next(name for name in names if not any(os.path.exists(name + ending) for ending in _ENDINGS))


def _clear(building: str) -> None:
    """Deletes the leftovers of an earlier attempt that was killed."""
    for ending in ("", "-journal"):
        with suppress(FileNotFoundError):
            os.unlink(building + ending)
