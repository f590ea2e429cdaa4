"""Opens the file `history.db`, gives it the tables of this version, and maps SQLite's errors to ours.

Nothing outside this folder depends on the database."""

import os
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import wraps
from types import FunctionType
from typing import Any, NamedTuple

import msgspec

from lessons import paths
from lessons.errors import DamagedHistory, HistoryUnavailable, NotFound, Refused
from lessons.match.call import is_of_windows
from lessons.store.files import make_private_folders
from lessons.store.history import search
from lessons.store.history.schema import SCHEMA, VERSION


def as_json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def get_fact(connection: sqlite3.Connection, name: str) -> str:
    row = connection.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
    return str(row[0]) if row else ""


def put_fact(connection: sqlite3.Connection, name: str, value: str) -> None:
    connection.execute("INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)", (name, value))


def texts(connection: sqlite3.Connection, sql: str, values: Sequence[object] = ()) -> set[str]:
    return {row[0] for row in connection.execute(sql, values)}


REMEDY = "`lessons scan --full` sets it aside, recovers its rows and adds those of the last backup"
# Error codes of SQLite for a broken file: corrupt, not a database, too short.
_DAMAGE_CODES = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_DAMAGE_WORDS = (
    *("malformed", "not a database", "no such table", "already exists", "unsupported file", "Could not decode"),
)
_IS_GENERATOR = 0x20  # inspect.CO_GENERATOR, without importing inspect


class NotStorable(Exception):
    """Rows that the tables cannot hold; the message names the fault and its source, never their content."""


# Python raises the second where SQLite's message quotes a name that is not UTF-8.
FAULTS = (sqlite3.Error, UnicodeDecodeError)


def words_of(fault: object) -> str:
    return fault.object.decode("utf-8", "replace") if isinstance(fault, UnicodeDecodeError) else str(fault)


def is_damage(fault: Exception) -> bool:
    """Whether the file itself is broken, not just locked, full or forbidden."""
    if not isinstance(fault, sqlite3.DatabaseError | UnicodeDecodeError):
        return False
    code = getattr(fault, "sqlite_errorcode", 0)
    words = any(word in words_of(fault) for word in _DAMAGE_WORDS)
    return code & 0xFF in _DAMAGE_CODES or code == sqlite3.SQLITE_IOERR_SHORT_READ or words


def damaged(path: str, fault: object) -> DamagedHistory:
    return DamagedHistory(f"{path} is damaged ({words_of(fault)}): {REMEDY}.")


@contextmanager
def translated(path: str) -> Iterator[None]:
    """Converts SQLite's errors about the file at `path` to ours, but not one that only a bug of ours can cause."""
    try:
        yield
    except FAULTS as fault:
        if is_damage(fault):
            raise damaged(path, fault) from fault
        if isinstance(fault, sqlite3.OperationalError):  # locked, full, forbidden
            raise HistoryUnavailable(path, str(fault)) from fault
        raise


@contextmanager
def plain_rows(connection: sqlite3.Connection) -> Iterator[sqlite3.Cursor]:
    """A cursor of tuples: a million rows with names take half as long again."""
    with closing(connection.cursor()) as cursor:
        cursor.row_factory = None
        yield cursor


class HistoryPart:
    """A part of an open history. The public methods of every subclass raise our errors."""

    def __init__(self, connection: sqlite3.Connection, path: str) -> None:
        self._connection = connection
        self._path = path

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for name, method in list(vars(cls).items()):
            if isinstance(method, FunctionType) and not name.startswith("_"):
                setattr(cls, name, _guarded(method))


def _guarded(method: Callable[..., Any]) -> Callable[..., Any]:
    """Returns the method, or the generator, with SQLite's errors translated."""

    @wraps(method)
    def function(self: HistoryPart, *arguments: object, **named: object) -> Any:
        with translated(self._path):
            return method(self, *arguments, **named)

    @wraps(method)
    def generator(self: HistoryPart, *arguments: object, **named: object) -> Iterator[Any]:
        with translated(self._path):
            yield from method(self, *arguments, **named)

    return generator if method.__code__.co_flags & _IS_GENERATOR else function


_NOT_WRITABLE = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL)
_BUSY_MILLISECONDS = 10_000
# A scan changes pages all over the indexes; pages that do not fit are written and read again. SQLite may use the same
# amount again to sort the calls of a long session.
_CACHE_KILOBYTES = 32_768
_PAGES_BETWEEN_CHECKPOINTS = 8_000
_STEPS_BETWEEN_LOOKS = 10_000  # of SQLite, between two checks of the clock


@contextmanager
def opened(home: str) -> Iterator[sqlite3.Connection]:
    """Opens for writing: creates the file and migrates its tables if needed."""
    path = paths.history_file(home)
    make_private_folders(home)
    if not os.path.exists(path):
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    with translated(path), closing(sqlite3.connect(path, isolation_level=None)) as connection:
        try:
            _prepare(connection)
            bring_up_to_date(connection, path)
        except sqlite3.DatabaseError as fault:
            if fault.sqlite_errorcode in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) or is_damage(fault):
                raise
            raise Refused(f"{path} cannot be used ({fault}): see to the rights and to the room on the disk.") from None
        yield connection
        _index(connection)


def _index(connection: sqlite3.Connection) -> None:
    """Adds new rows to the search index; if interrupted, the next writer does it."""
    if search.waiting(connection) and not connection.in_transaction:
        connection.execute("BEGIN IMMEDIATE")
        search.catch_up(connection)
        connection.execute("COMMIT")


@contextmanager
def for_reading(home: str, alone: bool = False) -> Iterator[sqlite3.Connection]:
    """Opens without changing anything; `alone` assumes that no other process writes meanwhile."""
    path = paths.history_file(home)
    if not os.path.exists(path):
        raise NotFound(f"There is no history yet ({path}): run `lessons scan` first.")
    with translated(path), closing(_reader(path, alone)) as connection:
        version = version_of(connection)
        refuse_newer(version, path)
        if version == 0:
            raise NotFound(f"There is no history yet ({path}): run `lessons scan` first.")
        if version < VERSION:
            raise NotFound(f"{path} is of an older version: run `lessons scan` to bring it up to date.")
        yield connection


def _reader(path: str, alone: bool) -> sqlite3.Connection:
    """Opens a file as immutable if nothing can be written beside it, as a reader normally does."""
    ending = "&immutable=1" if alone else ""
    connection = sqlite3.connect(address(path) + ending, uri=True, isolation_level=None)
    connection.row_factory = sqlite3.Row
    connection.execute(f"PRAGMA busy_timeout = {_BUSY_MILLISECONDS}")
    try:
        version_of(connection)
    except sqlite3.OperationalError as fault:
        connection.close()
        if alone or fault.sqlite_errorcode & 0xFF not in _NOT_WRITABLE:
            raise
        return _reader(path, True)
    return connection


@contextmanager
def rehearsal(home: str) -> Iterator[tuple[sqlite3.Connection, str]]:
    """Yields a copy of the history in a separate data home; deletes both at the end."""
    path = paths.history_file(home)
    with tempfile.TemporaryDirectory(prefix="lessons-") as folder:
        if os.path.exists(path):
            # Even a reader leaves files beside a history, unless it may assume that nobody writes.
            quiet = not os.path.exists(path + "-wal")
            with for_reading(home, quiet) as original, closing(sqlite3.connect(paths.history_file(folder))) as copy:
                original.backup(copy)
        with opened(folder) as connection:
            yield connection, folder


class CheckedFile(NamedTuple):
    """What a check found wrong, and whether it covered the whole file."""

    faults: list[str]
    is_complete: bool = True


def checked(connection: sqlite3.Connection, seconds: float = float("inf")) -> CheckedFile:
    """Checks for about this long. SQLite checks the structure of the file first, then one row after the other."""
    until = time.monotonic() + seconds
    faults: list[str] = []
    connection.set_progress_handler(lambda: time.monotonic() > until, _STEPS_BETWEEN_LOOKS)
    try:
        for (text,) in connection.execute("PRAGMA quick_check(5)"):
            # One line for each fault: SQLite puts several into one row, below a heading.
            lines = [line for line in str(text).splitlines() if line.strip() and not line.startswith("***")]
            faults += lines if lines != ["ok"] else []
    except sqlite3.OperationalError as fault:
        if fault.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
            raise
        return CheckedFile(faults, is_complete=False)
    finally:
        connection.set_progress_handler(None, 0)
    return CheckedFile(faults)


def _prepare(connection: sqlite3.Connection) -> None:
    connection.execute(f"PRAGMA busy_timeout = {_BUSY_MILLISECONDS}")
    connection.execute("PRAGMA journal_mode = WAL")
    # In WAL mode a power cut may lose the last commits, rows and offset together; never a part of one.
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KILOBYTES}")
    connection.execute(f"PRAGMA wal_autocheckpoint = {_PAGES_BETWEEN_CHECKPOINTS}")


def address(path: str) -> str:
    if is_of_windows(path):  # SQLite needs a slash before a drive, and two more before a server
        path = ("/" if path[1] == ":" else "//") + path.replace("\\", "/")
    quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return f"file:{quoted}?mode=ro"


_OBJECTS = (
    "SELECT type, name, sql FROM sqlite_schema WHERE sql <> '' AND name NOT GLOB 'words_*' AND name NOT GLOB 'sqlite_*'"
)
# Before this version, what was derived had another form: it is made again.
_DERIVED_DIFFERED_BEFORE = 13
_DERIVED = ("known", "episodes", "words", "indexed")
_DERIVE_AGAIN = (
    "UPDATE sources SET size = -2 WHERE size >= 0",  # every transcript that still exists is read again
    # The names that candidates had before mistakes were grouped by their weight.
    """
INSERT OR IGNORE INTO earlier_names (tool_use_id, fingerprint)
WITH names AS (
    SELECT fingerprint, fingerprint AS name FROM candidates WHERE tier = 2 UNION ALL
    SELECT fingerprint, value FROM candidates, json_each(iif(json_valid(document), document, '{}'), '$.aliases')
    WHERE tier = 2
)
SELECT e.tool_use_id, n.name FROM names n JOIN evidence e USING (fingerprint) WHERE e.tool_use_id <> ''
""",
)
_START_INDEX = "INSERT INTO indexed (calls, prompts) SELECT 0, 0 WHERE NOT EXISTS (SELECT 1 FROM indexed)"


def version_of(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def refuse_newer(version: int, path: str) -> None:
    if version > VERSION:
        raise Refused(f"{path} was written by a newer lessons (tables {version}): update lessons.")


def bring_up_to_date(connection: sqlite3.Connection, path: str) -> None:
    """Gives a new file its tables, and a file of an earlier version today's tables, in one transaction."""
    refuse_newer(version_of(connection), path)
    if version_of(connection) == VERSION:
        return
    are_checked = connection.execute("PRAGMA foreign_keys").fetchone()[0]
    connection.execute("PRAGMA foreign_keys = OFF")  # a replaced table must not take the rows of others with it
    try:
        connection.execute("BEGIN IMMEDIATE")
        try:
            version = version_of(connection)  # another process may have done it meanwhile
            if version < VERSION:
                _replace_tables(connection, version)
                connection.execute(f"PRAGMA user_version = {VERSION}")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")
    finally:
        connection.execute(f"PRAGMA foreign_keys = {are_checked}")


def _replace_tables(connection: sqlite3.Connection, version: int) -> None:
    """Replaces every table that has changed, with the columns of its rows that both have."""
    with closing(sqlite3.connect(":memory:")) as new:
        new.executescript(SCHEMA)
        wanted = {name: (kind, sql) for kind, name, sql in new.execute(_OBJECTS).fetchall()}
        columns = {name: _columns(new, name) for name, (kind, _) in wanted.items() if kind == "table"}
    has_derived = version >= _DERIVED_DIFFERED_BEFORE
    before = connection.execute(_OBJECTS).fetchall()
    for kind, name, _ in before:
        if kind != "table":
            connection.execute(f"DROP {kind} {name}")
    for name in (name for kind, name, _ in before if kind == "table"):
        there = _columns(connection, name)
        if name not in columns or (name in _DERIVED and not has_derived):
            connection.execute(f"DROP TABLE {name}")
        elif there != columns[name]:
            shared = ", ".join(column for column in columns[name] if column in there)
            connection.execute(wanted[name][1].replace(f"CREATE TABLE {name}", f"CREATE TABLE new_{name}", 1))
            connection.execute(f"INSERT INTO new_{name} ({shared}) SELECT {shared} FROM {name}")
            connection.execute(f"DROP TABLE {name}")
            connection.execute(f"ALTER TABLE new_{name} RENAME TO {name}")
    present = {name for _, name, _ in connection.execute(_OBJECTS)}
    for name, (_, sql) in wanted.items():
        if name not in present:
            connection.execute(sql)
    for statement in () if has_derived else _DERIVE_AGAIN:
        connection.execute(statement)
    connection.execute(_START_INDEX)


def _columns(connection: sqlite3.Connection, table: str) -> dict[str, tuple[object, ...]]:
    """Returns the type, default and place in the key of each column."""
    return {row[1]: tuple(row[2:]) for row in connection.execute(f"PRAGMA table_info({table})")}
