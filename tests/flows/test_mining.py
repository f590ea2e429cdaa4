"""Mistakes of a whole history: the same queue however it was read, without forgotten data."""

import json
from pathlib import Path

import pytest

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
