"""`lessons log`: what the hook did, filtered, newest last, and never the command itself."""

import pytest

from tests.builders.home import DataHome
from tests.builders.lessons import blocking, lesson, stopping
from tests.builders.payloads import bash, in_subagent, read
from tests.builders.transcript import Session
from tests.cli.command_line import COLUMNS, CommandLine, widest

KEYS = {"time", "session", "agentId", "toolUseId", "slug", "decision"}


@pytest.fixture
def lived(home: DataHome) -> DataHome:
    """A home in which four things have happened."""
    home.publish(lesson(), blocking(), stopping())
    home.run(bash("git stash", session="aaaa-1"))
    home.run(in_subagent(bash("git stash", session="aaaa-1")))
    home.run(bash("git push --force secret-token", session="bbbb-2"))
    home.run(bash("git reset --hard", session="bbbb-2"))
    return home


def test_nothing_has_fired_yet(lessons: CommandLine) -> None:
    ended = lessons("log")
    assert (ended.code, ended.out) == (0, "")
    assert ended.error == "Nothing has fired yet. `lessons doctor` checks that the hook runs.\n"
    assert lessons.json("log") == {"events": []}
    assert "--last" in lessons.refused("log", "--last", "0", code=2)
    assert "--decision" in lessons.refused("log", "--decision", "none", code=2)


@pytest.mark.parametrize(
    ("arguments", "decisions"),
    [
        ([], ["hint", "hint", "block", "stop"]),
        (["--session", "aaaa"], ["hint", "hint"]),
        (["--session", "bbbb-2"], ["block", "stop"]),
        (["--session", "cccc"], []),
        (["--lesson", "no-force"], ["block"]),
        (["--decision", "stop"], ["stop"]),
        (["--last", "2"], ["block", "stop"]),
        (["--session", "aaaa", "--decision", "block"], []),
    ],
)
def test_filters(arguments: list[str], decisions: list[str], lived: DataHome, lessons: CommandLine) -> None:
    events = lessons.json("log", *arguments)["events"]
    assert [event["decision"] for event in events] == decisions
    assert all(event.keys() >= KEYS for event in events)


def test_in_a_pipe_and_on_a_terminal(lived: DataHome, lessons: CommandLine) -> None:
    text = lessons.ok("log")
    assert "secret-token" not in text
    rows = [line.split("\t") for line in text.splitlines()]
    assert [row[1:6] for row in rows][2:] == [
        ["block", "no-force-push", "Bash", "", "command matches `git push .*--force`"],
        ["stop", "think-before-reset", "Bash", "", "command matches `git reset --hard`"],
    ]
    assert rows[1][7] == "aaaa-1/a01234"
    lines = lessons.screen("log")
    assert lines[0].split() == ["time", "decision", "lesson"]
    assert any("block     no-force-push" in line for line in lines)
    assert widest(lines) <= COLUMNS


def test_the_command_comes_from_the_history(home: DataHome, lessons: CommandLine) -> None:
    home.publish(lesson(), lesson("lock-files", triggers={"pathPatterns": ["**/*.lock"]}))
    session = Session("s1", "/home/somebody/shop")
    stash = session.call("Bash", {"command": "git stash -m password=hunter2go"})
    lock = session.call("Read", {"file_path": "/home/somebody/shop/poetry.lock"})
    for call, payload in ((stash, bash("git stash")), (lock, read("/home/somebody/shop/poetry.lock"))):
        session.result(call, "done")
        home.run({**payload, "tool_use_id": call})
    assert [event["command"] for event in lessons.json("log")["events"]] == [None, None]
    session.write(lessons.work / "projects")
    lessons.ok("scan", "--path", str(lessons.work / "projects"))
    events = lessons.json("log")["events"]
    assert [event["command"] for event in events] == [
        "git stash -m password=[redacted:password]",
        "/home/somebody/shop/poetry.lock",
    ]
    assert [event["reason"] for event in events] == ["command matches `git stash`", "path matches `**/*.lock`"]
    assert [event["why"] for event in events] == ["commandPatterns[0]", "pathPatterns[0]"]
    files = list(home.folder.glob("injections*.jsonl"))
    assert files and not any(b"git stash" in file.read_bytes() for file in files)
    assert "git stash -m password=[redacted:password]" in " ".join(lessons.screen("log"))
