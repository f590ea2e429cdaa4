"""Workers that are missing, as on Windows, or that die: the other processes read everything and find the same."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from lessons.capture import pool, worker_process
from tests.builders.transcript import Session
from tests.flows.scanning import in_one_go

# A worker that dies when it has so many orders or answers: the rest of what it was told to read is lost with it.
_DIES = """
import os
from lessons.capture import worker_process as pool
count = 0
def counted(*arguments):
    global count
    count += 1
    if count > {after}:
        os.kill(os.getpid(), 9)
    return {function}(*arguments)
{function} = pool.{name}
pool.{name} = counted
pool.work()
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "projects"
    for name in ("one", "two", "three", *"abcdefghijklmnopqrst"):
        session = Session(name)
        session.result(session.call("Bash", {"command": f"make {name}"}), "Exit code 2\nno rule", error=True)
        session.write(root)
    return root


# Orders: consent, 23 files in part, loading, threads. Answers: the same without the first and the third.
@pytest.mark.parametrize("after", [0, 1, 4, 13, 20])
@pytest.mark.parametrize("name", ["_received", "_send"])
def test_a_worker_that_dies_costs_nothing(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, after: int
) -> None:
    expected = in_one_go(root, tmp_path / "one", processes=1)
    program = _DIES.format(name=name, after=after, function=f"real{name}")
    monkeypatch.setattr(worker_process, "_COMMAND", (sys.executable, "-I", "-c", program))
    assert in_one_go(root, tmp_path / "several", processes=3) == expected
    assert len(expected["calls"]) == 23


def test_without_pipes_to_wait_for(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = in_one_go(root, tmp_path / "several", processes=2)

    def refuse(*arguments: object, **options: object) -> None:
        pytest.fail("a process was started")

    monkeypatch.setattr(pool, "os", SimpleNamespace(name="nt"))
    monkeypatch.setattr(worker_process, "subprocess", SimpleNamespace(Popen=refuse, PIPE=subprocess.PIPE))
    assert in_one_go(root, tmp_path / "one", processes=2) == expected
    assert len(expected["calls"]) == 23
