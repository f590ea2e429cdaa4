"""The checked-in schema equals the model's, and distinguishes valid from invalid files."""

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from lessons.model import document_from_lesson, lesson_from_document
from lessons.schema import schema_text
from tests.tables import table

CHECKED_IN = Path(__file__).parent.parent / "docs" / "lesson.schema.json"
RECORD: dict[str, object] = {
    "id": "01JQSEED00000000000000001", "slug": "a-slug-0000", "summary": "A summary that is long enough",
    "problem": "A problem that is long enough", "solution": "A solution that is long enough",
    "triggers": {"toolNames": ["Bash"], "commandPatterns": ["x"], "matchOn": None},
    "examples": {"fires": ["x", {"tool": "Write", "path": "a"}], "quiet": []}, "tags": ["lang:python"],
    "mine": {"kept": True},
}  # fmt: skip


@table(
    "change",
    [
        {"summary": "long" * 31},
        {"summary": "x" * 121},
        {"priority": 11},
        {"confidence": "high"},
        {"stage": "on"},
        {"tags": ["python"]},
        {"sourceSessionIds": list("abcdef")},
        {"scope": {"type": "team"}},
    ],
)
def test_the_schema_refuses(change: dict[str, object]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"lessons": [RECORD | change]}, json.loads(schema_text()))


def test_the_checked_in_schema_has_not_drifted() -> None:
    assert CHECKED_IN.read_text() == schema_text(), "run `make schema`"


def test_the_module_prints_the_schema() -> None:
    printed = subprocess.run([sys.executable, "-m", "lessons.schema"], capture_output=True, text=True, check=True)
    assert printed.stdout == schema_text()


def test_a_good_file_is_valid_as_written_by_hand_and_by_us() -> None:
    schema = json.loads(schema_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    written = document_from_lesson(lesson_from_document(RECORD))
    jsonschema.validate({"$schema": "./lesson.schema.json", "lessons": [RECORD, written]}, schema)
