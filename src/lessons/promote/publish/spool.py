"""Keeps what a build makes of new lessons in a temporary file, so that memory does not grow with their number."""

from tempfile import SpooledTemporaryFile
from types import TracebackType
from typing import NamedTuple, Self

from lessons.promote.publish.compile import Made
from lessons.store.compiled_rows import Row, decoded, encoded

# Up to here it stays in memory: a build after a change makes few lessons.
_LONGEST_IN_MEMORY = 8 << 20


# A row, ways to find it, its text for the manifest, its record for the index, and the digest of its problem.
Parts = tuple[bytes, bytes, bytes, bytes, bytes]


def parts_of(made: Made) -> Parts:
    """Returns the parts; text and record are empty if the lesson is left out."""
    row, new = made
    return encoded(row), *((new.ways, new.text, new.record) if new else (b"", b"", b"")), row.facts.problem


class Piece(NamedTuple):
    """A range of bytes in the file."""

    spool: "Spool"
    at: int
    length: int

    def read(self) -> bytes:
        return self.spool.read(self.at, self.length)


class NewRow:
    """A lesson that this build has compiled."""

    __slots__ = ("_at", "_lengths", "_spool", "problem")

    def __init__(self, spool: "Spool", at: int, lengths: tuple[int, int, int, int], problem: bytes) -> None:
        self._spool = spool
        self._at = at
        self._lengths = lengths
        self.problem = problem  # its digest

    @property
    def is_published(self) -> bool:
        """Whether it belongs into the manifest and the index."""
        return self._lengths[1] > 0

    def row(self) -> Row:
        """Returns a new copy each time, without the keys for the index, which are chosen later."""
        return decoded(memoryview(self._piece(0).read()))

    def ways(self) -> bytes:
        return self._piece(1).read()

    def text(self) -> Piece:
        return self._piece(2)

    def record(self) -> Piece:
        return self._piece(3)

    def _piece(self, number: int) -> Piece:
        return Piece(self._spool, self._at + sum(self._lengths[:number]), self._lengths[number])


class Spool:
    """The temporary file, in memory while it is short."""

    def __init__(self, folder: str | None = None) -> None:
        self._file = SpooledTemporaryFile(_LONGEST_IN_MEMORY, dir=folder)
        self._end = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()

    def put(self, parts: Parts) -> NewRow:
        *stored, problem = parts
        row, ways, text, record = map(len, stored)
        at = self._end
        self._file.seek(at)
        self._file.write(b"".join(stored))
        self._end += row + ways + text + record
        return NewRow(self, at, (row, ways, text, record), problem)

    def read(self, at: int, length: int) -> bytes:
        self._file.seek(at)
        return self._file.read(length)
