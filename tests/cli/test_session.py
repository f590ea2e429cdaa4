"""`lessons session`: what is known of the running session, and what is wrong with its files."""

import os

from tests.cli.command_line import COLUMNS, CommandLine, widest
from tests.cli.test_handoff import worked_in


def test_nothing_is_known_yet(lessons: CommandLine) -> None:
    ended = lessons("session")
    assert (ended.code, ended.out) == (0, "")
    assert ended.error == f"No session of {lessons.work} is known yet: the hooks note each one that begins.\n"
    found = lessons.json("session")
    assert (found["session"], found["problems"], found["inProject"]) == (None, [], False)
    assert not (lessons.home / "projects").exists()


def test_wrong_options(lessons: CommandLine) -> None:
    assert "Write the options after begin." in lessons.refused("session", "--json", "begin", "--session", "a", code=2)
    assert "--session" in lessons.refused("session", "begin", code=2)
    assert "begin" not in lessons.ok("session", "--help")


def test_a_session_begins_and_the_one_before_never_ended(lessons: CommandLine) -> None:
    gone = lessons.run(["sh", "-c", "echo $$"]).out.strip()
    assert lessons.ok("session", "begin", "--session", "one", "--process", gone, "--quiet") == ""
    assert lessons.json("session", "begin", "--session", "two", "--process", str(os.getpid()))["session"] == 2
    assert lessons.json("session", "begin", "--session", "two")["session"] == 2
    found = lessons.json("session")
    assert found["session"]["sessionId"] == "two"
    assert found["session"]["previous"]["uncleanEnd"] is True
    assert lessons.json("session", "--session", "one")["session"]["session"] == 1
    assert "number 1, begun " in lessons.ok("session")
    assert ", which never said that it ended" in " ".join(lessons.ok("session").split())
    assert widest(lessons.screen("session")) <= COLUMNS


def test_what_it_did_and_what_is_wrong(lessons: CommandLine) -> None:
    worked_in(lessons)
    lessons.ok("handoff", "save")
    out = lessons.ok("session")
    assert "1 saved, the last 2" in out
    assert lessons.json("session")["handoff"]["lastRequest"] == "Make the till count."
    next(lessons.home.rglob(".auto-save-state.json")).write_text("{")
    ended = lessons("session")
    assert ended.code == 0
    assert ended.error.startswith("warning: ")
    assert ".auto-save-state.json is not what it should be" in ended.error
    assert len(lessons.json("session")["problems"]) == 1


def test_a_session_is_noted_as_of_when_it_began(lessons: CommandLine) -> None:
    """What notes it runs in the background, perhaps after the first commit."""
    state = lessons.json("session", "begin", "--session", "s", "--at", "1767225600")
    assert state["startedAt"] == "2026-01-01T00:00:00.000Z"
