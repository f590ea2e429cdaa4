"""The file that names the server of a client is complete or missing, and only the named process removes it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lessons import paths
from lessons.agents.claude_code.server import presence


@pytest.fixture
def home(tmp_path: Path) -> str:
    return str(tmp_path)


def ended_process() -> int:
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    return done.pid


def test_a_home_that_cannot_be_written_raises_nothing(tmp_path: Path) -> None:
    (tmp_path / "warm").write_text("a file")
    presence.announce(str(tmp_path))
    presence.withdraw(str(tmp_path), os.getppid())
    presence.announce(str(tmp_path / "missing"))
    assert [path.name for path in tmp_path.iterdir()] == ["warm"]


def test_announced_and_withdrawn(home: str) -> None:
    file = Path(paths.warm_file(home, os.getppid()))
    presence.announce(home)
    assert file.read_text() == f"{os.getpid()}\n"
    assert [path.name for path in file.parent.iterdir()] == [str(os.getppid())]
    presence.withdraw(home, os.getppid())
    assert list(file.parent.iterdir()) == []


@pytest.mark.parametrize("content", ["1\n", "", "nonsense", "99999999999999999999999\n"])
def test_what_names_another_is_not_withdrawn(home: str, content: str) -> None:
    file = Path(paths.warm_file(home, 4242))
    file.parent.mkdir()
    file.write_text(content)
    presence.withdraw(home, 4242)
    assert file.read_text() == content


def test_those_that_are_gone_are_cleared(home: str) -> None:
    folder = Path(paths.warm_folder(home))
    folder.mkdir()
    for name, content in (
        ("1001", f"{ended_process()}\n"),
        ("1002", "nonsense"),
        ("1003", "99999999999999999999999\n"),
        ("77.new", ""),
        ("78.new", ""),
        ("1004", f"{os.getppid()}\n"),
    ):
        (folder / name).write_text(content)
    os.utime(folder / "77.new", (1, 1))
    presence.announce(home)
    # The file that another server is just writing stays.
    assert {path.name for path in folder.iterdir()} == {"1004", "78.new", str(os.getppid())}
