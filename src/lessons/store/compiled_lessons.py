"""The file `compiled-lessons`: what the last build made of each lesson, so that the next one makes only what changed.

It belongs to one manifest and one hook index, whose parts it tells the places of. Layout: a line that names the format,
the length and check of the head, the head, and the sections that the head lists, each with its length and check.
Whatever is missing, damaged, stale or of somebody else is as good as no file: the next build makes everything again.
"""

import os
import sys
from contextlib import suppress
from hashlib import sha256
from typing import BinaryIO
from zlib import crc32

import msgspec

import lessons
from lessons import paths
from lessons.store import atomic, manifest
from lessons.store.hook_index import regex_stamp
from lessons.store.hook_index import stamp as index_stamp

_MAGIC = b"lessons compiled 1\n"
_CHECK_LENGTH = 16
_DIGEST_LENGTH = 16
_CHUNK = 1 << 20
# What is made of a lesson is decided by the code in these folders; it may change without a new version.
_CODE = ("", "match", "shell", "promote/intake", "promote/publish", "promote/slow_regex", "store")

Stamp = tuple[int, int]


class Compiled(msgspec.Struct, array_like=True, gc=False):
    """What a lesson becomes where no setting leaves it out, and where that stands in the manifest and the index."""

    reason: str  # why it is left out all the same
    warnings: tuple[str, ...]
    wrong: tuple[str, ...]  # those of them about patterns that are left out, and examples that fail
    session_start: bool
    keys: dict[str, tuple[int, ...] | None]  # kind of text -> grams by which the index finds it; None: always looked at
    entry_at: int = 0
    entry_length: int = 0
    record_at: int = 0
    record_length: int = 0
    record_check: int = 0


class Facts(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """What a new lesson is compared with."""

    id: str
    slug: str
    content: bytes  # digest of problem, solution and triggers
    problem: bytes  # digest of the problem without its case and white space
    words: int  # how many different ones it says
    signature: bytes  # a bit for each of them
    patterns: tuple[str, ...]


class _Noted(msgspec.Struct, array_like=True, gc=False):
    """How a row begins."""

    digest: bytes
    facts: Facts


class Row(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A lesson: what a new one is compared with, what decides whether it is published, and what was made of it."""

    digest: bytes
    facts: Facts
    standing: str  # why it is left out whatever the settings
    confidence: float
    priority: int
    project: str  # the folder as the lesson writes it
    folders: tuple[str, ...]  # that folder, and where its links lead, when this was made
    is_kept: bool  # whether the next build may use it
    compiled: Compiled | None = None


class Stored(msgspec.Struct):
    """The rows by the digest of their text, and how many lessons each gram could find."""

    rows: dict[bytes, Row]
    frequency: dict[int, int]


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
    sections: tuple[tuple[int, bytes], ...]


def digest_of(piece: bytes | msgspec.Raw) -> bytes:
    return sha256(piece).digest()[:_DIGEST_LENGTH]


def known(home: str) -> frozenset[bytes] | None:
    """The digests of records that were read before; None if lessons.json is as it was when all were."""
    try:
        with open(paths.compiled_lessons_file(home), "rb") as file:
            head = _head(file)
            if head.sources and head.sources[0] == manifest.sources(home)[0]:
                return None
            data = _section(file, head.sections[0])
    except (OSError, ValueError, IndexError, msgspec.MsgspecError):
        return frozenset()
    return frozenset(data[at : at + _DIGEST_LENGTH] for at in range(0, len(data), _DIGEST_LENGTH))


def facts(home: str) -> dict[bytes, Facts]:
    """What is noted of each record, by the digest of its text; nothing where nothing can be used."""
    try:
        return {each.digest: each.facts for each in msgspec.msgpack.decode(_rows(home), type=list[_Noted])}
    except (OSError, ValueError, msgspec.MsgspecError):
        return {}


def fits(home: str) -> bool:
    """Whether every byte of the manifest and the index is as the last build wrote it."""
    try:
        with open(paths.compiled_lessons_file(home), "rb") as file:
            return _belongs(home, _head(file))
    except (OSError, ValueError, msgspec.MsgspecError):
        return False


def wrong(home: str) -> dict[bytes, tuple[str, ...]]:
    """What the last build found wrong with the patterns and examples of each record that it compiled, by its digest."""
    try:
        listed = msgspec.msgpack.decode(_rows(home), type=list[Row])
        return {row.digest: row.compiled.wrong for row in listed if row.compiled}
    except (OSError, ValueError, msgspec.MsgspecError):
        return {}


def read(home: str) -> Stored | None:
    """None if there is nothing that belongs to the manifest and the index that are there."""
    try:
        with open(paths.compiled_lessons_file(home), "rb") as file:
            head = _head(file)
            if not _belongs(home, head):
                return None
            _, rows, frequency = (_section(file, each) for each in head.sections)
        listed = msgspec.msgpack.decode(rows, type=list[Row])
        return Stored({row.digest: row for row in listed}, msgspec.msgpack.decode(frequency, type=dict[int, int]))
    except (OSError, ValueError, msgspec.MsgspecError):
        return None


def write(
    home: str, rows: list[Row], frequency: dict[int, int], sources: tuple[Stamp, ...], checks: tuple[int, int]
) -> None:
    """What a build made, after the manifest and the index; a home that cannot be written only costs time."""
    packed = msgspec.msgpack.encode
    sections = (b"".join(row.digest for row in rows), packed(rows), packed(frequency))
    lengths = tuple((len(section), _check(section)) for section in sections)
    with suppress(OSError):
        of_manifest = _noted(paths.manifest_file(home), checks[0])
        of_index = _noted(paths.hook_index_file(home), checks[1])
        head = packed(_Head(_writer(), of_manifest, of_index, sources, lengths))
        opening = (_MAGIC, len(head).to_bytes(8, "little"), _check(head), head)
        atomic.write_chunks(paths.compiled_lessons_file(home), [*opening, *sections])
        os.chmod(paths.compiled_lessons_file(home), 0o600)  # what others could have written is not believed


def remove(home: str) -> None:
    """Warnings quote patterns and examples."""
    with suppress(FileNotFoundError):
        os.unlink(paths.compiled_lessons_file(home))


def _belongs(home: str, head: _Head) -> bool:
    in_place = _is_as_noted(paths.manifest_file(home), head.manifest)
    return in_place and _is_as_noted(paths.hook_index_file(home), head.index)


def _noted(path: str, check: int) -> File:
    status = os.stat(path)
    return File(status.st_size, status.st_mtime_ns, check)


def _is_as_noted(path: str, noted: File) -> bool:
    """The content too: what is damaged must not be copied from one build to the next."""
    if _noted(path, noted.check) != noted:
        return False
    check = 0
    with open(path, "rb") as file:
        while chunk := file.read(_CHUNK):
            check = crc32(chunk, check)
    return check == noted.check


def _head(file: BinaryIO) -> _Head:
    """The head of a file that this version of everything wrote for this user; ValueError for any other."""
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


def _rows(home: str) -> bytes:
    with open(paths.compiled_lessons_file(home), "rb") as file:
        _, rows = (_section(file, each) for each in _head(file).sections[:2])
        return rows


def _section(file: BinaryIO, section: tuple[int, bytes]) -> bytes:
    length, expected = section
    if length > os.fstat(file.fileno()).st_size:  # a damaged length must not ask for all the memory there is
        raise ValueError("cut off")
    data = file.read(length)
    if len(data) != length or _check(data) != expected:
        raise ValueError("damaged")
    return data


def _check(data: bytes) -> bytes:
    return sha256(data).digest()[:_CHECK_LENGTH]


def _writer() -> str:
    """What decides, beside its own text, what is made of a lesson."""
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
