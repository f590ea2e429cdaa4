"""Worker processes find what one process finds; also if they die, cannot be started or lose the one that uses them."""

import os
import signal
import subprocess
import sys
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lessons.episode import Step
from lessons.mistakes.features import features_of, keys_of
from lessons.scan import mine as mine_module
from lessons.scan import workers
from lessons.scan.mine import MinedThread, ThreadTask, in_turn
from lessons.scan.workers import Job, Processes
from lessons.store.consent import Consent
from lessons.store.history.sessions import PromptRow
from tests.builders.steps import HOME, failed, ran, thread
from tests.builders.transcript import Session
from tests.flows.scanning import in_one_go

WINDOW = 8
FEATURES = array("I", keys_of(features_of("Bash", None, "ls", HOME))).tobytes()
MISTAKE = (failed("gh pr diff --stat", "unknown flag: --stat"), ran("gh pr diff"))


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


def dies_at_once(job: Job) -> object:
    os.kill(os.getpid(), signal.SIGKILL)
    return _read(job)


def dies_later(job: Job) -> object:
    global _count
    _count += 1
    return _read(job) if _count < 4 else dies_at_once(job)


def fails(job: Job) -> object:
    raise ValueError("what a worker read cannot be sent")


@pytest.mark.parametrize("reading", [_read, dies_at_once, dies_later, fails])
def test_the_same_tables_whatever_happens_to_workers(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reading: Callable[[Job], object]
) -> None:
    expected = in_one_go(root, tmp_path / "one", processes=1)
    monkeypatch.setattr(workers, "_read_in_worker", reading)
    monkeypatch.setattr(mine_module, "_FEW_CALLS", 0)
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
from lessons.scan.workers import Processes
from lessons.store.consent import Consent
processes = Processes(Consent())
processes._start(1)
print(processes._pool.submit(os.getpid).result(), flush=True)
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


def task(number: int, steps: list[Step]) -> ThreadTask:
    """Every third one has a prompt; truth values are numbers, as in a row of the database."""
    prompt = PromptRow("2026-01-31T23:00:00.000Z", number, "No, never run `gh pr diff` with --stat here.", "sure")
    stored: Any = [msgspec.structs.replace(step, suspicious=0, hides_exit=int(step.hides_exit)) for step in steps]
    return ThreadTask(f"s{number}", stored, [prompt] * (number % 3 == 0), (0, len(steps)), 0, WINDOW)


def tasks(count: int) -> list[ThreadTask]:
    return [task(number, thread(*[ran("ls")] * (number * 37 % 90), *MISTAKE)) for number in range(count)]


@pytest.fixture(scope="module")
def processes() -> Iterator[Processes]:
    with Processes(Consent()) as processes:
        processes._start(2)
        yield processes


def test_threads_are_mined_in_their_order(processes: Processes) -> None:
    expected = list(in_turn(tasks(200)))
    assert list(processes.mine(iter(tasks(200)))) == expected
    assert [row.session_id for mined in expected for row in mined.episodes] == [f"s{number}" for number in range(200)]
    assert sum(len(mined.corrections) for mined in expected) == 67


def test_nothing_to_mine(processes: Processes) -> None:
    assert list(processes.mine([])) == []
    assert list(processes.mine([task(1, thread(ran("ls")))])) == [MinedThread(features={"call-0": FEATURES})]


def test_a_thread_that_cannot_be_mined_reports_its_faults(processes: Processes) -> None:
    broken = [msgspec.structs.replace(each, window=None) for each in tasks(20)]
    expected = list(in_turn(broken))
    assert list(processes.mine(broken)) == expected
    assert [mined.faults != [] for mined in expected] == [True] * 20


def test_only_so_many_threads_are_taken_ahead(processes: Processes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_MOST_WAITING_CALLS", 300)
    taken: list[int] = []

    def counted() -> Iterator[ThreadTask]:
        for each in tasks(300):
            taken.append(len(each.steps))
            yield each

    done = 0
    for _ in processes.mine(counted()):
        assert sum(taken[done:]) < 300 + 92
        done += 1
    assert done == 300
