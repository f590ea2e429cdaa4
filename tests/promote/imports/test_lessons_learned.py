"""A record of lessons-learned as a draft: what has no counterpart is refused, the rest keeps its meaning."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from lessons.errors import NotFound, Refused
from lessons.promote.imports.lessons_learned import draft_of, drafts
from lessons.promote.publish.examples import fires
from tests.builders.learned import ENTRIES, manifest, row
from tests.tables import table


@table("content", [b"", b"{", b"7", b"{}", b'{"lessons": 3}', b"\xff\xfe", b"[" * 100_000, b"[" + b"1," * 2000 + b"1]"])
def test_a_file_without_lessons_is_refused_in_one_sentence(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "lessons.json"
    file.write_bytes(content)
    with pytest.raises(Refused, match=r"^[^\n]*$"):
        drafts(str(file))
    assert file.read_bytes() == content


def test_only_a_regular_file_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    for name in ("pipe.json", "."):
        with pytest.raises(Refused, match="not a regular file"):
            drafts(str(tmp_path / name))
    with pytest.raises(NotFound):
        drafts(str(tmp_path / "nothing.json"))


def test_each_lesson_of_a_manifest_or_a_list_is_a_draft(tmp_path: Path) -> None:
    found = drafts(str(manifest(tmp_path / "m.json")))
    assert [draft.place for draft in found] == [f"lesson {key}" for key in ENTRIES]
    assert [draft.name for draft in found if draft.refusal] == ["of-one-author-gh78", "switched-off", "lesson 01NONE"]
    (tmp_path / "l.json").write_text(json.dumps({"lessons": [row("a"), row("b")]}))
    assert [draft.place for draft in drafts(str(tmp_path / "l.json"))] == ["lesson 1", "lesson 2"]


@table(
    ("changes", "refusal"),
    [
        ({"status": "archived", "archiveReason": "never needed"}, "it is archived there (never needed)."),
        ({"status": "disabled"}, "it is disabled there."),
        ({"disabled": True}, "it is disabled there."),
        ({"scope": "Users-me-shop"}, 'it is for one project ("Users-me-shop"), whose folder it does not name.'),
        ({"pathPatterns": [r"a\d+"]}, 'pathPatterns has "a\\\\d+", a regex that no glob can express.'),
        ({"modelPatterns": ["son.*et"]}, "modelPatterns has a regex: here a model is named by a part of its name."),
        ({"problem": "", "solution": ""}, "problem is missing."),
    ],
)
def test_what_has_no_counterpart_is_refused(changes: dict[str, Any], refusal: str) -> None:
    draft = draft_of(row(**changes), "row 1")
    assert (draft.refusal, draft.document) == (refusal, {})


def test_a_guard_of_a_manifest_becomes_a_proposal() -> None:
    entry = ENTRIES["01GUARD"]
    assert isinstance(entry, dict)
    draft = draft_of(entry, "lesson 01GUARD")
    assert draft.document == {
        "slug": "runner-waits-ab12",
        "priority": 8,
        "block": True,
        "blockReason": "Give it --batch and a time limit.",
        "summary": "the test runner waits for a terminal",
        "problem": "Without a terminal the runner asks a question and waits for ever.",
        "solution": "Give it --batch and a time limit.",
        "triggers": {
            "toolNames": ["Bash"],
            "commandPatterns": [r"(?i:\bproverun\b(?!.*--batch))"],
        },
        "scope": {"type": "global"},
        "tags": ["tool:proverun"],
        "confidence": 0.9,
    }
    assert draft.is_whole


EDIT = {"toolNames": ["Edit", "Write"], "commandPatterns": ["innerHTML"], "pathPatterns": ["**/*.tsx"]}


@table(
    ("changes", "example", "expected"),
    [
        (EDIT, {"tool": "Edit", "path": "/shop/a.tsx", "content": "return null"}, False),  # it fired on every such file
        (EDIT, {"tool": "Write", "path": "/shop/a.py", "content": "x.innerHTML = y"}, False),
        (EDIT, {"tool": "Write", "path": "/shop/a.tsx", "content": "x.innerHTML = y"}, True),
        (EDIT, "grep innerHTML a.tsx", False),
        ({**EDIT, "pathPatterns": []}, {"tool": "Edit", "path": "/a.py", "content": "x.innerHTML = y"}, True),
        ({**EDIT, "pathPatterns": []}, {"tool": "Edit", "path": "/innerHTML.py", "content": "x"}, False),
        ({**EDIT, "toolNames": ["Bash", "Edit"]}, {"tool": "Edit", "path": "/a.py", "content": "innerHTML"}, False),
        ({**EDIT, "toolNames": ["Bash", "Edit"]}, {"tool": "Edit", "path": "/a.tsx", "content": "innerHTML"}, True),
        ({**EDIT, "toolNames": ["Bash", "Edit"]}, "grep innerHTML a.tsx", True),
        ({**EDIT, "toolNames": ["Bash", "Edit"]}, {"tool": "Read", "path": "/innerHTML.py"}, False),
        ({**EDIT, "toolNames": ["Bash"]}, "grep innerHTML a.tsx", True),
        ({**EDIT, "commandPatterns": []}, {"tool": "Edit", "path": "/shop/a.tsx", "content": "x"}, True),
    ],
)
def test_patterns_of_file_tools_must_all_fit(changes: dict[str, Any], example: Any, expected: bool) -> None:
    assert fires(draft_of(row(**changes), "row 1").document, example) is expected


def test_a_record_of_our_own_keeps_its_meaning() -> None:
    """It says with its own keys how it is meant."""
    own = {**EDIT, "unless": ["safe"], "pathPatterns": []}
    triggers = draft_of(row(triggers=own), "row 1").document["triggers"]
    assert isinstance(triggers, dict) and triggers["commandPatterns"] == ["innerHTML"]


def test_globs_stay_and_simple_regexes_become_globs() -> None:
    assert draft_of(row(), "row 1").document["triggers"] == {"toolNames": ["Edit"], "pathPatterns": ["**/*.lock"]}
    changed = draft_of(row(pathPatterns=[r"\.lock$"]), "row 1").document["triggers"]
    assert changed == {"toolNames": ["Edit"], "pathPatterns": ["*.lock"]}


@table("kind", ["directive", "protocol"])
def test_what_was_shown_at_the_start_is_shown_at_the_start(kind: str) -> None:
    assert draft_of(row(type=kind), "row 1").document["triggers"] == {"sessionStart": True}


def test_a_project_that_is_here_is_kept(tmp_path: Path) -> None:
    scope = {"type": "project", "path": str(tmp_path)}
    assert draft_of(row(scope=scope), "row 1").document["scope"] == scope


def test_a_project_that_is_not_here_is_kept_too() -> None:
    draft = draft_of(row(projectPath="/no/such/place"), "row 1")
    assert draft.document["scope"] == {"type": "project", "path": "/no/such/place"}
    assert draft.note == "its project /no/such/place is not on this machine"


def test_fields_that_both_know_and_in_a_whole_record_those_that_neither_knows_are_kept() -> None:
    given: dict[str, Any] = {
        "priority": 9,
        "injection": "## In its own words",
        "occurrenceCount": 4,
        "sourceSessionIds": ["s1", "s2"],
        "createdAt": "2026-03-29T00:00:00Z",
        "mine": 7,
    }
    flat = draft_of(row(**given), "row 1").document
    whole = draft_of(row(**given, triggers={"pathPatterns": ["**/*.lock"]}), "row 1").document
    for name, value in {**given, "id": "id-lock-files-cd34", "slug": "lock-files-cd34"}.items():
        assert whole[name] == value
        assert flat.get(name) == (None if name == "mine" else value)
    assert "type" not in whole and "status" not in whole


def test_older_names_and_whole_records_are_understood() -> None:
    record = {
        "slug": "x",
        "summary": "One line about it",
        "mistake": "what was wrong",
        "fix": "what was right",
        "triggers": {"toolNames": ["Bash"], "commandPatterns": ["git x"], "unless": ["-n"], "sessionStart": False},
        "block": True,
    }
    draft = draft_of(record, "lesson 1")
    assert (draft.document["problem"], draft.document["solution"]) == ("what was wrong", "what was right")
    assert draft.document["triggers"] == {
        "toolNames": ["Bash"],
        "commandPatterns": ["git x"],
        "unless": ["-n"],
    }


@table(
    ("pattern", "example", "expected"),
    [
        ("git push", "git pull", False),
        ("git push", "git push", True),
        ("push.*--force", "git push --force", True),
        (r"curl.*\| *sh", "curl -s https://example.org | sh", True),
        ("psql.*DROP", 'psql -c "DROP TABLE orders"', True),
    ],
)
def test_a_block_keeps_the_calls_it_is_about(pattern: str, example: str, expected: bool) -> None:
    record = row(toolNames=["Bash"], pathPatterns=[], commandPatterns=[pattern], block=True)
    document = draft_of(record, "row 1").document
    assert fires(document, example) is expected
    assert fires({**document, "block": True, "blockReason": "no"}, example) is expected


def test_words_of_its_own_are_the_solution() -> None:
    draft = draft_of({"summary": "One line about it", "injection": "## REQUIRED\nDo it so."}, "lesson 1")
    assert (draft.document["problem"], draft.document["solution"]) == ("One line about it", "Do it so.")


@table("key", sorted(row()))
@table("value", [None, 7, [], {}, [None, 3, {}], "[", "[" * 5000, "\x1b" * 3, True])
def test_anything_may_stand_in_a_field(key: str, value: Any) -> None:
    draft_of(row(**{key: value}), "row 1")
