"""Mistakes of a whole history: the same queue however it was read, without forgotten data."""

import json
from pathlib import Path

import pytest

from tests.builders.transcript import Session
from tests.cli.command_line import CommandLine
from tests.flows.eventful import HEALTHY
from tests.flows.scanning import copy, transcripts_of


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "transcripts"
    for story in HEALTHY:
        story(root)
    return root


def queue(lessons: CommandLine) -> object:
    """What a person is shown, without the moment at which."""
    return lessons.json("candidates", "--all")["candidates"]


def test_the_same_queue_in_one_go_again_and_in_parts(root: Path, lessons: CommandLine, tmp_path: Path) -> None:
    lessons.ok("scan", "--path", str(root))
    at_once = queue(lessons)
    assert isinstance(at_once, list)
    assert len(at_once) > 3
    lessons.ok("scan", "--full", "--path", str(root))
    assert queue(lessons) == at_once
    grown = tmp_path / "grown"
    (tmp_path / "other").mkdir()
    other = CommandLine(tmp_path / "other")
    backwards = transcripts_of(root)[::-1]
    for part in range(4):
        copy(root, grown, backwards[part::4])
        other.ok("scan", "--path", str(grown))
    assert json.dumps(queue(other)).replace(str(grown), str(root)) == json.dumps(at_once)


def test_a_command_that_hung_in_two_sessions_is_one_candidate(lessons: CommandLine, tmp_path: Path) -> None:
    for number in (2, 3):
        session = Session(f"hangs {number}", cwd=f"/home/somebody/hangs-{number}")
        session.prompt("tidy up the last commits")
        hung = session.call("Bash", {"command": f"git rebase -i HEAD~{number}"})
        session.result(hung, "Exit code 143\nCommand timed out after 2m 0s", error=True)
        fixed = session.call("Bash", {"command": f"GIT_EDITOR=true git rebase -i HEAD~{number}"})
        session.result(fixed, "Successfully rebased and updated refs/heads/main.")
        session.write(tmp_path / "sessions")
    lessons.ok("scan", "--path", str(tmp_path / "sessions"))
    [found] = lessons.json("candidates")["candidates"]
    assert (found["sessionCount"], found["quotes"][0]["worked"]) == (2, "GIT_EDITOR=true git rebase -i HEAD~2")
    assert "severity:hang" in found["tags"]
