"""The file `compiled-lessons`: the result of the last build for each lesson, so that the next build is incremental.

It belongs to one manifest and one hook index, and stores the lengths of their parts. Layout: a line with the format,
the length and check of the head, the head, and the sections that the head lists. Each section has its length and check.
A file that is missing, damaged, stale or foreign is ignored: the next build compiles everything again.
"""

import os
import sys
from contextlib import suppress
from hashlib import sha256
from typing import BinaryIO, NamedTuple

import msgspec

import lessons
from lessons import paths
from lessons.store import atomic
from lessons.store.compiled_rows import DIGEST_LENGTH, Rows, digests_in
from lessons.store.file_text import check_of
from lessons.store.hook_index import regex_stamp
from lessons.store.hook_index import stamp as index_stamp
from lessons.store.lesson_layout import Layout
from lessons.store.postings import Postings

_MAGIC = b"lessons compiled 2\n"
_CHECK_LENGTH = 16
# The code in these folders decides the result for a lesson; it may change without a new version.
_CODE = ("", "match", "shell", "promote/intake", "promote/publish", "promote/slow_regex", "store")

Stamp = tuple[int, int]


class Stored(NamedTuple):
    """The rows in the order of the manifest, the postings of the index, and what the next build needs of both."""

    rows: Rows
    postings: Postings
    places: "Places"
    layout: Layout | None = None  # of lessons.json


class Places(msgspec.Struct, array_like=True, frozen=True):
    """Position of the first lesson in the manifest and in the index, and the settings that selected the lessons."""

    first_entry: int
    first_record: int
    thresholds: tuple[float, float]


class File(msgspec.Struct, array_like=True, frozen=True):
    """A whole file: its size, its time, and the checksum of its content."""

    size: int
    time: int
    check: int


class _Head(msgspec.Struct, array_like=True):
    writer: str
    manifest: File
    index: File
    sources: tuple[Stamp, ...]
    places: Places
    sections: tuple[tuple[int, bytes], ...]


def digest_of(piece: bytes | msgspec.Raw) -> bytes:
    return sha256(piece).digest()[:DIGEST_LENGTH]


def layout(home: str) -> Layout | None:
    """Returns the positions of the records of lessons.json at the last build; None if the file cannot be used."""
    try:
        with open(paths.compiled_lessons_file(home), "rb") as file:
            head = _head(file)
            file.seek(sum(length for length, _ in head.sections[:-1]), os.SEEK_CUR)
            return msgspec.msgpack.decode(_section(file, head.sections[-1]), type=Layout | None)
    except (OSError, ValueError, IndexError, msgspec.MsgspecError):
        return None


def lesson_digests(home: str) -> frozenset[bytes]:
    """Returns the digests of the records that are lessons."""
    try:
        with open(paths.compiled_lessons_file(home), "rb") as file:
            return frozenset(digests_in(_section(file, _head(file).sections[0])))
    except (OSError, ValueError, IndexError, msgspec.MsgspecError):
        return frozenset()


def rows(home: str) -> Rows:
    """Returns the row of each lesson, even if the manifest changed since; none if the file cannot be used."""
    try:
        with open(paths.compiled_lessons_file(home), "rb") as file:
            return Rows.from_parts(*(_section(file, each) for each in _head(file).sections[:2]))
    except (OSError, ValueError, msgspec.MsgspecError):
        return Rows()


def fits(home: str) -> bool:
    """Whether every byte of the manifest and the index is as the last build wrote it."""
    try:
        with open(paths.compiled_lessons_file(home), "rb") as file:
            return _belongs(home, _head(file))
    except (OSError, ValueError, msgspec.MsgspecError):
        return False


def read(home: str) -> Stored | None:
    """Returns None if there is nothing that belongs to the present manifest and index."""
    try:
        with open(paths.compiled_lessons_file(home), "rb") as file:
            head = _head(file)
            if not _belongs(home, head):
                return None
            columns, details, postings, _ = (_section(file, each) for each in head.sections)
        return Stored(Rows.from_parts(columns, details), Postings.from_bytes(postings), head.places)
    except (OSError, ValueError, msgspec.MsgspecError):
        return None


def write(home: str, made: Stored, sources: tuple[Stamp, ...], checks: tuple[int, int]) -> None:
    """Writes the result of a build, after the manifest and the index; a home that is not writable only costs time."""
    sections: list[bytes | bytearray] = [made.rows.columns(), made.rows.details(), made.postings.to_bytes()]
    sections.append(msgspec.msgpack.encode(made.layout))
    lengths = tuple((len(section), _check(section)) for section in sections)
    with suppress(OSError):
        of_manifest = _noted(paths.manifest_file(home), checks[0])
        of_index = _noted(paths.hook_index_file(home), checks[1])
        head = msgspec.msgpack.encode(_Head(_writer(), of_manifest, of_index, sources, made.places, lengths))
        opening = (_MAGIC, len(head).to_bytes(8, "little"), _check(head), head)
        atomic.write_chunks(paths.compiled_lessons_file(home), (*opening, *sections))
        os.chmod(paths.compiled_lessons_file(home), 0o600)  # a file that others can write is not trusted


def remove(home: str) -> None:
    """Deletes the file: its warnings quote patterns and examples."""
    with suppress(FileNotFoundError):
        os.unlink(paths.compiled_lessons_file(home))


def _belongs(home: str, head: _Head) -> bool:
    in_place = _is_as_noted(paths.manifest_file(home), head.manifest)
    return in_place and _is_as_noted(paths.hook_index_file(home), head.index)


def _noted(path: str, check: int) -> File:
    status = os.stat(path)
    return File(status.st_size, status.st_mtime_ns, check)


def _is_as_noted(path: str, noted: File) -> bool:
    """Compares the content too: damage must not be copied from one build to the next."""
    if _noted(path, noted.check) != noted:
        return False
    with open(path, "rb") as file:
        return check_of(file) == noted.check


def _head(file: BinaryIO) -> _Head:
    """Returns the head of a file that this version wrote for this user; raises ValueError for any other."""
    status = os.fstat(file.fileno())
    if hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & 0o022):
        raise ValueError("not yours alone")
    if file.read(len(_MAGIC)) != _MAGIC:
        raise ValueError("of another kind")
    length = int.from_bytes(file.read(8), "little")
    data = _section(file, (length, file.read(_CHECK_LENGTH)))
    head = msgspec.msgpack.decode(data, type=_Head)
    if head.writer != _writer():
        raise ValueError("written by another version")
    return head


def _section(file: BinaryIO, section: tuple[int, bytes]) -> bytes:
    length, expected = section
    if length > os.fstat(file.fileno()).st_size:  # a damaged length must not allocate all memory
        raise ValueError("cut off")
    data = file.read(length)
    if len(data) != length or _check(data) != expected:
        raise ValueError("damaged")
    return data


def _check(data: bytes | bytearray) -> bytes:
    return sha256(data).digest()[:_CHECK_LENGTH]


def _writer() -> str:
    """Returns what decides the result for a lesson besides its own text."""
    package = os.path.dirname(lessons.__file__)
    code = sorted(
        (name, status.st_size, status.st_mtime_ns)
        for folder in _CODE
        for name, status in _modules(os.path.join(package, folder))
    )
    home = os.path.expanduser("~")
    return repr((index_stamp(), regex_stamp(), sys.implementation.name, home, _check(repr(code).encode())))


def _modules(folder: str) -> list[tuple[str, os.stat_result]]:
    with os.scandir(folder) as found:
        return [(each.path, each.stat()) for each in found if each.name.endswith(".py")]
