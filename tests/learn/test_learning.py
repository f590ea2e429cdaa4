"""Answers to dossiers: what is refused and why, what is kept at the error, what becomes a lesson."""

import json
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lessons.candidate import WAITING
from lessons.hook.memory import look_up
from lessons.learn import accept, sources
from lessons.learn.accept import Learning, activate, pending, take
from lessons.learn.answer import answers_in
from lessons.learn.dossier import dossiers
from lessons.match.call import ToolCall
from lessons.mistakes.remember import is_current, remember
from lessons.store import decisions, lesson_file
from lessons.store.history.history import History
from tests.builders.learnable import RIGHT, UNUSABLE, WRONG, write_sessions
from tests.builders.promotable import mistake
from tests.builders.transcript import Session
from tests.flows.scanning import scan
from tests.tables import table

Document = dict[str, Any]


@pytest.fixture(scope="module")
def mined(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("learned")
    write_sessions(folder / "projects")
    scan(folder / "home", folder / "projects")
    return folder / "home"


@pytest.fixture
def home(mined: Path, tmp_path: Path) -> Path:
    """A copy without answers."""
    return Path(shutil.copytree(mined, tmp_path / "home"))


@pytest.fixture(scope="module")
def dossier(mined: Path) -> Document:
    [found] = [each for each in exported(mined) if "--stat" in each["calls"][0]["command"]]
    return found


def exported(home: Path) -> list[Document]:
    with History.for_reading(str(home)) as history:
        lessons, _ = sources.answering(history)
        return [each.document() for each in dossiers(history, sources.waiting(history), lessons)]


def answered(home: Path, *answers: Document, yes: bool = False) -> Learning:
    told = take(str(home), answers_in("\n".join(map(json.dumps, answers))), "somebody")
    if yes:
        activate(str(home), {each.id for each in told.accepted})
    return told


def records(home: Path) -> list[Document]:
    return [dict(each) for each in lesson_file.read(str(home)).records if isinstance(each, dict)]


# What is refused.


@table("name", WRONG)
def test_texts_that_break_a_rule_are_refused(name: str, home: Path, dossier: Document) -> None:
    changes, part = WRONG[name]
    told = answered(home, {"id": dossier["id"], "lesson": {**RIGHT, **changes}})
    assert told.accepted == []
    assert any(part in reason for reason in told.refused[0].reasons), told.refused[0].reasons


def test_lines_that_are_no_answer_are_refused_one_by_one(home: Path, dossier: Document) -> None:
    lines = ["[1]", '{"lesson": null}', '{"id": "fix-none", "lesson": null}', json.dumps({"id": dossier["id"]})]
    told = take(str(home), answers_in("\n".join(lines)), "somebody")
    reasons = {each.id: each.reasons[0] for each in told.refused}
    assert reasons.keys() == {"line 1, item 1", "line 2", "fix-none", dossier["id"]}
    assert (told.accepted, told.nothing) == ([], [])


def test_what_was_refused_twice_is_not_asked_again(home: Path, dossier: Document) -> None:
    wrong = {"id": dossier["id"], "lesson": {**RIGHT, "summary": "Too short."}}
    answered(home, wrong)
    assert dossier["id"] in {each["id"] for each in exported(home)}
    answered(home, wrong)
    assert dossier["id"] not in {each["id"] for each in exported(home)}


def test_what_is_no_lesson_is_not_asked_again(home: Path, dossier: Document) -> None:
    told = answered(home, {"id": dossier["id"], "lesson": None, "reason": "It is normal work."})
    assert (told.nothing, told.accepted) == ([dossier["id"]], [])
    assert dossier["id"] not in {each["id"] for each in exported(home)}
    assert records(home) == []


# What is accepted.


@table("name", UNUSABLE)
def test_a_trigger_that_fails_is_replaced_by_the_error(name: str, home: Path, dossier: Document) -> None:
    told = answered(home, {"id": dossier["id"], "lesson": {**RIGHT, **UNUSABLE[name]}})
    assert [each.acts for each in told.accepted] == ["error"], told.refused
    with History.for_reading(str(home)) as history:
        [lesson] = history.answers.all()[dossier["id"]].lessons
    assert lesson.triggers.keys() == {"errorPatterns"}
    assert lesson.at_error == (UNUSABLE[name]["triggers"].get("commandPatterns") is not None)


def test_a_right_answer_waits_in_review(home: Path, dossier: Document) -> None:
    told = answered(home, {"id": dossier["id"], "lesson": RIGHT})
    assert [(each.id, each.acts) for each in told.accepted] == [(dossier["id"], "call")]
    assert records(home) == []
    assert dossier["id"] not in {each["id"] for each in exported(home)}
    with History.for_reading(str(home)) as history:
        [candidate] = history.candidates.named([dossier["id"]])
        wording = history.answers.wordings()[dossier["id"]]
    assert (len(candidate.evidence), wording.by, wording.unproven) == (8, "somebody", [])


def test_accepted_at_once_it_is_a_hint_with_its_evidence(home: Path, dossier: Document) -> None:
    told = answered(home, {"id": dossier["id"], "lesson": RIGHT}, yes=True)
    [record] = records(home)
    assert record["slug"] == told.accepted[0].slug
    assert (record.get("stage", "active"), record["block"], record.get("stopOnce", False)) == ("active", False, False)
    assert (record["occurrenceCount"], len(record["sourceSessionIds"])) == (8, 5)
    assert "candidate:learned" in record["tags"]
    assert record["examples"]["fires"] and record["examples"]["quiet"]
    [decision] = decisions.read(str(home))
    assert (decision.action, decision.fingerprint, decision.id) == ("promoted", dossier["id"], record["id"])
    with History.for_reading(str(home)) as history:
        assert dossier["id"] not in {each.fingerprint for each in history.candidates.with_status(WAITING)}
    again = answered(home, {"id": dossier["id"], "lesson": RIGHT}, yes=True)
    assert again.accepted == told.accepted and len(records(home)) == 1


def test_a_line_that_is_no_answer_leaves_what_waits(home: Path, dossier: Document) -> None:
    passed = answered(home, {"id": dossier["id"], "lesson": RIGHT}).accepted
    assert [each.id for each in answered(home, {"id": dossier["id"]}).refused] == [dossier["id"]]
    with History.for_reading(str(home)) as history:
        assert [each.slug for each in pending(history)] == [each.slug for each in passed]


def test_a_mistake_whose_lesson_is_gone_can_be_answered_again(home: Path, dossier: Document) -> None:
    answered(home, {"id": dossier["id"], "lesson": RIGHT}, yes=True)
    (home / "lessons.json").write_text('{"lessons": []}', encoding="utf-8")
    assert answered(home, {"id": dossier["id"], "lesson": None}).nothing == [dossier["id"]]


def test_memory_leaves_the_call_to_the_lesson(home: Path, dossier: Document) -> None:
    past = dossier["calls"][0]
    call = ToolCall("Bash", {"command": past["command"]}, cwd=past["cwd"])
    assert look_up(str(home), call) is not None
    answered(home, {"id": dossier["id"], "lesson": RIGHT}, yes=True)
    assert look_up(str(home), call) is None


def test_a_long_history_leaves_the_index_of_memory_to_the_next_scan(
    home: Path, dossier: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accept, "_MOST_REMEMBERED_AT_ONCE", 0)
    before = (home / "memory-index").read_bytes()
    answered(home, {"id": dossier["id"], "lesson": RIGHT}, yes=True)
    assert (home / "memory-index").read_bytes() == before
    with History.opened(str(home)) as history:
        assert not is_current(history)
        remember(history)
    assert (home / "memory-index").read_bytes() != before


def test_block_and_stop_of_an_answer_are_ignored(home: Path, dossier: Document) -> None:
    loud = {**RIGHT, "block": True, "blockReason": "never do this here", "stopOnce": True, "priority": 10}
    answered(home, {"id": dossier["id"], "lesson": loud}, yes=True)
    [record] = records(home)
    assert (record["block"], record.get("stopOnce"), record.get("blockReason")) == (False, None, None)


def test_unproven_code_is_marked(home: Path, dossier: Document) -> None:
    solution = "Run `gh pr files` to list the changed files."
    answered(home, {"id": dossier["id"], "lesson": {**RIGHT, "solution": solution}})
    with History.for_reading(str(home)) as history:
        assert history.answers.wordings()[dossier["id"]].unproven == ["gh pr files"]


def test_an_answer_may_be_given_in_other_forms(home: Path, dossier: Document) -> None:
    given = {**RIGHT, "scope": {"type": "global"}, "triggers": {"errorPatterns": "unknown flag: --stat"}, "extra": 1}
    text = f"Here it is:\n```json\n{json.dumps([{'id': dossier['id'], 'lesson': [given]}], indent=1)}\n```"
    told = take(str(home), answers_in(text.partition("\n")[2]), "somebody")
    assert [each.acts for each in told.accepted] == ["error"]


def test_conditions_of_the_call_do_not_keep_the_error_from_being_answered(home: Path, dossier: Document) -> None:
    triggers = {"commandPatterns": [r"gh pr diff (\d+) --stat"], "when": {"absent": ["{1}"]}}
    given = {**RIGHT, "triggers": {**triggers, "errorPatterns": ["unknown flag: --st.t"]}}
    answered(home, {"id": dossier["id"], "lesson": given}, yes=True)
    [record] = records(home)
    assert record["triggers"]["errorPatterns"] == ["unknown flag: --st.t"]
    assert record["triggers"]["when"] == {"absent": ["{1}"]}


@pytest.mark.parametrize("is_gone", [False, True])
def test_a_lesson_of_a_folder_that_is_gone_acts_everywhere(tmp_path: Path, is_gone: bool) -> None:
    folder = tmp_path / "worktree"
    mistake("of a folder", 1, str(folder)).write(tmp_path / "projects")
    scan(tmp_path / "home", tmp_path / "projects")
    [dossier] = exported(tmp_path / "home")
    if not is_gone:
        folder.mkdir()
    answered(tmp_path / "home", {"id": dossier["id"], "lesson": {**RIGHT, "scope": "project"}}, yes=True)
    [record] = records(tmp_path / "home")
    assert record["scope"] == ({"type": "global"} if is_gone else {"type": "project", "path": str(folder)})


# A correction by a person.


@pytest.fixture
def corrected(tmp_path: Path) -> Path:
    session = Session("corrected")
    session.result(session.call("Bash", {"command": "npm install lamp"}), "added")
    session.prompt("No, never use npm here, always use pnpm instead.")
    session.result(session.call("Bash", {"command": "pnpm add lamp"}), "added")
    session.write(tmp_path / "projects")
    scan(tmp_path / "home", tmp_path / "projects")
    return tmp_path / "home"


@table(
    ("given", "acts"),
    [
        ({"commandPatterns": ["yarn add"]}, None),
        ({"commandPatterns": ["npm (install|add)"]}, None),
        ({"commandPatterns": ["lamp"]}, None),
        ({"errorPatterns": ["npm"]}, None),
        ({"commandPatterns": ["^npm install"], "matchOn": "invocation"}, "call"),
        ({"sessionStart": True}, "start"),
    ],
)
def test_a_correction_is_tested_by_its_calls(given: Document, acts: str | None, corrected: Path) -> None:
    [dossier] = exported(corrected)
    words = {"summary": "Use pnpm here, not npm, for packages", "problem": "This project is installed with pnpm alone."}
    lesson = {**words, "solution": "Run `pnpm add` and `pnpm install` here.", "triggers": given, "scope": "project"}
    told = answered(corrected, {"id": dossier["id"], "lesson": lesson})
    assert [each.acts for each in told.accepted] == ([acts] if acts else []), told.refused
    with History.opened(str(corrected)) as history, history.transaction():
        for answer in history.answers.all().values():
            history.answers.put(msgspec.structs.replace(answer, status="refused", lessons=[], round=0))


def test_a_correction_becomes_a_lesson_of_its_project(corrected: Path) -> None:
    [dossier] = exported(corrected)
    words = {"summary": "Use pnpm here, not npm, for packages", "problem": "This project is installed with pnpm alone."}
    triggers = {"commandPatterns": ["^npm install"], "matchOn": "invocation"}
    lesson = {**words, "solution": "Run `pnpm add` and `pnpm install` here.", "triggers": triggers, "scope": "project"}
    answered(corrected, {"id": dossier["id"], "lesson": lesson}, yes=True)
    [record] = records(corrected)
    assert record["scope"]["type"] == "project" and record["triggers"]["commandPatterns"] == ["^npm install"]
