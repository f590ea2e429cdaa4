"""Worker processes find what one process finds; also if they die, cannot be started or lose the one that uses them."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lessons.scan import workers
from lessons.scan.workers import Job
from tests.builders.transcript import Session
from tests.flows.scanning import in_one_go


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "projects"
    for name in ("one", "two", "three", *"abcdefghijklmnopqrst"):
        session = Session(name)
        session.result(session.call("Bash", {"command": f"make {name}"}), "Exit code 2\nno rule", error=True)
        session.write(root)
    return root


# Pickled by name: each worker has its own count.
_count = 0
_read = workers._read_in_worker


def dies_later(job: Job) -> object:
    global _count
    _count += 1
    if _count == 4:
        os.kill(os.getpid(), signal.SIGKILL)
    return _read(job)


def fails(job: Job) -> object:
    raise ValueError("what a worker read cannot be sent")


@pytest.mark.parametrize("reading", [_read, dies_later, fails])
def test_the_same_tables_whatever_happens_to_workers(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reading: Callable[[Job], object]
) -> None:
    expected = in_one_go(root, tmp_path / "one", processes=1)
    monkeypatch.setattr(workers, "_read_in_worker", reading)
    assert in_one_go(root, tmp_path / "several", processes=3) == expected
    assert len(expected["calls"]) == 23


def test_fewer_processes_than_wanted(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from multiprocessing.context import SpawnProcess

    expected = in_one_go(root, tmp_path / "one", processes=1)
    started: list[object] = []
    start = SpawnProcess.start

    def limited(process: SpawnProcess) -> None:
        started.append(process)
        if len(started) > 1:
            raise BlockingIOError("Resource temporarily unavailable")
        start(process)

    monkeypatch.setattr(SpawnProcess, "start", limited)
    assert in_one_go(root, tmp_path / "several", processes=4) == expected
    assert len(started) == 2


def test_a_system_without_pools(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = in_one_go(root, tmp_path / "one", processes=1)

    def refused(*arguments: object) -> None:
        raise NotImplementedError("This Python build lacks multiprocessing.synchronize")

    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor", refused)
    assert in_one_go(root, tmp_path / "several", processes=3) == expected


_STARTS_A_WORKER = """
import os, time
from lessons.scan.workers import _pool
from lessons.store.consent import Consent
with _pool(Consent(), 1) as pool:
    print(pool.submit(os.getpid).result(), flush=True)
    time.sleep(100)
"""


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
def test_a_worker_ends_with_the_process_that_started_it() -> None:
    with subprocess.Popen([sys.executable, "-c", _STARTS_A_WORKER], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert int(process.stdout.readline())
        process.kill()
        # The worker has inherited the stream: it ends when the worker does.
        assert process.stdout.read() == b""
