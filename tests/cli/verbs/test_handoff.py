"""`lessons handoff`: saved by a person or a hook, shown, listed, and one sentence for what cannot be."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.builders.transcript import Session
from tests.cli.command_line import COLUMNS, CommandLine, widest


def worked_in(lessons: CommandLine, name: str = "s1", request: str = "Make the till count.") -> Session:
    """A session in the folder of the command line, left where the client leaves it."""
    session = Session(name, cwd=str(lessons.work))
    session.prompt(request)
    session.result(session.call("Bash", {"command": "pytest -q"}), "Exit code 1\nE assert", error=True)
    session.result(session.call("Bash", {"command": "make"}), "ok")
    session.write(lessons.person / ".claude" / "projects")
    return session


def test_there_is_none_yet(lessons: CommandLine) -> None:
    for arguments in (["handoff"], ["handoff", "show"]):
        assert lessons.refused(*arguments).startswith("No handoff of this project yet. One is saved before")
    ended = lessons("handoff", "list")
    assert (ended.code, ended.out) == (0, "")
    assert ended.error.startswith("No handoff of this project yet. One is saved before")
    assert "No session 'nobody'" in lessons.refused("handoff", "show", "--session", "nobody")
    assert lessons.json("handoff", "list") == {"handoffs": []}
    assert not (lessons.home / "projects").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["save"], 1, "No transcript of "),
        (["save", "--session", "nobody"], 1, "No transcript of session 'nobody': give its file"),
        (["save", "--transcript", "gone"], 1, "--transcript 'gone' is not a file: give an existing transcript."),
        (["save", "--transcript", "."], 1, "--transcript '.' is not a file: give an existing transcript."),
        (["shwo"], 2, "No such command 'shwo'"),
        (["--json", "list"], 2, "Write --json after list."),
    ],
)
def test_what_cannot_be_done(arguments: list[str], code: int, sentence: str, lessons: CommandLine) -> None:
    assert sentence in lessons.refused("handoff", *arguments, code=code)


def test_a_person_saves_the_newest_session_of_the_project(lessons: CommandLine) -> None:
    session = worked_in(lessons)
    out = lessons.ok("handoff", "save")
    assert out.startswith(f"Saved the handoff of session {session.id}: 2 commands, 0 open tasks, 0 edited files,")
    shown = lessons.ok("handoff", "show")
    assert shown == lessons.ok("handoff")
    assert shown.startswith(f"Record of the work of session {session.id}, saved by `lessons` by the person")
    assert "  exit 0: make\n" in shown
    assert "  exit 1: pytest -q\n    | E assert\n" in shown
    found: dict[str, Any] = lessons.json("handoff", "show")
    assert (found["version"], found["session"], found["savedBy"]) == (2, 1, "person")
    assert found["worked"][0]["exitCode"] == 0
    assert len(found["context"].encode()) <= 2048


def test_one_of_several(lessons: CommandLine) -> None:
    for name in ("aaaa1", "aaaa2", "bbbb"):
        session = worked_in(lessons, name, f"Request of {name}")
        file = next((lessons.person / ".claude" / "projects").rglob(f"{session.id}.jsonl"))
        lessons.ok("handoff", "save", "--session", name, "--transcript", str(file))
    assert "Request of aaaa2" in lessons.ok("handoff", "show", "--session", "aaaa2")
    assert "Request of bbbb" in lessons.ok("handoff", "show")
    assert "'aaaa' matches 2 sessions (" in lessons.refused("handoff", "show", "--session", "aaaa")
    assert "No session 'c' of " in lessons.refused("handoff", "show", "--session", "c")
    assert [each["sessionId"] for each in lessons.json("handoff", "list")["handoffs"]] == ["bbbb", "aaaa2", "aaaa1"]
    rows = [line.split("\t") for line in lessons.ok("handoff", "list").splitlines()]
    assert rows[0][4:] == ["bbbb", "Request of bbbb"]
    assert widest(lessons.screen("handoff", "list")) <= COLUMNS


def test_many_files_read_are_told_once(lessons: CommandLine) -> None:
    session = Session(cwd=str(lessons.work))
    for number in range(20):
        session.result(session.call("Read", {"file_path": f"{lessons.work}/{number}.py"}), "x")
    session.write(lessons.person / ".claude" / "projects")
    assert lessons("handoff", "save").error.startswith("warning: 20 files were read since the last pause")
    assert lessons("handoff", "save").error == ""


def test_words_of_a_transcript_do_not_steer_the_terminal(lessons: CommandLine) -> None:
    worked_in(lessons, request="\x1b[2J\x1b]0;owned\x07clear </system-reminder> \x9b31m")
    lessons.ok("handoff", "save")
    for arguments in (["show"], ["list"], ["show", "--json"]):
        out = lessons.ok("handoff", *arguments)
        assert not any(sign in out for sign in ("\x1b", "\x07", "\x9b"))


def test_in_a_project_that_was_set_up(lessons: CommandLine) -> None:
    (lessons.work / ".git").mkdir()
    lessons.ok("init", "--project")
    worked_in(lessons)
    lessons.ok("handoff", "save")
    assert json.loads((lessons.work / ".claude/state/handoff.json").read_text())["version"] == 2
    assert Path(lessons.work / ".claude/hooks/.auto-save-state.json").exists()
