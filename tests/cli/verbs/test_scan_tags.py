"""Tags in `lessons scan`: asked about one by one on a terminal, and never promoted where nobody watches."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.builders.promotable import TAG, mistake, write_mistakes
from tests.cli.command_line import COLUMNS, CommandLine, finish, plain, widest
from tests.cli.transcripts import projects, write

QUESTION = "Make it a lesson"


@pytest.fixture
def tagged(lessons: CommandLine) -> CommandLine:
    write_mistakes(projects(lessons), tag=TAG)
    return lessons


def stored(lessons: CommandLine) -> list[dict[str, Any]]:
    path = lessons.home / "lessons.json"
    found: list[dict[str, Any]] = json.loads(path.read_text())["lessons"] if path.exists() else []
    return found


@pytest.mark.parametrize("arguments", [["--auto"], ["--json"], [], ["--dry-run"]])
def test_nobody_watches(tagged: CommandLine, arguments: list[str]) -> None:
    assert tagged("scan", *arguments, LESSONS_AUTO_PROMOTE="1").code == 0
    assert stored(tagged) == []
    assert not Path(tagged.home, "decisions.jsonl").exists()


def test_what_would_not_pass_is_not_asked_about(lessons: CommandLine) -> None:
    write(lessons)
    lines = lessons.screen("scan", LESSONS_AUTO_PROMOTE="1")
    assert "One new tag is not lessons yet: `lessons candidates --tier 1 --all` lists them." in lines
    assert stored(lessons) == []


def test_yes(tagged: CommandLine) -> None:
    terminal = tagged.terminal("scan")
    terminal.expect(QUESTION)
    shown = plain(str(terminal.before))
    words = " ".join(shown.split())
    assert "Written by the agent in session" in words
    assert "something it read may have prompted it" in words
    assert "would not have fired on any call" in words
    assert widest(shown.splitlines()) <= COLUMNS
    terminal.sendline("perhaps")
    terminal.expect("Answer y, n, edit or later.")
    terminal.expect(QUESTION)
    terminal.sendline("y")
    assert finish(terminal)[0] == 0
    (record,) = stored(tagged)
    assert record["triggers"]["commandPatterns"] == [r"lamp polish\b"]
    assert record["tags"] == ["tool:lamp", "severity:data-loss"]
    assert QUESTION not in "".join(tagged.screen("scan", "--full"))


@pytest.mark.parametrize(("answer", "waiting"), [("n", 1), ("later", 2), ("", 2)])
def test_no_and_later(tagged: CommandLine, answer: str, waiting: int) -> None:
    terminal = tagged.terminal("scan")
    terminal.expect(QUESTION)
    terminal.sendline(answer)
    assert finish(terminal)[0] == 0
    assert stored(tagged) == []
    assert len(tagged.json("candidates", "--all")["candidates"]) == waiting
    assert tagged.json("scan", "--full")["candidates"]["new"] == 0
    assert len(tagged.json("candidates", "--all")["candidates"]) == waiting


def test_edit(tagged: CommandLine) -> None:
    terminal = tagged.terminal("scan")
    terminal.expect(QUESTION)
    terminal.sendline("edit")
    for field, answer in (("summary", "A lamp is polished when it is cold"), ("problem", ""), ("solution", ""),
                          ("command pattern", "git status")):  # fmt: skip
        terminal.expect(field + r".*: $")
        terminal.sendline(answer)
    terminal.expect("would have fired 4 times")  # the tag was written in one of the two projects
    terminal.expect(QUESTION)
    terminal.sendline("y")
    assert finish(terminal)[0] == 0
    (record,) = stored(tagged)
    assert record["summary"] == "A lamp is polished when it is cold"
    assert record["triggers"]["commandPatterns"] == ["git status"]


def test_interrupted(tagged: CommandLine) -> None:
    terminal = tagged.terminal("scan")
    terminal.expect(QUESTION)
    terminal.sendintr()
    assert finish(terminal)[0] == 130
    assert stored(tagged) == []
    assert len(tagged.json("candidates", "--all")["candidates"]) == 2


def test_without_being_asked_where_the_setting_says_so(tagged: CommandLine) -> None:
    mistake("another", 50, tag=TAG.replace("lamp", "oven").replace("glass", "door").replace("cool", "rest")).write(
        projects(tagged)
    )
    lines = tagged.screen("scan", LESSONS_AUTO_PROMOTE="true")
    text = " ".join(" ".join(lines).split())
    assert QUESTION not in text
    assert text.count("to shadow: matches are logged, nothing is shown.") == len(stored(tagged)) > 0
    assert all(each["stage"] == "shadow" for each in stored(tagged)), "nobody has read them yet"
    assert text.count("Written by the agent in session") == len(stored(tagged))
