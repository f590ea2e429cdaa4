"""`lessons undo`: the last decision or a named one, and what is kept all the same."""

import json

import pytest

from tests.builders.promotable import TAG, write_mistakes
from tests.cli.command_line import COLUMNS, CommandLine, widest
from tests.cli.transcripts import projects


@pytest.fixture
def promoted(lessons: CommandLine) -> CommandLine:
    write_mistakes(projects(lessons), tag=TAG)
    lessons.ok("scan")
    assert lessons("promote", "fix", "tag", "--yes").code == 0
    return lessons


def test_nothing_to_undo(lessons: CommandLine) -> None:
    assert "Nothing to undo" in lessons.refused("undo")
    ended = lessons("undo", "--list")
    assert (ended.code, ended.out) == (0, "")
    assert lessons.json("undo", "--list") == {"decisions": []}
    assert not (lessons.home / "decisions.jsonl").exists()


def test_what_cannot_be_undone(promoted: CommandLine) -> None:
    assert "No decision zzz" in promoted.refused("undo", "zzz")
    assert "not both" in promoted.refused("undo", "x", "--list", code=2)
    slug = promoted.json("undo", "--list")["decisions"][0]["slug"]
    file = promoted.home / "lessons.json"
    file.write_text(file.read_text().replace('"summary": "', '"summary": "By hand: '))
    assert f"{slug} was changed since and is kept" in promoted.refused("undo")
    assert len(promoted.json("list")["lessons"]) == 2


LESSON = [
    "add",
    "--summary",
    "make all takes the whole night here",
    "--problem",
    "It builds every target of every year.",
]
LESSON += ["--solution", "Run make some, which builds what changed.", "--command-pattern", "^make all"]


def test_whatever_was_changed_last_is_undone_first(lessons: CommandLine) -> None:
    slug = lessons.json(*LESSON)["slug"]
    before = lessons.json("show", slug)
    for change, then, undone in (
        (["archive"], "retired", f"{slug} fires again."),
        (
            ["edit", "--priority", "2", "--command-pattern", "^make every"],
            "active",
            f"{slug} is as it was before (edit undone).",
        ),
        (["mute"], "active", f"Unmuted {slug}."),
    ):
        verb, *options = change
        lessons.json(verb, slug, *options)
        assert lessons.json("show", slug).get("stage", "active") == then
        assert lessons.ok("undo") == undone + "\n"
        after = lessons.json("show", slug)
        assert {**after, "updatedAt": "", "history": []} == {**before, "updatedAt": "", "history": []}


def test_a_lesson_that_was_added_last_is_removed_and_one_that_was_changed_is_kept(lessons: CommandLine) -> None:
    slug = lessons.json(*LESSON)["slug"]
    assert lessons.ok("undo") == f"Removed {slug}: added last, and unchanged since.\n"
    assert lessons.json("list", "--status", "all")["lessons"] == []
    assert "Nothing to undo" in lessons.refused("undo")
    slug = lessons.json(*LESSON)["slug"]
    file = lessons.home / "lessons.json"
    file.write_text(file.read_text().replace('"problem": "', '"problem": "By hand: '))
    assert f"{slug} was changed since and is kept" in lessons.refused("undo")


def test_one_after_the_other(promoted: CommandLine) -> None:
    rows = [line.split("\t") for line in promoted.ok("undo", "--list").splitlines()]
    assert [row[2] for row in rows] == ["promoted", "promoted"]
    assert widest(promoted.screen("undo", "--list")) <= COLUMNS
    assert "Removed" in promoted.ok("undo")
    assert promoted.json("undo", rows[1][0])["undoes"] == rows[1][0]
    assert promoted.json("list")["lessons"] == []
    assert len(promoted.json("candidates", "--all")["candidates"]) == 2
    assert promoted.json("try", "gh pr diff 4 --stat")["lessons"] == []
    lines = (promoted.home / "decisions.jsonl").read_text().splitlines()
    assert [json.loads(line)["decision"] for line in lines] == ["promoted", "promoted", "undone", "undone"]
    assert promoted("promote", "fix", "--yes").code == 0
