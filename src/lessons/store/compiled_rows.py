"""The rows of `compiled-lessons` as columns: a build copies those of unchanged lessons without decoding them."""

import marshal
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate

import msgspec

DIGEST_LENGTH = 16
# The number of a lesson that is not in the index.
NO_NUMBER = 0xFFFFFFFF
# How a row is encoded.
_MSGPACK, _MARSHAL = b"p", b"m"


class Compiled(msgspec.Struct, array_like=True, gc=False):
    """The result for a lesson if no setting leaves it out."""

    reason: str  # why it is left out anyway
    warnings: tuple[str, ...]
    wrong: tuple[str, ...]  # those about patterns that are left out, and examples that fail
    session_start: bool
    keys: dict[str, tuple[int, ...] | None]  # kind of text -> grams by which the index finds it; None: always checked
    entry_length: int = 0  # in the manifest
    record_length: int = 0  # in the index
    record_check: int = 0


class Facts(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """The facts that a new lesson is compared with."""

    id: str
    slug: str
    content: bytes  # digest of problem, solution and triggers
    problem: bytes  # digest of the problem without its case and white space
    words: int  # how many different words it has
    signature: bytes  # a bit for each word
    patterns: tuple[str, ...]


class Row(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A lesson: what a new one is compared with, what decides whether it is published, and the result."""

    digest: bytes
    facts: Facts
    standing: str  # why it is left out with any settings
    confidence: float
    priority: int
    project: str  # the folder as the lesson writes it
    folders: tuple[str, ...]  # that folder, and the targets of its links at the time
    is_kept: bool  # whether the next build may use it
    compiled: Compiled | None = None

    @property
    def is_plain(self) -> bool:
        """Whether the next build has nothing to check or to report about it."""
        made = self.compiled
        return bool(
            made
            and self.facts.id
            and self.is_kept
            and not (self.standing or self.project or made.reason or made.warnings or made.wrong)
        )


class Rows:
    """Columns of fixed width; each whole row is encoded in `details`."""

    def __init__(self) -> None:
        self.digests = bytearray()
        self.contents = bytearray()
        self.problems = bytearray()
        self.plain = bytearray()  # 1 if the row is plain
        self.without_patterns = bytearray()
        self.numbers = array("I")  # in the index
        self.entry_lengths = array("I")
        self.record_lengths = array("I")
        self.record_checks = array("I")
        self._detail_lengths = array("I")
        self._details: bytes | bytearray = bytearray()

    def __len__(self) -> int:
        return len(self.plain)

    def append(self, row: Row, number: int = NO_NUMBER) -> None:
        """Adds a row; with a number it is in the manifest and the index."""
        made = row.compiled if number != NO_NUMBER else None
        self.digests += row.digest
        self.contents += row.facts.content
        self.problems += row.facts.problem
        self.plain.append(row.is_plain and made is not None)
        self.without_patterns.append(not row.facts.patterns)
        self.numbers.append(number)
        self.entry_lengths.append(made.entry_length if made else 0)
        self.record_lengths.append(made.record_length if made else 0)
        self.record_checks.append(made.record_check if made else 0)
        detail = encoded(row)
        self._detail_lengths.append(len(detail))
        self._details += detail

    def extend(self, other: "Rows", start: int, stop: int) -> None:
        """Adds a range of rows of another build."""
        for own, others in zip(self._digest_columns(), other._digest_columns(), strict=True):
            own += others[DIGEST_LENGTH * start : DIGEST_LENGTH * stop]
        self.plain += other.plain[start:stop]
        self.without_patterns += other.without_patterns[start:stop]
        for numbers, others_numbers in zip(self._number_columns(), other._number_columns(), strict=True):
            numbers.extend(others_numbers[start:stop])
        first, end = other._detail_starts[start], other._detail_starts[stop]
        self._details += memoryview(other._details)[first:end]

    def row(self, place: int) -> Row:
        starts = self._detail_starts
        return decoded(memoryview(self._details)[starts[place] : starts[place + 1]])

    def digest(self, place: int) -> bytes:
        return bytes(self.digests[DIGEST_LENGTH * place : DIGEST_LENGTH * (place + 1)])

    def each_digest(self) -> list[bytes]:
        return split_digests(self.digests)

    def not_plain(self) -> Iterator[int]:
        """Yields the positions of the rows that are not plain."""
        return _places(self.plain, b"\0")

    def all_without_patterns(self) -> Iterator[int]:
        return _places(self.without_patterns, b"\1")

    def having_digest(self, column: bytearray, digest: bytes) -> Iterator[int]:
        """Yields the positions with this digest in the column."""
        at = column.find(digest)
        while at >= 0:
            if at % DIGEST_LENGTH == 0:
                yield at // DIGEST_LENGTH
            at = column.find(digest, at + 1)

    def mentioning(self, text: bytes) -> Iterator[int]:
        """Yields the positions of the rows that contain this text, and perhaps some more."""
        at = self._details.find(text)
        while 0 <= at < len(self._details):  # an empty text is found at the very end too
            place = bisect_right(self._detail_starts, at) - 1
            yield place
            at = self._details.find(text, self._detail_starts[place + 1])

    def columns(self) -> bytes:
        """Returns everything but the details, as `from_parts` reads it."""
        parts = [*self._digest_columns(), self.plain, self.without_patterns, *map(_as_bytes, self._number_columns())]
        return msgspec.msgpack.encode(parts)

    def details(self) -> bytes | bytearray:
        return self._details

    @classmethod
    def from_parts(cls, columns: bytes, details: bytes) -> "Rows":
        """Raises ValueError if the columns are inconsistent."""
        rows = cls()
        parts = msgspec.msgpack.decode(columns, type=list[bytearray])
        rows.digests, rows.contents, rows.problems, rows.plain, rows.without_patterns, *numbers = parts
        for column, part in zip(rows._number_columns(), numbers, strict=True):
            column.frombytes(part)
        rows._details = details
        if rows._detail_starts[-1] != len(details) or len(rows.digests) != DIGEST_LENGTH * len(rows):
            raise ValueError("cut off")
        return rows

    @cached_property
    def _detail_starts(self) -> list[int]:
        """Computed once, for rows that are complete."""
        return list(accumulate(self._detail_lengths, initial=0))

    def _digest_columns(self) -> tuple[bytearray, ...]:
        return self.digests, self.contents, self.problems

    def _number_columns(self) -> tuple["array[int]", ...]:
        return self.numbers, self.entry_lengths, self.record_lengths, self.record_checks, self._detail_lengths


def digests_in(columns: bytes) -> list[bytes]:
    """Returns only the digests of the output of `columns`."""
    return split_digests(msgspec.msgpack.decode(columns, type=list[bytes])[0])


def split_digests(joined: bytes | bytearray) -> list[bytes]:
    whole = bytes(joined)
    return [whole[at : at + DIGEST_LENGTH] for at in range(0, len(whole), DIGEST_LENGTH)]


def encoded(row: Row) -> bytes:
    try:
        return _MSGPACK + msgspec.msgpack.encode(row)
    except UnicodeEncodeError:  # JSON can encode half a surrogate pair, msgpack cannot
        return _MARSHAL + marshal.dumps(msgspec.to_builtins(row, builtin_types=(bytes,)))


def decoded(data: memoryview) -> Row:
    if data[:1] == _MSGPACK:
        return msgspec.msgpack.decode(data[1:], type=Row)
    return msgspec.convert(marshal.loads(data[1:]), Row, builtin_types=(bytes,))


def _as_bytes(column: "array[int]") -> bytes:
    return column.tobytes()


def _places(column: bytearray, wanted: bytes) -> Iterator[int]:
    at = column.find(wanted)
    while at >= 0:
        yield at
        at = column.find(wanted, at + 1)
