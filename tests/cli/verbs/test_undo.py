"""`lessons undo`: the last decision or a named one, and what is kept all the same."""

import json
import re

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
    promoted.json("edit", slug, "--priority", "1")
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


def test_without_a_decision_it_says_what_reverts_the_last_change(lessons: CommandLine) -> None:
    slug = lessons.json(*LESSON)["slug"]
    assert lessons.refused("undo") == "Nothing to undo: no decision about a candidate is left.\n"
    lessons.ok("remove", slug)
    assert f"{slug} was retired: `lessons unarchive {slug}` brings it back.".lower() in lessons.refused("undo").lower()


@pytest.mark.parametrize(
    ("change", "remedy"),
    [
        (["remove", "{}"], "After that, {} was retired: `lessons unarchive {}` brings it back."),
        (["mute", "{}"], "After that, {} was muted: `lessons unmute {}` ends that."),
    ],
)
def test_an_older_decision_is_never_undone_instead_of_a_later_change(
    change: list[str], remedy: str, promoted: CommandLine
) -> None:
    last, first = promoted.json("undo", "--list")["decisions"]
    promoted.ok(*(word.replace("{}", first["slug"]) for word in change))
    said = promoted.refused("undo")
    assert f"The last decision that can be undone is {last['id']} (promoted {last['slug']}, {last['time']})." in said
    assert remedy.replace("{}", first["slug"]) in said and f"Run `lessons undo {last['id']}`" in said
    assert len(promoted.json("undo", "--list")["decisions"]) == 2
    promoted.ok({"remove": "unarchive", "mute": "unmute"}[change[0]], first["slug"])
    assert f"Removed {last['slug']}" in promoted.ok("undo")


def test_a_change_that_no_longer_holds_is_not_named(promoted: CommandLine) -> None:
    last, first = promoted.json("undo", "--list")["decisions"]
    promoted.ok("mute", first["slug"], "--for", "1h")
    file = promoted.home / "passes.json"
    file.write_text(re.sub(r"\d{9,}(?:\.\d+)?", "1", file.read_text()))  # it ended long ago
    assert f"Removed {last['slug']}" in promoted.ok("undo")


def test_a_lesson_that_was_added_since_is_named(promoted: CommandLine) -> None:
    file = promoted.home / "decisions.jsonl"
    file.write_text(re.sub(r'"time":"20\d\d', '"time":"2020', file.read_text()))
    slug = promoted.json(*LESSON)["slug"]
    assert f"After that, {slug} was added: `lessons archive {slug}` retires it." in promoted.refused("undo")
    last = promoted.json("undo", "--list")["decisions"][0]
    assert "Removed" in promoted.ok("undo", last["id"])


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
