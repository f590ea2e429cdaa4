"""Output of `gh pr view NUMBER --json number,title,reviews,comments` for five pull requests, with bots among them."""

from typing import Any

Json = dict[str, Any]


def comment(number: int, login: str, body: str, day: int, **more: Any) -> Json:
    return {
        "id": f"IC_{number}{day}{login}", "author": {"login": login}, "authorAssociation": "NONE", "body": body,
        "createdAt": f"2026-03-{day:02}T10:00:00Z", "includesCreatedEdit": False, "isMinimized": False,
        "minimizedReason": "", "reactionGroups": [],
        "url": f"https://github.com/shop/till/pull/{number}#issuecomment-{number}{day}", "viewerDidAuthor": False,
        **more,
    }  # fmt: skip


def review(number: int, login: str, body: str, day: int, state: str = "COMMENTED") -> Json:
    return {
        "id": f"PRR_{number}{day}{login}", "author": {"login": login}, "authorAssociation": "MEMBER", "body": body,
        "submittedAt": f"2026-03-{day:02}T11:00:00Z", "includesCreatedEdit": False, "reactionGroups": [],
        "state": state, "commit": {"oid": "0" * 40},
    }  # fmt: skip


RABBIT = """**Actionable comments posted: 1**

<details>
<summary>🧹 Nitpick comments (2)</summary><blockquote>

<details>
<summary>{file} (2)</summary><blockquote>

`12-15`: **Avoid naive datetimes.**

`datetime.utcnow()` has no zone; use `datetime.now(UTC)`.

`40`: **{second}**

Small thing.

</blockquote></details>
</blockquote></details>

<!-- This is an auto-generated comment by CodeRabbit -->
"""
WALKTHROUGH = """<!-- This is an auto-generated comment: summarize by coderabbit.ai -->
## Walkthrough
The change adds a till.
## Changes
| Cohort | Summary |
|---|---|
| **Till** | Counts coins |
"""
QODO = """## PR Reviewer Guide 🔍

<details><summary>⚡ Recommended focus areas for review</summary>

<details><summary><strong>Missing null check</strong></summary>

The order may be null in `src/orders.py`.
</details>
</details>
"""
SONAR = "## Quality Gate passed\n**0 New issues**\n[See analysis](https://sonarcloud.io)"
CODECOV = "## Codecov Report\n**All modified lines are covered.** Please use `codecov.yml`."


def five_pull_requests() -> list[Json]:
    """Thirty comments; those of reviewers name naive datetimes four times and a missing null check three times."""
    return [
        {
            "number": 101,
            "title": "Add a till",
            "comments": [
                comment(101, "coderabbitai", WALKTHROUGH, 1),
                comment(101, "codecov", CODECOV, 1),
                comment(101, "alice", "Thanks for the quick fix!", 2),
                comment(101, "alice", "/retest", 2),
                comment(101, "bob", "Could you explain why this is here?", 3),
            ],
            "reviews": [
                review(
                    101, "coderabbitai", RABBIT.format(file="src/clock.py", second="Rename the helper function."), 1
                ),
                review(101, "alice", "", 3, "APPROVED"),
            ],
        },
        {
            "number": 102,
            "title": "Count coins",
            "comments": [
                comment(102, "qodo-merge-pro", QODO, 4),
                comment(102, "sonarqubecloud", SONAR, 4),
                comment(102, "dependabot", "Bumps **left pad** from 1 to 2.", 4),
                comment(102, "alice", "LGTM", 5),
                comment(102, "mallory", "**Buy cheap coins** here", 5, isMinimized=True),
            ],
            "reviews": [
                review(
                    102,
                    "alice",
                    "**Naive datetime avoided?** Not yet: `datetime.utcnow()` again in `src/bill.py:7`.",
                    5,
                ),
                review(102, "alice", "Use `datetime.now(UTC)` instead of `datetime.utcnow()`.", 5, "PENDING"),
            ],
        },
        {
            "number": 103,
            "title": "Print bills",
            "comments": [
                comment(103, "github-actions[bot]", "**Build failed** in step test", 6),
                comment(103, "bob", "Done.", 6),
                comment(103, "bob", "@coderabbitai review", 6),
            ],
            "reviews": [
                review(103, "coderabbitai[bot]", RABBIT.format(file="src/bill.py", second="Missing null checks."), 6),
                review(103, "bob", "- Please handle the empty bill.\n- nit: `datetime.utcnow()` is deprecated.", 7),
                review(103, "carol", "I am not sure about this.", 7, "DISMISSED"),
            ],
        },
        {
            "number": 104,
            "title": "Close the till",
            "comments": [
                comment(104, "vercel", "**Preview** is ready", 8),
                comment(104, "alice", "> Please add a test\n\nWill do.", 8),
                comment(104, "carol", "How long does this take?", 8),
            ],
            "reviews": [
                review(104, "copilot-pull-request-reviewer", "## Pull request overview\n\nThis PR closes the till.", 8),
                review(104, "carol", "Avoid naive datetime here as well: `datetime.utcnow()`.", 9),
                review(
                    104,
                    "gemini-code-assist",
                    "## Code Review\n\n_🟠 Major_\n\n**Null check missing** in `src/till.py:3`",
                    9,
                ),
            ],
        },
        {
            "number": 105,
            "title": "Typos",
            "comments": [
                comment(105, "codecov", CODECOV, 10),
                comment(105, "renovate[bot]", "**Please update** the lock file", 10),
                comment(105, "alice", "👍", 10),
            ],
            "reviews": [review(105, "bob", "Looks good to me, nice work!", 10, "APPROVED")],
        },
    ]
