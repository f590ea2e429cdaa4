"""Documents in, lessons out: wrong types are refused by name, right ones survive a round trip."""

import json

import pytest

from lessons.errors import Refused
from lessons.model import Lesson, Triggers, document_from_lesson, lesson_from_document, unknown_conditions
from tests.tables import table

BASE: dict[str, object] = {
    "id": "01JQSEED00000000000000001",
    "slug": "pytest-tty-hanging-k9m2",
    "summary": "pytest hangs where no terminal is attached",
    "problem": "A bare pytest waits for a terminal that is not there.",
    "solution": "Run it with --no-header and without the fault handler.",
}
SEED_KEYS = [
    "id", "slug", "summary", "problem", "solution", "block", "triggers", "scope", "priority", "confidence",
    "needsReview", "tags", "sourceSessionIds", "occurrenceCount", "createdAt", "updatedAt", "contentHash",
]  # fmt: skip

WRONG: list[tuple[dict[str, object], str]] = [
    ({"priority": "high"}, 'priority is "high": write a whole number.'),
    ({"priority": 8.5}, "priority is 8.5: write a whole number."),
    ({"priority": True}, "priority is true: write a whole number."),
    ({"confidence": "0.9"}, 'confidence is "0.9": write a number.'),
    ({"block": 1}, "block is 1: write true or false."),
    ({"blockReason": 4}, "blockReason is 4: write a text in double quotes."),
    ({"summary": None}, "summary is null: write a text in double quotes."),
    ({"tags": "lang:python"}, 'tags is "lang:python": write a list, such as ["one", "two"].'),
    ({"tags": ["a:b", 3]}, "tags[1] is 3: write a text in double quotes."),
    ({"stage": "on"}, 'stage is "on": write "shadow", "active" or "retired".'),
    ({"stage": 3}, 'stage is 3: write "shadow", "active" or "retired".'),
    ({"scope": {}}, 'scope.type is missing: write "global", "project" or "machine".'),
    ({"scope": {"type": "team"}}, 'scope.type is "team": write "global", "project" or "machine".'),
    ({"scope": "global"}, 'scope is "global": write an object, such as {}.'),
    ({"triggers": []}, "triggers is []: write an object, such as {}."),
    (
        {"triggers": {"toolNames": "Bash"}},
        'triggers.toolNames is "Bash": write a list, such as ["one", "two"].',
    ),
    ({"triggers": {"matchOn": "line"}}, 'triggers.matchOn is "line": write "command", "invocation" or "script".'),
    ({"triggers": {"when": {"os": ["a", None]}}}, "triggers.when.os[1] is null: write a text"),
    ({"triggers": {"sessionStart": "yes"}}, 'triggers.sessionStart is "yes": write true or false.'),
    ({"examples": {"fires": [7]}}, "examples.fires[0] is 7: write a command in double quotes, or an object"),
    ({"examples": {"fires": [{"tool": 7}]}}, "examples.fires[0].tool is 7: write a text in double quotes."),
]


@table(("change", "sentence"), WRONG)
def test_a_wrong_type_is_refused_with_field_value_and_remedy(change: dict[str, object], sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        lesson_from_document(BASE | change)
    assert str(refused.value).startswith(sentence)


@table("field", list(BASE))
def test_a_required_field_may_not_be_missing(field: str) -> None:
    document = {key: value for key, value in BASE.items() if key != field}
    with pytest.raises(Refused, match=f"^{field} is missing: add it as a text in double quotes.$"):
        lesson_from_document(document)


def test_unknown_fields_are_passed_over() -> None:
    document = BASE | {"mine": 1, "triggers": {"toolNames": ["Bash"], "later": []}}
    assert lesson_from_document(document).triggers.tool_names == ["Bash"]


def test_unknown_conditions_are_remembered_and_not_written() -> None:
    known = {"os": ["linux"], "absent": ["x"]}
    lesson = lesson_from_document(BASE | {"triggers": {"when": {**known, "later": 1, "even": []}}})
    assert unknown_conditions(lesson.triggers) == ["even", "later"]
    assert document_from_lesson(lesson)["triggers"]["when"] == known  # type: ignore[index]
    assert unknown_conditions(lesson_from_document(BASE | {"triggers": {"when": known}}).triggers) == []
    assert unknown_conditions(Triggers()) == []


def test_a_plain_lesson_is_written_with_the_basic_keys_only_and_in_order() -> None:
    document = document_from_lesson(lesson_from_document(BASE))
    assert list(document) == SEED_KEYS
    assert document["scope"] == {"type": "global"}
    assert list(document["triggers"]) == [  # type: ignore[call-overload]
        "toolNames",
        "commandPatterns",
        "pathPatterns",
        "contentPatterns",
        "sessionStart",
    ]


FULL: dict[str, object] = {
    **BASE,
    "injection": "Words of its own",
    "block": True,
    "blockReason": "Use the flags: {command} --no-header",
    "stopOnce": True,
    "stage": "shadow",
    "triggers": {
        "toolNames": ["Bash"],
        "commandPatterns": ["\\bpytest\\b"],
        "pathPatterns": ["**/*.py"],
        "contentPatterns": ["import pytest"],
        "errorPatterns": ["not a tty"],
        "unless": ["--no-header"],
        "matchOn": "invocation",
        "when": {
            "os": ["darwin"],
            "shell": ["zsh"],
            "agents": ["codex"],
            "models": ["m"],
            "missing": ["npx"],
            "absent": ["{1}"],
            "present": ["{root}/{1}"],
            "folder": ["web"],
        },
        "sessionStart": True,
    },
    "scope": {"type": "project", "path": "/srv/project"},
    "priority": 8,
    "confidence": 0.95,
    "needsReview": True,
    "tags": ["lang:python"],
    "sourceSessionIds": ["s1"],
    "occurrenceCount": 3,
    "fingerprints": ["fix-0123456789abcdef"],
    "examples": {"fires": ["pytest", {"tool": "Write", "path": "a.py", "content": "x"}], "quiet": ["ls"]},
    "rule": {"file": "CLAUDE.md", "line": 3, "text": "Never run a bare pytest."},
    "writtenBy": "Claude Code",
    "createdAt": "2026-03-29T00:00:00Z",
    "updatedAt": "2026-03-29T00:00:00Z",
    "contentHash": "sha256:00",
}


def test_a_full_lesson_comes_back_exactly() -> None:
    document = document_from_lesson(lesson_from_document(FULL))
    assert json.dumps(document) == json.dumps(FULL)


def test_every_field_is_in_the_full_example() -> None:
    assert len(FULL) == len(Lesson.__struct_fields__)
