"""A review log in Markdown: first what is neither entry nor pattern, then what is."""

import time

from lessons.reviews.entry import slug
from lessons.reviews.review_sources import markdown_entries as entries_in
from tests.builders.reviews import planted_log, text_of
from tests.tables import table

NOTHING = [
    "",
    "# Review log",
    "Review #12: in a sentence",
    "```\n#### Review #1: in a code block\n```",
    "~~~md\n#### Review #1: x\n```\n#### Review #2: x\n~~~",
    "<!--\n#### Review #1: in a comment\n-->",
    "## Retrospective\nwithout a pull request",
    "## Reviewing pull requests",
    "    #### Review #1: an indented code block",
]
NO_PATTERN = [
    "1. **Root Cause**: haste",
    "1. **Prevention:** care",
    "**Root Cause:** haste",
    "##### Race condition",
    "**Learnings:**\n\n1. **Race condition** in the worker, found late",
    "**Resolution:**\n1. **Race condition** fixed",
    "- **Race condition** as a bullet outside of the patterns",
    "> 1. **Race condition**",
    "```\n1. **Race condition**\n```",
    "1. Race condition without bold",
    "   1. **Race condition** in a nested list",
]
PATTERNS = [
    ("1. **Race condition**: text", ["race-condition"]),
    ("1. **Race condition:** text", ["race-condition"]),
    ("2) __Race condition__ - text", ["race-condition"]),
    ("**Patterns Identified:**\n- **Race condition**\n- Flaky test: often", ["race-condition", "flaky-test"]),
    ("##### Patterns\n* Race condition", ["race-condition"]),
    ("**Patterns:** race condition, `flaky test`", ["race-condition", "flaky-test"]),
    ("1. **Race condition**\n   - **Root Cause:** haste\n2. **Flaky test**", ["race-condition", "flaky-test"]),
    ("1. **Race condition**\n1. **race condition**", ["race-condition"]),
]


@table("text", NOTHING)
def test_no_entry(text: str) -> None:
    assert entries_in(text) == []


@table("text", NO_PATTERN)
def test_no_pattern(text: str) -> None:
    [entry] = entries_in(f"#### Review #1: x\n\n{text}\n")
    assert entry.patterns == []


@table("text, patterns", PATTERNS)
def test_patterns(text: str, patterns: list[str]) -> None:
    [entry] = entries_in(f"#### Review #1: x\n\n{text}\n")
    assert entry.patterns == patterns


def test_every_field_of_a_review() -> None:
    [entry] = entries_in(
        "### Review #12: PR #345 sign-in (2026-01-31)\n\n"
        "**Source:** SonarCloud (3), Qodo (2)\n**Severity:** 1 critical, 2 major, 1 minor, 1 trivial\n"
        "**Fixed:** 3 | **Deferred:** 1 | **Rejected:** 1\n\n"
        "1. **Naive datetime**: avoid `datetime.utcnow()` in `src/clock.py:12`, token ghp_" + "a" * 36 + "\n\n"
        "**Key Learnings:**\n- Times without a zone are compared wrongly.\n- short\n",
        "docs/log.md",
    )
    assert (entry.id, entry.date, entry.title, entry.pr) == (12, "2026-01-31", "sign-in", 345)
    assert (entry.source, entry.source_breakdown) == ("sonarcloud+qodo", {"sonarcloud": 3, "qodo": 2})
    assert (entry.critical, entry.major, entry.minor, entry.trivial, entry.total) == (1, 2, 1, 1, 5)
    assert (entry.fixed, entry.deferred, entry.rejected) == (3, 1, 1)
    assert entry.learnings == ["Times without a zone are compared wrongly."]
    [finding] = entry.findings
    assert (finding.pattern, finding.path, finding.line) == ("naive-datetime", "src/clock.py", 12)
    assert finding.code == ["datetime.utcnow()"]
    assert "ghp_aaaa" not in finding.text
    assert (entry.origin.type, entry.origin.file) == ("markdown", "docs/log.md")


def test_every_field_of_a_retrospective() -> None:
    [entry] = entries_in(
        "## PR #370 Retrospective (2026-02-01)\n\n**Rounds:** 4 · **Total items:** 20\n"
        "**Fixed:** 15 | **Rejected:** 3 | **Deferred:** 2\n**Churn chains:** 2\n\n"
        "**Automation candidates:**\n- **Naive datetime**: a rule could find it\n\n"
        "**Skills to update:**\n- review-checklist\n\n**Process improvements:**\n- Run the linter before the push.\n\n"
        "**Learnings:**\n- Small pull requests need fewer rounds.\n"
    )
    assert (entry.id, entry.type, entry.pr, entry.date) == ("retro-370", "retrospective", 370, "2026-02-01")
    assert (entry.rounds, entry.total_items, entry.churn_chains) == (4, 20, 2)
    assert (entry.fixed, entry.rejected, entry.deferred) == (15, 3, 2)
    assert entry.automation_candidates == ["naive-datetime"]
    assert entry.skills_to_update == ["review-checklist"]
    assert entry.process_improvements == ["Run the linter before the push."]
    assert entry.learnings == ["Small pull requests need fewer rounds."]


def test_an_entry_that_stands_twice_counts_once_unless_it_says_something_else() -> None:
    one = "#### Review #1: x\n1. **Race condition**\n"
    assert len(entries_in(one + one)) == 1
    both = entries_in(one + one.replace("Race", "Other"))
    assert [entry.patterns for entry in both] == [["race-condition"], ["other-condition"]]
    assert len({entry.key for entry in both}) == 2


def test_two_hundred_reviews_with_traps_exactly_as_planted() -> None:
    planted = planted_log()
    found = entries_in(text_of(planted), "log.md")
    assert [(entry.id, entry.title, entry.date, entry.pr, entry.fixed) for entry in found] == [
        (each.number, each.title, each.date, each.pr, each.fixed) for each in planted
    ]
    assert [entry.patterns for entry in found] == [[slug(name) for name in each.patterns] for each in planted]
    assert len(found) == 200


@table("line", ["_" * 40_000, "a/" * 20_000, "x" + "#" * 40_000 + "y", "pr" + " " * 40_000 + "x"])
def test_long_lines_take_no_quadratic_time(line: str) -> None:
    started = time.process_time()
    entries_in(f"## Review #1: {line}\n### Patterns\n- {line}\n  {line}\n{line}: 1\n# {line}\n")
    assert time.process_time() - started < 1
