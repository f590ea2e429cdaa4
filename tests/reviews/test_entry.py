"""Entries of reviews: no secret is stored, patterns are compared by their words, hostile texts do not take long."""

import json
import time

import msgspec

from lessons.project_state import ReviewEntry
from lessons.reviews import github_comments, review_sources
from lessons.reviews.entry import LONGEST_SLUG, entry_from_json, is_heading, normal_words, slug
from tests.tables import table

TOKEN = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vX7zA9bC1dE3fG5"
KEY = "AKIA" + "QYLPMN5HFZX2BGWE"
LOG = f"#### Review #7: Till\n\n**Source:** {KEY} (3), alice (1)\n\n1. **Hardcoded {KEY}**: see {TOKEN}\n"
JSON = {
    "date": f"2026-01-31 {TOKEN}",
    "patterns": [f"token {TOKEN}"],
    "sourceBreakdown": {TOKEN: 1},
    "findings": [{"pattern": f"token {TOKEN}"}],
    "origin": {"type": "json", "file": f"{TOKEN}.md", "key": f"json:{TOKEN}"},
}
BEGINNINGS = ["<!--", "<summary>", "![", "[", "[a](", "**", "`a.b", "_a_ ", "a/"]


def comment_of(body: str) -> str:
    return json.dumps({"number": 1, "reviews": [], "comments": [{"body": body, "author": {"login": "alice"}}]})


def stored(entries: list[ReviewEntry]) -> str:
    assert entries
    return msgspec.json.encode(entries).decode().lower().replace("-", "").replace("_", "")


def test_no_secret_is_stored_in_a_name() -> None:
    for entries in (
        review_sources.markdown_entries(LOG),
        github_comments.github_entries(comment_of(f"**Hardcoded {TOKEN} here**\n\nPlease remove {KEY}.")),
        entry_from_json(json.dumps(JSON)),
    ):
        for secret in (TOKEN, KEY):
            assert secret.lower().replace("_", "")[4:] not in stored(entries)


@table("beginning", BEGINNINGS)
def test_many_beginnings_without_an_end_do_not_take_long(beginning: str) -> None:
    began = time.process_time()
    text = beginning * (30_000 // len(beginning))
    github_comments.github_entries(comment_of(text))
    review_sources.markdown_entries("#### Review #7: Till\n\n" + text * 4)
    assert time.process_time() - began < 2


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
