"""Reads the records of a growing transcript from a known byte on, also after truncation, replacement or damage.

A transcript that its agent has compressed (Zstandard) is unpacked into an unnamed file, which is gone with the process.
"""

import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from types import TracebackType
from typing import NamedTuple

from lessons.agents.base import Damaged, Record
from lessons.agents.names import real_path
from lessons.agents.object_lines import Reader
from lessons.store.logs import describe_fault as describe
from lessons.system import open_regular, read_at

# Bytes at either end of what was read by which a replaced file is recognised.
_CHECKED_BYTES = 4_096
_SNIFFED_FIRST = 1 << 16
_MOST_SNIFFED = 8 << 20
_STEP = 1 << 16
_CHUNK = 1 << 18
# Three times the longest line that was seen: longer ones are skipped, and counted.
LONGEST_LINE = 16 << 20
# Larger than any session: a file that unpacks to more is damaged, or made to fill the disk.
_MOST_UNPACKED = 8 << 30


def is_compressed(path: str) -> bool:
    return path.endswith(".zst")


class Stretch(NamedTuple):
    """Some whole lines of a transcript; or its last line, where that is unfinished."""

    reader: Reader
    position: int
    data: bytes | None  # None: one line that is too long to be read
    end: int
    finished: bool

    def records(self) -> Iterable[Record | Damaged]:
        """All records in order. An unfinished line has one if it is complete but for its line end, otherwise none."""
        if not self.finished:
            return self._unfinished()
        if self.data is None:
            return (Damaged(self.position, self.end - self.position),)
        # Nearly always every line is sound, and all of them are decoded at once.
        try:
            sound = self.reader.sound_records(self.data, self.position)
        except Exception:  # a bug: it must cost no more than its line
            sound = None
        return self._one_by_one(self.data) if sound is None else sound

    def _one_by_one(self, data: bytes) -> Iterator[Record | Damaged]:
        position = self.position
        alone = data.find(b"\n") == len(data) - 1  # and may be very long: not to be copied
        for line in (data,) if alone else data.split(b"\n"):
            if line and not line.isspace():
                length = len(line) - line.endswith(b"\n")
                for record in self._records(line, position, length):
                    yield Damaged(position, length) if record is None else record
            position += len(line) + 1

    def _records(self, line: bytes, position: int, length: int) -> Sequence[Record | Damaged | None]:
        try:
            return self.reader.records(line, position)
        except Exception as fault:
            return (Damaged(position, length, describe(fault)),)

    def _unfinished(self) -> Iterable[Record]:
        """It is read again when the file has grown: whoever takes it must recognise the record by its key."""
        text = self.data.strip() if self.data else b""
        if not (text.startswith(b"{") and text.endswith(b"}")):
            return ()
        records = self.reader.records(text, self.position)
        return [record for record in records if record is not None] if len(records) == 1 else ()


class OpenTranscript:
    """A transcript opened for reading, as long as it was at that moment; to be used in a `with` statement."""

    def __init__(self, reader: Reader, path: str) -> None:
        """Raises OSError where it cannot be opened, or is a pipe or a device: reading it may never end."""
        self.reader = reader
        with open_regular(real_path(path)) as file:
            self._descriptor = os.dup(file.fileno())
        self.status = os.fstat(self._descriptor)
        self.size = self.status.st_size
        if is_compressed(path):
            packed = self._descriptor
            try:
                self._descriptor, self.size = _unpacked(packed)
            finally:
                os.close(packed)

    def __enter__(self) -> "OpenTranscript":
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        os.close(self._descriptor)

    def stretches(self, start: int, end: int | None = None) -> Iterator[Stretch]:
        """Everything from `start`, at which a line begins, in bounded memory; an unfinished line can only be last."""
        for position, data, after, finished in blocks_of(self._descriptor, start, self.size if end is None else end):
            yield Stretch(self.reader, position, data, after, finished)

    def is_recognised(self) -> bool | None:
        """Whether the first lines, nearly always the very first, are this agent's; None while unknown."""
        return self.is_recognised_at_once() or self.reader.recognises(self._beginning())

    def is_recognised_at_once(self) -> bool:
        """Whether the lines at the very beginning are this agent's; False where they do not tell."""
        data = read_at(self._descriptor, _SNIFFED_FIRST, 0)
        whole = data[: data.rfind(b"\n") + 1]
        return bool(whole and self.reader.recognises((whole,)))

    def _beginning(self) -> Iterator[bytes]:
        for stretch in self.stretches(0):
            if stretch.position >= _MOST_SNIFFED:
                return
            if stretch.data is not None:
                yield stretch.data

    def digests(self, offset: int) -> tuple[bytes, bytes]:
        """Of the beginning, and of what stands before `offset`; other ones later mean that the file was replaced."""
        length = min(_CHECKED_BYTES, offset)
        ends = read_at(self._descriptor, length, 0), read_at(self._descriptor, length, offset - length)
        head, tail = (blake2b(end, digest_size=12).digest() for end in ends)
        return head, tail

    def line_after(self, position: int) -> int:
        """Where the first line begins that does not begin before this position; the size if there is none."""
        at = position - 1
        while at < self.size:
            piece = read_at(self._descriptor, _STEP, at)
            found = piece.find(b"\n")
            if found >= 0:
                return at + found + 1
            if not piece:
                break
            at += len(piece)
        return self.size


# Position, one or more lines, the first byte after them, whether the last one is finished. A line is None if it is too
# long to be read.
FoundLine = tuple[int, bytes | None, int, bool]


def blocks_of(descriptor: int, start: int, size: int) -> Iterator[FoundLine]:
    """Yields all lines that start before `size`, from the start of a line on; many whole lines with their ends at once.

    A very long line comes alone, and so does an unfinished last line.
    """
    at = start
    while at < size:
        chunk = read_at(descriptor, min(_CHUNK, size - at), at)
        length = chunk.rfind(b"\n") + 1
        if length:
            yield at, chunk if length == len(chunk) else chunk[:length], at + length, True
            at += length
        elif at + len(chunk) >= size or not chunk:
            if chunk:
                yield at, chunk, at + len(chunk), False
            return
        else:
            # Longer than a chunk: find its end first, so that it is in memory only once.
            found = _long_line(descriptor, at, _end_of_line(descriptor, at + len(chunk), size), size)
            yield found
            at = found[2]


def _end_of_line(descriptor: int, at: int, size: int) -> int:
    """Returns the position of the next newline, or `size`."""
    while at < size:
        chunk = read_at(descriptor, min(_CHUNK, size - at), at)
        found = chunk.find(b"\n")
        if found >= 0:
            return at + found
        if not chunk:
            break
        at += len(chunk)
    return size


def _long_line(descriptor: int, position: int, end: int, size: int) -> FoundLine:
    finished = end < size
    length = end + finished - position
    data = read_at(descriptor, length, position) if end - position <= LONGEST_LINE else None
    if data is not None and len(data) < length:
        data = None  # the file was truncated while it was read: the next scan sees the rest
    return position, data, position + length, finished


def _unpacked(packed: int) -> tuple[int, int]:
    """Returns a descriptor of the text, for the caller to close, and its size; raises OSError if it cannot be read
    completely.
    """
    import sys  # few files are compressed, and the library is not always there

    if sys.version_info >= (3, 14):
        from compression.zstd import ZstdError, ZstdFile
    else:
        from backports.zstd import ZstdError, ZstdFile

    with tempfile.TemporaryFile(prefix="lessons-") as text, open(packed, "rb", closefd=False) as source:
        try:
            with ZstdFile(source) as stream:
                while piece := stream.read(_CHUNK):
                    text.write(piece)
                    if text.tell() > _MOST_UNPACKED:
                        raise OSError(None, "it is larger than any transcript")
        except (ZstdError, EOFError) as fault:
            raise OSError(None, f"it is not sound Zstandard data: {fault}") from fault
        text.flush()
        return os.dup(text.fileno()), text.tell()
