"""Data that the user excludes is in no byte of the history, until they change their mind."""

from pathlib import Path

import pytest

from lessons.scan.run import Options, run
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


@pytest.mark.parametrize("setting", ["/home/somebody/hush", "hush", "*/hush", "/home/somebody/hu*"])
def test_nothing_of_an_excluded_project(root: Path, home: Path, variable: SetVariable, setting: str) -> None:
    quiet = told(root, "quiet", "/home/somebody/hush/deep", title="a title before anything else")
    told(root, "loud", "/home/somebody/shop")
    variable("LESSONS_EXCLUDE_PROJECTS", setting)
    coverage = scan(home, root)
    assert coverage.calls["total"] == 1
    assert coverage.left_out > 0
    for secret in ("hush", quiet.id, "words of quiet", "a title before", "make quiet"):
        assert found(home, secret) == [], secret
    assert scan(home, root).files.unchanged == 2


def test_a_changed_mind_brings_it_in(root: Path, home: Path, variable: SetVariable) -> None:
    told(root, "quiet", "/home/somebody/hush")
    variable("LESSONS_EXCLUDE_PROJECTS", "hush")
    assert scan(home, root).calls["total"] == 0
    variable("LESSONS_EXCLUDE_PROJECTS", None)
    assert scan(home, root).calls["failed"] == 1
    assert scan(home, root).files.unchanged == 1


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


def test_a_forgotten_session_leaves_no_trace(root: Path, home: Path) -> None:
    gone = told(root, "gone", "/home/somebody/shop", title="of the forgotten")
    told(root, "kept", "/home/somebody/shop")
    home.mkdir()
    consent.record_forgotten(str(home), session=gone.id)
    assert scan(home, root).calls["total"] == 1
    assert found(home, gone.id) == []
    assert found(home, "of the forgotten") == []


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


def test_an_interrupted_full_scan_goes_on(root: Path, home: Path) -> None:
    for name in ("one", "two", "three"):
        told(root, name, "/home/somebody/shop")
    scan(home, root)

    class Stop(Exception):
        """In place of a person's ^C."""

    def stop(progress: object) -> None:
        raise Stop

    with pytest.raises(Stop):
        run(str(home), Options([str(root)], full=True), stop)
    again = scan(home, root)
    assert again.files.read == 3
    assert scan(home, root).files.unchanged == 3
