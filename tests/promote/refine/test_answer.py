"""Whatever is answered, parsing it never raises, and what is no answer is told in a sentence."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.promote.refine.answer import SCHEMA, Answer, answer_from, decoded
from lessons.promote.refine.exchange import lines_of
from tests.builders.refinable import right
from tests.sizes import examples
from tests.tables import table

DOSSIER: dict[str, Any] = {
    "fingerprint": "fix-1",
    "occurrences": [{"toolUseId": "t1", "command": "gh pr diff 1 --stat"}],
}
RIGHT = right(DOSSIER)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)
KEYS = st.sampled_from([*RIGHT, "splitInto", "mergeWith", "reason", "unknown"])


@table(
    "document",
    [
        None,
        [],
        "text",
        7,
        {},
        {"fingerprint": "fix-1"},
        {"worthALesson": True},
        {**RIGHT, "fingerprint": 7},
        {**RIGHT, "worthALesson": "yes"},
        {**RIGHT, "triggers": []},
        {**RIGHT, "triggers": {"sessionStart": True}},
        {**RIGHT, "triggers": {"when": {"missing": ["gh"]}}},
        {**RIGHT, "triggers": {"commandPatterns": "one"}},
        {**RIGHT, "triggers": {"matchOn": "anything"}},
        {**RIGHT, "scope": {"type": "everywhere"}},
        {**RIGHT, "citedToolUseIds": [7]},
        {**RIGHT, "splitInto": ["t1"]},
    ],
)
def test_what_is_no_answer(document: object) -> None:
    found = answer_from(document)
    assert isinstance(found, str) and found.startswith("The answer does not have the form") and found.endswith(".")


@given(document=JSON)
@settings(max_examples=examples(2_000), deadline=None)
def test_arbitrary_json_never_raises(document: object) -> None:
    assert isinstance(answer_from(document), Answer | str)


@given(key=KEYS, value=JSON)
@settings(max_examples=examples(2_000), deadline=None)
def test_a_right_answer_with_anything_in_it_never_raises(key: str, value: object) -> None:
    assert isinstance(answer_from({**RIGHT, key: value}), Answer | str)


@given(text=st.text() | st.binary().map(lambda data: data.decode("latin-1")))
@settings(max_examples=examples(1_000), deadline=None)
def test_arbitrary_text_never_raises(text: str) -> None:
    assert isinstance(answer_from(decoded(text)), Answer | str)
    for line in lines_of(text):
        assert isinstance(answer_from(line.document), Answer | str)
        assert line.fingerprint


def test_json_that_is_too_deep_is_none() -> None:
    assert decoded("[" * 100_000 + "]" * 100_000) is None


@table(
    ("text", "numbers"),
    [
        ("", []),
        ("\n \n", []),
        ('{"fingerprint": "a"}', [1]),
        ('{"fingerprint": "a"}\n\n{"fingerprint": "b"}\n', [1, 3]),
        ('[{"fingerprint": "a"}, {"fingerprint": "b"}]', [1, 2]),
        ("no JSON\n{}", [1, 2]),
    ],
)
def test_the_lines_of_a_file(text: str, numbers: list[int]) -> None:
    assert [line.number for line in lines_of(text)] == numbers


def test_the_schema_names_what_is_parsed() -> None:
    properties = SCHEMA["properties"]
    assert isinstance(properties, dict)
    assert RIGHT.keys() <= properties.keys()
    assert isinstance(answer_from(RIGHT), Answer)
    json.dumps(SCHEMA)
