"""Output of `gh`: first what has no entry, then the entries of five pull requests."""

import json

import pytest

from lessons.errors import Refused
from lessons.reviews.github_comments import Reviewer, findings_in, kind_of, looks_like
from lessons.reviews.github_comments import github_entries as entries_in
from tests.builders.pull_requests import CODECOV, SONAR, WALKTHROUGH, comment, five_pull_requests, review
from tests.tables import table

NOTHING: list[tuple[Reviewer, str]] = [
    ("person", ""),
    ("person", "LGTM 🎉"),
    ("person", "Thanks, this looks great to me now!"),
    ("person", "/retest"),
    ("person", "@coderabbitai review"),
    ("person", "> Please add a test\n\nDone."),
    ("person", "What does this do?"),
    ("person", "```python\nuse(x)\n```"),
    ("review bot", WALKTHROUGH),
    ("review bot", SONAR),
    ("review bot", "**Actionable comments posted: 3**"),
    ("review bot", "Please use another name."),
    ("review bot", "<!-- **Hidden title here** -->"),
]
LOGINS: list[tuple[str, Reviewer]] = [
    ("alice", "person"),
    ("coderabbitai", "review bot"),
    ("coderabbitai[bot]", "review bot"),
    ("app/qodo-merge-pro", "review bot"),
    ("codecov", "other bot"),
    ("somebody[bot]", "other bot"),
    ("", "other bot"),
]


@table("reviewer, body", NOTHING)
def test_no_finding(reviewer: Reviewer, body: str) -> None:
    assert findings_in(body, reviewer) == []


@table("login, kind", LOGINS)
def test_who_comments(login: str, kind: Reviewer) -> None:
    assert kind_of(login) == kind


def test_reports_of_other_bots_are_no_reviews() -> None:
    assert entries_in(json.dumps({"number": 1, "comments": [comment(1, "codecov", CODECOV, 1)], "reviews": []})) == []


def test_five_pull_requests_with_thirty_comments() -> None:
    documents = five_pull_requests()
    assert sum(len(each["comments"]) + len(each["reviews"]) for each in documents) == 30
    found = entries_in(json.dumps(documents), "reviews.json")
    assert [(entry.pr, entry.date, entry.title, entry.source, entry.patterns) for entry in found] == [
        (101, "2026-03-03", "Add a till", "coderabbitai", ["avoid-naive-datetimes", "rename-the-helper-function"]),
        (102, "2026-03-05", "Count coins", "alice+qodo-merge-pro", ["naive-datetime-avoided", "missing-null-check"]),
        (
            *(103, "2026-03-07", "Print bills", "bob+coderabbitai"),
            ["avoid-naive-datetimes", "missing-null-checks", "please-handle-the-empty-bill", "datetime-utcnow"],
        ),
        (104, "2026-03-09", "Close the till", "carol+gemini-code-assist", ["datetime-utcnow", "null-check-missing"]),
    ]
    assert found[0].source_breakdown == {"coderabbitai": 2}
    assert [entry.total for entry in found] == [2, 2, 4, 2]
    first = found[0].findings[0]
    assert (first.path, first.line, first.code) == ("src/clock.py", 12, ["datetime.utcnow()"])
    assert (found[1].findings[0].line, found[1].findings[1].path) == (7, "src/orders.py")
    assert found[1].findings[0].code == ["datetime.utcnow()"] and found[1].findings[0].path == "src/bill.py"


def test_only_what_stands_right_below_the_title_of_a_bot_belongs_to_it() -> None:
    body = "**Avoid naive datetimes.**\n\n`a.utcnow()` has no zone.\n\nUnrelated `b.other()`.\n\n"
    more = "**Name the parts.**\n\nSuggested fix\n\n`c.fix()` does it."
    first, second = findings_in(body + more, "review bot")
    assert first.text == "Avoid naive datetimes. `a.utcnow()` has no zone."
    assert (first.code, second.text, second.code) == (["a.utcnow()"], "Name the parts", [])


def test_one_pull_request_without_its_number() -> None:
    document = five_pull_requests()[0]
    del document["number"], document["title"]
    assert [(entry.pr, entry.title) for entry in entries_in(json.dumps(document))] == [(101, "Pull request #101")]
    bare = {"comments": [], "reviews": [review(9, "alice", "Use `a.b(c)` instead of `a.x(c)`.", 1)]}
    with pytest.raises(Refused, match="names no pull request"):
        entries_in(json.dumps(bare))
    assert entries_in(json.dumps(bare), number=9)[0].pr == 9


def test_comments_at_places_in_the_code() -> None:
    place = {"path": "src/a.py", "line": 4, "created_at": "2026-03-01T10:00:00Z", "user": {"login": "alice"}}
    address = "https://api.github.com/repos/shop/till/pulls/7"
    one = {"pull_request_url": address, "body": "Do not use `eval(text)`.", **place}
    [entry] = entries_in(json.dumps([one]))
    assert (entry.pr, entry.date, entry.patterns) == (7, "2026-03-01", ["eval"])
    assert (entry.findings[0].path, entry.findings[0].line) == ("src/a.py", 4)


NO_OUTPUT_OF_GH = [
    "",
    "# Log",
    '{"id": 1, "patterns": ["reviews", "comments"]}',
    '[{"id": 1, "title": "reviews"}]',
    '{"id": 1}\n{"id": 2, "patterns": ["comments"]}',
]


@table("text", NO_OUTPUT_OF_GH)
def test_entries_that_speak_of_reviews_are_not_taken_for_output_of_gh(text: str) -> None:
    assert not looks_like(text)


@table("text", ['{"reviews": 3}', '{"comments"', '[{"reviews": [1]}]'])
def test_what_is_no_output_of_gh(text: str) -> None:
    with pytest.raises(Refused, match="not the output of `gh pr view"):
        entries_in(text)
