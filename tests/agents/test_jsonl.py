"""Damaged lines: readable parts are read once, the rest is counted, and none of it takes long."""

import json
import re
import time
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lessons.agents import jsonl as long_text
from lessons.agents.jsonl import ends_of, made_plain, objects_in, start_of, storable
from tests.sizes import examples
from tests.tables import table

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
    "longer than what is mended": (b" " * (16 << 20) + RECORD, [None]),
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


@given(st.binary(max_size=300))
def test_no_bytes_raise(line: bytes) -> None:
    read(line)


PIECES = [RECORD, NEXT, RECORD[:20], b"{", b"}", b"[", b'"', b"\\", b"\0", b"\xff", b" ", b'{"type":', b"\\ud800", b"1"]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map(b"".join))
def test_no_pieces_of_records_raise_and_two_losses_never_follow_each_other(line: bytes) -> None:
    found = read(line)
    assert all(one is not None or other is not None for one, other in pairwise(found))


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(st.characters()), inner, max_size=3),
    max_leaves=10,
)


@given(st.lists(st.dictionaries(st.text(), json_values, max_size=4), max_size=5))
def test_whole_objects_on_one_line_come_back(objects: list[dict[str, Any]]) -> None:
    line = b"".join(json.dumps(found).encode() for found in objects)
    assert json.dumps(read(line)) == json.dumps(objects)


@given(json_values)
def test_what_is_storable_can_be_encoded_and_is_otherwise_the_same(value: Any) -> None:
    clean = storable(value)
    msgspec.json.encode(clean)
    text = json.dumps(value)
    if "\\ud" not in text and not re.search(r"\d{18}", text):
        assert json.dumps(clean) == text


@settings(max_examples=20)
@given(st.integers(1, 950))
def test_depth_is_cut_and_never_raises(depth: int) -> None:
    value: object = "\ud800"
    for _ in range(depth):
        value = [value]
    msgspec.json.encode(storable(value))


@table(
    ("line", "expected"),
    [
        (b"", b""),
        (RECORD, RECORD),
        (b'{"a":"\\ud83d\\ude00 \\\\ud800 \\u00e9"}', b'{"a":"\\ud83d\\ude00 \\\\ud800 \\u00e9"}'),
        (b'\xef\xbb\xbf\0\0{"a":\t"x\x01\0y"}\r\n', b'{"a":"xy"}'),
        (b'"\\ud800"', b'"\\u003f"'),
        (b'"\\uDC00\\uD800\\ud83d\\ude00"', b'"\\u003f\\u003f\\ud83d\\ude00"'),
        (b'"\\\\\\ud800"', b'"\\\\\\u003f"'),
    ],
)
def test_what_spoils_a_long_line_is_taken_out(line: bytes, expected: bytes) -> None:
    assert bytes(made_plain(line)) == expected
    if not line.startswith(b"\xef"):
        assert bytes(made_plain(b" " * ((1 << 18) - 3) + line)).lstrip() == expected, "over the end of a slice"


@given(st.text(st.characters()))
def test_a_line_made_plain_can_be_read_by_all(text: str) -> None:
    encoded = json.dumps(text).encode()
    assert msgspec.json.decode(made_plain(encoded)) == text.encode("utf-8", "replace").decode()


@table("character", ["y", "é", "漢", "\n", "\\", '"', "😀"])
@table("escaped", [True, False])
def test_of_a_very_long_string_both_ends_stay(character: str, escaped: bool) -> None:
    text = "begin " + (character * 40 + "a tale of words") * 70_000 + " end"
    line = json.dumps({"a": text, "b": 1}, ensure_ascii=escaped).encode()
    found = msgspec.json.decode(made_plain(line))
    assert found["b"] == 1
    kept = found["a"]
    whole = text.startswith(kept[:80_000]) and text.endswith(kept[-80_000:])
    assert whole and len(kept) < len(text)


def test_an_unterminated_string_of_quotes_takes_no_time() -> None:
    began = time.process_time()
    made_plain(b'"' + b'\\"' * 2_000_000)
    assert time.process_time() - began < 1


# Characters of one to four bytes, and those that are written as an escape.
ALPHABET = ["a", "u", "n", "0", "\\", '"', "\n", "\t", "\x01", "é", "—", "\u2028", "😀", "\U0010ffff", "/"]


def expected(text: str, first: int, last: int) -> str:
    if len(text) <= first + last:
        return text
    return text[:first] + ("\n" + text[-last:] if last else "")


def raw(text: str, ascii_only: bool) -> msgspec.Raw:
    return msgspec.Raw(json.dumps(text, ensure_ascii=ascii_only).encode())


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut as early as the rules allow, so that short texts are cut too."""
    monkeypatch.setattr(long_text, "_AT_ONCE", 0)
    monkeypatch.setattr(long_text, "_SPARE", 2 * 12 * long_text._BROKEN)


texts = st.lists(
    st.tuples(st.text(st.sampled_from(ALPHABET), min_size=1, max_size=6), st.integers(1, 150)), max_size=6
).map(lambda parts: "".join(piece * times for piece, times in parts))


@pytest.mark.usefixtures("small")
@settings(max_examples=examples(300))
@given(texts, st.integers(0, 9), st.integers(0, 9), st.booleans())
@example("\\" * 1001 + "n" * 300, 3, 301, True)
@example("a" + "😀" * 400, 5, 5, True)
@example("aa" + "😀" * 400, 5, 5, False)
def test_ends_are_those_of_the_whole_text(text: str, first: int, last: int, ascii_only: bool) -> None:
    assert ends_of(raw(text, ascii_only), first, last) == expected(text, first, last)
    assert start_of(raw(text, ascii_only), first) == text[:first]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("piece", ALPHABET)
def test_a_cut_at_every_place(piece: str, ascii_only: bool) -> None:
    for shift in range(14):
        text = "x" * shift + piece * 400 + "y" * shift
        for count in range(6):
            assert ends_of(raw(text, ascii_only), count, count) == expected(text, count, count)


@table("piece", ["word ", "\n", "é", "😀", "\\", '"'])
def test_with_the_limits_as_they_are(piece: str) -> None:
    text = piece * 60_000 + "end"
    for ascii_only in (True, False):
        assert ends_of(raw(text, ascii_only), 2_048, 2_048) == expected(text, 2_048, 2_048)
        assert start_of(raw(text, ascii_only), 16_384) == text[:16_384]


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


def test_broken_letters_in_a_long_text_are_replaced() -> None:
    content = msgspec.Raw(b'"' + b"\xff\xfe(" * 100_000 + b'"')
    found = ends_of(content, 10, 10)
    assert len(found) == 21
    found.encode()
