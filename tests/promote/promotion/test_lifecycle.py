"""A step in the life of a lesson: the change and its record, or neither, even if a process is killed between."""

import json
from pathlib import Path

import pytest

from lessons.promote.promotion import lifecycle, promotion
from lessons.store import decisions, lesson_file, unfinished
from lessons.store.unfinished import Unfinished, state_digest
from tests.builders.lessons import lesson


@pytest.fixture
def home(tmp_path: Path) -> str:
    (tmp_path / "lessons.json").write_text(json.dumps({"lessons": [lesson("stash")]}), encoding="utf-8")
    return str(tmp_path)


def stage(home: str) -> object:
    return lesson_file.read(home).find("stash").get("stage", "active")


def step(home: str) -> decisions.Decision:
    return lifecycle.take_step(home, "id-stash", "shadow", {"stage": "shadow"}, "because")


def test_a_note_of_a_step_that_was_not_made_is_removed(home: str) -> None:
    made = step(home)
    promotion.undo(home, made.id)
    before = decisions.read(home)
    again = decisions.Decision(time=decisions.now(), id="other", action="tended", fingerprint="", lesson="id-stash")
    unfinished.write(home, Unfinished([again], "id-stash", state=made.digest))
    promotion.settle(home)
    assert decisions.read(home) == before
    assert not unfinished.exists(home)


def test_a_step_that_was_made_is_recorded_by_whoever_comes_next(home: str) -> None:
    after = {**lesson_file.read(home).find("stash"), "stage": "shadow"}
    cut_off = decisions.Decision(
        time=decisions.now(),
        id="cut-off",
        action="tended",
        fingerprint="",
        slug="stash",
        lesson="id-stash",
        digest=state_digest(after),
        before={"stage": "active"},
    )
    (Path(home) / "lessons.json").write_text(json.dumps({"lessons": [after]}), encoding="utf-8")
    unfinished.write(home, Unfinished([cut_off], "id-stash", state=cut_off.digest))
    promotion.settle(home)
    assert [each.id for each in decisions.read(home)] == ["cut-off"]
    promotion.undo(home)
    assert stage(home) == "active"


def test_steps_and_refusals_are_undone_one_after_the_other(home: str) -> None:
    step(home)
    lifecycle.take_step(home, "id-stash", "retire", {"stage": "retired"}, "because")
    lifecycle.keep(home, "id-stash", "stash", "retire")
    assert (promotion.undo(home).slug, stage(home)) == ("stash", "retired"), "the refusal changed nothing"
    assert promotion.undo(home).slug == "stash"
    assert stage(home) == "shadow"
    promotion.undo(home)
    assert stage(home) == "active"
    assert decisions.statuses(home) == {}
