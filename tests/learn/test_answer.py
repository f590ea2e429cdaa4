"""What models naturally write is read; what is no answer has one reason."""

import json
from typing import Any

from lessons.learn.answer import Answer, Draft, answers_in
from lessons.model import Triggers, When
from tests.tables import table

DOSSIER = json.dumps({"id": "a", "kind": "failure", "calls": [], "worked": [], "existing": []})
TEXTS: dict[str, Any] = {"summary": "s", "problem": "p", "solution": "use x"}


def one(lesson: object, **more: object) -> Answer:
    [answer] = answers_in(json.dumps({"id": "a", "lesson": lesson, **more}))
    return answer


# What is no answer.


@table(
    ("text", "name", "part"),
    [
        ("[1]", "line 1, item 1", "not a JSON object"),
        ("Here:\n```\n\n{broken\n```\n", "line 4", "not a JSON object"),
        ("{broken", "line 1", "not a JSON object"),
        ('{"lesson": null}', "line 1", "no id"),
        ('{"id": 5, "lesson": null}', "line 1", "no id"),
        ('{"id": "a"}', "a", "no lesson"),
        ('{"id": "a", "lesson": "be careful"}', "a", "write an object"),
        ('{"id": "a", "lesson": {"summary": "s"}}', "a", "no solution"),
        ('{"id": "a", "lesson": [{"summary": "s"}]}', "a", "no solution"),
        (json.dumps({"id": "a", "lesson": [TEXTS] * 6}), "a", "more than 5"),
        ("[" * 100_000, "line 1", "not a JSON object"),
    ],
)
def test_one_reason_for_what_cannot_be_read(text: str, name: str, part: str) -> None:
    [answer] = answers_in(text)
    assert (answer.id, answer.lessons) == (name, [])
    assert part in answer.fault


@table("text", ["", "\n \n", "I found nothing.\n", json.dumps({"instructions": "Each dossier …"}), DOSSIER])
def test_nothing_is_said(text: str) -> None:
    assert answers_in(text) == []


# What is read.


@table(
    ("text", "ids"),
    [
        ('{"id": "a", "lesson": null}\n\n{"id": "b", "lesson": null}\n', ["a", "b"]),
        ('[{"id": "a", "lesson": null}, {"id": "b", "lesson": null}]', ["a", "b"]),
        ('{"answers": [{"id": "a", "lesson": null}]}', ["a"]),
        ('```json\n{"id": "a", "lesson": null}\n```\n', ["a"]),
        ('Here they are:\n```\n{"id": "a", "lesson": null}\n```\nDone.', ["a"]),
        ('\ufeff{\n  "id": "a",\n  "lesson": null\n}\n', ["a"]),
        ('{"id": "a", "lesson": null}\n{"id": "b", "lesson": null}\n{"id": "a", "lesson": null}', ["a", "b"]),
    ],
)
def test_forms_of_a_whole_answer(text: str, ids: list[str]) -> None:
    assert answers_in(text) == [Answer(each) for each in ids]


@table(
    ("given", "triggers"),
    [
        ({}, Triggers()),
        ({"errorPatterns": "no such"}, Triggers(error_patterns=["no such"])),
        ({"errorPatterns": ["no such", "", 5, None]}, Triggers(error_patterns=["no such"])),
        ({"command_patterns": ["^x"], "match_on": "script"}, Triggers(command_patterns=["^x"], match_on="script")),
        ({"commandPatterns": ["^x"], "matchOn": "everything"}, Triggers(command_patterns=["^x"])),
        ({"unless": "x", "when": {"os": "linux", "else": 1}}, Triggers(unless=["x"], when=When(os=["linux"]))),
        ({"errorPatterns": ["e"], "when": {}, "priority": 3}, Triggers(error_patterns=["e"])),
    ],
)  # fmt: skip
def test_forms_of_triggers(given: dict[str, object], triggers: Triggers) -> None:
    assert one({**TEXTS, "triggers": given}).lessons == [Draft("s", "p", "use x", triggers, "project")]


@table(
    ("scope", "read"),
    [
        ("global", "global"),
        ({"type": "machine"}, "machine"),
        (None, "project"),
        ("the world", "project"),
        (7, "project"),
    ],
)
def test_forms_of_a_scope(scope: object, read: str) -> None:
    assert [each.scope for each in one({**TEXTS, "triggers": {}, "scope": scope}).lessons] == [read]


def test_a_missing_text_is_taken_from_another() -> None:
    assert one({"solution": "use\n x"}).lessons == [Draft("use x", "use x", "use x", Triggers(), "project")]
    assert one([TEXTS, TEXTS]).lessons == [Draft("s", "p", "use x", Triggers(), "project")] * 2
    assert one(None, reason="a test").reason == "a test"
