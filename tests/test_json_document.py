"""JSON that people edit: damage is reported with its place, everything else is preserved."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons import json_document
from lessons.errors import DamagedFile
from lessons.json_document import Style
from tests.tables import table

DAMAGED = [
    ("", "line 1, column 1"),
    ('{"a": 1,\n  "b": }', "line 2, column 8"),
    ('{"a": 1 // why\n}', "line 1, column 9"),
    ('{"a": 1}}', "line 1, column 9"),
    ("[]", "line 1, column 1 is not an object"),
    ('{"a": 1, "a": 2}', 'the key "a" twice'),
    ('{"a": NaN}', "NaN is not a JSON number"),
    ('{"a": 1e999}', "1e999 is too large"),
    ('{"a": ' + "[" * 100_000, "nested too deeply"),
    ('{"a": ' + "9" * 5000 + "}", "cannot be kept as it is"),
]


@table(("text", "place"), DAMAGED)
def test_damage_is_named_with_file_place_and_remedy(text: str, place: str) -> None:
    with pytest.raises(DamagedFile) as damaged:
        json_document.parse(text, "/home/x/file.json", "do this")
    sentence = str(damaged.value)
    assert sentence.startswith("/home/x/file.json ")
    assert place in sentence
    assert "do this" in sentence


def test_bytes_that_are_not_text_are_damage_with_a_place(tmp_path: Path) -> None:
    file = tmp_path / "f.json"
    file.write_bytes(b'{\n "a": "\xff"}')
    with pytest.raises(DamagedFile, match="not UTF-8 text at line 2, column 8: do this"):
        json_document.read_text(str(file), "do this")


def test_a_folder_in_the_place_of_a_file_is_damage(tmp_path: Path) -> None:
    with pytest.raises(DamagedFile, match="cannot be read"):
        json_document.read_text(str(tmp_path), "do this")


def test_a_missing_file_is_none_and_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    assert json_document.read_text(str(tmp_path / "none.json"), "") is None
    marked = tmp_path / "marked.json"
    marked.write_text("{}", encoding="utf-8-sig")
    assert json_document.read_text(str(marked), "") == "{}"


LAYOUTS = [
    '{\n  "a": ["x", "y"],\n  "b": {}\n}\n',
    '{\n  "a": [\n    "x"\n  ],\n  "b": []\n}',
    '{\n\t"a": {\n\t\t"b": null\n\t}\n}\n',
    '{\r\n    "a": [\r\n        {\r\n            "b": 1.5\r\n        }\r\n    ]\r\n}\r\n',
    '{\n  "half": "\\ud83d",\n  "é": "日本"\n}\n',
]


@table("text", LAYOUTS)
def test_a_layout_is_kept(text: str) -> None:
    document = json_document.parse(text, "f", "")
    assert json_document.render(document, json_document.style_of(text)) == text


def test_a_text_on_one_line_gets_the_usual_layout() -> None:
    style = json_document.style_of('{"lessons": []}')
    assert json_document.render({"a": {"b": 1}}, style) == '{\n  "a": {\n    "b": 1\n  }\n}'


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(st.text(), JSON_VALUES), st.sampled_from(["  ", "    ", "\t"]), st.booleans())
def test_any_document_comes_back_with_its_order_and_a_second_rewrite_changes_nothing(
    document: dict[str, object], indent: str, inline: bool
) -> None:
    text = json_document.render(document, Style(indent=indent, inline_lists=inline))
    again = json_document.parse(text, "f", "")
    assert json.dumps(again) == json.dumps(document)
    assert text.encode()
    second = json_document.render(again, json_document.style_of(text))
    assert json_document.render(again, json_document.style_of(second)) == second
