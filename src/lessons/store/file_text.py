"""A text in memory, or a long one in its file, of which parts are read when they are needed."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import BinaryIO
from zlib import crc32

from lessons.errors import Busy

_CHUNK = 1 << 20

# A start and a stop in, the bytes between them out, bit by bit.
Copy = Callable[[int, int], Iterator[bytes]]


class FileText:
    """The bytes of a file with a known length and checksum; a slice reads that part of it."""

    def __init__(self, path: str, length: int, check: int) -> None:
        self.path = path
        self.check = check
        self._length = length
        self._window = (0, b"")  # what was read last, for the parts that follow
        self._held: BinaryIO | None = None

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, part: slice) -> bytes:
        start, stop, _ = part.indices(self._length)
        if stop - start > _CHUNK // 4:
            return self._read(start, stop)
        first, data = self._window
        if not first <= start <= stop <= first + len(data):
            first, data = self._window = start, self._read(start, start + _CHUNK)
        return data[start - first : max(start, stop) - first]

    @contextmanager
    def held(self) -> Iterator[None]:
        """Reads all parts from one file, even if another one is put in its place meanwhile.

        Raises Busy at the latest at the end, if that file itself was changed.
        """
        with self._opened() as file:
            before = os.fstat(file.fileno())
            if check_of(file) != self.check:
                raise changed_meanwhile(self.path)
            self._held = file
            try:
                yield
            finally:
                self._held = None
            after = os.fstat(file.fileno())
            if (after.st_size, after.st_mtime_ns) != (before.st_size, before.st_mtime_ns):
                raise changed_meanwhile(self.path)

    def _read(self, start: int, stop: int) -> bytes:
        if self._held:
            return _part(self._held, start, stop)
        with self._opened() as file:
            return _part(file, start, stop)

    def _opened(self) -> BinaryIO:
        try:
            return open(self.path, "rb")
        except FileNotFoundError:
            raise changed_meanwhile(self.path) from None


class Counted:
    """Chunks on their way to a file: their length and their checksum so far."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self.length = self.check = 0
        self._chunks = chunks

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._chunks:
            self.length += len(chunk)
            self.check = crc32(chunk, self.check)
            yield chunk


def _part(file: BinaryIO, start: int, stop: int) -> bytes:
    file.seek(start)
    return file.read(stop - start)


def changed_meanwhile(path: str) -> Busy:
    return Busy(f"{path} was saved by another program just now and was left alone: try again.")


@contextmanager
def copying(text: bytes | FileText) -> Iterator[Copy]:
    """Copies parts of the text; Busy, at the latest at the end, where its file is not what it was."""
    if isinstance(text, bytes):
        yield lambda start, stop: iter((text[start:stop],))
        return
    with open(text.path, "rb") as file:
        before = os.fstat(file.fileno())
        if before.st_size != len(text) or check_of(file) != text.check:
            raise changed_meanwhile(text.path)
        yield lambda start, stop: _chunks(file, start, stop)
        after = os.fstat(file.fileno())
        if (after.st_size, after.st_mtime_ns) != (before.st_size, before.st_mtime_ns):
            raise changed_meanwhile(text.path)


def check_of(file: BinaryIO) -> int:
    """The checksum of a whole file."""
    check = 0
    while chunk := file.read(_CHUNK):
        check = crc32(chunk, check)
    return check


def _chunks(file: BinaryIO, start: int, stop: int) -> Iterator[bytes]:
    file.seek(start)
    while start < stop and (chunk := file.read(min(_CHUNK, stop - start))):
        start += len(chunk)
        yield chunk
