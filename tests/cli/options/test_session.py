"""`--session` means the same to every verb that has it: a number, or the beginning of an id; and so does `--cwd`."""

from datetime import UTC, datetime
from typing import Any

import pytest

from lessons.continuity.begin import begin
from lessons.session import AgentInvocation
from lessons.store.project_state.state_files import agent_invocations
from lessons.store.project_state.state_paths import state_paths_of
from tests.cli.command_line import CommandLine
from tests.cli.verbs.test_handoff import worked_in

VERBS = (["session"], ["handoff", "show"], ["commits"], ["subagents"])
NAMES = ("one-of-them", "two-of-them", "3-is-its-name", "twice", "1")


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """Five sessions, numbered in this order, each with a handoff and an agent; no test changes them."""
    lessons = CommandLine(tmp_path_factory.mktemp("lived"))
    for name in NAMES:
        file = worked_in(lessons, name).write(lessons.person / ".claude" / "projects")
        begin(str(lessons.home), str(lessons.work), name, 0, datetime.now(UTC))
        lessons.ok("handoff", "save", "--session", name, "--transcript", str(file))
        number = 1 + NAMES.index(name)
        called = AgentInvocation(timestamp="", agent=name, prompt="", session=number, session_id=name, tool_use_id=name)
        agent_invocations.add(state_paths_of(str(lessons.home), str(lessons.work)), [called])
    return lessons


def meant(verb: list[str], found: Any) -> str:
    """Which session the answer of a verb is about."""
    if verb == ["session"]:
        return str(found["session"]["sessionId"])
    if verb == ["subagents"]:
        [only] = found["invocations"]
        return str(only["agent"])
    return str(found["sessionId"])


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("given", ["9", "", "nobody", "of-them", "ONE"])
def test_an_unknown_one(verb: list[str], given: str, lived: CommandLine) -> None:
    for more in ([], ["--json"]):
        error = lived.refused(*verb, "--session", given, *more)
        assert f"No session {given!r} of {lived.work}: give its number" in error


@pytest.mark.parametrize("verb", VERBS)
def test_the_beginning_of_several(verb: list[str], lived: CommandLine) -> None:
    assert "'tw' matches 2 sessions (" in lived.refused(*verb, "--session", "tw")


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb != ["commits"]])
@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("1", "one-of-them"),
        ("2", "two-of-them"),
        ("3", "3-is-its-name"),
        ("5", "1"),
        ("3-", "3-is-its-name"),
        ("one", "one-of-them"),
        ("twice", "twice"),
    ],
)
def test_a_number_wins_over_the_beginning_of_an_id(verb: list[str], given: str, name: str, lived: CommandLine) -> None:
    assert meant(verb, lived.json(*verb, "--session", given)) == name


def test_a_session_without_commits(lived: CommandLine) -> None:
    assert lived.json("commits", "--session", "2") == {"commits": []}
    assert "No commits logged for session 2" in lived("commits", "--session", "2").error


@pytest.mark.parametrize("verb", VERBS)
def test_from_elsewhere(verb: list[str], lived: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    project = str(lived.work)
    monkeypatch.setattr(lived, "work", lived.person)
    assert "No session '2' of " in lived.refused(*verb, "--session", "2")
    lived.json(*verb, "--session", "2", "--cwd", project)
