"""`python -m lessons.continuity`, as hooks start it; it logs faults and prints nothing."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lessons.store import logs

# In its own process, and tells which of the libraries it would have to wait for it has loaded.
_WATCHED = """
import runpy, sys
sys.argv = ["lessons.continuity", *sys.argv[1:]]
try:
    runpy.run_module("lessons.continuity", run_name="__main__")
except SystemExit as ended:
    assert not ended.code, ended.code
print(*sorted({"click", "sqlite3", "rich", "lessons.cli", "lessons.redact.sweep"} & set(sys.modules)))
"""


class Worker:
    def __init__(self, folder: Path) -> None:
        self.home, self.project = folder / "home", folder / "shop"
        self.home.mkdir()
        self.project.mkdir()
        self.transcript = folder / "s.jsonl"
        self.transcript.write_text('{"type": "user", "message": {"role": "user", "content": "Begin with the till."}}\n')
        self.save = (f"transcript={self.transcript}", "by=stop")

    def run(self, *words: str, start: tuple[str, ...] = ("-m", "lessons.continuity")) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "-I", *start, *words],
            env={**os.environ, "LESSONS_HOME": str(self.home)},
            capture_output=True,
            text=True,
            timeout=60,
        )
        return done.returncode, done.stdout + done.stderr

    def __call__(self, kind: str, *words: str, session: str = "s") -> None:
        assert self.run(kind, f"session={session}", f"root={self.project}", *words) == (0, "")

    def file(self, name: str) -> dict[str, Any]:
        return dict(json.loads(next(self.home.rglob(name)).read_bytes()))


@pytest.fixture
def worker(tmp_path: Path) -> Worker:
    return Worker(tmp_path)


@pytest.mark.parametrize(
    "words", [[], ["bogus"], ["save"], ["begin", "session=s", "root=/x", "process=x", "at=1"], ["end", "=", "x", "at="]]
)
def test_what_is_no_order_is_noted(words: list[str], worker: Worker) -> None:
    assert worker.run(*words) == (1, "")
    [line] = logs.read_faults(str(worker.home))
    assert f"continuity {words[0] if words else ''}".strip() in line
    assert not (worker.home / "projects").exists()


@pytest.mark.parametrize("kind", ["save", "begin", "end"])
def test_a_fault_is_noted(kind: str, worker: Worker) -> None:
    (worker.home / "projects").write_text("no folder")
    given = [f"root={worker.project}", "session=s", *worker.save, "process=7", "at=1767225600123", "reason=other"]
    assert worker.run(kind, *given) == (1, "")
    assert [f" continuity {kind} " in line for line in logs.read_faults(str(worker.home))] == [True]


def test_nothing_is_loaded_that_only_people_need(worker: Worker) -> None:
    given = ["save", "session=s", f"root={worker.project}", *worker.save]
    assert worker.run(*given, start=("-c", _WATCHED)) == (0, "\n")


def test_a_session_from_its_beginning_to_its_end(worker: Worker) -> None:
    worker("begin", f"process={os.getpid()}", "at=1767225600123")
    worker("save", *worker.save, "warned=yes")
    assert worker.file("handoff.json")["lastRequest"] == "Begin with the till."
    assert worker.file(".context-tracking-state.json")["warningShown"] is True
    worker("end", f"transcript={worker.transcript}", "reason=clear", "at=1767225601456")
    state = worker.file(".session-state.json")
    assert (state["startedAt"], state["endedAt"]) == ("2026-01-01T00:00:00.123Z", "2026-01-01T00:00:01.456Z")
    assert (state["endReason"], state["process"], state["session"]) == ("clear", os.getpid(), 1)
    assert worker.file("handoff.json")["savedBy"] == "session-end"


def test_one_in_which_nothing_was_said_ends_as_it_should(worker: Worker) -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    worker("begin", f"process={gone.pid}", "at=1767225600123")
    worker("end", "reason=prompt_input_exit", "at=1767225600456")
    worker("begin", "process=1", "at=1767225601000", session="next")
    assert worker.file(".session-state.json")["previous"]["uncleanEnd"] is False
    assert not list(worker.home.rglob("handoff.json"))


def test_the_end_is_noted_whatever_becomes_of_the_handoff(worker: Worker) -> None:
    worker("begin", "process=1", "at=1767225600123")
    folder = next(worker.home.rglob("sessions/s"))
    (folder / "handoff.json").mkdir()
    (folder / "handoff.json" / "full").touch()
    worker.run("end", "session=s", f"root={worker.project}", *worker.save, "reason=clear", "at=1767225600456")
    assert worker.file(".session-state.json")["endReason"] == "clear"
