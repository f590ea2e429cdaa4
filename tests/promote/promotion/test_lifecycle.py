"""A step in the life of a lesson: the change and its record, and how it is undone."""

import json
from pathlib import Path

import pytest

from lessons.promote import decide
from lessons.promote.undo import undo_change
from lessons.store import decisions, lesson_file
from tests.builders.lessons import lesson


@pytest.fixture
def home(tmp_path: Path) -> str:
    (tmp_path / "lessons.json").write_text(json.dumps({"lessons": [lesson("stash")]}), encoding="utf-8")
    return str(tmp_path)


def stage(home: str) -> object:
    return lesson_file.read(home).find("stash").get("stage", "active")


def step(home: str) -> decisions.Decision:
    return decide.take_step(home, "id-stash", "shadow", {"stage": "shadow"}, "because")


def test_steps_and_refusals_are_undone_one_after_the_other(home: str) -> None:
    step(home)
    decide.take_step(home, "id-stash", "retire", {"stage": "retired"}, "because")
    decide.keep(home, "id-stash", "stash", "retire")
    assert (undo_change(home).slug, stage(home)) == ("stash", "retired"), "the refusal changed nothing"
    assert undo_change(home).slug == "stash"
    assert stage(home) == "shadow"
    undo_change(home)
    assert stage(home) == "active"
    assert decisions.statuses(home) == {}
