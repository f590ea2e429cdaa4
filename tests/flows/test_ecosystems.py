"""Mistakes of many ecosystems become candidates whose lessons act at the call and leave the fix alone."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from lessons.match.call import ToolCall
from lessons.match.rule import why_it_fires
from lessons.model import Lesson, Triggers
from lessons.promote.publish.entry import entry_of
from lessons.promote.publish.examples import rule_of
from tests.builders.ecosystems import ROWS, Row, write_row
from tests.cli.command_line import CommandLine

WORDS = "A text that is long enough for a lesson."


def project_of(row: Row) -> str:
    return f"/home/somebody/{row.name.replace(' ', '-')}"


@pytest.fixture
def candidates(lessons: CommandLine, tmp_path: Path) -> dict[str, list[dict[str, Any]]]:
    """Of one history with all rows, by the project in which each mistake was made."""
    for row in ROWS:
        write_row(row, tmp_path / "transcripts")
    lessons.ok("scan", "--path", str(tmp_path / "transcripts"))
    found: dict[str, list[dict[str, Any]]] = {}
    for candidate in lessons.json("candidates", "--all")["candidates"]:
        found.setdefault(candidate["projects"][0], []).append(candidate)
    return found


def fires(candidate: dict[str, Any], row: Row, command: str, error: str | None = None) -> bool:
    triggers = msgspec.convert(candidate["proposedTrigger"], Triggers)
    lesson = Lesson(id="L1", slug="l-1", summary=WORDS, problem=WORDS, solution=WORDS, triggers=triggers)
    call = ToolCall(row.tool, {"command": command.format(7)}, error=error, cwd=project_of(row))
    return why_it_fires(rule_of(entry_of(lesson).entry), call) is not None


def test_lessons_act_at_the_call_or_its_error_and_not_at_the_fix(candidates: dict[str, list[dict[str, Any]]]) -> None:
    wrong = {}
    for row in ROWS:
        found = candidates.get(project_of(row).rpartition("/")[2], [])
        if len(found) != 1 or found[0]["occurrenceCount"] != 2 or not found[0]["proposedTrigger"]:
            wrong[row.name] = f"{len(found)} candidates {[each['noTrigger'] for each in found]}"
            continue
        noisy = [command for command in (row.worked, *row.good) if fires(found[0], row, command)]
        met = fires(found[0], row, row.failed, row.error if row.acts_at == "error" else None)
        as_said = (found[0]["actsAt"], found[0]["scope"]["type"]) == (row.acts_at, row.scope)
        if noisy or not met or not as_said:
            wrong[row.name] = f"{noisy} {found[0]['scope']['type']} {found[0]['proposedTrigger']}"
    assert wrong == {}
