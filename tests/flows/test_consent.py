"""Data that the user excludes is in no byte of the history, until they change their mind."""

from pathlib import Path

import pytest

from lessons.store import consent
from tests.builders.transcript import Session
from tests.conftest import SetVariable
from tests.flows.scanning import scan


def told(root: Path, name: str, cwd: str, title: str = "") -> Session:
    session = Session(name, cwd=cwd)
    if title:
        session.title(title)
    session.prompt(f"words of {name}")
    session.result(session.call("Bash", {"command": f"make {name}"}), "Exit code 2\nno rule", error=True)
    session.write(root)
    return session


def found(home: Path, text: str) -> list[str]:
    return [path.name for path in home.rglob("*") if path.is_file() and text.encode() in path.read_bytes()]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "projects"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def test_a_file_that_becomes_allowed_is_read_from_its_beginning(root: Path, home: Path, variable: SetVariable) -> None:
    session = told(root, "quiet", "/home/somebody/hush")
    variable("LESSONS_EXCLUDE_PROJECTS", "hush")
    scan(home, root)
    session.in_folder("/home/somebody/shop")
    session.compact()
    session.result(session.call("Bash", {"command": "make loud"}), "ok")
    session.write(root)
    coverage = scan(home, root)
    assert (coverage.calls["total"], coverage.segments) == (1, 2)
    assert found(home, "make quiet") == []


def test_a_session_that_names_no_folder_is_kept(root: Path, home: Path, variable: SetVariable) -> None:
    session = told(root, "nowhere", "/home/somebody/shop")
    for line in session.lines:
        line.pop("cwd", None)
    session.write(root)
    variable("LESSONS_EXCLUDE_PROJECTS", "hush")
    assert scan(home, root).calls["failed"] == 1


def test_the_result_of_a_call_that_was_kept_out(root: Path, home: Path, variable: SetVariable) -> None:
    session = Session("both", cwd="/home/somebody/hush")
    call = session.call("Bash", {"command": "cd ../shop; make"})
    session.in_folder("/home/somebody/shop").result(call, "Exit code 2\nno rule for hushed things", error=True)
    session.prompt("and now in the shop")
    session.write(root)
    variable("LESSONS_EXCLUDE_PROJECTS", "hush")
    assert scan(home, root).calls["total"] == 0
    assert found(home, "hushed things") == []


def test_titles_of_later_sessions_stay(root: Path, home: Path) -> None:
    home.mkdir()
    consent.record_forgotten(str(home), before="2021-01-01")
    told(root, "later", "/home/somebody/shop")
    session = Session("titled", cwd="/home/somebody/shop")
    session.prompt("hello")
    session.title("a name of its own")
    session.write(root)
    scan(home, root)
    assert found(home, "a name of its own") != []
