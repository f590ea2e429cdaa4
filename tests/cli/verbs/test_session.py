"""`lessons session`: the state of a session, handoffs, commits and subagents."""

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from lessons.continuity import sessions
from lessons.project_state import AgentInvocation, Commit, SessionKey
from lessons.store.state_files import agent_invocations, commit_log
from lessons.store.state_paths import state_paths_of
from tests.builders.transcript import Session
from tests.cli.command_line import COLUMNS, CommandLine, widest
from tests.tables import table


def test_nothing_is_known_yet(lessons: CommandLine) -> None:
    ended = lessons("session")
    assert (ended.code, ended.out) == (0, "")
    assert ended.error == f"No session of {lessons.work} yet. The hooks record each session that starts.\n"
    found = lessons.json("session")
    assert (found["session"], found["problems"], found["inProject"]) == (None, [], False)
    assert not (lessons.home / "projects").exists()


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


def commit(number: int, session: int | None = None, **fields: Any) -> Commit:
    name = f"{number:x}" * 40
    plain = Commit(
        timestamp=f"2026-10-0{number}T08:00:00Z",
        hash=name,
        short_hash=name[:7],
        message=f"m{number}",
        author="Ada",
        author_date="2026-10-01T08:00:00+00:00",
        branch="main",
        files_changed=1,
        files_list=["a"],
        session=session,
        session_id=f"id-{session}" if session else None,
    )
    return msgspec.structs.replace(plain, **fields)


@pytest.fixture
def committed(lessons: CommandLine) -> CommandLine:
    amended = commit(3, 12, kind="amend", replaces="2" * 40, message="x\x1b[2Jy\nz", branch="topic")
    place = state_paths_of(str(lessons.home), str(lessons.work))
    commit_log.add(place, [commit(1), commit(2, 12), amended, commit(4, 1)])
    return lessons


def test_nothing_yet(lessons: CommandLine) -> None:
    ended = lessons("commits")
    assert (ended.code, ended.out) == (0, "")
    assert ended.error.startswith("No commits logged for this project yet")
    assert lessons.json("commits") == {"commits": []}
    assert "--last" in lessons.refused("commits", "--last", "0", code=2)


@pytest.mark.parametrize(
    ("arguments", "messages"),
    [
        (["--session", "1"], ["m4"]),
        (["--session", "12"], ["m2", "x\x1b[2Jy\nz"]),
        (["--session", "id-12"], ["m2", "x\x1b[2Jy\nz"]),
        (["--last", "1"], ["m4"]),
        (["--session", "12", "--last", "1"], ["x\x1b[2Jy\nz"]),
        ([], ["m1", "m2", "x\x1b[2Jy\nz", "m4"]),
    ],
)
def test_filters_of_commits(arguments: list[str], messages: list[str], committed: CommandLine) -> None:
    assert [one["message"] for one in committed.json("commits", *arguments)["commits"]] == messages


def test_commits_in_a_pipe_and_on_a_terminal(committed: CommandLine) -> None:
    rows = [line.split("\t") for line in committed.ok("commits").splitlines()]
    assert rows[0] == ["2026-10-01 08:00:00", "1111111", "commit", "", "main", "1", "m1"]
    assert rows[2][1:] == ["3333333", "amend of 2222222", "12", "topic", "1", "x�[2Jy z"]
    lines = committed.screen("commits")
    assert lines[0].split()[:3] == ["time", "commit", "kind"]
    assert widest(lines) <= COLUMNS
    assert "No session '9' of " in committed.refused("commits", "--session", "9")


@pytest.fixture
def lived(lessons: CommandLine) -> CommandLine:
    for name, agents in (("aaaa", ("Explore", "general-purpose")), ("bbbb", ("Explore",))):
        session = Session(name, cwd=str(lessons.work))
        for agent in agents:
            call = session.call("Agent", {"subagent_type": agent, "prompt": f"Look at {agent} " + "and more " * 30})
            session.result(call, "found")
        file = session.write(lessons.person / ".claude" / "projects")
        lessons.ok("handoff", "save", "--session", name, "--transcript", str(file))
    return lessons


def test_none_yet(lessons: CommandLine) -> None:
    ended = lessons("subagents")
    assert (ended.code, ended.out) == (0, "")
    assert ended.error == "No subagent calls yet. They are recorded when a handoff is saved.\n"
    assert lessons.json("subagents") == {"invocations": []}
    assert "--last" in lessons.refused("subagents", "--last", "0", code=2)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], ["Explore", "general-purpose", "Explore"]),
        (["--session", "aa"], ["Explore", "general-purpose"]),
        (["--session", "2"], ["Explore"]),
        (["--agent", "Explore"], ["Explore", "Explore"]),
        (["--last", "1"], ["Explore"]),
    ],
)
def test_filters(arguments: list[str], expected: list[str], lived: CommandLine) -> None:
    found = lived.json("subagents", *arguments)["invocations"]
    assert [each["agent"] for each in found] == expected
    assert all(len(each["prompt"]) <= 100 and each["toolUseId"] for each in found)


def test_in_a_pipe_and_on_a_terminal(lived: CommandLine) -> None:
    rows = [line.split("\t") for line in lived.ok("subagents").splitlines()]
    assert [row[1:4] for row in rows] == [
        ["Explore", "1", "aaaa"],
        ["general-purpose", "1", "aaaa"],
        ["Explore", "2", "bbbb"],
    ]
    assert widest(lived.screen("subagents")) <= COLUMNS


VERBS = (["session"], ["handoff", "show"], ["commits"], ["subagents"])
NAMES = ("one-of-them", "two-of-them", "3-is-its-name", "twice", "1")


@pytest.fixture(scope="module")
def numbered(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """Five sessions, numbered in this order, each with a handoff and an agent; no test changes them."""
    lessons = CommandLine(tmp_path_factory.mktemp("numbered"))
    for name in NAMES:
        file = worked_in(lessons, name).write(lessons.person / ".claude" / "projects")
        sessions.begin(SessionKey(str(lessons.home), str(lessons.work), name), 0, datetime.now(UTC))
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
def test_an_unknown_one_and_the_beginning_of_several(verb: list[str], numbered: CommandLine) -> None:
    for given in ("9", "", "nobody", "of-them", "ONE"):
        unknown = f"No session {given!r} of {numbered.work}: give its number"
        assert unknown in numbered.refused(*verb, "--session", given, "--json")
    assert "'tw' matches 2 sessions (" in numbered.refused(*verb, "--session", "tw")


@table(
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
def test_a_number_wins_over_the_beginning_of_an_id(given: str, name: str, numbered: CommandLine) -> None:
    for verb in (["session"], ["handoff", "show"], ["subagents"]):
        assert meant(verb, numbered.json(*verb, "--session", given)) == name
