"""A damaged database file in, a connection by which as much as possible of it can be read out."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress

from lessons import paths
from lessons.store.history import database

Reach = Callable[[sqlite3.Connection], int]
Patch = dict[int, bytes]  # byte offset -> what stands there

FOLDER = ".rescue-"  # how the name of the folder for copies begins
_HEADER = 100  # bytes, at the beginning of the first page
_INNER = 5  # the kind of a page that points to others
_LONGEST = 64 * 1024 * 1024  # of a value: a damaged length must not ask for all memory


@contextmanager
def boarded(path: str, reach: Reach, everything: int) -> Iterator[sqlite3.Connection | None]:
    """None where nothing can be read at all; `reach` tells how much a connection gives. The file is never changed."""
    with _reading(path) as direct:
        if reach(direct) == everything:
            yield direct
            return
    with tempfile.TemporaryDirectory(prefix=FOLDER, dir=os.path.dirname(path)) as folder:
        copy = os.path.join(folder, "copy")
        most, best = 0, Patch()
        for patch in (Patch(), *_patches(folder)):
            _lay(path, copy, patch)
            with _reading(copy) as connection:
                found = reach(connection)
            if found > most:
                most, best = found, patch
        _lay(path, copy, best)
        with _reading(copy) as connection:
            yield connection if most else None


@contextmanager
def _reading(path: str) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(database.address(path), uri=True, isolation_level=None)) as connection:
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
        with suppress(sqlite3.Error):
            # One unreadable line of the schema, or a file that is too short, does not hide the rest.
            connection.execute("PRAGMA writable_schema = ON")
        yield connection


def _lay(path: str, copy: str, patch: Patch) -> None:
    for ending in ("", "-wal"):
        with suppress(FileNotFoundError):
            shutil.copyfile(path + ending, copy + ending)
    with suppress(FileNotFoundError):
        os.unlink(copy + "-shm")
    with open(copy, "r+b") as file:
        for offset, content in patch.items():
            file.seek(offset)
            file.write(content)


def _patches(folder: str) -> list[Patch]:
    """The head, and all pages that name the tables: in every history they are the same and lie in the same places."""
    new = os.path.join(folder, "new")
    found: list[Patch] = []
    with database.opened(new) as connection:
        size = int(connection.execute("PRAGMA page_size").fetchone()[0])
        for step in ("PRAGMA page_size", "VACUUM"):  # as it was made, and as it is after it was packed
            connection.execute(step).fetchall()
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            with open(paths.history_file(new), "rb") as file:
                content = bytearray(file.read())
            content[24:28], content[92:96] = b"\0\0\0\2", b"\0\0\0\1"  # unequal: the length of the file counts
            found += [{0: bytes(content[:_HEADER])}, _schema_pages(bytes(content), size)]
    return found


def _schema_pages(content: bytes, size: int) -> Patch:
    """The first page and those it points to, as it tells itself."""
    pages = [0]
    if content[_HEADER] == _INNER:
        count = int.from_bytes(content[_HEADER + 3 : _HEADER + 5])
        starts = [content[_HEADER + 12 + 2 * number : _HEADER + 14 + 2 * number] for number in range(count)]
        places = [_HEADER + 8, *(int.from_bytes(start) for start in starts)]
        pages += [int.from_bytes(content[place : place + 4]) - 1 for place in places]
    return {page * size: content[page * size : (page + 1) * size] for page in pages}
