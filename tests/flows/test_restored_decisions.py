"""After restoring an older backup, decisions made since then still apply."""

import json
from typing import Any

import pytest

from lessons.promote import decide
from tests.builders.lessons import lesson
from tests.builders.promotable import TAG, write_mistakes
from tests.cli.command_line import CommandLine
from tests.cli.transcripts import projects


@pytest.fixture
def found(lessons: CommandLine) -> CommandLine:
    """A lesson, a history with two candidates, and a backup from before any decision."""
    lessons.ok("add", "--from", "-", text=json.dumps(lesson()))
    write_mistakes(projects(lessons), tag=TAG)
    lessons.ok("scan")
    lessons.ok("backup", "create")
    return lessons


def backup(lessons: CommandLine) -> str:
    return str(lessons.json("backup", "create")["name"])


def oldest(lessons: CommandLine) -> str:
    return str(lessons.json("backup", "list")["backups"][-1]["name"])


def queue(lessons: CommandLine) -> list[str]:
    return sorted(each["fingerprint"] for each in lessons.json("candidates", "--all")["candidates"])


def decided(lessons: CommandLine) -> list[dict[str, Any]]:
    lines = (lessons.home / "decisions.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def promote(lessons: CommandLine, name: str = "fix") -> str:
    """The slug of the lesson that it has become."""
    ended = lessons("promote", name, "--yes", "--json")
    assert ended.code == 0, ended
    return str(json.loads(ended.out)["promoted"][0]["lesson"]["slug"])


def restored(lessons: CommandLine, name: str) -> str:
    ended = lessons("backup", "restore", name, "--yes")
    assert ended.code == 0, ended
    return ended.out + ended.error


def test_a_candidate_whose_lesson_is_not_in_the_backup_is_queued_again(found: CommandLine) -> None:
    before = queue(found)
    assert len(before) == 2
    slug = promote(found)
    left = queue(found)
    assert len(left) == 1
    said = restored(found, oldest(found))
    assert queue(found) == before
    assert f"Promoted since then, and not restored: {slug}." in said
    assert slug not in (found.home / "lessons.json").read_text()
    found.ok("scan", "--full")
    assert queue(found) == before


@pytest.mark.parametrize("action", ["promoted", "archived"])
def test_where_the_backup_knows_other_decisions(found: CommandLine, action: str) -> None:
    """The file of decisions is older, not missing."""
    promote(found)
    name = backup(found)
    [tag] = queue(found)
    if action == "promoted":
        promote(found, tag)
    else:
        decide.archive(str(found.home), [tag], "not worth it")
    assert queue(found) == []
    lines = decided(found)
    restored(found, name)
    assert queue(found) == ([tag] if action == "promoted" else []), "the backup has no lesson of it"
    assert decided(found) == lines


def test_a_restored_lesson_answers_its_candidate_although_the_promotion_was_undone(found: CommandLine) -> None:
    both = queue(found)
    promote(found)
    left, name = queue(found), backup(found)
    found.ok("undo")
    assert queue(found) == both
    restored(found, name)
    assert queue(found) == left
