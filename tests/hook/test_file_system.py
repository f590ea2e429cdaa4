"""What the hook says about files and programs: unknown wherever the system gives no answer."""

import os
import subprocess
from pathlib import Path

import pytest

from lessons.hook.file_system import FileSystem
from tests.conftest import SetVariable


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "p" / ".git").mkdir(parents=True)
    (tmp_path / "p" / "web" / "src").mkdir(parents=True)
    (tmp_path / "p" / "linked").mkdir()
    (tmp_path / "p" / "linked" / ".git").write_text("gitdir: elsewhere")
    (tmp_path / "p" / "file").write_text("x")
    (tmp_path / "p" / "dangling").symlink_to("nowhere")
    return tmp_path


def test_what_cannot_be_known_is_unknown(tree: Path, variable: SetVariable) -> None:
    probe = FileSystem()
    assert probe.exists(f"{tree}/{'x' * 5000}") is None
    assert probe.exists(f"{tree}/a\0b") is None
    assert probe.exists(f"{tree}/\ud800") in (None, False)
    assert probe.root(str(tree)) is None
    assert probe.root("relative") is None
    variable("HOME", "")
    assert FileSystem().exists("~/x") is None
    variable("PATH", "")
    assert FileSystem().which("ls") is None
    variable("PATH", ":".join(["/nowhere"] * 100))
    assert FileSystem().which("ls") is None


@pytest.mark.skipif(os.geteuid() == 0, reason="root may look everywhere")
def test_folder_without_the_right_to_look(tree: Path) -> None:
    (tree / "p" / "web").chmod(0)
    try:
        assert FileSystem().exists(f"{tree}/p/web/src") is None
    finally:
        (tree / "p" / "web").chmod(0o700)


def test_root_of_the_repository(tree: Path) -> None:
    probe = FileSystem()
    assert probe.root(f"{tree}/p/web/src") == f"{tree}/p"
    assert probe.root(f"{tree}/p") == f"{tree}/p"
    assert probe.root(f"{tree}/p/linked") == f"{tree}/p/linked"


def git(folder: Path, *arguments: str) -> None:
    name = ("-c", "user.name=a", "-c", "user.email=a@b.c")
    subprocess.run(["git", *name, *arguments], cwd=folder, check=True, capture_output=True)


def test_what_git_would_lose(tmp_path: Path) -> None:
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "app").write_text("1")

    def dirty() -> list[bool | None]:
        return [FileSystem().dirty(f"{tmp_path}/web", kind) for kind in ("tracked", "untracked")]

    assert dirty() == [None, None]  # no repository
    git(tmp_path, "init", "-q")
    assert dirty() == [False, True]
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "Begin")
    assert dirty() == [False, False]
    (tmp_path / "new").write_text("1")  # outside the folder: `git clean` there leaves it alone
    assert dirty() == [False, False]
    (tmp_path / "web" / "app").write_text("2")
    assert dirty() == [True, False]
    marker = tmp_path / "ran"
    git(tmp_path, "config", "core.fsmonitor", f"touch {marker}")
    assert dirty() == [True, False]
    assert not marker.exists()  # nothing that a repository configures runs


def test_programs(tree: Path, variable: SetVariable) -> None:
    programs = tree / "bin"
    (programs / "folder").mkdir(parents=True)
    for name, mode in {"runs": 0o755, "data": 0o644}.items():
        (programs / name).write_text("#!/bin/sh\n")
        (programs / name).chmod(mode)
    variable("PATH", f"/nowhere::{programs}")
    probe = FileSystem()
    assert probe.which("runs") is True
    assert [probe.which(name) for name in ("data", "folder", "other")] == [False, False, False]


def test_number_of_questions_is_bounded(tree: Path) -> None:
    probe = FileSystem()
    answers = [probe.exists(f"{tree}/{number}") for number in range(1000)]
    assert answers[0] is False
    assert answers[-1] is None
    assert probe.exists(f"{tree}/0") is False
