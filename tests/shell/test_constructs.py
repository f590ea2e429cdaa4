"""The construct table: lines that start a program, and lines that only look like it."""

from lessons.shell.commands import POWERSHELL
from lessons.shell.split import invocations
from tests.shell.construct_rows import (
    BASH_QUIET,
    BASH_RUNS,
    HAND_QUIET,
    HAND_RUNS,
    NOT_FOLLOWED,
    POWERSHELL_QUIET,
    POWERSHELL_RUNS,
    WINDOWS_QUIET,
    WINDOWS_RUNS,
)
from tests.tables import table


def programs(line: str, dialect: str = "") -> set[str]:
    return {text.split(" ")[0] for texts in invocations(line, dialect) for text in texts}


def pushes(line: str, dialect: str = "") -> bool:
    return any(text.startswith("git push") for texts in invocations(line, dialect) for text in texts)


@table("line", BASH_QUIET + HAND_QUIET)
def test_starts_no_pytest(line: str) -> None:
    assert "pytest" not in programs(line)


@table("line", BASH_RUNS + HAND_RUNS)
def test_starts_pytest(line: str) -> None:
    assert "pytest" in programs(line)


@table("line", POWERSHELL_QUIET)
def test_powershell_pushes_nothing(line: str) -> None:
    assert not pushes(line, POWERSHELL)


@table("line", POWERSHELL_RUNS)
def test_powershell_pushes(line: str) -> None:
    assert pushes(line, POWERSHELL)


@table("line", WINDOWS_QUIET)
def test_other_shells_push_nothing(line: str) -> None:
    assert not pushes(line)


@table("line", WINDOWS_RUNS)
def test_other_shells_push(line: str) -> None:
    assert pushes(line)


@table("line", NOT_FOLLOWED)
def test_is_not_followed(line: str) -> None:
    assert "pytest" not in programs(line)


def test_no_row_is_there_twice() -> None:
    lines = BASH_RUNS + BASH_QUIET + HAND_RUNS + HAND_QUIET
    assert sorted(line for line in set(lines) if lines.count(line) > 1) == []
