"""Which names are the same pattern, and which are names of text sections."""

from lessons.reviews.entry import LONGEST_SLUG, is_heading, normal_words, slug
from tests.tables import table

DIFFERENT = [
    ("missing test", "flaky test"),
    ("null check", "no null check"),
    ("input validation missing", "output validation missing"),
    ("unused import", "unused variable"),
    ("race condition", "race"),
    ("http 404", "http 500"),
]
SAME = [
    ("Unhandled promise rejection", "unhandled-promise-rejections"),
    ("Missing null check", "null checks missing"),
    ("sanitise the input", "Sanitized inputs"),
    ("colour of the behaviour", "color of behavior"),
    ("useEffect dependencies", "use effect dependency"),
    ("N+1 query", "n 1 queries"),
    ("hard_coded secret", "HardCoded secrets"),
]


@table("one, other", DIFFERENT)
def test_different_patterns_stay_apart(one: str, other: str) -> None:
    assert normal_words(one) != normal_words(other)


@table("one, other", SAME)
def test_spellings_of_one_pattern_are_merged(one: str, other: str) -> None:
    assert normal_words(one) == normal_words(other)


@table("name", ["Missing cause", "Prevention of XSS", "Fix flaky tests", "Review comments ignored", "rollback"])
def test_a_pattern_is_no_heading(name: str) -> None:
    assert not is_heading(name)


@table("name", ["Root Cause", "root causes:", "Prevention", "Key Learnings", "Patterns identified", "FIX", "", "--"])
def test_a_heading_is_no_pattern(name: str) -> None:
    assert is_heading(name)


def test_a_slug_is_cut_after_a_word() -> None:
    assert slug("Missing `await` in useEffect!") == "missing-await-in-use-effect"
    long = slug("a very long name of a pattern " * 5)
    assert len(long) <= LONGEST_SLUG and not long.endswith("-") and long.split("-")[-1] in "a very long name of pattern"
    assert slug("") == ""
