"""A set of row numbers, stored as ranges: a scan adds consecutive numbers, maybe a million of them."""

from collections.abc import Iterable, Iterator

Run = tuple[int, int]  # the first and the last number of a range


class RowNumbers:
    """Its memory grows with the number of gaps, not with the number of rows."""

    def __init__(self, numbers: Iterable[int] = ()) -> None:
        self._runs: list[Run] = []
        self.update(numbers)

    @classmethod
    def of_runs(cls, runs: Iterable[Run]) -> "RowNumbers":
        made = cls()
        made._runs = [*runs]
        return made

    def update(self, numbers: "Iterable[int] | RowNumbers") -> None:
        """Adds numbers; some may be in the set already."""
        added = numbers.runs() if isinstance(numbers, RowNumbers) else _runs((one, one) for one in sorted(numbers))
        for first, last in added:
            if self._runs and self._runs[-1][0] <= first <= self._runs[-1][1] + 1:
                self._runs[-1] = (self._runs[-1][0], max(last, self._runs[-1][1]))
            else:
                self._runs.append((first, last))

    def runs(self) -> list[Run]:
        """Returns the ranges in order; no two of them touch."""
        self._runs = list(_runs(sorted(self._runs)))
        return list(self._runs)

    def all(self) -> list[int]:
        """Returns the numbers in ascending order."""
        return [number for first, last in self.runs() for number in range(first, last + 1)]

    def newest(self, limit: int) -> list[int]:
        """Returns the `limit` largest numbers in ascending order."""
        found: list[int] = []
        for first, last in reversed(self.runs()):
            found += range(last, max(first, last - limit + len(found) + 1) - 1, -1)
            if len(found) >= limit:
                break
        return found[::-1]


def _runs(ordered: Iterable[Run]) -> Iterator[Run]:
    """Merges ranges that overlap or touch."""
    current: Run | None = None
    for first, last in ordered:
        if current is None:
            current = (first, last)
        elif first <= current[1] + 1:
            current = (current[0], max(last, current[1]))
        else:
            yield current
            current = (first, last)
    if current is not None:
        yield current
