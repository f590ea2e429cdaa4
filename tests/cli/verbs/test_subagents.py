"""`lessons subagents`: which were called, filtered, newest last."""

import pytest

from tests.builders.transcript import Session
from tests.cli.command_line import COLUMNS, CommandLine, widest


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
