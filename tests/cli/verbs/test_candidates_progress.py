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

SHOWN = "Computing triggers"
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pty")


def made(home: Path, number: int) -> None:
    """Candidates of two sessions each, without a stored trigger."""
    home_with(home, Past(command="ls"))
    with closing(sqlite3.connect(home / "history.db")) as connection, connection:
        for each in range(number):
            put(connection, f"said-{each}", seen=[Seen("s1"), Seen("s2")], tier=3, kind="correction")


def listed(home: Path, terminal: int, *options: str) -> bytes:
    """What stands on stdout."""
    environment = {**os.environ, "LESSONS_HOME": str(home), "TERM": "xterm-256color", "COLUMNS": "100"}
    command = [sys.executable, "-m", "lessons", "candidates", *options]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=terminal, env=environment, check=True).stdout


def test_without_a_terminal_nothing_is_shown(tmp_path: Path) -> None:
    made(tmp_path, 120)
    with (tmp_path / "errors").open("w+") as errors:
        assert len(json.loads(listed(tmp_path, errors.fileno(), "--json"))["candidates"]) == 120
    assert (tmp_path / "errors").read_text() == ""


@pytest.mark.parametrize(("number", "options", "is_shown"), [(3, [], False), (120, [], True), (120, ["--json"], True)])
def test_on_a_terminal(tmp_path: Path, number: int, options: list[str], is_shown: bool) -> None:
    import pty

    made(tmp_path, number)
    ours, its = pty.openpty()
    out = listed(tmp_path, its, *options)
    os.close(its)
    shown = b""
    try:
        while piece := os.read(ours, 1 << 16):
            shown += piece
    except OSError:  # how Linux says that nobody writes any more
        pass
    os.close(ours)
    assert (SHOWN in shown.decode()) is is_shown
    assert SHOWN.encode() not in out
    assert not options or len(json.loads(out)["candidates"]) == number
