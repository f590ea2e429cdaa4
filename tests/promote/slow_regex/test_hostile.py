"""Hostile texts: which regexes are not worth a try, and what is made from the others."""

import re
import warnings
from re import _parser  # type: ignore[attr-defined]

from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.promote.slow_regex.hostile import EVERYDAY, can_be_slow, shapes
from tests.sizes import examples
from tests.tables import table


@table("source", ["", "git push", r"npm (i|install)\b", r"^rm -rf? /$", "a{3}b{1,3}", "(?!foo|bar)baz"])
def test_not_worth_a_try(source: str) -> None:
    assert not can_be_slow(_parser.parse(source))


@table("source", ["a+", "(?:ab)*", "a{1,4}", "x(?!.*y)", "(?:a|b.*)", "a?" * 7, "(?>a*)", "(a)?(?(1)b+|c)"])
def test_worth_a_try(source: str) -> None:
    assert can_be_slow(_parser.parse(source))


@table(
    ("source", "head", "pump"),
    [
        ("^(a+)+$", "", "a"),
        (r"foo\s+(\d+|x)*z", "foo ", "x"),
        ("(?:ab|cd)*e", "", "cd"),
        (r"x(?!y(?:[^a-z]|,)*)", "xy", "0"),
        (r"([^,]+,?)+$", "", "0,"),
        ("(?:[€-₿])*!", "", "€"),
        (r'"(?:[^"]|\\.)*"', '"', "\\0"),
    ],
)
def test_pumps_come_from_the_repetitions(source: str, head: str, pump: str) -> None:
    assert (head, pump) in {(shape.head, shape.pump) for shape in shapes(_parser.parse(source))}


def test_everyday_texts_are_tried_too() -> None:
    assert shapes(_parser.parse("a*"))[-len(EVERYDAY) :] == list(EVERYDAY)


@settings(max_examples=examples(500), deadline=None)
@given(st.text(r"ab*+?|(){2,9}[^-]\w\d .!", max_size=24))
def test_any_regex_gives_a_bounded_number_of_bounded_texts(source: str) -> None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = _parser.parse(source)
    except (re.error, OverflowError):
        return
    found = shapes(tree)
    assert len(found) <= 60 + len(EVERYDAY)
    assert all(len(shape.text(1000)) <= 2100 for shape in found)


def test_nested_counts_do_not_grow_without_end() -> None:
    found = shapes(_parser.parse("((((a{900}){900}){900}b+){900}c)*"))
    assert all(len(shape.text(1000)) <= 2100 for shape in found)
