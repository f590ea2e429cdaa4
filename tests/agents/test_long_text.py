"""The ends of a JSON string, read without the rest, equal those of the whole string."""

import json

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lessons.agents import long_text
from lessons.agents.long_text import ends_of, start_of
from tests.sizes import examples
from tests.tables import table

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
