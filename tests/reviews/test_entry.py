"""No secret in a review is stored, and hostile texts do not take long."""

import json
import time

import msgspec

from lessons.project_state import ReviewEntry
from lessons.reviews import github_comments, review_sources
from lessons.reviews.entry import entry_from_json
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


def test_a_date_is_nothing_but_a_date() -> None:
    [entry] = entry_from_json(json.dumps(JSON))
    assert entry.date == "2026-01-31"


@table("beginning", BEGINNINGS)
def test_many_beginnings_without_an_end_do_not_take_long(beginning: str) -> None:
    began = time.process_time()
    text = beginning * (65_000 // len(beginning))
    github_comments.github_entries(comment_of(text))
    review_sources.markdown_entries("#### Review #7: Till\n\n" + text * 4)
    assert time.process_time() - began < 5


def test_many_reviews_with_one_number_do_not_take_long() -> None:
    began = time.process_time()
    log = "".join(f"## Review #1: Title {number}\n1. **Race {number}**: x\n" for number in range(4000))
    found = review_sources.markdown_entries(log)
    assert len({entry.key for entry in found}) == 4000
    assert time.process_time() - began < 5
