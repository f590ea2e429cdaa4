"""Rules that no shape can check: their dossier, and an answer that passes the same gate."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from lessons.learn import sources
from lessons.learn.accept import Learning, activate, take
from lessons.learn.answer import answers_in
from lessons.learn.dossier import dossiers
from lessons.store import lesson_file
from lessons.store.history.history import History
from tests.builders.past import Past, home_with
from tests.conftest import SetVariable

TEXT = """- Never run `lamp on` in production.
- Keep `lamp` calls short.
- Never run `lamp off`.
- Write clear names.
"""
LESSON: dict[str, Any] = {
    "summary": "Never switch the lamp on in production",
    "problem": "The rule of this project forbids `lamp on` with the production profile.",
    "solution": "Run `lamp on` with the profile of the test environment.",
    "triggers": {"commandPatterns": ["^lamp\\s+on\\b.*--prod"], "matchOn": "invocation"},
    "scope": "project",
}


@pytest.fixture
def home(tmp_path: Path, variable: SetVariable, monkeypatch: pytest.MonkeyPatch) -> str:
    shop = tmp_path / "shop"
    (shop / ".git").mkdir(parents=True)
    (shop / "CLAUDE.md").write_text(TEXT)
    variable("HOME", str(tmp_path / "person"))
    monkeypatch.chdir(shop)
    here: dict[str, Any] = {"cwd": str(shop), "project": str(shop), "program": "lamp"}
    calls = [Past(command=f"lamp on {number}", **here) for number in range(3)]
    calls += [Past(command="lamp on --prod", **here), Past(command="lamp on", program="lamp", cwd="/other")]
    calls += [Past(command=f"ls {number}", cwd=str(shop)) for number in range(300)]
    home_with(tmp_path / "home", *calls)
    return str(tmp_path / "home")


def answered(home: str, name: str, lesson: dict[str, Any]) -> Learning:
    return take(home, answers_in(json.dumps({"id": name, "lesson": lesson})), "somebody")


def test_only_rules_that_name_a_program_are_asked_about(home: str) -> None:
    with History.for_reading(home) as history:
        assert sources.waiting(history) == []
        found = dossiers(history, sources.chosen(history, []), [])
    assert [each.kind for each in found] == ["rule", "rule"]
    first = found[0].document()
    calls: Any = first["calls"]
    assert calls[0]["said"] == "Never run `lamp on` in production."
    assert all(each.get("project", os.getcwd()) == os.getcwd() for each in calls)


def test_an_answer_must_fire_on_what_the_rule_is_about(home: str) -> None:
    with History.for_reading(home) as history:
        name = sources.chosen(history, [])[0].id
    for triggers in ({"commandPatterns": ["^ls\\b"]}, {"sessionStart": True}):
        learning = answered(home, name, {**LESSON, "triggers": triggers})
        assert learning.accepted == [] and len(learning.refused) == 1


def test_what_passes_becomes_a_lesson(home: str) -> None:
    with History.for_reading(home) as history:
        name = sources.chosen(history, [])[0].id
    learning = answered(home, name, LESSON)
    assert [each.id for each in learning.accepted] == [name], learning
    activate(home, {name})
    [record] = lesson_file.read(home).lessons()
    assert record.triggers.command_patterns == LESSON["triggers"]["commandPatterns"]
    assert record.scope.path == os.getcwd()
    with History.for_reading(home) as history:
        assert name not in [each.id for each in sources.chosen(history, [])]
