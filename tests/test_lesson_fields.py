"""The table of lesson fields agrees with the types of the model and with what the hook reads."""

import msgspec
import pytest

from lessons.lesson_fields import FIELDS, FIRING, PATTERNS, LessonField, attribute_of, put, value_of
from lessons.model import Examples, Lesson, Triggers, When, WrittenRule
from lessons.store.manifest import REGEX_KEYS
from tests.builders.lessons import lesson as record

# Made by the program, never set with an option.
MADE = {"id", "slug", "needsReview", "createdAt", "updatedAt", "contentHash"}
MADE |= {"sourceSessionIds", "occurrenceCount", "fingerprints", "writtenBy"}
GROUPS: dict[str, type[msgspec.Struct]] = {
    "": Lesson,
    "triggers": Triggers,
    "triggers.when": When,
    "examples": Examples,
    "rule": WrittenRule,
}
BLANK = Lesson(id="", slug="", summary="", problem="", solution="")


def _names(group: str) -> set[str]:
    return {field.encode_name for field in msgspec.structs.fields(GROUPS[group])}


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.place)
def test_a_row_is_a_field_of_the_model(field: LessonField) -> None:
    assert field.name in _names(field.group)
    assert field.option.startswith("--")
    assert field.help.endswith(".")
    value = value_of(BLANK, field)
    assert field.group in ("triggers.when", "examples", "rule") or isinstance(value, list) == field.is_list


@pytest.mark.parametrize("group", GROUPS)
def test_every_field_that_people_set_has_a_row(group: str) -> None:
    rows = {field.name for field in FIELDS if field.group == group}
    inner = {place.rpartition(".")[2] for place in GROUPS if place and place.rpartition(".")[0] == group}
    assert _names(group) - inner - (MADE if group == "" else {"file", "line"} if group == "rule" else set()) == rows


def test_no_option_label_or_key_is_used_twice() -> None:
    for column in ("option", "label", "manifest_key", "edit_key", "looks_at"):
        used = [getattr(field, column) for field in FIELDS if getattr(field, column)]
        assert len(used) == len(set(used)), column


def test_the_hook_reads_every_pattern_that_is_published() -> None:
    assert {field.manifest_key: field.looks_at or field.name for field in PATTERNS} == REGEX_KEYS
    assert set(FIRING) < set(PATTERNS)


def test_a_value_is_found_and_put_by_its_place() -> None:
    document: dict[str, object] = {}
    put(document, "triggers.when.os", ["linux"])
    assert document == {"triggers": {"when": {"os": ["linux"]}}}
    stored = msgspec.convert({**record(), **document}, Lesson)
    os = next(field for field in FIELDS if field.place == "triggers.when.os")
    assert value_of(stored, os) == ["linux"]
    assert value_of(BLANK, os) is None
    assert attribute_of("commandPatterns") == "command_patterns"
