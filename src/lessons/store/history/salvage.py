"""Replaces a damaged history: with the rows SQLite can still read, then the newest backup, then the transcripts."""

import itertools
import os
import sqlite3
from contextlib import closing, suppress
from datetime import UTC, datetime

import msgspec

from lessons import paths
from lessons.store import atomic
from lessons.store.history import backups, database, facts, readable_rows, redaction, relink
from lessons.store.history.backups import Backup
from lessons.store.history.border import translated

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
_OTHERS = "progress damaged sessions messages candidates evidence earlier_names wordings facts"
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
        database.migrate(new, building)
        new.execute("BEGIN")
        lost = _save(home, new)
        lost += relink.mend(new)
        redaction.reset(new)
        rows = {table: _count(new, table) for table in TABLES}
        result = Rescue(_free_name(path), rows, lost)
        facts.put(new, _FACT, msgspec.json.encode(result).decode())
        new.execute("COMMIT")
    atomic.put_in_place(building, _rescued(path))
    finish(home)
    return result


def finish(home: str) -> Rescue | None:
    """Swaps the files, also after an earlier rescue was killed meanwhile. Overwrites nothing."""
    path = paths.history_file(home)
    if not os.path.exists(_rescued(path)):
        return None
    with translated(path), closing(sqlite3.connect(database.address(_rescued(path)), uri=True)) as new:
        result = msgspec.json.decode(facts.get(new, _FACT), type=Rescue)
    for ending in _ENDINGS:
        if os.path.exists(path + ending) and os.path.exists(result.aside + ending):
            set_aside(home, _free_name(path))  # someone created a new history in place of the damaged one
            break
    set_aside(home, result.aside)
    atomic.put_in_place(_rescued(path), path)
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
    text = facts.get(connection, _FACT)
    return msgspec.json.decode(text, type=Rescue) if text else None


def asides(home: str) -> list[str]:
    """Returns the damaged files that are kept, with their companion files."""
    name = os.path.basename(paths.history_file(home)) + ".damaged-"
    return sorted(entry.path for entry in os.scandir(home) if entry.name.startswith(name))


def _save(home: str, new: sqlite3.Connection) -> list[str]:
    """Copies what can be read, and what is missing from the newest backup; returns messages for the user."""
    with readable_rows.reading(paths.history_file(home)) as old:
        copied = {table: readable_rows.copy(old, new, table) for table in TABLES}
    missing = [table for table, found in copied.items() if not found.complete]
    backup = _backup(home) if missing else None
    if backup:
        with suppress(sqlite3.Error), readable_rows.reading(backups.history_of(home, backup.name)) as old:
            for table in missing:
                readable_rows.copy(old, new, table)
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
