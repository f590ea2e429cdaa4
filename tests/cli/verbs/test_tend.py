"""`lessons tend`: a person at a terminal goes through proposals; programs list them and make them all."""

from typing import TYPE_CHECKING

import pytest

from tests.builders.lessons import lesson
from tests.cli.command_line import CommandLine
from tests.flows.test_tend import Story

if TYPE_CHECKING:
    import pexpect

KEYS = r"\[q\]uit  > "


@pytest.fixture
def unused(lessons: CommandLine) -> Story:
    """Two lessons that nothing has matched for a long time."""
    story = Story(lessons)
    story.record(lesson("one"), lesson("two", triggers={"commandPatterns": ["git rebase"]}))
    story.call("s1", "ls")
    story.scan()
    return story


def stages(story: Story) -> list[str]:
    found = story.lessons.json("list", "--status", "all")["lessons"]
    return [str(each.get("stage", "active")) for each in found]


def test_without_a_terminal_it_lists_and_changes_nothing(unused: Story) -> None:
    said = unused.lessons.ok("tend")
    assert [line.split("\t")[:2] for line in said.splitlines()] == [["one", "retire"], ["two", "retire"]]
    assert stages(unused) == ["active", "active"]


def test_every_step_can_be_undone_by_its_id(unused: Story) -> None:
    made = unused.lessons.json("tend", "--yes")["made"]
    assert stages(unused) == ["retired", "retired"]
    rows = [line.split("\t") for line in unused.lessons.ok("undo", "--list").splitlines()]
    assert [(row[2], row[4]) for row in rows] == [("retire", "two"), ("retire", "one")]
    assert unused.lessons.json("undo", made[0]["id"])["undoes"] == made[0]["id"]
    assert stages(unused) == ["active", "retired"]
    assert unused.steps() == []


def press(terminal: "pexpect.spawn[str]", key: str) -> str:
    terminal.send(key)
    terminal.expect(KEYS)
    return str(terminal.before)


def test_on_a_terminal_one_at_a_time(unused: Story) -> None:
    terminal = unused.lessons.terminal("tend")
    terminal.expect(KEYS)
    assert "1 of 2" in str(terminal.before)
    assert "2 of 2" not in press(terminal, "z"), "nothing is decided by chance"
    assert "2 of 2" in press(terminal, "k")
    terminal.send("y")
    terminal.expect("two: retire. `lessons undo` reverts it.")
    terminal.wait()
    assert stages(unused) == ["active", "retired"]
    assert unused.steps() == [("one", "retire")]


def test_a_no_that_is_taken_back_is_proposed_again(unused: Story) -> None:
    terminal = unused.lessons.terminal("tend")
    terminal.expect(KEYS)
    press(terminal, "n")
    terminal.send("q")
    terminal.wait()
    assert unused.steps() == [("two", "retire")]
    assert unused.lessons.ok("undo", "--list").split("\t")[2] == "no to retire"
    assert unused.lessons.ok("undo") == "one is proposed again (retire).\n"
    assert unused.steps() == [("one", "retire"), ("two", "retire")]


def test_a_proposal_shows_what_the_lesson_says_and_the_figures_in_words(unused: Story) -> None:
    terminal = unused.lessons.terminal("tend")
    terminal.expect(KEYS)
    shown = str(terminal.before)
    terminal.send("q")
    terminal.wait()
    assert unused.lessons.json("show", "one")["summary"] in shown
    assert "since 2025-01-01" in shown and "weeks without a match" in shown and "lastMatch" not in shown


def test_a_lesson_that_was_changed_since_is_kept(unused: Story) -> None:
    unused.lessons.json("tend", "--yes")
    unused.lessons.ok("unarchive", "two")
    step = unused.lessons.json("undo", "--list")["decisions"][0]["id"]
    assert "two was changed since" in unused.lessons.refused("undo", step)
