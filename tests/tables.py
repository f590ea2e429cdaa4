"""Tests over a table of cases: one test that tries every row and reports each row that fails."""

import functools
import inspect
import itertools
import traceback
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

Test = Callable[..., None]
# Other outcomes of a test are no `Exception`. A row must not skip: that would hide the rows after it.
_FAILURES = (Exception, pytest.fail.Exception, pytest.skip.Exception)
_LONGEST_VALUE = 200


def table(names: str | Sequence[str], rows: Iterable[Any]) -> Callable[[Test], Test]:
    """Calls the test once for each row; several tables on one test give every combination.

    Written like `pytest.mark.parametrize`, but a row costs a function call, not a test of its own. All rows share the
    fixtures of the test, so it is for tests that leave nothing behind; only `tmp_path` is a new folder for each row.
    """
    columns = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    cases = [dict(zip(columns, (row,) if len(columns) == 1 else row, strict=True)) for row in rows]
    if not cases:
        raise ValueError("a table without rows tests nothing")

    def decorate(test: Test) -> Test:
        inner: list[dict[str, Any]] = getattr(test, "table_rows", [{}])
        plain: Test = getattr(test, "__wrapped__", test)
        combined = [{**outer, **row} for row, outer in itertools.product(inner, cases)]
        signature = inspect.signature(test)
        fixtures = [parameter for name, parameter in signature.parameters.items() if name not in columns]

        @functools.wraps(plain)
        def over_all_rows(**given: Any) -> None:
            _try_all(plain, combined, given)

        over_all_rows.table_rows = combined  # type: ignore[attr-defined]
        over_all_rows.__signature__ = signature.replace(parameters=fixtures)  # type: ignore[attr-defined]
        return over_all_rows

    return decorate


def _try_all(test: Test, rows: list[dict[str, Any]], fixtures: dict[str, Any]) -> None:
    failures: list[tuple[int, BaseException]] = []
    for number, row in enumerate(rows):
        try:
            test(**row, **_for_row(fixtures, number))
        except _FAILURES as error:
            failures.append((number, error))
    if failures:
        told = [_told(test, number, rows[number], error) for number, error in failures]
        message = f"{len(failures)} of {len(rows)} rows failed:\n" + "\n".join(told)
        raise AssertionError(message) from failures[0][1]


def _for_row(fixtures: dict[str, Any], number: int) -> dict[str, Any]:
    if "tmp_path" not in fixtures:
        return fixtures
    folder: Path = fixtures["tmp_path"] / f"row-{number}"
    folder.mkdir()
    return {**fixtures, "tmp_path": folder}


def _told(test: Test, number: int, row: dict[str, Any], error: BaseException) -> str:
    values = ", ".join(f"{name}={_cut(repr(value))}" for name, value in row.items())
    frames = traceback.extract_tb(error.__traceback__)
    line = next((frame.lineno for frame in reversed(frames) if frame.filename == test.__code__.co_filename), "?")
    reason = str(error).replace("\n", "\n    ")
    return f"row {number}: {values}\n  line {line}: {type(error).__name__}: {reason}"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_VALUE else text[:_LONGEST_VALUE] + "…"
