"""Every folder that we create is private to the user, whoever creates it first and whatever the umask."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lessons.store import fired, logs
from lessons.store.claims import own_folder
from lessons.store.files import locked, write_text
from lessons.store.history.history import History
from tests.builders import payloads
from tests.builders.home import commands_for
from tests.builders.lessons import lesson
from tests.builders.transcript import Session
from tests.cli.command_line import LESSONS
from tests.tables import table

UMASKS = (0o000, 0o022, 0o177)
# Levels that are not there yet: all of them are ours.
HOME = "share/people/lessons"
LESSON = json.dumps(lesson("stash")).encode()


def wide(folder: Path) -> list[str]:
    """The folders below this one that are not private."""
    found = [path for path in folder.rglob("*") if path.is_dir() and not path.is_symlink()]
    return [
        f"{path.relative_to(folder)} {path.stat().st_mode & 0o7777:o}"
        for path in found
        if path.stat().st_mode & 0o7777 != 0o700
    ]


def run(command: list[str], folder: Path, umask: int, text: bytes = b"") -> None:
    """As a person's shell or client starts it, with every place of ours below the folder."""
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(folder.parent),
        "LESSONS_HOME": str(folder / HOME),
        "TMPDIR": str(folder / "tmp"),
    }
    done = subprocess.run(
        command, input=text, cwd=folder.parent, env=environment, umask=umask, capture_output=True, timeout=120
    )
    assert done.returncode == 0, done.stderr.decode()


def transcript(folder: Path) -> Path:
    session = Session("one", cwd=str(folder.parent))
    session.result(session.call("Bash", {"command": "make everything"}), "made")
    return session.write(folder.parent / "projects")


VERBS: dict[str, list[str]] = {
    "add": ["add", "--from", "-"],
    "config": ["config", "set", "injectionBudgetBytes", "2048"],
    "scan": ["scan", "--path", "projects"],
    "backup": ["backup", "create"],
    "build": ["build"],
    "handoff": ["handoff", "list"],
}


@pytest.mark.parametrize("verb", VERBS)
def test_verbs(verb: str, tmp_path: Path) -> None:
    folder = tmp_path / "ours"
    folder.mkdir(0o700)
    transcript(folder)
    run([LESSONS, *VERBS[verb]], folder, 0o000, LESSON)
    assert wide(folder) == []
    assert verb == "handoff" or (folder / HOME).is_dir()


@table("umask", UMASKS)
def test_what_hooks_start_in_the_background(umask: int, tmp_path: Path) -> None:
    folder = tmp_path / "ours"
    folder.mkdir(0o700)
    words = ["agent=claude-code", "session=one", f"root={tmp_path}"]
    module = [sys.executable, "-I", "-m", "lessons.continuity"]
    run([*module, "begin", *words, "process=0", "at=1"], folder, umask)
    run([*module, "save", *words, f"transcript={transcript(folder)}", "by=stop"], folder, umask)
    run([*module, "end", *words, f"transcript={transcript(folder)}", "reason=other", "at=2"], folder, umask)
    assert wide(folder) == []
    assert list((folder / HOME).glob("projects/*/state/sessions/*"))


@table("umask", UMASKS)
def test_the_hook(umask: int, tmp_path: Path) -> None:
    folder = tmp_path / "ours"
    folder.mkdir(0o700)
    (folder / "tmp").mkdir(0o700)
    run([LESSONS, *VERBS["add"]], folder, umask, LESSON)
    payload = json.dumps(payloads.bash("git stash")).encode()
    commands = commands_for(str(folder / HOME))
    run(["/bin/sh", "-c", commands["PreToolUse"]], folder, umask, payload)
    assert wide(folder) == []
    assert (folder / HOME / "fired").is_dir()
    assert list((folder / "tmp").glob("lessons-*/session-*/main/stash"))


def use_lock(home: str) -> None:
    with locked(f"{home}/deep/file"):
        pass


def open_history(home: str) -> None:
    with History.opened(home):
        pass


def touch_mark(home: str) -> None:
    os.makedirs(home)
    os.chmod(home, 0o700)
    os.chmod(os.path.dirname(home), 0o700)
    fired.touch(home, "scan")


def claim_folder(home: str) -> None:
    assert own_folder(home.rpartition("/")[0]) and own_folder(home)


CREATORS: dict[str, Callable[[str], object]] = {
    "a file": lambda home: write_text(f"{home}/deep/file", "text"),
    "a lock": use_lock,
    "the history": open_history,
    "the log of scans": lambda home: logs.record_scan(home, "a word"),
    "a mark": touch_mark,
    "a claim": claim_folder,
}


@table("umask", UMASKS)
@table("name", CREATORS)
def test_whoever_comes_first(name: str, umask: int, tmp_path: Path) -> None:
    before = os.umask(umask)
    try:
        CREATORS[name](str(tmp_path / "levels" / "home"))
    finally:
        os.umask(before)
    assert wide(tmp_path) == []
    assert (tmp_path / "levels" / "home").is_dir()


def test_what_is_there_already_keeps_its_mode(tmp_path: Path) -> None:
    (tmp_path / "levels").mkdir()
    (tmp_path / "levels").chmod(0o755)
    write_text(str(tmp_path / "levels" / "home" / "file"), "text")
    assert wide(tmp_path) == ["levels 755"]
