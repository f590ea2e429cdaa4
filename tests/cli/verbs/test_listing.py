"""`lessons list`, `lessons show` and `lessons log`: which lessons there are, what one says, and what fired."""

import json

import pytest

from lessons.cli.verbs.listing import why_in_words
from lessons.store.history.history import History
from tests.builders.candidates import put_into
from tests.builders.home import DataHome
from tests.builders.lessons import blocking, lesson, stopping
from tests.builders.payloads import bash, in_subagent, read
from tests.builders.transcript import Session
from tests.cli.command_line import COLUMNS, CommandLine, plain, widest
from tests.tables import table

RECORDS = (
    lesson("a-hint", needsReview=True, triggers={"commandPatterns": ["a"]}),
    blocking("b-block", priority=9),
    stopping("c-stop", stage="shadow"),
    lesson("d-retired", stage="retired", triggers={"commandPatterns": ["d"]}),
    lesson("e-start", triggers={"sessionStart": True}),
)


@pytest.mark.parametrize(
    ("arguments", "slugs"),
    [
        ([], ["a-hint", "b-block", "c-stop", "e-start"]),
        (["--status", "active"], ["a-hint", "b-block", "e-start"]),
        (["--status", "shadow"], ["c-stop"]),
        (["--status", "retired"], ["d-retired"]),
        (["--status", "all"], ["a-hint", "b-block", "c-stop", "d-retired", "e-start"]),
        (["--status", "candidate"], []),
        (["--status", "archived"], []),
    ],
)
def test_by_status(arguments: list[str], slugs: list[str], home: DataHome, lessons: CommandLine) -> None:
    home.write(*RECORDS)
    document = lessons.json("list", *arguments)
    assert document.keys() == {"lessons"}
    assert [record["slug"] for record in document["lessons"]] == slugs
    assert all(record in RECORDS for record in document["lessons"])


def test_an_empty_list_says_what_to_do(lessons: CommandLine) -> None:
    ended = lessons("list")
    assert (ended.code, ended.out) == (0, "")
    assert ended.error == "No lessons yet. Run `lessons add --starter` for some, or `lessons add` to write one.\n"
    sentence = "No candidates. Run `lessons scan` to look for some in your transcripts.\n"
    assert lessons("list", "--status", "candidate").error == sentence


def test_lessons_without_room_at_a_session_start_are_named(home: DataHome, lessons: CommandLine) -> None:
    starts = [lesson(f"start-{number}", priority=number, triggers={"sessionStart": True}) for number in (1, 2)]
    home.publish(*starts, injectionBudgetBytes=100)
    named = "1 lesson for session starts had no room and did not reach the agent (start-1)"
    assert named in lessons("list").error and named in lessons("list", "--json").error
    (check,) = [
        each for each in json.loads(lessons("doctor", "--json").out)["checks"] if each["name"] == "session starts"
    ]
    assert check["ok"] and named in check["detail"]
    home.publish(*starts, injectionBudgetBytes=4096)
    assert "no room" not in lessons("list").error


def test_in_a_pipe_it_is_tab_separated(home: DataHome, lessons: CommandLine) -> None:
    home.write(*RECORDS)
    rows = [line.split("\t") for line in lessons.ok("list").splitlines()]
    assert [row[:4] for row in rows] == [
        ["a-hint", "active, needs review", "hint", "5"],
        ["b-block", "active", "block", "9"],
        ["c-stop", "shadow", "stop once", "5"],
        ["e-start", "active", "session start", "5"],
    ]
    assert rows[0][4] == RECORDS[0]["summary"]


def test_on_a_terminal_it_is_a_table_that_fits(home: DataHome, lessons: CommandLine) -> None:
    slug = "a-slug-that-is-as-long-as-slugs-become-k9m2"
    long = "A summary of one hundred and twenty characters, " + "写" * 30 + ", which fits on no line beside others"
    home.write(lesson(slug, summary=long), *RECORDS[1:])
    lines = lessons.screen("list")
    assert lines[0].split() == ["slug", "stage", "effect", "priority"]
    assert lines[1].startswith(f"{slug}  active  hint")
    assert "".join(" ".join(lines[2:4]).split()) in "".join(long.split())
    assert widest(lines) <= COLUMNS
    home.write(*RECORDS)
    lines = lessons.screen("list", "--status", "retired")
    assert lines[1].split()[:4] == ["d-retired", "retired", "hint", "5"]


def test_a_table_of_candidates_needs_no_triggers(home: DataHome, lessons: CommandLine) -> None:
    with History.opened(home.path):
        put_into(home.folder, "mined-a")
    assert "gh pr diff has no --stat" in lessons.ok("list", "--status", "candidate")
    with History.for_reading(home.path) as history:
        assert not history.proposals.current(["mined-a"])
    assert len(lessons.json("list", "--status", "candidate")["lessons"]) == 1
    with History.for_reading(home.path) as history:
        assert history.proposals.current(["mined-a"])


def test_a_name_that_fits_none_or_several(home: DataHome, lessons: CommandLine) -> None:
    home.write(lesson("stash-a"), lesson("stash-b"))
    assert "stash matches 2 lessons (stash-a, stash-b): write more of the slug." in lessons.refused("show", "stash")
    assert "perhaps stash-a is meant" in lessons.refused("show", "stash-aa")
    assert 'There is no lesson ""' in lessons.refused("show", "")


def test_everything_it_says_and_has_done(home: DataHome, lessons: CommandLine) -> None:
    triggers = {"commandPatterns": ["git push .*--force"], "unless": ["lease"], "pathPatterns": ["**/x"]}
    home.publish(blocking(triggers=triggers, confidence=0.75, scope={"type": "project", "path": "/shop"}))
    for _ in range(2):
        home.run(bash("git push --force", cwd="/shop"))
    shown = dict(line.split("  ", 1) for line in lessons.ok("show", "no-force").splitlines())
    found = {name: value.strip() for name, value in shown.items()}
    assert found["slug"] == "no-force-push"
    assert found["effect"] == "block"
    assert found["block reason"] == "The branch is shared. This was: {command}"
    assert (found["commands"], found["unless"], found["paths"]) == ("git push .*--force", "lease", "**/x")
    assert (found["project"], found["confidence"], found["fired"]) == ("/shop", "0.75", "2 × block")
    assert lessons.json("show", "no-force")["fired"] == {"block": 2}
    assert plain("\n".join(lessons.screen("show", "no-force"))).startswith("slug")


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


TRIGGERS: dict[str, object] = {"commandPatterns": ["a", "b c"], "errorPatterns": ["E1"], "pathPatterns": "odd"}


@table(
    ("why", "words"),
    [
        ("", ""),
        ("commandPatterns", "commandPatterns"),
        ("commandPatterns[2]", "command matched a pattern that no longer exists"),
        ("pathPatterns[0]", "path matched a pattern that no longer exists"),
        ("somethingElse[0]", "somethingElse matched a pattern that no longer exists"),
        ("commandPatterns[1]", "command matches `b c`"),
        ("errorPatterns[0]", "error matches `E1`"),
        ("toolNames", "any use of the tool"),
        ("sessionStart", "a session started"),
    ],
)
def test_in_words(why: str, words: str) -> None:
    assert why_in_words(why, TRIGGERS) == words
