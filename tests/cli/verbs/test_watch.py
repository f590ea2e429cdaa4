"""`lessons watch` and its sub-commands on a data home without a watcher; tests/flows/test_watch.py lets one run."""

import time
from pathlib import Path

from tests.builders.transcript import Session
from tests.cli.command_line import SECONDS, CommandLine, finish


def test_status_without_a_watcher(lessons: CommandLine) -> None:
    found = lessons.json("watch", "status")
    numbers = {"sessions": 0, "queued": 0, "backoff": [], "deadLetters": []}
    assert found == {"running": False, "pid": None, **numbers, "lastTick": None, "mode": None, "problem": None}
    assert lessons.ok("watch", "status").strip() == "Not running."


def test_once_reads_what_is_new(lessons: CommandLine, tmp_path: Path) -> None:
    session = Session("s1")
    session.result(session.call("Bash", {"command": "ls"}), "a")
    session.write(tmp_path / "t")
    found = lessons.json("watch", "--once", "--path", str(tmp_path / "t"))
    assert (found["calls"]["total"], found["sessionsMined"], found["pending"]) == (1, 0, 1)
    assert "0 of 1 files read" in lessons.ok("watch", "--once", "--path", str(tmp_path / "t"))


def test_wrong_uses_are_refused_with_a_sentence(lessons: CommandLine) -> None:
    assert lessons("watch", "--json").code == 2
    assert lessons("watch", "--once", "status").code == 2
    wrong = lessons("watch", "--once", "--path", "/no/such/folder")
    assert (wrong.code, wrong.error.strip()) == (1, "/no/such/folder is not a folder: give a folder with transcripts.")
    assert lessons("watch", "--once", "--agent", "nobody").code == 1


def test_stopped_with_a_key_it_says_so(lessons: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "t").mkdir()
    terminal = lessons.terminal("watch", "--path", str(tmp_path / "t"))
    give_up = time.monotonic() + SECONDS
    while not lessons.json("watch", "status")["lastTick"] and time.monotonic() < give_up:
        pass  # asking takes long enough
    terminal.sendintr()
    code, lines = finish(terminal)
    assert (code, lines[-1].removeprefix("^C")) == (
        0,
        "Stopped watching. What was read is stored; the next scan reads the rest.",
    )


def test_retry(lessons: CommandLine) -> None:
    assert lessons.json("watch", "retry") == {"retried": 0}
