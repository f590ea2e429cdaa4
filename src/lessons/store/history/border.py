"""Maps SQLite's errors to ours: nothing outside this folder depends on the database."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import wraps
from types import FunctionType
from typing import Any

from lessons.errors import DamagedFile, HistoryUnavailable, LessonsError

REMEDY = "`lessons scan --full` sets it aside, recovers its rows and adds those of the last backup"
# Error codes of SQLite for a broken file: corrupt, not a database, too short.
_DAMAGE_CODES = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_DAMAGE_WORDS = ("malformed", "not a database", "no such table", "already exists", "unsupported file")
_IS_GENERATOR = 0x20  # inspect.CO_GENERATOR, without importing inspect


class NotStorable(Exception):
    """Rows that the tables cannot hold; the message names the fault and its source, never their content."""


def is_damage(fault: Exception) -> bool:
    """Whether the file itself is broken, not just locked, full or forbidden."""
    if not isinstance(fault, sqlite3.DatabaseError):
        return False
    code = getattr(fault, "sqlite_errorcode", 0)
    words = any(word in str(fault) for word in _DAMAGE_WORDS)
    return code & 0xFF in _DAMAGE_CODES or code == sqlite3.SQLITE_IOERR_SHORT_READ or words


def damaged(path: str, fault: object) -> DamagedFile:
    return DamagedFile(f"{path} is damaged ({fault}): {REMEDY}.")


def as_ours(path: str, fault: sqlite3.Error) -> LessonsError | None:
    """Returns the error for callers; None for one that only a bug of ours can cause."""
    if is_damage(fault):
        return damaged(path, fault)
    if isinstance(fault, sqlite3.OperationalError):  # locked, full, forbidden
        return HistoryUnavailable(path, str(fault))
    return None


@contextmanager
def translated(path: str) -> Iterator[None]:
    """Converts SQLite's errors about the file at `path` to ours."""
    try:
        yield
    except sqlite3.Error as fault:
        ours = as_ours(path, fault)
        if ours is None:
            raise
        raise ours from fault


@contextmanager
def plain_rows(connection: sqlite3.Connection) -> Iterator[sqlite3.Cursor]:
    """A cursor of tuples: a million rows with names take half as long again."""
    with closing(connection.cursor()) as cursor:
        cursor.row_factory = None
        yield cursor


class Part:
    """A part of an open history. The public methods of every subclass raise our errors."""

    def __init__(self, connection: sqlite3.Connection, path: str) -> None:
        self._connection = connection
        self._path = path

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for name, method in list(vars(cls).items()):
            if isinstance(method, FunctionType) and not name.startswith("_"):
                is_generator = method.__code__.co_flags & _IS_GENERATOR
                setattr(cls, name, _generator(method) if is_generator else _function(method))


def _function(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def guarded(self: Part, *arguments: object, **named: object) -> Any:
        with translated(self._path):
            return method(self, *arguments, **named)

    return guarded


def _generator(method: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
    @wraps(method)
    def guarded(self: Part, *arguments: object, **named: object) -> Iterator[Any]:
        with translated(self._path):
            yield from method(self, *arguments, **named)

    return guarded
