"""A story of memory, through the installed commands: fail, fix, scan, be reminded, mute, make a lesson, forget."""

from pathlib import Path

import pytest

from tests.builders import payloads
from tests.builders.home import DataHome
from tests.builders.payloads import FOLDER
from tests.builders.transcript import Session
from tests.cli.command_line import CommandLine

LINE, ERROR = "lamp light --lux 4", "Exit code 1\nerror: unknown option --lux"


def told(name: str) -> Session:
    """A session in which an option failed, and the call without it worked."""
    session = Session(name, cwd=FOLDER)
    session.result(session.call("Bash", {"command": LINE}), ERROR, error=True)
    session.say("The option is gone since version 2, so I leave it out.")
    session.result(session.call("Bash", {"command": "lamp light 4"}), "lit")
    return session


@pytest.fixture
def home(lessons: CommandLine, tmp_path: Path) -> DataHome:
    for name in ("one day", "another day"):
        told(name).write(tmp_path / "projects")
    lessons.ok("scan", "--path", str(tmp_path / "projects"))
    made = DataHome(tmp_path / "hook")
    made.path = str(lessons.home)
    made.folder = Path(lessons.home)
    return made


def said(home: DataHome, payload: payloads.Payload) -> str:
    code, answer = home.run(payload)
    assert code == 0
    return answer["hookSpecificOutput"]["additionalContext"] if answer else ""


def session_of(number: int) -> str:
    return f"0d1e2f3a-4b5c-4d6e-8f70-{number:012d}"


def test_silent_elsewhere(home: DataHome) -> None:
    for line in ("lamp light 4", "ls", "git status"):
        assert said(home, payloads.bash(line)) == "", line
    assert said(home, payloads.failure(payloads.bash("ls x"), "Exit code 2\nls: cannot access 'x'")) == ""


def test_at_the_call_once_a_session(home: DataHome) -> None:
    text = said(home, payloads.bash("lamp light --lux 9"))
    assert "failed 2 of 2 times in this project" in text
    assert "This worked then: “lamp light 4”." in text
    assert len(text.encode()) <= 500
    assert said(home, payloads.bash("lamp light --lux 10")) == ""
    assert said(home, payloads.bash("lamp light --lux 10", session=session_of(2))) != ""
    first = home.log()[0]
    assert (first["source"], first["decision"], len(first["toolUseIds"])) == ("memory", "hint", 2)
    assert "slug" not in first


def test_at_the_error(home: DataHome) -> None:
    text = said(home, payloads.failure(payloads.bash("sh lights.sh"), ERROR))
    assert "this error occurred 2 times before in this project" in text
    assert "“The option is gone since version 2" in text


def test_a_person_sees_why_and_silences_it(home: DataHome, lessons: CommandLine) -> None:
    shown = lessons.json("try", "lamp light --lux 9", "--cwd", FOLDER)
    assert shown["decision"] == "hint" and shown["memory"]["why"].endswith("--lux")
    name = shown["memory"]["name"]
    lessons.ok("mute", "--memory", name)
    assert said(home, payloads.bash("lamp light --lux 9")) == ""
    lessons.ok("mute", "--memory", name, "--off")
    assert said(home, payloads.bash("lamp light --lux 9")) != ""
    record = lessons.json("add", "--from-memory", name)
    assert "lamp light 4" in record["solution"]
    # From now on the lesson answers the error, and memory is silent there.
    text = said(home, payloads.failure(payloads.bash("lamp light --lux 5", session=session_of(3)), ERROR))
    assert "Remembered by" not in text and "lamp light 4" in text


@pytest.mark.parametrize(("value", "at_call", "at_error"), [("false", False, False), ('"error"', False, True)])
def test_the_setting(home: DataHome, lessons: CommandLine, value: str, at_call: bool, at_error: bool) -> None:
    lessons.ok("config", "set", "memory", value)
    lessons.ok("build")
    assert bool(said(home, payloads.bash(LINE))) is at_call
    assert bool(said(home, payloads.failure(payloads.bash(LINE, session=session_of(4)), ERROR))) is at_error


def test_five_a_session(lessons: CommandLine, tmp_path: Path, home: DataHome) -> None:
    for number in range(7):
        session = Session(f"more {number}", cwd=FOLDER)
        name = "abcdefg"[number] * 4
        error = f"Exit code 1\nerror: unknown option --{name}"
        session.result(session.call("Bash", {"command": f"tool{name} --{name}"}), error, error=True)
        session.result(session.call("Bash", {"command": f"tool{name}"}), "fine")
        session.write(tmp_path / "projects")
    lessons.ok("scan", "--path", str(tmp_path / "projects"))
    texts = [said(home, payloads.bash(f"tool{letter * 4} --{letter * 4}")) for letter in "abcdefg"]
    assert sum(bool(text) for text in texts) == 5


def test_nothing_is_recalled_of_what_was_forgotten(home: DataHome, lessons: CommandLine) -> None:
    lessons.ok("forget", "--project", FOLDER, "--yes")
    assert said(home, payloads.bash(LINE)) == ""
    assert b"lamp" not in b"".join(path.read_bytes() for path in home.folder.glob("memory-index"))


def test_a_damaged_index_is_silent_and_made_again(home: DataHome, lessons: CommandLine, tmp_path: Path) -> None:
    (home.folder / "memory-index").write_bytes(b"lessons memory 1" + b"\0" * 400)
    assert said(home, payloads.bash(LINE)) == ""
    told("a third day").write(tmp_path / "projects")
    lessons.ok("scan", "--path", str(tmp_path / "projects"))
    assert said(home, payloads.bash(LINE)) != ""
