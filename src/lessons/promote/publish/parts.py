"""Writes files of many parts, and copies unchanged parts from the previous file in few runs."""

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from lessons.promote.publish.spool import Piece
from lessons.store import atomic
from lessons.store.file_text import Counted

_CHUNK = 1 << 20


# New bytes; or none, and where they stand in the file before, and how many they are.
Part = tuple[Piece | None, int, int]


def laid(parts: Iterable[Part], separator: bytes, before: BinaryIO | None) -> Iterator[bytes]:
    """The parts with the separator between them, bit by bit."""
    start = end = 0
    between = b""
    apart = len(separator)
    for new, at, length in parts:
        if new:
            yield from _copied(before, start, end)
            start = end = 0
            yield between + new.read()
        elif end and at == end + apart:
            end = at + length
        else:
            yield from _copied(before, start, end)
            yield between
            start, end = at, at + length
        between = separator
    yield from _copied(before, start, end)


def _copied(before: BinaryIO | None, start: int, end: int) -> Iterator[bytes]:
    if before is None or start == end:
        return
    before.seek(start)
    while start < end:
        chunk = before.read(min(_CHUNK, end - start))
        if not chunk:
            raise EOFError("the file before is shorter than it was")
        start += len(chunk)
        yield chunk


def write(path: str, chunks: Iterable[bytes]) -> int:
    """Replaces the file; returns the checksum of its content."""
    counted = Counted(chunks)
    atomic.write_chunks(path, counted)
    return counted.check
