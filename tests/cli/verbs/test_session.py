"""`lessons session`: what is known of the running session, and what is wrong with its files."""

import os
from datetime import UTC, datetime

from lessons.continuity import begin as continuity
from tests.cli.command_line import COLUMNS, CommandLine, widest
from tests.cli.verbs.test_handoff import worked_in


def test_nothing_is_known_yet(lessons: CommandLine) -> None:
    ended = lessons("session")
    assert (ended.code, ended.out) == (0, "")
    assert ended.error == f"No session of {lessons.work} yet. The hooks record each session that starts.\n"
    found = lessons.json("session")
    assert (found["session"], found["problems"], found["inProject"]) == (None, [], False)
    assert not (lessons.home / "projects").exists()


def begin(lessons: CommandLine, session: str, process: int) -> None:
    continuity.begin(str(lessons.home), str(lessons.work), session, process, datetime.now(UTC))


def test_the_one_before_never_ended(lessons: CommandLine) -> None:
    begin(lessons, "one", int(lessons.run(["sh", "-c", "echo $$"]).out))
    begin(lessons, "two", os.getpid())
    found = lessons.json("session")
    assert found["session"]["sessionId"] == "two"
    assert found["session"]["previous"]["uncleanEnd"] is True
    assert lessons.json("session", "--session", "one")["session"]["session"] == 1
    assert "number 1, started " in lessons.ok("session")
    assert ", which ended unexpectedly" in " ".join(lessons.ok("session").split())
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
