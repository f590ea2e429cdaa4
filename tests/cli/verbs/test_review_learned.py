"""What `lessons learn` brought is decided on the first screen of a review, at once or one by one; programs list it."""

import json

import pytest

from tests.cli.command_line import COLUMNS, CommandLine, finish, plain, widest
from tests.cli.walking import decisions, press, records, screen, with_history
from tests.tables import table

PATTERNS = ("gh pr diff .*--stat", "cargo build .*--quick", "kubectl get pods .*--namespaces")
WORDS = {
    "gh": ("Only `git diff` knows that option.", "List the changed files by their names."),
    "cargo": ("A quick build is no profile of it.", "Build the release profile of the crate."),
    "kubectl": ("One namespace is given by its own letter.", "Ask for the pods of all namespaces at once."),
}
KEYS = r"\[q\]uit(  |\r\n)> "
ROWS = 24


def lesson(pattern: str) -> dict[str, object]:
    return {
        "summary": f"Leave out the option of {pattern.split()[0]} that it does not know and look for its right name",
        "problem": WORDS[pattern.split()[0]][0],
        "solution": WORDS[pattern.split()[0]][1],
        "triggers": {"commandPatterns": [pattern]},
        "scope": "global",
    }


@pytest.fixture
def learned(lessons: CommandLine) -> CommandLine:
    """Three mistakes with a lesson that passed, four without."""
    with_history(lessons)
    found = [json.loads(line) for line in lessons.ok("learn", "--export", "-").splitlines()[1:]]
    answers = [
        json.dumps({"id": each["id"], "lesson": lesson(pattern)})
        for each in found
        for pattern in PATTERNS
        if all(part in each["calls"][0]["command"] for part in pattern.split(".*"))
    ]
    told = lessons.json("learn", "--answers", "-", "--by", "claude-code (toy-1)", text="\n".join(answers))
    assert [each["acts"] for each in told["accepted"]] == ["call"] * 3
    return lessons


def tags(lessons: CommandLine) -> list[bool]:
    return ["candidate:learned" in each["tags"] for each in records(lessons)]


# What decides nothing.


def test_without_a_terminal_it_lists(learned: CommandLine) -> None:
    ended = learned("review")
    assert (ended.code, "`lessons review --yes`" in ended.error) == (0, True)
    rows = [line.split("\t") for line in ended.out.splitlines()]
    assert sorted(rows) == sorted(["call", "3", "0", str(lesson(pattern)["summary"])] for pattern in PATTERNS)
    document = learned.json("review")
    assert [list(each) for each in document["learned"]] == [
        ["ids", "slug", "by", "summary", "acts", "caught", "disturbed"]
    ] * 3
    assert (records(learned), decisions(learned)) == ([], [])


@table("keys", ["q", "xé\rq"])
def test_keys_that_leave_everything_as_it_is(keys: str, learned: CommandLine) -> None:
    terminal = learned.terminal("review")
    for key in keys:
        terminal.expect(KEYS)
        terminal.send(key)
    assert finish(terminal)[0] == 0
    assert (records(learned), decisions(learned)) == ([], [])


# What decides.


def test_yes_accepts_all(learned: CommandLine) -> None:
    assert learned.ok("review", "--yes") == "Accepted 3 lessons, as hints.\n"
    assert [(each["block"], each.get("stopOnce"), each.get("stage")) for each in records(learned)] == [
        (False, None, None)
    ] * 3
    assert tags(learned) == [True] * 3
    assert learned.json("review", "--yes") == {"accepted": []}
    learned.ok("undo")
    assert len(learned.json("review")["learned"]) == 1  # taken back, it waits again


def test_one_screen_and_one_key(learned: CommandLine) -> None:
    terminal = learned.terminal("review")
    terminal.expect(KEYS)
    shown = plain(str(terminal.before)).splitlines()
    assert "3 lessons from Claude Code passed the test on your history:" in shown
    assert "at     caught  disturbed  lesson" in shown
    assert any(line.startswith("call        3          0  Leave out the option of gh that") for line in shown)
    assert (len(shown) < ROWS, widest(shown) <= COLUMNS) == (True, True)
    terminal.send("a")
    terminal.expect("Accepted 3 lessons, as hints.")
    assert any(line.startswith("── 1 of 4 ──") for line in screen(terminal))  # then the other candidates
    terminal.send("q")
    assert finish(terminal)[0] == 0
    assert tags(learned) == [True] * 3


def test_one_by_one(learned: CommandLine) -> None:
    terminal = learned.terminal("review")
    terminal.expect(KEYS)
    lines = press(terminal, "l")
    assert any(line.startswith("── 1 of 3 ── a wrong option, worded by claude-code (toy-1)") for line in lines)
    assert any(
        line.startswith("── 2 of 3 ── a wrong option, worded by claude-code (toy-1)") for line in press(terminal, "p")
    )
    terminal.send("q")
    finish(terminal)
    [record] = records(learned)
    assert tags(learned) == [True]
    assert record["slug"] not in {each["slug"] for each in learned.json("review")["learned"]}
    assert len(learned.json("review")["learned"]) == 2
