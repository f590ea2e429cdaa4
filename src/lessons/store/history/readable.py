"""A table of a damaged database in, every row that SQLite can still read out, with an account of what it cannot."""

import heapq
import sqlite3
from collections.abc import Iterator, Sequence

import msgspec

Row = tuple[object, ...]

_LAST = 2**63 - 1
# Places that are tried where nothing can be read, the widest gaps first; fewer where no last number is known.
_PROBES, _PROBES_IN_THE_DARK = 50_000, 5_000
_BYTES_PER_ROW = 100  # at least, to guess a last number


class Loss(msgspec.Struct):
    """What could not be read of a table."""

    rows: int = 0  # at most: a number that was never given away counts too
    untold: bool = False  # how many more there were cannot be told


class _Stretch:
    """The rows of one query up to where it ends or fails."""

    def __init__(self, connection: sqlite3.Connection, query: str, low: int, high: int) -> None:
        self.connection, self.query, self.bounds = connection, query, (low, high)
        self.last: int | None = None
        self.whole = False

    def __iter__(self) -> Iterator[Row]:
        down = self.query.endswith("DESC")
        try:
            for row in self.connection.execute(self.query, self.bounds):
                number = row[0]
                if self.last is not None and (number >= self.last if down else number <= self.last):
                    return  # the order is broken: a page stands where another belongs
                self.last = number
                yield row[1:]
            self.whole = True
        except (sqlite3.Error, OverflowError, MemoryError):
            return


class NumberedRows:
    """A table with row numbers: one bad page costs its own rows and no others."""

    def __init__(self, connection: sqlite3.Connection, table: str, columns: Sequence[str], size: int) -> None:
        # Indexes are not trusted: they may be what is damaged. Both numbers lie outside of what is asked for.
        query = f"SELECT rowid, {', '.join(columns)} FROM {table} NOT INDEXED WHERE rowid > ? AND rowid < ?"
        self.connection = connection
        self.up, self.down = f"{query} ORDER BY rowid", f"{query} ORDER BY rowid DESC"
        self.size = size  # of the file
        self.loss = Loss()

    def __iter__(self) -> Iterator[Row]:
        first = _Stretch(self.connection, self.up, 0, _LAST)
        yield from first
        if first.whole:
            return
        low = first.last or 0
        end = _Stretch(self.connection, self.down, low, _LAST)
        yield from end
        if not end.whole:
            self.loss.untold = end.last is None
            yield from self._between(low, end.last or low + self.size // _BYTES_PER_ROW + 2)

    def _between(self, low: int, high: int) -> Iterator[Row]:
        """Halve each gap, and read from its middle both ways, until no number is left that was not tried."""
        gaps = [(low - high, low, high)]
        for _ in range(_PROBES_IN_THE_DARK if self.loss.untold else _PROBES):
            if not gaps:
                return
            _, low, high = heapq.heappop(gaps)
            middle = (low + high) // 2
            above = _Stretch(self.connection, self.up, middle - 1, high)
            yield from above
            if not above.whole:
                self.loss.rows += above.last is None and not self.loss.untold
                self._leave(gaps, middle if above.last is None else above.last, high)
            below = _Stretch(self.connection, self.down, low, middle)
            yield from below
            if not below.whole:
                self._leave(gaps, low, middle if below.last is None else below.last)
        if not self.loss.untold:
            self.loss.rows += sum(high - low - 1 for _, low, high in gaps)

    def _leave(self, gaps: list[tuple[int, int, int]], low: int, high: int) -> None:
        if high - low > 1:
            heapq.heappush(gaps, (low - high, low, high))


class KeyedRows:
    """A table without row numbers: from its first key as far as that goes, and from its last."""

    def __init__(self, connection: sqlite3.Connection, table: str, columns: Sequence[str], key: Sequence[str]) -> None:
        self.connection = connection
        self.query = f"SELECT {', '.join(columns)} FROM {table} NOT INDEXED ORDER BY "
        self.key = key
        self.loss = Loss()

    def __iter__(self) -> Iterator[Row]:
        for direction in ("", " DESC"):
            try:
                yield from self.connection.execute(self.query + ", ".join(name + direction for name in self.key))
                return
            except (sqlite3.Error, OverflowError, MemoryError):
                self.loss.untold = True
