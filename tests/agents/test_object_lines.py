"""Whatever the lines contain: a damaged line loses only itself, and wrong types become empty values."""

import json
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.agents.base import Line, Record
from lessons.agents.object_lines import Fields, ObjectLines, ends, inner, number, objects, record_key, text
from tests.sizes import examples
from tests.tables import table

WRONG: list[object] = [None, 5, 1.5, True, [], ["a"], {}, {"a": "b"}, float("inf"), float("nan")]


class Lines(ObjectLines):
    beginning = re.compile(r'\{"n": ?')

    def is_record(self, fields: Fields) -> bool:
        return "n" in fields

    def record(self, fields: Fields, position: int) -> Record:
        return Record(Line(position), text(fields, "kind"), True, 0, [])


READER = Lines("copilot-cli")


@table("value", WRONG)
def test_wrong_types_are_nothing(value: object) -> None:
    fields: Fields = {"x": value}
    assert text(fields, "x") == "" and text(value, "x") == ""
    assert number(fields, "x") in (None, 5)
    assert all(isinstance(each, dict) for each in objects(fields, "x"))
    assert isinstance(inner(fields, "x"), dict)


def test_a_damaged_line_costs_itself() -> None:
    whole = b'{"n": 1, "kind": "a"}\n{"n": 2, "ki\n{"n": 3, "kind": "c"}\n'
    assert READER.sound_records(whole, 0) is None
    kinds = [[each and each.type for each in READER.records(line, 0)] for line in whole.splitlines()]
    assert kinds == [["a"], [None], ["c"]]


def test_two_records_on_a_line_are_both_read() -> None:
    found = READER.records(b'{"n": 1, "kind": "a"}{"n": 2, "kind": "b"}', 0)
    assert [each and each.type for each in found] == ["a", "b"]


def test_positions_are_those_of_the_lines() -> None:
    data = b'{"n":1}\n\n{"n":22}\n'
    assert [each.line.position for each in READER.sound_records(data, 100) or ()] == [100, 109]


def test_a_very_long_line_is_read() -> None:
    line = json.dumps({"n": 1, "kind": "a", "long": "x" * (5 << 20)}).encode()
    assert READER.sound_records(line + b"\n", 0) is None
    [record] = READER.records(line, 0)
    assert record is not None and record.type == "a"


@table(("blocks", "told"), [([b"\n", b"5\n"], None), ([b'{"n": 1}\n'], True), ([b'{"m": 1}\n'], False), ([], None)])
def test_the_first_object_tells_whose_file_it_is(blocks: list[bytes], told: bool | None) -> None:
    assert READER.recognises(blocks) is told


@given(st.binary(max_size=300))
@settings(max_examples=examples(100), deadline=None)
def test_no_bytes_are_an_error(data: bytes) -> None:
    READER.records(data, 0)
    READER.sound_records(data, 0)


def test_long_texts_keep_both_ends() -> None:
    assert ends("abc", 2) == "abc"
    assert ends("abcdefg", 2) == "ab\nfg"


def test_records_without_a_name_have_no_key() -> None:
    assert record_key("", "a") == 0
    assert record_key("x", "a") != record_key("x", "b") != record_key("y", "b")
