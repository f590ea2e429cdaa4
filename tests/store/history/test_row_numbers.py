from hypothesis import given
from hypothesis import strategies as some

from lessons.store.history.row_numbers import RowNumbers
from tests.tables import table

Sets = list[set[int]]


@table(
    "added, runs",
    [
        ([], []),
        ([{1}], [(1, 1)]),
        ([{1, 2, 3}], [(1, 3)]),
        ([{1, 2}, {3, 4}], [(1, 4)]),
        ([{3, 4}, {1}], [(1, 1), (3, 4)]),
        ([{5, 6}, {1, 2}, {3, 4}], [(1, 6)]),
        ([{1, 2, 3}, {2}], [(1, 3)]),
    ],
)
def test_runs(added: Sets, runs: list[tuple[int, int]]) -> None:
    assert numbers(added).runs() == runs


def test_many_that_follow_each_other_take_no_memory() -> None:
    found = RowNumbers()
    for start in range(0, 1_000_000, 100):
        found.update(range(start, start + 100))
    assert found.runs() == [(0, 999_999)]


@given(some.lists(some.sets(some.integers(0, 40))), some.integers(1, 50))
def test_a_set_of_numbers(added: Sets, limit: int) -> None:
    every = sorted(set().union(*added))
    found = RowNumbers()
    found.update(numbers(added))
    assert [one for first, last in found.runs() for one in range(first, last + 1)] == every
    assert found.newest(limit) == every[-limit:]


def numbers(added: Sets) -> RowNumbers:
    found = RowNumbers()
    for some_numbers in added:
        found.update(some_numbers)
    return found
