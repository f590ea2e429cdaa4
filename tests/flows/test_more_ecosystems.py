"""Mistakes made once become lessons that act the next time; failing work becomes none."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lessons.match.call import ToolCall
from lessons.match.rule import why_it_fires
from lessons.model import Lesson, Triggers
from lessons.promote.publish.entry import entry_of
from lessons.promote.publish.examples import rule_of
from tests.builders.more_ecosystems import MISTAKES, WORK, Mistake, Work
from tests.builders.transcript import Session
from tests.cli.command_line import CommandLine

TEXT = "A text that is long enough for a lesson."
# Known to be weak: noted at the start of a session, worded without the remedy, or not found.
WEAK = {
    "compose service name",
    "conda activate",
    "curl globbing",
    "docker run tty",
    "git submodule missing",
    "ninja folder",
    "pip break path",
    "podman compose",
    "python module path",
    "redis auth",
    "ssh option",
    "tox env",
}


def folder_of(name: str) -> str:
    return re.sub(r"\W+", "-", name)


def write_mistake(row: Mistake, transcripts: Path) -> None:
    session = Session(row.name, cwd=f"/home/somebody/{folder_of(row.name)}")
    session.prompt("go on with the till")
    for command in row.good:
        session.result(session.call(row.tool, {"command": command}), "done")
    session.result(session.call(row.tool, {"command": numbered(row.failed, 1)}), numbered(row.error, 1), error=True)
    for command in (*row.between, row.worked):
        session.result(session.call(row.tool, {"command": numbered(command, 1)}), "done")
    session.write(transcripts)


def write_work(row: Work, transcripts: Path) -> None:
    session = Session(f"work {row.name}", cwd=f"/home/somebody/work-{folder_of(row.name)}")
    session.prompt("go on with the till")
    for text, output, failed in row.steps:
        if output is None:
            edit = {"file_path": f"{session.cwd}/{text}", "old_string": "a", "new_string": "b"}
            session.result(session.call("Edit", edit), "The file has been updated.")
        else:
            session.result(session.call("Bash", {"command": text}), output or "done", error=failed)
    session.write(transcripts)


def numbered(text: str, number: int) -> str:
    return text.replace("§", str(number))


@pytest.fixture
def candidates(lessons: CommandLine, tmp_path: Path) -> dict[str, list[dict[str, Any]]]:
    """Of one history with everything, by project."""
    for mistake in MISTAKES:
        write_mistake(mistake, tmp_path / "transcripts")
    for work in WORK:
        write_work(work, tmp_path / "transcripts")
    lessons.ok("scan", "--path", str(tmp_path / "transcripts"))
    found: dict[str, list[dict[str, Any]]] = {}
    for candidate in lessons.json("candidates", "--all")["candidates"]:
        for project in candidate["projects"]:
            found.setdefault(project, []).append(candidate)
    return found


def fires(candidate: dict[str, Any], row: Mistake, command: str, error: str | None = None) -> bool:
    triggers = msgspec.convert(candidate["proposedTrigger"] or {}, Triggers)
    if command == row.failed:
        triggers = msgspec.structs.replace(triggers, when=None)  # the program was missing there, whatever is here
    lesson = Lesson(id="L1", slug="l-1", summary=TEXT, problem=TEXT, solution=TEXT, triggers=triggers)
    call = ToolCall(row.tool, {"command": numbered(command, 7)}, error=error, cwd=f"/home/somebody/{row.name}")
    return why_it_fires(rule_of(entry_of(lesson).entry), call) is not None


def is_taught(row: Mistake, found: list[dict[str, Any]]) -> bool:
    met = any(fires(each, row, row.failed) or fires(each, row, row.failed, numbered(row.error, 7)) for each in found)
    return met and any(re.search(row.remedy, each["solution"]) for each in found)


def test_next_time(candidates: dict[str, list[dict[str, Any]]]) -> None:
    found = {row.name: candidates.get(folder_of(row.name), []) for row in MISTAKES}
    assert {row.name for row in MISTAKES if not is_taught(row, found[row.name])} == WEAK
    runs = [(row, command) for row in MISTAKES for command in (row.worked, *row.good)]
    assert [command for row, command in runs if any(fires(each, row, command) for each in found[row.name])] == []
    shown = {row.name for row in WORK if candidates.get(f"work-{folder_of(row.name)}")}
    assert shown == set()
