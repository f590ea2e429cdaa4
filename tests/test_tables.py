"""A table of cases tries every row, reports each that fails, and needs no more fixtures than its test."""

import inspect
from pathlib import Path

import pytest

from tests.tables import table


def test_every_row_is_tried_and_each_failure_is_reported() -> None:
    tried = []

    @table(("left", "right"), [(1, 1), (1, 2), (2, 2), (3, 4)])
    def check(left: int, right: int) -> None:
        tried.append((left, right))
        assert left == right

    with pytest.raises(AssertionError) as caught:
        check()
    assert tried == [(1, 1), (1, 2), (2, 2), (3, 4)]
    told = str(caught.value)
    assert "2 of 4 rows failed" in told
    assert "row 1: left=1, right=2" in told and "assert 1 == 2" in told
    assert "row 3: left=3, right=4" in told and "row 0" not in told
    assert str(caught.value.__cause__).startswith("assert 1 == 2")


def test_whatever_ends_a_row_is_a_failure_of_that_row() -> None:
    @table("end", [pytest.fail, pytest.skip, {}.popitem, str])
    def check(end: type) -> None:
        end()

    with pytest.raises(AssertionError, match="3 of 4 rows failed"):
        check()


def test_two_tables_give_every_combination() -> None:
    tried = []

    @table("left", "ab")
    @table("right", [1, 2, 3])
    def check(left: str, right: int) -> None:
        tried.append(f"{left}{right}")

    check()
    assert sorted(tried) == ["a1", "a2", "a3", "b1", "b2", "b3"]


def test_fixtures_stay_and_each_row_has_a_folder_of_its_own(tmp_path: Path) -> None:
    folders = []

    @table("name", ["x", "y"])
    def check(name: str, tmp_path: Path, other: int) -> None:
        assert other == 7 and not list(tmp_path.iterdir())
        (tmp_path / name).touch()
        folders.append(tmp_path)

    assert list(inspect.signature(check).parameters) == ["tmp_path", "other"]
    check(tmp_path=tmp_path, other=7)
    assert len(set(folders)) == 2
