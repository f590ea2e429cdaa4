"""What was removed and added: the place that the error mentions, short enough to show."""

from hypothesis import given
from hypothesis import strategies as st

from lessons.capture.signals.difference import (
    LONGEST_SHOWN,
    Block,
    blocks,
    inside,
    is_number,
    shortened,
    shown,
    told,
)

WORDS = st.lists(st.text(max_size=12), max_size=30).map(tuple)


def test_numbers() -> None:
    assert all(map(is_number, ("7", "#12", "v1.2.3", "1a2b3c4d", "12:30", "0b7e8f5e-0000-4000-8000-1a2b3c4d5e6f")))
    assert not any(map(is_number, ("", "seven", "deadbeef", "a1", "--7", "main")))


def test_of_several_places_the_named_one() -> None:
    found = blocks(("a", "one", "b", "two", "c"), ("a", "eins", "b", "zwei", "c"))
    assert told(found, "two is wrong") == [Block(("two",), ("zwei",))]
    assert told(found, "", "zwei is missing") == [Block((), ("zwei",))]
    assert told(found, "no idea") == [Block(("one",), ("eins",))]


def test_inside_keeps_brackets_and_quotes_whole() -> None:
    assert inside('f(a: "x y", b)', 'f(a: "z", b)', "") == ("x y", "z")
    assert inside("a f(b: 1) c", "a c", "") == ("f(b: 1)", "")
    assert inside('a != "b c" d', 'a == "e" d', "!=") == ('!= "b c"', '== "e"')
    assert inside("same", "same", "") == ("", "")


def test_punctuation_around_a_word_is_left_out() -> None:
    assert shown(['"acme",', "'b';"]) == "acme b"
    assert shown(['say "a b"']) == 'say "a b"'


@given(st.text(max_size=600))
def test_never_too_long(text: str) -> None:
    assert len(shortened(text)) <= LONGEST_SHOWN


@given(WORDS, WORDS)
def test_the_blocks_are_the_whole_difference(before: tuple[str, ...], after: tuple[str, ...]) -> None:
    found = blocks(before, after)
    assert bool(found) == (before != after)
    kept = len(before) - sum(len(block.gone) for block in found)
    assert kept == len(after) - sum(len(block.came) for block in found)


@given(st.text(max_size=200), st.text(max_size=200), st.text(max_size=50))
def test_what_is_shown_stands_in_the_texts(before: str, after: str, said: str) -> None:
    gone, came = inside(before, after, said)
    assert gone in before
    assert came in after
