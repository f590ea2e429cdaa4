"""Workers that are missing, as on Windows, or that die: the other processes read everything and find the same."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from lessons.capture import pool, thread_mining, worker_process
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


@pytest.fixture(params=["copied", "started"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How workers begin: as copies of this process, or as new interpreters where that is not possible."""
    monkeypatch.setattr(worker_process, "may_fork", lambda: request.param == "copied")
    return str(request.param)


def dying(function: Callable[..., Any], after: int) -> Callable[..., Any]:
    """Ends any copy of this process at its next call after so many."""
    first, count = os.getpid(), 0

    def counted(*arguments: object) -> object:
        nonlocal count
        if os.getpid() != first:
            count += 1
            if count > after:
                os.kill(os.getpid(), signal.SIGKILL)
        return function(*arguments)

    return counted


# Orders: consent, 23 files in part, loading, threads. Answers: the same without the first and the third.
@pytest.mark.parametrize("after", [0, 1, 4, 13, 20])
@pytest.mark.parametrize("name", ["received", "send"])
def test_a_worker_that_dies_costs_nothing(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str, name: str, after: int
) -> None:
    expected = in_one_go(root, tmp_path / "one", processes=1)
    if way == "copied":
        monkeypatch.setattr(worker_process, name, dying(getattr(worker_process, name), after))
    else:
        program = _DIES.format(name=name, after=after, function=f"real_{name}")
        monkeypatch.setattr(worker_process, "_COMMAND", (sys.executable, "-I", "-c", program))
    assert in_one_go(root, tmp_path / "several", processes=3) == expected
    assert len(expected["calls"]) == 23


@pytest.mark.usefixtures("way")
def test_workers_read_and_mine(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers: dict[bytes, int] = {worker_process.READ: 0, worker_process.MINE: 0}
    receive = worker_process.WorkerProcess.receive

    def counted(worker: worker_process.WorkerProcess) -> bytes | None:
        kind, message = worker.pending[0].message[:1], receive(worker)
        answers[kind] += bool(message)
        return message

    monkeypatch.setattr(worker_process.WorkerProcess, "receive", counted)
    monkeypatch.setattr(thread_mining, "_FEW_CALLS", 0)
    in_one_go(root, tmp_path / "several", processes=3)
    assert answers[worker_process.READ] > 5
    assert answers[worker_process.MINE] > 5


def test_workers_that_cannot_send_what_they_read(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    expected = in_one_go(root, tmp_path / "one", processes=1)
    if way == "copied":
        first, encode = os.getpid(), worker_process.encode
        broken = lambda value: encode(value) if os.getpid() == first else chr(0xD800).encode()  # noqa: E731
        monkeypatch.setattr(worker_process, "encode", broken)
    program = """
from lessons.capture import worker_process
worker_process.encode = lambda value: chr(0xD800).encode()
worker_process.work()
"""
    monkeypatch.setattr(worker_process, "_COMMAND", (sys.executable, "-I", "-c", program))
    assert in_one_go(root, tmp_path / "several", processes=3) == expected


def test_fewer_processes_than_wanted(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    expected = in_one_go(root, tmp_path / "one", processes=1)
    started: list[object] = []
    fork = os.fork

    def limited() -> int:
        started.append(None)
        if len(started) > 1:
            raise BlockingIOError("Resource temporarily unavailable")
        return fork()

    class Limited(subprocess.Popen[bytes]):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            started.append(self)
            if len(started) > 1:
                raise BlockingIOError("Resource temporarily unavailable")
            super().__init__(*arguments, **options)

    open_before = len(os.listdir("/proc/self/fd"))
    if way == "copied":
        monkeypatch.setattr(os, "fork", limited)
    else:
        monkeypatch.setattr(worker_process, "subprocess", SimpleNamespace(Popen=Limited, PIPE=subprocess.PIPE))
    assert in_one_go(root, tmp_path / "several", processes=4) == expected
    assert len(started) == 2
    assert len(os.listdir("/proc/self/fd")) == open_before


# In a process of its own, with a time limit: if both sides waited for each other, the test would never end.
_SMALL_PIPES = """
import sys
from lessons.capture import worker_process
from lessons.capture.run import Options, run
worker_process._PIPE_BYTES = 4096
print(run(sys.argv[1], Options([sys.argv[2]], processes=2)).coverage.files.read)
"""


def test_pipes_of_one_page(tmp_path: Path) -> None:
    root = tmp_path / ("long" * 25) / ("folder" * 12)
    for number in range(150):
        session = Session(f"n{number}")
        for call in range(4):
            name = session.call("Bash", {"command": f"make t{number}_{call} {'x' * 300}"})
            session.result(name, "Exit code 2\nno rule " + "y" * 900, error=True)
        session.write(root)
    command = [sys.executable, "-c", _SMALL_PIPES, str(tmp_path / "home"), str(root)]
    assert subprocess.run(command, stdout=subprocess.PIPE, timeout=100, check=True).stdout == b"150\n"


def test_without_pipes_to_wait_for(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = in_one_go(root, tmp_path / "several", processes=2)

    def refuse(*arguments: object, **options: object) -> None:
        pytest.fail("a process was started")

    monkeypatch.setattr(pool, "os", SimpleNamespace(name="nt"))
    monkeypatch.setattr(worker_process, "WorkerProcess", refuse)
    monkeypatch.setattr(pool, "WorkerProcess", refuse)
    assert in_one_go(root, tmp_path / "one", processes=2) == expected
    assert len(expected["calls"]) == 23
