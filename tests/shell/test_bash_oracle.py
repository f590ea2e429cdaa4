"""The construct table as bash judges it."""

from pathlib import Path

from tests.shell.bash_oracle import needs_missing_program, those_that_run
from tests.shell.construct_rows import BASH_QUIET, BASH_RUNS, NOT_FOLLOWED


def test_bash_judges_the_same(tmp_path: Path) -> None:
    judged = [line for line in BASH_RUNS + BASH_QUIET if not needs_missing_program(line)]
    assert len(judged) > len(BASH_QUIET) + len(BASH_RUNS) // 2
    found = those_that_run(judged, tmp_path)
    assert [line for line, runs in zip(judged, found, strict=True) if runs != (line in BASH_RUNS)] == []


def test_bash_runs_what_is_not_followed(tmp_path: Path) -> None:
    found = those_that_run(NOT_FOLLOWED, tmp_path)
    assert [line for line, runs in zip(NOT_FOLLOWED, found, strict=True) if not runs] == []
