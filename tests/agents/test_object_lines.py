"""Whatever the lines contain: a damaged line loses only itself, and wrong types become empty values."""

import json
import re
import time
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.agents.base import Line, Record
from lessons.agents.object_lines import (
    Fields,
    ObjectLines,
    ends,
    ends_of,
    inner,
    number,
    objects,
    objects_in,
    record_key,
    start_of,
    storable,
    text,
)
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


BEGINNING = re.compile(r'\{"(?:type|parentUuid)"')
RECORD = b'{"type":"user","sessionId":"s","n":1}'
NEXT = b'{"type":"user","sessionId":"s","n":2}'


def read(line: bytes) -> list[dict[str, object] | None]:
    return list(objects_in(line, BEGINNING, lambda found: "sessionId" in found))


def numbers(line: bytes) -> list[object]:
    return [found and found.get("n", "other") for found in read(line)]


NONE_READ: dict[str, tuple[bytes, list[object]]] = {
    "nothing": (b"", []),
    "spaces": (b" \t\r", []),
    "NULs": (b"\0" * 99, []),
    "a word": (b"hello", [None]),
    "a number": (b"7", [None]),
    "a list": (b"[7]", [None]),
    "a string that holds a record": (json.dumps(RECORD.decode()).encode(), [None]),
    "half a record": (RECORD[:-5], [None]),
    "a message inside of half a record": (b'{"type":"progress","data":' + RECORD.replace(b"sessionId", b"id"), [None]),
    "endless depth": (b"[" * 100_000, [None]),
    "endless depth in a record": (b'{"type":' + b'{"a":[' * 100_000, [None]),
}
READ: dict[str, tuple[bytes, list[object]]] = {
    "two records": (RECORD + NEXT, [1, 2]),
    "two records and spaces": (b" " + RECORD + b" \t" + NEXT + b"\r", [1, 2]),
    "more records than attempts": (RECORD * 1200, [1] * 1200),
    "half a record before one": (RECORD[:-5] + NEXT, [None, 2]),
    "half a record after one": (RECORD + NEXT[:-5], [1, None]),
    "half a record between two": (RECORD + RECORD[:-9] + NEXT, [1, None, 2]),
    "two halves, each counted": (RECORD[:-5] + RECORD + NEXT[:-5], [None, 1, None]),
    "words around": (b"oops " + RECORD + b" oops", [None, 1, None]),
    "a list around": (b"[" + RECORD + b"," + NEXT + b"]", [None, 1, None, 2, None]),
    "a mark in front": (b"\xef\xbb\xbf" + RECORD, [1]),
    "NULs everywhere": (b"\0".join(RECORD[i : i + 1] for i in range(len(RECORD))), [1]),
    "a raw tab in a string": (RECORD.replace(b'"s"', b'"a\tb\x01"'), [1]),
    "an unknown object alone": (b'{"x":1}', ["other"]),
    "a number of 5,000 digits": (RECORD[:-1] + b',"big":' + b"9" * 5000 + b"}", [1]),
    "numbers that JSON does not have": (RECORD[:-1] + b',"big":[NaN,-Infinity,1e999]}', [1]),
    "broken UTF-8": (RECORD.replace(b'"s"', b'"\xff\xc3(\xed\xa0\xbd"'), [1]),
}


@table("name", [*NONE_READ, *READ])
def test_what_is_read_of_a_line(name: str) -> None:
    line, expected = (NONE_READ | READ)[name]
    assert numbers(line) == expected


def test_a_part_of_a_broken_record_does_not_end_its_stretch() -> None:
    broken = b'{"type":"progress","data":{"type":"assistant","n":9},"text":"cut'
    assert numbers(broken + NEXT) == [None, 2]


HOSTILE = {
    "every beginning leads to the same long list": b'{"type":"user","a":' * 300 + b"[" + b"1," * 500_000,
    "every beginning leads to the same long string": b'{"type":"user","a":' * 20_000 + b'"' + b"x" * 600_000,
    "beginnings only": b'{"type":"user"' * 70_000,
    "braces only": b"{" * 1_000_000,
    "lists in objects": b'{"type":[' * 110_000,
    "records that never end": b'{"type":"user","a":[{},"x",' * 37_000,
    "quotes": b'"' * 1_000_000,
    "backslashes": b'{"type":"' + b"\\" * 1_000_000,
    "long numbers": b'{"type":"user","a":[' + (b"9" * 5000 + b",") * 200,
}


@table("name", HOSTILE)
def test_a_hostile_line_takes_no_time(name: str) -> None:
    began = time.process_time()
    assert None in read(HOSTILE[name])
    assert time.process_time() - began < 0.5


PIECES = [RECORD, NEXT, RECORD[:20], b"{", b"}", b"[", b'"', b"\\", b"\0", b"\xff", b" ", b'{"type":', b"\\ud800", b"1"]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map(b"".join))
def test_no_pieces_of_records_raise_and_two_losses_never_follow_each_other(line: bytes) -> None:
    found = read(line)
    assert all(one is not None or other is not None for one, other in pairwise(found))


@settings(max_examples=20)
@given(st.integers(1, 950))
def test_depth_is_cut_and_never_raises(depth: int) -> None:
    value: object = "\ud800"
    for _ in range(depth):
        value = [value]
    msgspec.json.encode(storable(value))


@table("value", [None, True, 7, 1.5, {}, {"text": "x"}, [], [[]]])
def test_what_is_no_text_says_nothing(value: object) -> None:
    if value == [[]]:
        with pytest.raises(msgspec.ValidationError):
            ends_of(msgspec.Raw(json.dumps(value).encode()), 5, 5)
    else:
        assert ends_of(msgspec.Raw(json.dumps(value).encode()), 5, 5) == ""


def test_blocks_are_joined_and_only_texts_count() -> None:
    blocks = [{"type": "text", "text": "one"}, {"type": "image", "text": "no"}, {"type": "text", "text": "two"}]
    content = msgspec.Raw(json.dumps(blocks).encode())
    assert ends_of(content, 100, 100) == "one\ntwo"
    assert start_of(content, 5) == "one\nt"
