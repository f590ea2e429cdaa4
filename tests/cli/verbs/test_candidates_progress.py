"""The progress of `lessons candidates`: only on a terminal, only if much is missing, and never on stdout."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.builders.candidates import Seen, put
from tests.builders.past import Past, home_with
from tests.cli.on_terminal import run_with_errors_on_terminal

SHOWN = "Computing triggers"
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pty")


def made(home: Path, number: int) -> None:
    """Candidates of two sessions each, without a stored trigger."""
    home_with(home, Past(command="ls"))
    with closing(sqlite3.connect(home / "history.db")) as connection, connection:
        for each in range(number):
            put(connection, f"said-{each}", seen=[Seen("s1"), Seen("s2")], tier=3, kind="correction")


def test_without_a_terminal_nothing_is_shown(tmp_path: Path) -> None:
    made(tmp_path, 120)
    environment = {**os.environ, "LESSONS_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "lessons", "candidates", "--json"]
    printed = subprocess.run(command, capture_output=True, env=environment, check=True)
    assert len(json.loads(printed.stdout)["candidates"]) == 120
    assert printed.stderr == b""


@pytest.mark.parametrize(("number", "options", "is_shown"), [(3, [], False), (120, [], True), (120, ["--json"], True)])
def test_on_a_terminal(tmp_path: Path, number: int, options: list[str], is_shown: bool) -> None:
    made(tmp_path, number)
    environment = {**os.environ, "LESSONS_HOME": str(tmp_path), "TERM": "xterm-256color", "COLUMNS": "100"}
    command = [sys.executable, "-m", "lessons", "candidates", *options]
    printed = run_with_errors_on_terminal(command, environment, 60)
    assert printed.code == 0
    assert (SHOWN in printed.error) is is_shown
    assert SHOWN not in printed.out
    assert not options or len(json.loads(printed.out)["candidates"]) == number
